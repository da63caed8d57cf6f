"""Every result as data, text, CSV, SVG and HTML."""
