"""The tables that this process deals: it loads them from the log, takes commands, and tells those who watch."""
