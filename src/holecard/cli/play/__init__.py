"""The table in the terminal: asking for bets and decisions, playing automatically, and the session summary."""
