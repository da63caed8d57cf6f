"""Rounds sampled instead of summed: the witness of the exact numbers, and the way to what they cannot give."""
