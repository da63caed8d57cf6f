"""What `verify` claims: exact numbers, each with the simulated rounds or the other exact numbers that it must match."""
