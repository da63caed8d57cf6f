"""One module for each kind of result: `summary`, `data`, `rows` and `document`."""
