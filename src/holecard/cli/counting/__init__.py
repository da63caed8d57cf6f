"""The command `holecard counting`."""
