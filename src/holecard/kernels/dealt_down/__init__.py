"""Play shoes that are dealt down: one by one, and many side by side."""
