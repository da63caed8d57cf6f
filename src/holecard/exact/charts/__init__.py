"""The best strategy chart of a game."""
