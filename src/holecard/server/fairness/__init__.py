"""Fair shoes: a commitment before the first card, and a revealed seed that deals every card again."""
