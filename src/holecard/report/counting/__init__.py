"""Reports about counting: documents, data and pictures."""
