"""Index plays: what each action is worth at each count, and which plays gain most."""
