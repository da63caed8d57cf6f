"""Finished rounds as files: TOML that replays, CSV and Parquet with one line per settled wager."""
