"""Compiled kernels that value many shoes: the main wager and side wagers. `exact.stand` explains the notation."""
