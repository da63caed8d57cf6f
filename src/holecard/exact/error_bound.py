"""How far rounding can carry a value from the exact one: counted, not guessed.

Every elementary operation is off by at most half a unit in the last place, u. A dealer's sum over n unfinished hands,
each a product of some d factors, is off by at most (n + 3d + 20) u times what the endings can be worth; each card a
player draws adds at most 13 u times the largest net result; a deal's value counts by its chance, and adding up the
deals is one more sum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.policy import Decided
from holecard.exact.main.prepared_game import TEN, Game
from holecard.exact.main.solve import Solution
from holecard.exact.splits.pair_weights import weights
from holecard.exact.splits.split_ev import kept_weights

Floats = NDArray[np.float64]
_U = float(np.finfo(np.float64).eps) / 2
_MOST_DRAWS = 21
_PER_DRAW = 13


def error_bound(solution: Solution, decided: Decided) -> float:
    """The exact mean lies within this of the computed one."""
    hands = sum(_hands(solution, opening.low - 1, actions, opening.chance) for opening, actions in decided)
    deals = len(decided) + len(solution.game.dealer.shown) + 20
    return hand_bound(solution.game) * hands + _U * deals * float(np.abs(solution.game.rows.every).max())


def hand_bound(game: Game) -> float:
    """What the value of one hand may be off by."""
    rows = game.rows.rows
    net = float(np.abs(game.rows.every).max())
    spread = float((rows.max(axis=1) - rows.min(axis=1)).max())
    return _U * (_dealer_steps(game) * spread + _MOST_DRAWS * _PER_DRAW * net)


def chance_bound(game: Game) -> float:
    """What the probability of one hand's result may be off by."""
    return _U * (_dealer_steps(game) + _MOST_DRAWS * _PER_DRAW)


def _dealer_steps(game: Game) -> float:
    """Roundings in a sum over the dealer's hands."""
    tree = game.dealer.tree
    nodes = float(np.diff(tree.nodes.astype(np.int64)).max(initial=1))
    return nodes + 3 * float(tree.deepest.max(initial=0)) + 20


def _hands(solution: Solution, rank: int, actions: list[str], chance: Floats) -> float:
    """Hands a deal's value is made of, by their weight: one, or those of a split."""
    splits = np.array([action == "split" for action in actions])
    if not splits.any():
        return float(chance.sum())
    return float(np.where(splits, split_hands_weight(solution, rank), 1.0) @ chance)


def split_hands_weight(solution: Solution, rank: int) -> Floats:
    """[start] the hands a split's value is made of, every sign made positive."""
    shown, counts = solution.game.dealer.starts.cards, solution.counts
    cards_left = counts.sum() - shown.sum(axis=1)
    pair_left, most = counts[rank] - shown[:, rank], solution.game.most_hands(rank)
    of_begun, of_paired = weights(pair_left, cards_left, most)
    weight: Floats = np.abs(of_begun).sum(axis=0) + np.abs(of_paired).sum(axis=0)
    if rank == TEN and solution.tens is not None:
        weight = weight + 2 * np.abs(kept_weights(pair_left, cards_left, most, "all")).sum(axis=0)
    return weight
