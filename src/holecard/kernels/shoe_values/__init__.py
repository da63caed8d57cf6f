"""Compiled kernels that value many shoes: the main wager and side wagers. `exact.stand` explains the notation.

`lane_evs`, `one_start` and `start_splits` write the recursion of `kernels.exact` a second time, for a GPU:
`kernels.exact` sums many hands side by side in vectors, while a thread of a GPU sums one hand in a few hundred bytes of
its own. tests/exact/shoe_values/test_one_start.py compares both for every sheet.
"""
