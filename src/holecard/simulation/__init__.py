"""Simulated rounds: an independent check of the exact numbers, and results that have no exact formula."""
