"""Rule sheets: their schema, and how they are read, checked, compiled and described."""
