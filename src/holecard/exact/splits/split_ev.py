"""EV of splitting a pair, from the EVs of its single hands."""

from __future__ import annotations

import numpy as np

from holecard.composition import Composition
from holecard.exact.main.deal_probabilities import splits_by_rank, tens_of_one_rank
from holecard.exact.main.prepared_game import TEN
from holecard.exact.main.solve import Solution
from holecard.exact.splits.pair_weights import levels, none_pairs, pair_probabilities, ways_to_end, weights
from holecard.exact.splits.split_hand_evs import SplitHandEVs
from holecard.kernels.arrays import Floats


def split_evs(solution: Solution, shoe: Composition) -> dict[int, Floats]:
    """Return, by v of the pair, [start] U of splitting it to as many hands as the rules allow."""
    game = solution.game
    found: dict[int, Floats] = {}
    by_most: dict[int, list[int]] = {}
    for v in solution.splits:
        if v == TEN and splits_by_rank(game):
            found[v] = split_ev(solution, shoe, v, game.most_hands(v))
        else:
            by_most.setdefault(game.most_hands(v), []).append(v)
    for most, pairs in by_most.items():
        found.update(_split_evs_of(solution, pairs, most))
    return found


def split_ev(solution: Solution, shoe: Composition, v: int, most: int) -> Floats:
    """Return [start] U of splitting one pair to at most `most` hands."""
    game = solution.game
    if v != TEN or not splits_by_rank(game):
        return _split_evs_of(solution, [v], most)[v]
    # The dealer's ten may be of the pair's rank: average the cases.
    value = np.zeros(len(game.dealer.shown))
    for start, cases in enumerate(tens_of_one_rank(game, shoe)):
        whole = sum(probability for _, probability in cases)
        for pair_left, probability in cases:
            value[start] += probability / whole * split_ev_with(solution, v, most, pair_left)[start]
    return value


def split_ev_with(solution: Solution, v: int, most: int, pair_left: float) -> Floats:
    """Return [start] U of splitting a pair of which `pair_left` cards are left, its own included, the dealer's not."""
    cards = _cards_left(solution)
    left = np.full(cards.size, pair_left)
    ev: Floats = _weighted_sum(solution, [v], most, left[None, :], cards[None, :])[0]
    return ev if solution.tens is None or v != TEN else ev + _kept_tens(solution, most, left, cards)


def _kept_tens(solution: Solution, most: int, pair_left: Floats, cards: Floats) -> Floats:
    """Return [start] what is gained by playing tens that are paired in their rank, and kept, by their own row."""
    assert solution.tens is not None
    gain = np.zeros(cards.size)
    for share, kept, hands in zip(("original", "added"), solution.tens, solution.splits[TEN], strict=True):
        weight = kept_pair_weights(pair_left, cards, most, share)
        gain += (weight * (kept - hands.paired)[: len(weight)]).sum(axis=0)
    return gain


def kept_pair_weights(pair_left: Floats, cards_left: Floats, most_hands: int, share: str) -> Floats:
    """Return [level, start] the weight of a hand whose next card is of the pair when no more hands may be made."""
    n = levels(most_hands)
    r = pair_probabilities(pair_left, cards_left, n)
    found = np.zeros((n, pair_left.size))
    for hands, others, orders in ways_to_end(most_hands):
        # The original hand is served first, so its second card is open only where no hand has been served.
        original = 0 if others else 1
        open_ = {"all": hands - others, "original": original, "added": hands - others - original}[share]
        for level, weight in none_pairs(r, hands - 1, others) if open_ else ():
            found[level - 1] += orders * np.prod(r[2:hands], axis=0) * open_ * weight * r[level + 1]
    return found


def _split_evs_of(solution: Solution, pairs: list[int], most: int) -> dict[int, Floats]:
    """Return the EVs of several pairs with the same limit at once."""
    shown, counts = solution.game.dealer.starts.cards, solution.counts
    pair_left = (counts - shown)[:, pairs].T
    cards = np.broadcast_to(_cards_left(solution), pair_left.shape)
    return dict(zip(pairs, _weighted_sum(solution, pairs, most, pair_left, cards), strict=True))


def _cards_left(solution: Solution) -> Floats:
    """Return [start] the number of cards in the shoe without the dealer's."""
    left: Floats = solution.counts.sum() - solution.game.dealer.starts.cards.sum(axis=1)
    return left


def _weighted_sum(solution: Solution, pairs: list[int], most: int, pair_left: Floats, cards: Floats) -> Floats:
    """Return [pair, start] the sum of the hands' EVs with their weights."""
    original = [solution.splits[v][0] for v in pairs]
    added = [solution.splits[v][1] for v in pairs]
    if solution.game.rows.split_alike:
        return _sum(original, *weights(pair_left.ravel(), cards.ravel(), most))
    first = _sum(original, *weights(pair_left.ravel(), cards.ravel(), most, "original"))
    return first + _sum(added, *weights(pair_left.ravel(), cards.ravel(), most, "added"))


def _sum(hands: list[SplitHandEVs], of_begun: Floats, of_paired: Floats) -> Floats:
    """Return [pair, start] from weights [level, pair and start]."""
    n = len(of_begun)
    begun = np.stack([hand.begun[:n] for hand in hands], axis=1)
    paired = np.stack([hand.paired[:n] for hand in hands], axis=1)
    value: Floats = (of_begun.reshape(begun.shape) * begun + of_paired.reshape(paired.shape) * paired).sum(axis=0)
    return value
