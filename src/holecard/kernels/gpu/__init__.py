"""Play rounds on a GPU. Imported only when one is requested."""
