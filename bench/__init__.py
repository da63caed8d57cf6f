"""Benchmarks: each measurement is a ratio between two jobs timed in the same run."""
