"""Performance as ratios, side by side in one run."""
