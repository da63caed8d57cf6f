"""Exact results: sums over every deal, nothing sampled.

`analyze` and `evaluate` are the entry points. `main` solves the main wager, `splits` prices pairs, `distribution` finds
the probability of every net result, `wagers` counts side wagers, `charts` finds the best strategy chart. `v` is a card
value minus 1 (0 is an ace, 9 a ten) and `U` an EV times P(no known natural); `kernels.exact.stand` has the rest of the
notation.
"""
