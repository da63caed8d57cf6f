"""How often a policy reaches each hand: probabilities carried forward from the first cards to stand, double or bust.

The notation is that of `stand`. Hands are numbered so that one more card leads to a higher number, so one pass over the
hands in order carries every probability to its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats
from holecard.kernels.exact.actions import DOUBLE_CODE, DOUBLE_UP_CODE, HIT_CODE, ActionCodes, Hands
from holecard.kernels.exact.stand import DealerStarts
from holecard.kernels.jit import kernel


class Reach(NamedTuple):
    """Probabilities of coming to each hand, [hand, start], and of busting, [start].

    Only the bust probabilities include the factor P(no known natural); the EVs (U) of the other hands bring it along.
    """

    hit: Floats
    """the hand is hit; the caller fills it in for the first hands"""
    doubled: Floats
    """the hand is doubled, before its card"""
    stands: Floats
    stands_doubled: Floats
    """the hand stands after its doubling card"""
    stands_doubled_up: Floats
    busts: Floats
    busts_doubled: Floats


@kernel
def forward(counts: Floats, hands: Hands, starts: DealerStarts, policy: ActionCodes, reach: Reach) -> None:
    """Carry the probabilities of the first hands in `reach` on to every hand that follows by the policy."""
    cards_in_shoe = counts.sum()
    for hand in range(hands.size.size):
        size = hands.size[hand]
        for s in range(starts.natural.size):
            hit, double = reach.hit[hand, s], reach.doubled[hand, s]
            if hit == 0.0 and double == 0.0:
                continue
            shown = starts.cards[s]
            left = cards_in_shoe - size - shown.sum()
            for v in range(counts.size):
                of_value = counts[v] - hands.cards[hand, v] - shown[v]
                if of_value <= 0.0:
                    continue
                probability = of_value / left
                longer = hands.longer[hand, v]
                if longer >= 0:
                    _arrive(longer, s, hit * probability, policy, reach)
                    reach.stands_doubled[longer, s] += double * probability
                else:
                    natural = starts.natural[s]
                    if natural >= 0:
                        partners = counts[natural] - hands.cards[hand, natural] - (1.0 if natural == v else 0.0)
                        probability *= 1.0 - partners / (left - 1.0)
                    reach.busts[s] += hit * probability
                    reach.busts_doubled[s] += double * probability


@kernel
def _arrive(hand: int, start: int, probability: float, policy: ActionCodes, reach: Reach) -> None:
    """Book the probability of coming to a hand under what the policy does with it."""
    action = policy[hand, start]
    if action == HIT_CODE:
        reach.hit[hand, start] += probability
    elif action == DOUBLE_CODE:
        reach.doubled[hand, start] += probability
    elif action == DOUBLE_UP_CODE:
        reach.stands_doubled_up[hand, start] += probability
    else:
        reach.stands[hand, start] += probability


@kernel
def paths(
    first: int, hands: Hands, policy: ActionCodes, start: int, ways: Floats, doubled: Floats, doubles: Floats
) -> None:
    """Count the orders of cards in which the policy leads from hand `first` to others; a single card is always hit.

    Fills `ways[hand]` (it stands or is doubled up), `doubled[hand]` (it stands with its doubling card) and
    `doubles[hand]` (it is doubled, and the card is still to come).
    """
    arrive = np.zeros(hands.size.size)
    arrive[first] = 1.0
    for hand in range(first, hands.size.size):
        come = arrive[hand]
        if come == 0.0:
            continue
        action = HIT_CODE if hands.size[hand] == 1 else policy[hand, start]
        if action == HIT_CODE:
            for v in range(hands.longer.shape[1]):
                longer = hands.longer[hand, v]
                if longer >= 0:
                    arrive[longer] += come
        elif action == DOUBLE_CODE:
            doubles[hand] = come
            for v in range(hands.longer.shape[1]):
                longer = hands.longer[hand, v]
                if longer >= 0:
                    doubled[longer] += come
        else:
            ways[hand] = come
