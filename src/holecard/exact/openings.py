"""The first decision of a round: every deal of two cards against what the dealer shows, and what each action is worth.

Values are "U" as in `solve`; `natural_part` is what the known naturals of the dealer add to a round's value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from holecard.exact.composition import Composition
from holecard.exact.game import ACE, TEN, Game
from holecard.exact.results import Choice
from holecard.exact.solve import Solution
from holecard.exact.split_values import SplitHands
from holecard.exact.splits import weights
from holecard.exact.stakes import Carries, units
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.deciding import TIE
from holecard.sheets.tables import BET, COMPANION, DEALER_NATURAL, NATURAL, Row

Floats = NDArray[np.float64]
#: The order in which equal actions are preferred.
ACTIONS = ("stand", "hit", "double", "double up", "split", "quick pay", "surrender")


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


def openings(solution: Solution, shoe: Composition) -> list[Opening]:
    """Every deal that can happen, naturals included (they have no actions)."""
    return [
        opening
        for low in range(1, 11)
        for high in range(low, 11)
        for opening in openings_of(solution, shoe, low, high)
        if opening.chance.any()
    ]


def openings_of(solution: Solution, shoe: Composition, low: int, high: int) -> list[Opening]:
    """The deals of two values: one, or pairs and others apart."""
    ways = _ways(solution.game, shoe, low, high)
    return [_opening(solution, shoe, low, high, is_pair, dealt) for is_pair, dealt in ways]


def _ways(game: Game, shoe: Composition, low: int, high: int) -> list[tuple[bool, Floats]]:
    """Chances [start] of the deal; two tens apart by rank where only equal ranks may be split."""
    chance = deal_chance(game, solution_counts(shoe), low, high)
    if low != high:
        return [(False, chance)]
    if high != 10 or not splits_by_rank(game):
        return [(True, chance)]
    same = _chance_of_one_rank(game, shoe)
    return [(True, same), (False, chance - same)]


def solution_counts(shoe: Composition) -> Floats:
    """The shoe as the kernels count it."""
    return np.array(shoe.values, np.float64)


def deal_chance(game: Game, counts: Floats, low: int, high: int) -> Floats:
    """[start] chance that a player gets these two cards, in either order, and the dealer shows that start."""
    left = counts.copy()
    cards = left.sum()
    chance = left[low - 1] / cards
    left[low - 1] -= 1
    chance *= left[high - 1] / (cards - 1) * (1 if low == high else 2)
    left[high - 1] -= 1
    return np.array([chance * _shown_chance(left, cards - 2, shown) for shown in game.dealer.shown])


def _shown_chance(left: Floats, cards: float, shown: tuple[int, ...]) -> float:
    first = max(left[shown[0] - 1], 0.0) / cards
    if len(shown) == 1:
        return float(first)
    low, high = shown
    second = max(left[high - 1] - (low == high), 0.0) / (cards - 1)
    return float(first * second * (1 if low == high else 2))


def splits_by_rank(game: Game) -> bool:
    key = game.tables.split_key
    return key[4 * 9] != key[4 * 10]


def _chance_of_one_rank(game: Game, shoe: Composition) -> Floats:
    """[start] chance of two tens of one rank."""
    return np.array([sum(chance for _, chance in cases) for cases in rank_cases(game, shoe)])


def rank_cases(game: Game, shoe: Composition) -> list[list[tuple[float, float]]]:
    """[start] (cards of the pair's rank in the shoe but for the dealer's, chance), for two tens of one rank."""
    cards, counts = float(shoe.total), solution_counts(shoe)
    counts[TEN] -= 2
    found: list[list[tuple[float, float]]] = []
    for shown in game.dealer.shown:
        others = float(np.prod([max(counts[value - 1], 0.0) for value in shown if value != 10]))
        tens = shown.count(10)
        orders = 2 if len(set(shown)) == 2 else 1
        low_pair = len(shown) == 2 and shown[0] == shown[1] != 10
        if low_pair:
            others = max(counts[shown[0] - 1], 0.0) * max(counts[shown[0] - 1] - 1, 0.0)
        cases = []
        for of_rank in shoe.ranks[9:]:
            for used in range(tens + 1):
                dealt = _tens_shown(of_rank - 2, counts[TEN] - (of_rank - 2), used, tens)
                chance = of_rank * (of_rank - 1) / (cards * (cards - 1)) * dealt * others * orders
                for k in range(len(shown)):
                    chance /= cards - 2 - k
                if chance > 0:
                    cases.append((float(of_rank - used), chance))
        found.append(cases)
    return found


def _tens_shown(of_rank: float, of_others: float, used: int, tens: int) -> float:
    """Orders in which the dealer's `tens` tens hold `used` of one rank."""
    if tens == 0:
        return 1.0
    if tens == 1:
        return of_rank if used else of_others
    if used == 1:
        return 2 * of_rank * of_others
    n = of_rank if used else of_others
    return n * (n - 1)


def _opening(solution: Solution, shoe: Composition, low: int, high: int, is_pair: bool, chance: Floats) -> Opening:
    game = solution.game
    hand = int(game.hands.two[low - 1, high - 1])
    natural = (low, high) == (1, 10)
    every = game.rows.every
    player = NATURAL if natural else int(game.classes[hand])
    unknown = no_natural_chance(solution, low, high)
    actions = {} if natural else _actions(solution, shoe, hand, low if is_pair else 0, unknown)
    return Opening(
        low=low,
        high=high,
        is_pair=is_pair,
        hand=hand,
        chance=chance,
        unknown=unknown,
        actions=actions,
        before_check=np.full(chance.size, np.nan) if natural else _early_surrender(game),
        against_natural=float(every[Carries.ORIGINAL, player, DEALER_NATURAL]),
    )


def no_natural_chance(solution: Solution, low: int, high: int) -> Floats:
    """[start] given the deal, chance that the dealer has no natural the players know of."""
    left = solution.counts.copy()
    left[low - 1] -= 1
    left[high - 1] -= 1
    natural = solution.game.dealer.starts.natural
    return np.where(natural >= 0, 1 - left[natural] / (left.sum() - 1), 1.0)


def _actions(solution: Solution, shoe: Composition, hand: int, pair: int, unknown: Floats) -> dict[str, Floats]:
    game, tables = solution.game, solution.game.tables
    found = {"stand": solution.standing.plain[hand]}
    if game.before.hit[hand]:
        found["hit"] = solution.values.hit[hand]
    if game.before.double[hand]:
        found["double"] = solution.values.double[hand]
    if game.before.double_up[hand]:
        found["double up"] = solution.standing.doubled_up[hand]
    if pair and game.most_hands(pair - 1) > 1:
        found["split"] = split_value(solution, shoe, pair - 1)
    row = tables.quick_pay[int(game.hands.total[hand])]
    if row is not None:
        found["quick pay"] = float(row_net(game, row)) * unknown
    if tables.surrenders == "late":
        found["surrender"] = float(row_net(game, tables.surrender)) * unknown
    elif tables.surrenders == "early":
        asked_before = ~np.isnan(_early_surrender(game))
        found["surrender"] = np.where(asked_before, np.nan, float(row_net(game, tables.surrender)) * unknown)
    return found


def _early_surrender(game: Game) -> Floats:
    """[start] worth of surrendering before the check, nan where it is not asked then."""
    upcards = [shown[0] for shown in game.dealer.shown]
    asks = game.tables.surrenders == "early" and game.tables.hole_card != "face up"
    worth = float(row_net(game, game.tables.surrender))
    return np.array([worth if asks and upcard in NATURAL_UPCARDS else np.nan for upcard in upcards])


def row_net(game: Game, row: Row) -> Fraction:
    """What a row of cells pays on the initial stakes."""
    kinds = (BET, COMPANION) if game.tables.has_companion else (BET,)
    return sum((row[kind].net for kind in kinds), Fraction(0)) / units(game.tables)


def seen_naturals(counts: Floats) -> tuple[float, float]:
    """Where both cards are up: chance of a dealer's natural with a player's natural, and without one."""
    cards = counts.sum()
    dealer = 2 * counts[ACE] * counts[TEN] / (cards * (cards - 1))
    left = counts[ACE] - 1, counts[TEN] - 1
    both = dealer * 2 * left[0] * left[1] / ((cards - 2) * (cards - 3)) if dealer else 0.0
    return float(both), float(dealer - both)


def split_value(solution: Solution, shoe: Composition, rank: int, most_hands: int | None = None) -> Floats:
    """[start] U of splitting a pair to as many hands as the rules allow, or to fewer."""
    game, counts = solution.game, solution.counts
    most = most_hands or game.most_hands(rank)
    if rank not in solution.splits:
        return np.full(len(game.dealer.shown), np.nan)
    shown = game.dealer.starts.cards
    cards_left = counts.sum() - shown.sum(axis=1)
    if rank != TEN or not splits_by_rank(game):
        return _split_value(solution, rank, most, counts[rank] - shown[:, rank], cards_left)
    # The dealer's ten may be of the pair's own rank: the cases are averaged.
    value = np.zeros(len(shown))
    for start, cases in enumerate(rank_cases(game, shoe)):
        total = sum(chance for _, chance in cases)
        for pair_left, chance in cases:
            every = _split_value(solution, rank, most, np.full(len(shown), pair_left), cards_left)
            value[start] += chance / total * every[start]
    return value


def _split_value(solution: Solution, rank: int, most: int, pair_left: Floats, cards_left: Floats) -> Floats:
    original, added = solution.splits[rank]
    if original is added:
        return _weighed(original, *weights(pair_left, cards_left, most))
    return _weighed(original, *weights(pair_left, cards_left, most, "original")) + _weighed(
        added, *weights(pair_left, cards_left, most, "added")
    )


def _weighed(hands: SplitHands, of_begun: Floats, of_paired: Floats) -> Floats:
    n = len(of_begun)
    value: Floats = (of_begun * hands.begun[:n] + of_paired * hands.paired[:n]).sum(axis=0)
    return value


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
    return tuple(sorted(choices, key=lambda choice: -choice.value))


def best_of(opening: Opening) -> tuple[list[str], Floats]:
    """[start] the best action after the check, and its U; of equals, the first in ACTIONS."""
    best = np.full(opening.chance.size, -np.inf)
    names = ["stand"] * best.size
    for action in ACTIONS:
        if action in opening.actions:
            value = opening.actions[action]
            for start in np.flatnonzero(value > best + TIE):
                names[start], best[start] = action, value[start]
    return names, best
