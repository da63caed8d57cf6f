"""Exact results: sums over every deal, nothing sampled."""
