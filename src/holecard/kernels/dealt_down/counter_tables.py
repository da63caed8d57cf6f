"""What a counter does, as numbers: tags, readings, bets, charts, insurance.

A count's *reading* is the whole number that the player uses. With R the sum of the tags seen and U the cards not seen,

    reading = round((a · R - b · seen + c) / (d · U + e))

which covers true and running counts (see `holecard.counts.count`). All are whole numbers below 2^50, and the quotient
of two such numbers is a whole number or at least 1/(d · U + e) away from one, so a float64 division rounds correctly.
Readings are kept in *slots*, from 0 for `low` or less up to the last for `low + slots - 1` or more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import inlined
from holecard.kernels.play.lookup import Results

#: Columns of `terms`.
PER_TAG, PER_SEEN, CONSTANT, PER_UNSEEN, DIVISOR, HALF, TOWARD_ZERO = range(7)
TERMS = 7
#: Whether insurance was taken, and its result.
NOT_INSURED, INSURANCE_LOST, INSURANCE_WON = range(3)
INSURED = 3
#: What is won, by row: the main wager, insurance, both together, and from `SIDE_SUMS` on each side wager.
MAIN_SUM, INSURANCE_SUM, TOTAL_SUM, SIDE_SUMS = range(4)

Tags = NDArray[np.int32]


class CounterTables(NamedTuple):
    """One player who counts: the main count is number 0, side counts follow."""

    seat: int
    burn: int
    """cards burned, which nobody sees"""
    sees_hole: int
    """1 if the hole card is face up"""
    sees_others: int
    """1 if the other players' cards are face up"""
    tags: Tags
    """[count, card type]"""
    terms: NDArray[np.float64]
    """[count, term] of the reading"""
    lows: NDArray[np.float64]
    """[count] the reading of slot 0"""
    slots: int
    charts: Results
    """[count, slot] share in the number of the chart"""
    early: Results
    """[rank of the upcard] 1 if surrender is decided before anybody draws"""
    insures: Results
    """[count, slot] 1 if the player takes insurance"""
    enters: Results
    """[slot of the main count] 1 if the player sits down"""
    leaves: Results
    """[slot of the main count] 1 if the player leaves"""
    begins: int
    """1 if the player is seated when a shoe begins"""
    bets: Results
    """[slot of the main count] in steps of the player's bets; 0: the player sits out"""
    wager_bets: Results
    """[wager, slot of its count]"""
    wager_counts: Results
    """[wager] the count that decides its bet"""
    net_of_cell: Results
    """[cell of a round without a split] number of its net result"""
    net_of_sum: Results
    """[sum of a round with a split] number of its net result"""
    nets: Results
    """[net result] in fine parts"""
    insurance: Results
    """[not insured, lost, won] net result of insurance in fine parts"""
    wager_nets: Results
    """[cell of a side wager] net result in parts of the wager; 0 where it cannot be placed"""


@inlined
def slot_of(total: float, seen: float, cards: float, terms: NDArray[np.float64], low: float, slots: int) -> np.uint32:
    """Return the slot of a count with this sum of tags over the cards seen, of a shoe with `cards` cards."""
    unseen = max(1.0, cards - seen)
    above = terms[PER_TAG] * total - terms[PER_SEEN] * seen + terms[CONSTANT]
    below = terms[PER_UNSEEN] * unseen + terms[DIVISOR]
    reading = np.floor(above / below + terms[HALF]) if above >= 0 or not terms[TOWARD_ZERO] else np.ceil(above / below)
    return np.uint32(min(max(reading - low, 0.0), float(slots - 1)))
