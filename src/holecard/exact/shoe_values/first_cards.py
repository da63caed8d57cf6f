"""Side wagers on the first cards, from many shoes.

With T deals of which U cannot place the wager, and b the net result of a lost stake,

    EV = b + (sum over deals in which it is placed of net - b) / (T - U)

Both sums are decision diagrams (`card_diagram`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from holecard.deck import VALUES
from holecard.exact.shoe_values.card_diagram import TYPES, HandSizes, diagram_of
from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.shoe_values.card_diagrams import Diagram, sum_deals
from holecard.payoffs.card_counts import seated_types, sorted_types
from holecard.payoffs.made_hands import CardQuery, HandBits, hand_bits_of
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import BY_VALUE, wager_terms
from holecard.wagers.pay_table import SideWager

_PLAYER_CARDS = 2


@dataclass(frozen=True)
class FirstCards:
    """A wager on the first cards, ready to be valued."""

    sizes: HandSizes
    lost: float
    """net result of a lost stake"""
    gains: Diagram | None
    """net results beyond it"""
    unplaced: Diagram | None
    """1 for each deal in which the wager cannot be placed"""

    def values(self, left: Integers) -> Floats:
        """Return [shoe] the EV from `left[shoe, type]`; NaN where the wager cannot be placed."""
        deals = np.ones(len(left))
        cards = left.sum(axis=1).astype(np.float64)
        for dealt in range(sum(self.sizes)):
            deals *= np.maximum(cards - dealt, 0.0)
        for most in self.sizes:
            deals /= factorial(most)
        placed = deals - _sums(self.unplaced, left)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(placed > 0.0, self.lost + _sums(self.gains, left) / placed, np.nan)


@lru_cache(maxsize=64)
def first_cards(wager: SideWager) -> FirstCards:
    """Return a wager that no dealer's hand decides, ready to be valued; the result is cached."""
    terms, payoffs = wager_terms(wager), WagerPayoffs(wager)
    kinds = terms.upcard_kinds()
    query = terms.card_query(kinds)
    made, hand_bits = hand_table(query)
    sizes: HandSizes = (query.size,)
    upcard = np.array(1)
    if query.needs_seats or max(kinds) > 0:
        sizes = (_PLAYER_CARDS, *(1,) * (max(query.size, _PLAYER_CARDS + 1) - _PLAYER_CARDS))
        upcard = np.array(VALUES).reshape(-1, *(1,) * (len(sizes) - 2))
        made = made.reshape(*made.shape, *(1,) * (sum(sizes) - made.ndim))
    lost = payoffs.paid(None)
    outcomes = [[terms.resolve(bits, up, peeked=False).otherwise for up in BY_VALUE] for bits in hand_bits]
    beyond = np.array([[0.0 if one is None else float(payoffs.net(one) - lost) for one in row] for row in outcomes])
    never = np.array([[float(one is None) for one in row] for row in outcomes])
    shape = (TYPES,) * sum(sizes)
    gains, unplaced = (np.broadcast_to(table[made, upcard - 1], shape) for table in (beyond, never))
    return FirstCards(sizes, float(lost), diagram_of(gains, sizes), diagram_of(unplaced, sizes))


def hand_table(query: CardQuery) -> tuple[Integers, list[HandBits]]:
    """Return a table with an axis for every card asked about: which of the sets of named hands, listed, they make."""
    cards = seated_types(query.size) if query.needs_seats else sorted_types(query.size)
    distinct, of = np.unique(hand_bits_of(query, cards), return_inverse=True)
    traded = _PLAYER_CARDS if query.needs_seats else query.size
    table = np.empty((TYPES,) * query.size, np.int64)
    for order in permutations(range(traded)):
        table[tuple(cards[[*order, *range(traded, query.size)]])] = of
    return table, [int(bits) for bits in distinct]


def _sums(diagram: Diagram | None, left: Integers) -> Floats:
    """Return [shoe] the sum over deals; nothing pays where there is no diagram."""
    found = np.zeros(len(left))
    if diagram is not None:
        sum_deals(left, diagram, found)
    return found
