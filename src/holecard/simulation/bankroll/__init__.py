"""What becomes of a bankroll over many rounds."""
