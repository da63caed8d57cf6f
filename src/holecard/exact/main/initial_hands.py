"""The first decision of a round: every deal of two cards against what the dealer shows, and what each action is worth.

Values are "U" as in `solve`; to a round's value the known naturals of the dealer add what they do to the hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.exact.main.initial_deals import (
    cards_left,
    deal_chances,
    no_natural_chances,
    splits_by_rank,
    tens_of_one_rank,
)
from holecard.exact.main.prepared_game import Game
from holecard.exact.main.solve import Solution
from holecard.exact.results import Choice
from holecard.exact.splits.split_ev import split_worths
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.exact.actions import TIE
from holecard.payoffs.stakes import StakesOnHand, initial_stakes_payoff
from holecard.sheets.tables import DEALER_NATURAL, NATURAL

Floats = NDArray[np.float64]
#: The order in which equal actions are preferred.
ACTIONS = ("stand", "hit", "double", "double up", "split", "quick pay", "surrender")
#: A difference of chances that is less than this share of them is none.
_NOTHING = 1e-12
EVERY_DEAL = tuple((low, high) for low in range(1, 11) for high in range(low, 11))


@dataclass(frozen=True)
class Opening:
    """Two cards by value against every start."""

    low: int
    high: int
    """values, 1 is an ace"""
    is_pair: bool
    """May be split; two tens of different rank may not, where the sheet splits by rank."""
    hand: int
    chance: Floats
    """[start] of being dealt so, before anybody looks for a natural"""
    unknown: Floats
    """[start] given the deal, chance that the dealer has no known natural"""
    actions: dict[str, Floats]
    """[start] U of every legal action; nan where it is not legal"""
    before_check: Floats
    """[start] what early surrender is worth where it is asked before the dealer looks, else nan"""
    against_natural: float
    """what the dealer's known natural does"""

    @property
    def is_natural(self) -> bool:
        return not self.actions


def openings(solution: Solution, shoe: Composition, deals: Iterable[tuple[int, int]] = EVERY_DEAL) -> list[Opening]:
    """Every deal that can happen, or some by their values; naturals are among them (they have no actions)."""
    game = solution.game
    low, high = np.array(list(deals)).T
    chances = deal_chances(game.dealer, solution.counts, low, high)
    unknown = no_natural_chances(game.dealer, cards_left(solution.counts, low, high))
    offered = _offered(solution, shoe, low, high, unknown)
    legal = {action: np.logical_not(np.isnan(worths).all(axis=1)).tolist() for action, worths in offered.items()}
    early = early_surrender(game)
    found = []
    for deal, (first, second) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        if not chances[deal].any():
            continue
        actions = {action: worths[deal] for action, worths in offered.items() if legal[action][deal]}
        for is_pair, chance in _ways(game, shoe, first, second, chances[deal]):
            found.append(_opening(game, first, second, is_pair, chance, unknown[deal], early, actions))
    return found


def _ways(game: Game, shoe: Composition, low: int, high: int, chance: Floats) -> list[tuple[bool, Floats]]:
    """Probabilities [start] of the deal; two tens apart by rank where only equal ranks may be split."""
    if low != high:
        return [(False, chance)]
    if high != 10 or not splits_by_rank(game):
        return [(True, chance)]
    same = np.array([sum(of_case for _, of_case in cases) for cases in tens_of_one_rank(game, shoe)])
    apart = np.where(chance - same > _NOTHING * chance, chance - same, 0.0)
    return [(is_pair, of_kind) for is_pair, of_kind in ((True, same), (False, apart)) if of_kind.any()]


def _opening(
    game: Game,
    low: int,
    high: int,
    is_pair: bool,
    chance: Floats,
    unknown: Floats,
    early: Floats,
    actions: dict[str, Floats],
) -> Opening:
    natural = (low, high) == (1, 10)
    hand = int(game.hands.two[low - 1, high - 1])
    player = NATURAL if natural else int(game.classes[hand])
    if natural:
        actions = {}
    elif not is_pair:
        actions = {action: worths for action, worths in actions.items() if action != "split"}
    return Opening(
        low=low,
        high=high,
        is_pair=is_pair,
        hand=hand,
        chance=chance,
        unknown=unknown,
        actions=actions,
        before_check=np.full(chance.size, np.nan) if natural else early,
        against_natural=float(game.rows.every[StakesOnHand.ORIGINAL, player, DEALER_NATURAL]),
    )


def _offered(
    solution: Solution, shoe: Composition, low: NDArray[np.int64], high: NDArray[np.int64], unknown: Floats
) -> dict[str, Floats]:
    """[deal, start] U of every action in the order of ACTIONS, nan where it is not legal."""
    game, tables = solution.game, solution.game.tables
    hands = game.hands.two[low - 1, high - 1]
    nowhere = np.full(unknown.shape, np.nan)

    def where(allowed: NDArray[np.bool_], worth: Floats) -> Floats:
        return np.where(allowed[hands][:, None], worth[hands], np.nan)

    split = nowhere.copy()
    for rank, worth in split_worths(solution, shoe).items():
        split[(low == high) & (low == rank + 1)] = worth
    cashed = [float("nan") if row is None else float(initial_stakes_payoff(tables, row)) for row in tables.quick_pay]
    given_up = np.nan if tables.surrenders == "none" else float(initial_stakes_payoff(tables, tables.surrender))
    return {
        "stand": solution.standing.plain[hands],
        "hit": where(game.before.hit, solution.values.hit),
        "double": where(game.before.double, solution.values.double),
        "double up": where(game.before.double_up, solution.standing.doubled_up),
        "split": split,
        "quick pay": np.array(cashed)[game.hands.total[hands]][:, None] * unknown,
        "surrender": np.where(np.isnan(early_surrender(game)), given_up * unknown, nowhere),
    }


def early_surrender(game: Game) -> Floats:
    """[start] worth of surrendering before the check, nan where it is not asked then."""
    asks = game.tables.surrenders == "early" and game.tables.hole_card != "face up"
    worth = float(initial_stakes_payoff(game.tables, game.tables.surrender))
    return np.array([worth if asks and shown[0] in NATURAL_UPCARDS else np.nan for shown in game.dealer.shown])


def starting_choices(opening: Opening, start: int) -> tuple[Choice, ...]:
    """Best first; before the check where early surrender is asked then, else given what the dealer's look told."""
    before_check = not np.isnan(opening.before_check[start])
    unknown = float(opening.unknown[start])
    known = (1 - unknown) * opening.against_natural
    choices = []
    for action in ACTIONS:
        worth = float(opening.actions[action][start]) if action in opening.actions else np.nan
        if action == "surrender" and before_check:
            choices.append(Choice(action, float(opening.before_check[start])))
        elif not np.isnan(worth):
            choices.append(Choice(action, worth + known if before_check else worth / unknown))
    return best_first(choices)


def best_first(choices: list[Choice]) -> tuple[Choice, ...]:
    """By value; of equals, the first in ACTIONS."""
    ordered: list[Choice] = []
    for choice in sorted(choices, key=lambda choice: ACTIONS.index(choice.action)):
        place = sum(choice.value <= other.value + TIE for other in ordered)
        ordered.insert(place, choice)
    return tuple(ordered)
