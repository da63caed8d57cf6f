"""EVs of hit, stand, double and Double-Up for every hand before a split, longest hands first.

The notation is that of `stand`; all EVs are U. Arrays of this module:

    cards       float64[hand, v]        cards of the hand
    longer      int64[hand, v]          the hand with one more card, or BUSTED
    policy      uint8[hand, start]      one of the action codes below
    EVs         float64[hand, start]
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from holecard.kernels.arrays import Flags, Floats, Integers, UInt8s
from holecard.kernels.exact.stand import DealerStarts
from holecard.kernels.jit import kernel, lean

STAND_CODE, HIT_CODE, DOUBLE_CODE, DOUBLE_UP_CODE = range(4)
BUSTED = -1
#: EVs this close are equal; the action named first is taken.
TIE = 1e-13

ActionCodes: TypeAlias = UInt8s


class Hands(NamedTuple):
    """The player's hands, numbered so that one more card leads to a higher number."""

    cards: Floats
    size: Integers
    longer: Integers


class Allowed(NamedTuple):
    """[hand] which actions are allowed."""

    hit: Flags
    double: Flags
    double_up: Flags


class StandEVs(NamedTuple):
    """[hand, start] U of a hand that takes no more cards: with its plain stakes, doubled, and doubled up."""

    plain: Floats
    doubled: Floats
    doubled_up: Floats


class ActionEVs(NamedTuple):
    """[hand, start] U of the actions that draw, and of the action that is taken."""

    hit: Floats
    double: Floats
    best: Floats


@kernel
def fill_action_evs(
    counts: Floats,
    hands: Hands,
    starts: DealerStarts,
    stand_evs: StandEVs,
    allowed: Allowed,
    bust: float,
    doubled_bust: float,
    policy: ActionCodes,
    given_policy: bool,
    evs: ActionEVs,
) -> None:
    """Fill `evs`, and unless the policy is given, fill `policy` with the best actions."""
    cards, size, longer = hands.cards, hands.size, hands.longer
    plain, doubled, doubled_up = stand_evs.plain, stand_evs.doubled, stand_evs.doubled_up
    best = evs.best
    shown = starts.cards.T.copy()
    cards_shown = shown.sum(axis=0)
    left = counts.copy()
    no_natural = np.ones(starts.natural.size)
    hit = np.empty(no_natural.size)
    double = np.empty(no_natural.size)
    in_shoe = counts.sum()
    for hand in range(size.size - 1, -1, -1):
        if size[hand] < 2:
            continue
        for v in range(counts.size):
            left[v] = counts[v] - cards[hand, v]
        cards_left = in_shoe - size[hand]
        hit[:] = 0.0
        double[:] = 0.0
        for v in range(counts.size):
            of_value = left[v]
            if of_value <= 0.0:
                continue
            then = longer[hand, v]
            if then < 0:
                _fill_no_natural(left, cards_left, v, starts.natural, no_natural)
                for s in range(no_natural.size):
                    weight = (of_value - shown[v, s]) * no_natural[s]
                    hit[s] += bust * weight
                    double[s] += doubled_bust * weight
            else:
                for s in range(no_natural.size):
                    weight = of_value - shown[v, s]
                    hit[s] += weight * best[then, s]
                    double[s] += weight * doubled[then, s]
        for s in range(no_natural.size):
            draws = cards_left - cards_shown[s]
            hit[s] = hit[s] / draws if draws > 0.0 else 0.0
            double[s] = double[s] / draws if draws > 0.0 else 0.0
            evs.hit[hand, s] = hit[s]
            evs.double[hand, s] = double[s]
            if not given_policy:
                policy[hand, s] = best_action(
                    plain[hand, s],
                    hit[s] if allowed.hit[hand] else -np.inf,
                    double[s] if allowed.double[hand] else -np.inf,
                    doubled_up[hand, s] if allowed.double_up[hand] else -np.inf,
                )
            action = policy[hand, s]
            if action == STAND_CODE:
                best[hand, s] = plain[hand, s]
            elif action == HIT_CODE:
                best[hand, s] = hit[s]
            elif action == DOUBLE_CODE:
                best[hand, s] = double[s]
            else:
                best[hand, s] = doubled_up[hand, s]


@lean
def fill_best_policy(stand_evs: StandEVs, allowed: Allowed, evs: ActionEVs, policy: ActionCodes) -> None:
    """Fill `policy` with the best actions where other ones are allowed than `evs` assumed, such as after a split."""
    plain, doubled_up, hit, double = stand_evs.plain, stand_evs.doubled_up, evs.hit, evs.double
    for hand in range(policy.shape[0]):
        may_hit, may_double, may_double_up = allowed.hit[hand], allowed.double[hand], allowed.double_up[hand]
        for s in range(policy.shape[1]):
            policy[hand, s] = best_action(
                plain[hand, s],
                hit[hand, s] if may_hit else -np.inf,
                double[hand, s] if may_double else -np.inf,
                doubled_up[hand, s] if may_double_up else -np.inf,
            )


@lean
def best_action(stand: float, hit: float, double: float, double_up: float) -> int:
    """Return the action with the highest EV; of equal ones, the first."""
    action, best = STAND_CODE, stand
    if hit > best + TIE:
        action, best = HIT_CODE, hit
    if double > best + TIE:
        action, best = DOUBLE_CODE, double
    if double_up > best + TIE:
        action = DOUBLE_UP_CODE
    return action


@lean
def _fill_no_natural(left: Floats, cards_left: float, v: int, natural: Integers, no_natural: Floats) -> None:
    """Fill `no_natural[start]`: P(no known natural) once one more card, `v`, is out."""
    for s in range(no_natural.size):
        partner = natural[s]
        if partner >= 0:
            of_partner = left[partner] - (1.0 if partner == v else 0.0)
            no_natural[s] = 1.0 - of_partner / max(cards_left - 2.0, 1.0)
