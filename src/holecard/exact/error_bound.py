"""Bounds for the rounding error of computed EVs and probabilities: counted, not estimated.

Every elementary operation is off by at most half a unit in the last place, u. A sum over the n unfinished hands of the
dealer, each a product of about d factors, is off by at most (n + 3d + 20) u times the range of the payoffs: each card
has a factor, a reciprocal and a product, also where the cards of a split pair are drawn first (`level_evs`), and every
sum in between has terms of its own. Each card that a player draws adds at most 13 u times the largest net result; the
EV of a deal counts by its probability, and adding up the deals is one more sum.
"""

from __future__ import annotations

import numpy as np

from holecard.exact.main.policy import Decisions
from holecard.exact.main.prepared_game import TEN, PreparedGame
from holecard.exact.main.solve import Solution
from holecard.exact.splits.pair_weights import weights
from holecard.exact.splits.split_ev import kept_pair_weights
from holecard.kernels.arrays import Floats

_U = float(np.finfo(np.float64).eps) / 2
_MOST_DRAWS = 21
_PER_DRAW = 13


def error_bound(solution: Solution, decisions: Decisions) -> float:
    """Return the bound: the exact EV of the game is within this of the computed one."""
    hands = sum(_hands(solution, initial.low - 1, actions, initial.probability) for initial, actions in decisions)
    deals = len(decisions) + len(solution.game.dealer.shown) + 20
    return hand_bound(solution.game) * hands + _U * deals * float(np.abs(solution.game.rows.every).max())


def hand_bound(game: PreparedGame) -> float:
    """Return what the EV of one hand may be off by."""
    rows = game.rows.rows
    net = float(np.abs(game.rows.every).max())
    payoff_range = float((rows.max(axis=1) - rows.min(axis=1)).max())
    return _U * (_dealer_steps(game) * payoff_range + _MOST_DRAWS * _PER_DRAW * net)


def probability_bound(game: PreparedGame) -> float:
    """Return what the probability of one hand's result may be off by."""
    return _U * (_dealer_steps(game) + _MOST_DRAWS * _PER_DRAW)


def _dealer_steps(game: PreparedGame) -> float:
    """Return the number of roundings in a sum over the dealer's hands."""
    tree = game.dealer.tree
    nodes = float(np.diff(tree.nodes.astype(np.int64)).max(initial=1))
    return nodes + 3 * float(tree.deepest.max(initial=0)) + 20


def _hands(solution: Solution, v: int, actions: list[str], probability: Floats) -> float:
    """Return how many hands the EV of a deal is made of, by weight: one, or those of a split."""
    splits = np.array([action == "split" for action in actions])
    if not splits.any():
        return float(probability.sum())
    return float(np.where(splits, split_hands_weight(solution, v), 1.0) @ probability)


def split_hands_weight(solution: Solution, v: int) -> Floats:
    """Return [start] the sum of the absolute weights of the hands that the EV of a split is made of."""
    shown, counts = solution.game.dealer.starts.cards, solution.counts
    cards_left = counts.sum() - shown.sum(axis=1)
    pair_left, most = counts[v] - shown[:, v], solution.game.most_hands(v)
    of_begun, of_paired = weights(pair_left, cards_left, most)
    weight: Floats = np.abs(of_begun).sum(axis=0) + np.abs(of_paired).sum(axis=0)
    if v == TEN and solution.tens is not None:
        weight = weight + 2 * np.abs(kept_pair_weights(pair_left, cards_left, most, "all")).sum(axis=0)
    return weight
