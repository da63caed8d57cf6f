"""When a shoe ends, and the sums that are kept per shoe."""

from __future__ import annotations

from typing import NamedTuple

from holecard.kernels.jit import lean
from holecard.kernels.play.lookup import Offsets, Results

#: Sums over shoes for one seat; net results in parts.
SHOES, NETS, NETS_SQUARED, ROUNDS, ROUNDS_SQUARED, NETS_ROUNDS = range(6)
SUMS = 6
NO_CHUTE = -1


class DealingRule(NamedTuple):
    """When a shoe ends, and where used cards go."""

    burn: int
    """cards burned before the first round"""
    cut: int
    """no round starts once this many cards are out"""
    rounds: int
    """the most rounds per shoe"""
    chute: int
    """continuous shuffler: cards in the chute when a round's cards are returned; NO_CHUTE: cards are not returned"""


@lean
def ends_shoe(rule: DealingRule, at: Offsets, cards: int, refilled: bool) -> bool:
    """Return whether a round with this many cards ends its shoe: it needed more than there are, or leaves no chute.

    `refilled` says that the discards were shuffled in during the round.
    """
    return refilled or cards + max(rule.chute, 0) > at.cards


@lean
def add_shoe(sums: Results, seat: int, net: int, rounds: int) -> None:
    """Add a seat's net result of a shoe with this many rounds to `sums` ([seat, sum])."""
    sums[seat, SHOES] += 1
    sums[seat, NETS] += net
    sums[seat, NETS_SQUARED] += net * net
    sums[seat, ROUNDS] += rounds
    sums[seat, ROUNDS_SQUARED] += rounds * rounds
    sums[seat, NETS_ROUNDS] += net * rounds
