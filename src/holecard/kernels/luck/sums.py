"""Sums over shoes, in pieces that fit 64 bits.

Each row of sums is for a seat; with several seats, the last row is for all of them together. A row has the number of
shoes, of rounds, and the sum of squared rounds, then six sums for each of three quantities: net result (in parts), luck
and luck-adjusted result (in steps).

Why sums over 10^12 < 2^40 rounds fit 63 bits: a number of steps is cut after `fine` bits, 12 for a round and 16 for a
shoe. The upper piece is below 2^26 for a round of up to 64 units, and its sum fits while its mean stays below 8 units;
the lower pieces sum to less than 2^56. Squares of upper pieces, and their products with the rounds of the shoe, are cut
after the 22nd bit: the lower pieces sum to less than 2^62, and the upper ones fit while the mean square per round stays
below 8 square units. One square fits for rounds of up to 2,048 units and shoes of up to 32,768. Net results in parts
are cut after bit 0; `simulate_luck.most_rounds` says how many rounds their squares allow. Sums over all seats are up to
seats² times as large, so fewer rounds fit.
"""

from __future__ import annotations

from holecard.kernels.jit import lean
from holecard.kernels.luck.baseline import Steps
from holecard.kernels.luck.undealt import LuckWorkspace

#: Bits cut off: from the steps of a round, from those of a shoe, and from products.
ROUND_FINE, SHOE_FINE, PRODUCT_FINE = 12, 16, 22
#: Indexes of the sums in a row, and the first of each quantity.
SHOES_PLAYED, ROUNDS_PLAYED, SQUARED_ROUNDS, NET_OF_SHOE, LUCK, ADJUSTED = 0, 1, 2, 3, 9, 15
LUCK_SUMS = 21
#: Within the six of a quantity: upper and lower pieces of itself, of its square, and of its product with the rounds.
UPPER, LOWER, SQUARE_UPPER, SQUARE_LOWER, BY_ROUNDS_UPPER, BY_ROUNDS_LOWER = range(6)


@lean
def add_adjusted_shoe(work: LuckWorkspace, rounds: int, part: int, fine: int, sums: Steps) -> None:
    """Add the net results and the luck of a shoe to `sums` ([seat, sum])."""
    seats, net, luck = work.charts.size, 0, 0
    for seat in range(seats):
        _add_row(sums[seat], work.nets[seat], work.shoe_luck[seat], rounds, part, fine)
        net += work.nets[seat]
        luck += work.shoe_luck[seat]
    if seats > 1:
        _add_row(sums[seats], net, luck, rounds, part, fine)


@lean
def _add_row(row: Steps, net: int, luck: int, rounds: int, part: int, fine: int) -> None:
    row[SHOES_PLAYED] += 1
    row[ROUNDS_PLAYED] += rounds
    row[SQUARED_ROUNDS] += rounds * rounds
    _add_quantity(row, NET_OF_SHOE, net, 0, rounds)
    _add_quantity(row, LUCK, luck, fine, rounds)
    _add_quantity(row, ADJUSTED, net * part - luck, fine, rounds)


@lean
def _add_quantity(row: Steps, to: int, amount: int, fine: int, rounds: int) -> None:
    upper = amount >> fine
    row[to + UPPER] += upper
    row[to + LOWER] += amount & ((1 << fine) - 1)
    _add_product(row, to + SQUARE_UPPER, upper * upper)
    _add_product(row, to + BY_ROUNDS_UPPER, upper * rounds)


@lean
def _add_product(row: Steps, to: int, product: int) -> None:
    row[to] += product >> PRODUCT_FINE
    row[to + 1] += product & ((1 << PRODUCT_FINE) - 1)
