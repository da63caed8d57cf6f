"""What the terminal shows: cards, hands, columns, and the screen they are fitted to."""
