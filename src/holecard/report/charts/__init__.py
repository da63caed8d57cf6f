"""Strategy charts as data, CSV, SVG and HTML."""
