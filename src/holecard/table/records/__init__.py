"""Recorded rounds: TOML text that replays to the cent."""
