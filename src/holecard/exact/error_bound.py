"""How far rounding can carry a value from the exact one: counted, not guessed.

Every elementary operation is off by at most half a unit in the last place, u. A dealer's sum over n unfinished hands,
each a product of some d factors, is off by at most (n + 3d + 20) u times what the endings can be worth; each card a
player draws adds at most 13 u times the largest net result; a deal's value counts by its chance, and adding up the
deals is one more sum.
"""

from __future__ import annotations

import numpy as np

from holecard.exact.composition import Composition
from holecard.exact.deals import counts_of
from holecard.exact.plans import Decided
from holecard.exact.solve import Solution
from holecard.exact.splits import weights

_U = float(np.finfo(np.float64).eps) / 2
_MOST_DRAWS = 21
_PER_DRAW = 13


def error_bound(solution: Solution, shoe: Composition, decided: Decided) -> float:
    """The exact mean lies within this of the computed one."""
    game = solution.game
    tree, rows = game.dealer.tree, game.rows.rows
    nodes = float(np.diff(tree.nodes.astype(np.int64)).max(initial=1))
    deepest = float(tree.deepest.max(initial=0))
    net = float(np.abs(game.rows.every).max())
    spread = float((rows.max(axis=1) - rows.min(axis=1)).max())
    one_hand = _U * ((nodes + 3 * deepest + 20) * spread + _MOST_DRAWS * _PER_DRAW * net)
    hands = sum(_hands(solution, shoe, opening.low - 1, actions, opening.chance) for opening, actions in decided)
    deals = len(decided) + len(game.dealer.shown) + 20
    return one_hand * hands + _U * deals * net


def _hands(solution: Solution, shoe: Composition, rank: int, actions: list[str], chance: np.ndarray) -> float:
    """Hands a deal's value is made of, by their weight: one, or those of a split with every sign made positive."""
    splits = np.array([action == "split" for action in actions])
    if not splits.any():
        return float(chance.sum())
    shown = solution.game.dealer.starts.cards
    counts = counts_of(shoe)
    cards_left = counts.sum() - shown.sum(axis=1)
    of_begun, of_paired = weights(counts[rank] - shown[:, rank], cards_left, solution.game.most_hands(rank))
    weight = np.abs(of_begun).sum(axis=0) + np.abs(of_paired).sum(axis=0)
    return float(np.where(splits, weight, 1.0) @ chance)
