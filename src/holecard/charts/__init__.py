"""Strategy charts: what a player does, cell by cell, as text that reads back."""
