"""The distribution of a round's net result."""
