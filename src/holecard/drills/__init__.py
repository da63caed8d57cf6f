"""Drills: questions about the hands of any game, those answered wrong sooner again, and what has been learned."""
