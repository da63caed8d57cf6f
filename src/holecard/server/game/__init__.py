"""A table as its log: entries, the fold that turns them into a table, and the commands that make new entries."""
