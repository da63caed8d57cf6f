"""Baseline values, which depend on the shoe, and the luck of a card.

Give every state s of a round a baseline value. The *luck* of a card is its effect beyond the expected effect,

    value(after it) - Σ_r left_r · value(after r) / Σ_r left_r

where `left` counts the cards that the next one is drawn from. Its mean is exactly 0 for any values, given everything
that happened before the card, so a result minus luck has the same mean as the result. The closer values are to the true
EV, the smaller the variance. The value of a state is linear in the shoe that the round began with:

    value(s) = ev(s) + Σ_v tilt_v · slope_v(s)        tilt_v = (share of v in this shoe) - (share of v in a full shoe)

`ev` is the value with the shares of a full shoe, and `slope` its derivative by the share of each card value. `tilt` is
fixed before the first card of the round, so that it never depends on a card whose luck it measures.

Values are whole *steps*: `part` steps per part of the stake, just under 2^32 per unit. Slopes are 16-bit numbers of
2^20 steps, cut off at ±8 units, and tilts are in 2^-14, so their products are in 2^6 steps. Everything is exact except
one division per card, which rounds down: the luck of a card is overstated by less than one step, 2.4e-10 units.

States are numbered; all states that may follow a card of the opening are in a row.

Counts of cards (`left`) are [value, then rank, then their total].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, inlined, lean
from holecard.kernels.play.lookup import RANK_COUNT, VALUE_COUNT

#: Bits of a tilt behind the point, bits dropped from slopes in steps, and bits that their products lack.
TILT_BITS, SLOPE_BITS, COARSE_BITS = 14, 20, 6
#: Length of a row of slopes, or of a tilt: a whole vector. Slopes end with zeros.
SLOPE_WIDTH = 16
#: Index of the flag in a tilt that says whether any share differs from that of a full shoe.
TILTED = SLOPE_WIDTH - 1
#: Index of the total in counts of cards, and their length.
CARDS_LEFT = VALUE_COUNT + RANK_COUNT
COUNTS = CARDS_LEFT + 1

Steps = NDArray[np.int64]
Slopes = NDArray[np.int16]


class BaselineValues(NamedTuple):
    """The baseline of every state, and where the states of each kind begin."""

    ev: Steps
    """[state]"""
    slope: Slopes
    """[state, value] see above"""
    dealers: int
    """the first states are [original or added stakes, dealer hand, node]: a hand that is finished or takes a card"""
    nodes: int
    pending: int
    """[chart, upcard and hole card, rank, finished hands, hands] hands of a split that wait for a second card"""
    hands: int
    first: int
    """[chart, rank] a seat's first card"""
    upcard: int
    """[chart, rank, value] first card and upcard"""
    second: int
    """[chart, rank, value, rank] first card, upcard and second card"""
    hole: int
    """[chart, rank, value, rank, value] all opening cards, if the dealer has a hole card"""
    opening: int
    """[chart] before the opening"""
    removal: Steps
    """[chart, value] the slope of that, in steps: what a share of the cards adds to a round's value"""
    part: int
    """steps in a part of the stake"""
    shoe: Steps
    """counts of a full shoe"""


@lean
def set_tilt(left: Steps, shoe: Steps, tilt: Slopes) -> None:
    """Set a round's tilt for a shoe with these cards left, at least one."""
    tilted = 0
    for value in range(VALUE_COUNT):
        share = (left[value] << TILT_BITS) // left[CARDS_LEFT]
        tilt[value] = share - (shoe[value] << TILT_BITS) // shoe[CARDS_LEFT]
        tilted |= int(tilt[value] != 0)
    tilt[TILTED] = tilted


@lean
def set_level(tilt: Slopes) -> None:
    """Set the tilt of a full shoe."""
    for value in range(SLOPE_WIDTH):
        tilt[value] = 0


@inlined
def baseline_value(evs: Steps, slopes: Slopes, tilt: Slopes, state: int) -> int:
    """Return the value of a state."""
    found = evs[index(state)]
    if tilt[TILTED]:
        slope, more = slopes[index(state)], np.int32(0)
        for value in range(tilt.size):  # a length known in advance is unrolled, and then not vectorized
            more = np.int32(more + np.int32(np.int32(slope[value]) * np.int32(tilt[value])))
        found += np.int64(more) << COARSE_BITS
    return int(found)


@lean
def luck_in_row(
    evs: Steps, slopes: Slopes, tilt: Slopes, begin: int, left: Steps, counts: int, cards: int, drawn: int
) -> int:
    """Return the luck of a card; states from `begin` on follow the cards that are counted from `counts` on."""
    weighed, after = 0, 0
    for card in range(cards):
        found = baseline_value(evs, slopes, tilt, begin + card)
        weighed += left[index(counts + card)] * found
        after = found if card == drawn else after
    return int(after - weighed // left[CARDS_LEFT])


@lean
def shoe_value(removal: Steps, chart: int, left: Steps) -> int:
    """Return the part of a round's value that depends on the shoe, from its shares: a martingale as cards are dealt."""
    weighed = 0
    for value in range(VALUE_COUNT):
        weighed += left[value] * removal[chart, value]
    return int(weighed // left[CARDS_LEFT])
