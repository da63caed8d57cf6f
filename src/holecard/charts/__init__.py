"""Strategy charts: their cells, layout and text form."""
