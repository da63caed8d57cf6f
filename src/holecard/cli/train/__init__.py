"""Drills in the terminal."""
