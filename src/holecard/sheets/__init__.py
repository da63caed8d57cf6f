"""Rule sheets: what they can say, how they are read, compiled and described."""
