"""The main wager: hands, the dealer, and the EV of every action."""
