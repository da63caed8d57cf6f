"""Text files and TOML: read with limits and line numbers, and written."""
