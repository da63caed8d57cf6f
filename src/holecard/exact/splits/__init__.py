"""The value of splitting a pair."""
