"""Compiled kernels of the exact mathematics."""
