"""The shoe, and a round that draws its cards from it."""
