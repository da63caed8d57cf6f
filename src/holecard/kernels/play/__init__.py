"""Compiled kernels that deal and play rounds."""
