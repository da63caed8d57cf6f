"""What stakes and side wagers pay, as numbers: the layer that the exact mathematics and the simulation share."""
