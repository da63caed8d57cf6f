"""The EV of splitting a pair, with resplits."""
