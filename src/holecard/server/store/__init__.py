"""Where the server keeps its logs, ledger, accounts and records: SQLite in a file, or PostgreSQL."""
