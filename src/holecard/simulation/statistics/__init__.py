"""Estimates, tests of fit, and comparisons with the exact numbers."""
