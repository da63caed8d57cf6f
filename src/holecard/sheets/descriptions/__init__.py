"""A rule sheet in sentences, and its compiled tables as labeled matrices."""
