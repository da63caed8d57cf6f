"""Compiled kernels of the exact mathematics. `stand` explains the notation that all of them share."""
