"""Moves and situations as short text, and back."""
