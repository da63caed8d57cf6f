"""`InitialHand`: two cards of the player against every dealer's start, with the EV of each first action.

EVs are U as in `solve`. The EV of a round adds what the dealer's known naturals do to the hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

import numpy as np

from holecard.composition import Composition
from holecard.exact.main.deal_probabilities import (
    counts_after,
    deal_probabilities,
    no_natural_probabilities,
    splits_by_rank,
    tens_of_one_rank,
)
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.solve import Solution
from holecard.exact.results import ActionEV
from holecard.exact.splits.split_ev import split_evs
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.kernels.exact.actions import TIE
from holecard.payoffs.stakes import StakesOnHand, initial_stakes_payoff
from holecard.sheets.tables import DEALER_NATURAL, NATURAL

#: The order in which equal actions are preferred.
ACTION_ORDER = ("stand", "hit", "double", "double up", "split", "quick pay", "surrender")
#: A difference of probabilities below this share of them is rounding.
_ROUNDING = 1e-12
EVERY_DEAL = tuple((low, high) for low in range(1, 11) for high in range(low, 11))


@dataclass(frozen=True)
class InitialHand:
    """Two cards by value against every start."""

    low: int
    high: int
    """values; 1 is an ace"""
    is_pair: bool
    """May be split. Two tens of different rank may not be where the sheet splits by rank."""
    hand: int
    probability: Floats
    """[start] of being dealt this hand, before the dealer peeks"""
    no_natural: Floats
    """[start] P(no known natural) given the deal"""
    actions: dict[str, Floats]
    """[start] U of every legal action; NaN where it is not legal"""
    early_surrender_ev: Floats
    """[start] EV of surrendering before the dealer peeks, NaN where that is not offered"""
    payoff_against_natural: float
    """payoff against a natural that the dealer shows or has peeked at"""

    @property
    def is_natural(self) -> bool:
        return not self.actions


def initial_hands(
    solution: Solution, shoe: Composition, deals: Iterable[tuple[int, int]] = EVERY_DEAL
) -> list[InitialHand]:
    """Return every initial hand that can be dealt, or those of some values; naturals among them have no actions."""
    game = solution.game
    low, high = np.array(list(deals)).T
    probabilities = deal_probabilities(game.dealer, solution.counts, low, high)
    no_natural = no_natural_probabilities(game.dealer, counts_after(solution.counts, low, high))
    offered = _offered(solution, shoe, low, high, no_natural)
    legal = {action: np.logical_not(np.isnan(evs).all(axis=1)).tolist() for action, evs in offered.items()}
    early = early_surrender(game)
    found = []
    for deal, (first, second) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        if not probabilities[deal].any():
            continue
        actions = {action: evs[deal] for action, evs in offered.items() if legal[action][deal]}
        for is_pair, probability in _ways(game, shoe, first, second, probabilities[deal]):
            found.append(_initial_hand(game, first, second, is_pair, probability, no_natural[deal], early, actions))
    return found


def _ways(game: PreparedGame, shoe: Composition, low: int, high: int, probability: Floats) -> list[tuple[bool, Floats]]:
    """Return the kinds of the deal with [start] their probabilities; two tens of different rank are a kind apart."""
    if low != high:
        return [(False, probability)]
    if high != 10 or not splits_by_rank(game):
        return [(True, probability)]
    same = np.array([sum(of_case for _, of_case in cases) for cases in tens_of_one_rank(game, shoe)])
    apart = np.where(probability - same > _ROUNDING * probability, probability - same, 0.0)
    return [(is_pair, of_kind) for is_pair, of_kind in ((True, same), (False, apart)) if of_kind.any()]


def _initial_hand(
    game: PreparedGame,
    low: int,
    high: int,
    is_pair: bool,
    probability: Floats,
    no_natural: Floats,
    early: Floats,
    actions: dict[str, Floats],
) -> InitialHand:
    natural = (low, high) == (1, 10)
    hand = int(game.hands.two[low - 1, high - 1])
    player = NATURAL if natural else int(game.classes[hand])
    if natural:
        actions = {}
    elif not is_pair:
        actions = {action: evs for action, evs in actions.items() if action != "split"}
    return InitialHand(
        low=low,
        high=high,
        is_pair=is_pair,
        hand=hand,
        probability=probability,
        no_natural=no_natural,
        actions=actions,
        early_surrender_ev=np.full(probability.size, np.nan) if natural else early,
        payoff_against_natural=float(game.rows.every[StakesOnHand.ORIGINAL, player, DEALER_NATURAL]),
    )


def _offered(
    solution: Solution, shoe: Composition, low: Integers, high: Integers, no_natural: Floats
) -> dict[str, Floats]:
    """Return [deal, start] U of every action, in the order of ACTION_ORDER, NaN where it is not legal."""
    game, tables = solution.game, solution.game.tables
    hands = game.hands.two[low - 1, high - 1]
    nowhere = np.full(no_natural.shape, np.nan)

    def where(allowed: Flags, ev: Floats) -> Floats:
        return np.where(allowed[hands][:, None], ev[hands], np.nan)

    split = nowhere.copy()
    for v, ev in split_evs(solution, shoe).items():
        split[(low == high) & (low == v + 1)] = ev
    cashed = [float("nan") if row is None else float(initial_stakes_payoff(tables, row)) for row in tables.quick_pay]
    given_up = np.nan if tables.surrenders == "none" else float(initial_stakes_payoff(tables, tables.surrender))
    return {
        "stand": solution.stand_evs.plain[hands],
        "hit": where(game.first_hand.hit, solution.action_evs.hit),
        "double": where(game.first_hand.double, solution.action_evs.double),
        "double up": where(game.first_hand.double_up, solution.stand_evs.doubled_up),
        "split": split,
        "quick pay": np.array(cashed)[game.hands.total[hands]][:, None] * no_natural,
        "surrender": np.where(np.isnan(early_surrender(game)), given_up * no_natural, nowhere),
    }


def early_surrender(game: PreparedGame) -> Floats:
    """Return [start] the EV of surrendering before the dealer peeks, NaN where that is not offered."""
    asked_with = game.tables.early_surrender_upcards
    ev = float(initial_stakes_payoff(game.tables, game.tables.surrender))
    return np.array([ev if shown[0] in asked_with else np.nan for shown in game.dealer.shown])


def starting_choices(initial: InitialHand, start: int) -> tuple[ActionEV, ...]:
    """Return the actions, best first.

    Their EVs are taken before the dealer peeks where early surrender is offered, else given that there is no natural.
    """
    before_check = not isnan(initial.early_surrender_ev[start])
    no_natural = float(initial.no_natural[start])
    known = (1 - no_natural) * initial.payoff_against_natural
    choices = []
    for action in ACTION_ORDER:
        ev = float(initial.actions[action][start]) if action in initial.actions else np.nan
        if action == "surrender" and before_check:
            choices.append(ActionEV(action, float(initial.early_surrender_ev[start])))
        elif not isnan(ev):
            choices.append(ActionEV(action, ev + known if before_check else ev / no_natural))
    return best_first(choices)


def best_first(choices: list[ActionEV]) -> tuple[ActionEV, ...]:
    """Return the actions by EV; of equal ones, the first in ACTION_ORDER comes first."""
    ordered: list[ActionEV] = []
    for choice in sorted(choices, key=lambda choice: ACTION_ORDER.index(choice.action)):
        place = sum(choice.ev <= other.ev + TIE for other in ordered)
        ordered.insert(place, choice)
    return tuple(ordered)
