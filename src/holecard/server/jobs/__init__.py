"""Long computations for signed-in designers: each in a process of its own that can be stopped."""
