"""The coach: what each decision is worth, what the decisions of a round cost, and how much of a result was luck."""
