"""Drills and strategy charts for people who play: progress in the database, computations for the worker processes."""
