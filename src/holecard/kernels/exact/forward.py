"""Where rounds end up: chances flow from the first two cards through the plan to hands that stand, double or bust."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.exact.actions import DOUBLE, DOUBLE_UP, HIT, Hands, Plan
from holecard.kernels.exact.stand import Floats, Starts
from holecard.kernels.jit import kernel


class Flow(NamedTuple):
    """[hand, start] chances, not yet times that of no known natural; busts are times it."""

    hit: Floats
    """a hand that is hit: given for the cards a flow begins with, filled in for the others"""
    doubled: Floats
    """a hand that is doubled, before its card"""
    stands: Floats
    stands_doubled: Floats
    """a hand that stands after its doubling card"""
    stands_doubled_up: Floats
    busts: Floats
    """[start]"""
    busts_doubled: Floats


@kernel
def flow(counts: Floats, hands: Hands, starts: Starts, plan: Plan, chances: Flow) -> None:
    """Carry the chances of the hands a flow begins with on to all others, which follow the plan."""
    cards_in_shoe = counts.sum()
    for hand in range(hands.size.size):
        size = hands.size[hand]
        for s in range(starts.natural.size):
            hit, double = chances.hit[hand, s], chances.doubled[hand, s]
            if hit == 0.0 and double == 0.0:
                continue
            shown = starts.cards[s]
            left = cards_in_shoe - size - shown.sum()
            for rank in range(counts.size):
                of_rank = counts[rank] - hands.cards[hand, rank] - shown[rank]
                if of_rank <= 0.0:
                    continue
                chance = of_rank / left
                longer = hands.longer[hand, rank]
                if longer >= 0:
                    _arrive(longer, s, hit * chance, plan, chances)
                    chances.stands_doubled[longer, s] += double * chance
                else:
                    natural = starts.natural[s]
                    if natural >= 0:
                        partners = counts[natural] - hands.cards[hand, natural] - (1.0 if natural == rank else 0.0)
                        chance *= 1.0 - partners / (left - 1.0)
                    chances.busts[s] += hit * chance
                    chances.busts_doubled[s] += double * chance


@kernel
def _arrive(hand: int, start: int, chance: float, plan: Plan, chances: Flow) -> None:
    action = plan[hand, start]
    if action == HIT:
        chances.hit[hand, start] += chance
    elif action == DOUBLE:
        chances.doubled[hand, start] += chance
    elif action == DOUBLE_UP:
        chances.stands_doubled_up[hand, start] += chance
    else:
        chances.stands[hand, start] += chance


@kernel
def paths(first: int, hands: Hands, plan: Plan, start: int, ways: Floats, doubled: Floats, doubles: Floats) -> None:
    """In how many orders of cards a hand comes to others by the plan, a single card being hit always.

    `ways[hand]`: it stands or is doubled up; `doubled[hand]`: it stands with its doubling card; `doubles[hand]`: it is
    doubled, the card still to come.
    """
    arrive = np.zeros(hands.size.size)
    arrive[first] = 1.0
    for hand in range(first, hands.size.size):
        come = arrive[hand]
        if come == 0.0:
            continue
        action = HIT if hands.size[hand] == 1 else plan[hand, start]
        if action == HIT:
            for rank in range(hands.longer.shape[1]):
                longer = hands.longer[hand, rank]
                if longer >= 0:
                    arrive[longer] += come
        elif action == DOUBLE:
            doubles[hand] = come
            for rank in range(hands.longer.shape[1]):
                longer = hands.longer[hand, rank]
                if longer >= 0:
                    doubled[longer] += come
        else:
            ways[hand] = come
