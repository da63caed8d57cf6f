"""The main game: hands, the dealer, the value of every action."""
