"""A run in chunks: executors, counts, and the resume file."""
