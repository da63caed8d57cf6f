"""The main wager from shoes with too few cards for the longest round: approximate values.

The longest possible round takes 20 to 30 cards, an average one 5 or 6. The solver needs cards for the longest, so the
last rounds of one or two decks have no exact EV. They are also the most valuable ones to a counter, and an average
without them would be wrong by far more than their approximate EVs are.

The EV from k times the cards of a shoe, in the same proportions, differs from the EV from the shoe by drawing without
replacement, an effect inversely proportional to the number of cards. So with the smallest k that holds the longest
round, and E(k) the exact EV from k times the cards,

    EV = E(k) + (k - 1) (k + 1) (E(k) - E(k + 1))

is the value at 1/k = 1 on a line in 1/k. Over all shoes of 7 to 20 cards that a deck leaves, a fixed strategy must be
worth as much as from a full deck; with these values it is, within 1%, while E(k) alone is 1 to 6% lower. From fewer
than seven cards, a round takes all cards more often than not: such rounds are left out.

Cards are those not seen, burned ones included. That discards are shuffled in when a shoe runs out is not modeled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.shoe_values.shoe_counts import by_value
from holecard.exact.solved_game import longest_round
from holecard.kernels.arrays import Floats, Integers
from holecard.sheets.schema import RuleSheet

#: Shoes with fewer cards are not valued.
_FEWEST_CARDS = 7
#: The largest multiple that is tried; the longest round of any shoe fits long before.
_MOST_MULTIPLE = 20


def smallest_multiples(sheet: RuleSheet, shoes: NDArray[Any]) -> Integers:
    """Return [shoe] how many times its cards hold the longest round: 1 where its EV is exact, 0 where it has none."""
    game = prepared_game(sheet.tables)
    counts = by_value(shoes.astype(np.int64))
    cards = counts.sum(axis=1)
    found: Integers = np.zeros(len(counts), np.int64)
    for multiple in range(1, _MOST_MULTIPLE + 1):
        open_ = np.flatnonzero((found == 0) & ((cards >= _FEWEST_CARDS) | (multiple == 1)))
        holds = multiple * cards[open_] >= longest_round(game, multiple * counts[open_])
        found[open_[holds]] = multiple
    return found


def extended_values(sheet: RuleSheet, shoes: NDArray[Any], exact: Callable[[NDArray[Any]], Floats]) -> Floats:
    """Return [shoe] exact values where `exact` has them, and approximate ones from multiples of small shoes."""
    multiples = smallest_multiples(sheet, shoes)
    found = np.full(len(shoes), np.nan)
    whole, small = multiples == 1, multiples > 1
    found[whole] = exact(shoes[whole])
    if small.any():
        cards, k = shoes[small].astype(np.int64), multiples[small]
        once, more = np.split(exact(np.concatenate([cards * k[:, None], cards * (k + 1)[:, None]])), 2)
        found[small] = once + (k - 1) * (k + 1) * (once - more)
    return found
