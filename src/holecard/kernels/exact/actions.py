"""Hit, stand, double, Double-Up: values of every hand before a split, longest hands first.

All values are times the chance that the dealer has no natural the players know of ("U"): then every draw is plainly
count over cards left, whatever lies in the hole.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.exact.stand import Floats, Starts
from holecard.kernels.jit import kernel, lean

STAND, HIT, DOUBLE, DOUBLE_UP = range(4)
#: Values this close are equal; the action named first is taken.
TIE = 1e-13

Plan = NDArray[np.uint8]
Flags = NDArray[np.bool_]


class Hands(NamedTuple):
    """The player's hands, numbered so that one more card leads to a higher number."""

    cards: Floats
    size: NDArray[np.int64]
    longer: NDArray[np.int64]


class Allowed(NamedTuple):
    """[hand] what may be done with it."""

    hit: Flags
    double: Flags
    double_up: Flags


class Standing(NamedTuple):
    """[hand, start] worth of a standing hand with its plain stakes, doubled, and doubled up."""

    plain: Floats
    doubled: Floats
    doubled_up: Floats


class Values(NamedTuple):
    """[hand, start] worth of each action, and of the one that is taken."""

    hit: Floats
    double: Floats
    best: Floats


@kernel
def decide(
    counts: Floats,
    hands: Hands,
    starts: Starts,
    standing: Standing,
    allowed: Allowed,
    bust: float,
    doubled_bust: float,
    plan: Plan,
    follow: bool,
    values: Values,
) -> None:
    """Fill `values`, and the best `plan` unless there is one to `follow`."""
    cards, size, longer = hands.cards, hands.size, hands.longer
    plain, doubled, doubled_up = standing.plain, standing.doubled, standing.doubled_up
    best = values.best
    shown = starts.cards.T.copy()
    cards_shown = shown.sum(axis=0)
    left = counts.copy()
    lost = np.ones(starts.natural.size)
    hit = np.empty(lost.size)
    double = np.empty(lost.size)
    in_shoe = counts.sum()
    for hand in range(size.size - 1, -1, -1):
        if size[hand] < 2:
            continue
        for rank in range(counts.size):
            left[rank] = counts[rank] - cards[hand, rank]
        cards_left = in_shoe - size[hand]
        hit[:] = 0.0
        double[:] = 0.0
        for rank in range(counts.size):
            of_rank = left[rank]
            if of_rank <= 0.0:
                continue
            then = longer[hand, rank]
            if then < 0:
                _no_natural(left, cards_left, rank, starts.natural, lost)
                for s in range(lost.size):
                    chance = (of_rank - shown[rank, s]) * lost[s]
                    hit[s] += bust * chance
                    double[s] += doubled_bust * chance
            else:
                for s in range(lost.size):
                    chance = of_rank - shown[rank, s]
                    hit[s] += chance * best[then, s]
                    double[s] += chance * doubled[then, s]
        for s in range(lost.size):
            draws = cards_left - cards_shown[s]
            hit[s] = hit[s] / draws if draws > 0.0 else 0.0
            double[s] = double[s] / draws if draws > 0.0 else 0.0
            values.hit[hand, s] = hit[s]
            values.double[hand, s] = double[s]
            if not follow:
                plan[hand, s] = _best_action(
                    plain[hand, s],
                    hit[s] if allowed.hit[hand] else -np.inf,
                    double[s] if allowed.double[hand] else -np.inf,
                    doubled_up[hand, s] if allowed.double_up[hand] else -np.inf,
                )
            action = plan[hand, s]
            if action == STAND:
                best[hand, s] = plain[hand, s]
            elif action == HIT:
                best[hand, s] = hit[s]
            elif action == DOUBLE:
                best[hand, s] = double[s]
            else:
                best[hand, s] = doubled_up[hand, s]


@lean
def choose(standing: Standing, allowed: Allowed, values: Values, plan: Plan) -> None:
    """The best plan among other actions than those the values were made with: after a split, for instance."""
    plain, doubled_up, hit, double = standing.plain, standing.doubled_up, values.hit, values.double
    for hand in range(plan.shape[0]):
        may_hit, may_double, may_double_up = allowed.hit[hand], allowed.double[hand], allowed.double_up[hand]
        for s in range(plan.shape[1]):
            plan[hand, s] = _best_action(
                plain[hand, s],
                hit[hand, s] if may_hit else -np.inf,
                double[hand, s] if may_double else -np.inf,
                doubled_up[hand, s] if may_double_up else -np.inf,
            )


@lean
def _best_action(stand: float, hit: float, double: float, double_up: float) -> int:
    """Of equals, the first."""
    action, best = STAND, stand
    if hit > best + TIE:
        action, best = HIT, hit
    if double > best + TIE:
        action, best = DOUBLE, double
    if double_up > best + TIE:
        action = DOUBLE_UP
    return action


@lean
def _no_natural(left: Floats, cards_left: float, rank: int, natural: NDArray[np.int64], chance: Floats) -> None:
    """`chance[start]` that the dealer has no known natural once one more card, of `rank`, is out."""
    for s in range(chance.size):
        partner = natural[s]
        if partner >= 0:
            of_partner = left[partner] - (1.0 if partner == rank else 0.0)
            chance[s] = 1.0 - of_partner / max(cards_left - 2.0, 1.0)
