"""Tables and paragraphs that the commands print."""
