"""Text files and TOML: reading with limits and line numbers, and writing."""
