"""Sampled rounds replayed at the table and by an independent referee."""
