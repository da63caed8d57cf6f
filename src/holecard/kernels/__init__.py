"""Compiled numeric code; imports nothing else of the package."""
