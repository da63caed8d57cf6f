"""What a stake or a side wager pays, as numbers: shared by the exact mathematics and the simulation."""
