"""What splitting a pair is worth, from the values of its single hands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.exact.main.initial_deals import splits_by_rank, tens_of_one_rank
from holecard.exact.main.prepared_game import TEN
from holecard.exact.main.solve import Solution
from holecard.exact.splits.hand_values import SplitHands
from holecard.exact.splits.pair_weights import levels, none_pairs, pair_chances, ways_to_end, weights

Floats = NDArray[np.float64]


def split_worths(solution: Solution, shoe: Composition) -> dict[int, Floats]:
    """By rank of the pair: [start] U of splitting it to as many hands as the rules allow."""
    game = solution.game
    found: dict[int, Floats] = {}
    by_most: dict[int, list[int]] = {}
    for rank in solution.splits:
        if rank == TEN and splits_by_rank(game):
            found[rank] = split_worth(solution, shoe, rank, game.most_hands(rank))
        else:
            by_most.setdefault(game.most_hands(rank), []).append(rank)
    for most, ranks in by_most.items():
        found.update(_alike(solution, ranks, most))
    return found


def split_worth(solution: Solution, shoe: Composition, rank: int, most: int) -> Floats:
    """[start] U of splitting one pair to at most so many hands."""
    game = solution.game
    if rank != TEN or not splits_by_rank(game):
        return _alike(solution, [rank], most)[rank]
    # The dealer's ten may be of the pair's own rank: the cases are averaged.
    value = np.zeros(len(game.dealer.shown))
    for start, cases in enumerate(tens_of_one_rank(game, shoe)):
        whole = sum(chance for _, chance in cases)
        for pair_left, chance in cases:
            value[start] += chance / whole * split_worth_with(solution, rank, most, pair_left)[start]
    return value


def split_worth_with(solution: Solution, rank: int, most: int, pair_left: float) -> Floats:
    """[start] U of splitting a pair of which so many cards are left, its own among them and the dealer's out."""
    cards = _cards_left(solution)
    left = np.full(cards.size, pair_left)
    worth: Floats = _weighed(solution, [rank], most, left[None, :], cards[None, :])[0]
    return worth if solution.tens is None or rank != TEN else worth + _kept_tens(solution, most, left, cards)


def _kept_tens(solution: Solution, most: int, pair_left: Floats, cards: Floats) -> Floats:
    """[start] what tens paired in their rank and kept add to being played as other tens are."""
    assert solution.tens is not None
    gain = np.zeros(cards.size)
    for share, kept, hands in zip(("original", "added"), solution.tens, solution.splits[TEN], strict=True):
        weight = kept_weights(pair_left, cards, most, share)
        gain += (weight * (kept - hands.paired)[: len(weight)]).sum(axis=0)
    return gain


def kept_weights(pair_left: Floats, cards_left: Floats, most_hands: int, share: str) -> Floats:
    """[level, start] how often a hand's next card is of the pair when no more hands may be made, as in `weights`."""
    n = levels(most_hands)
    chances = pair_chances(pair_left, cards_left, n)
    found = np.zeros((n, pair_left.size))
    for hands, others, orders in ways_to_end(most_hands):
        # Second cards come in order, the original hand's first: its is open only where no hand has been served.
        original = 0 if others else 1
        open_ = {"all": hands - others, "original": original, "added": hands - others - original}[share]
        for level, weight in none_pairs(chances, hands - 1, others) if open_ else ():
            found[level - 1] += orders * np.prod(chances[2:hands], axis=0) * open_ * weight * chances[level + 1]
    return found


def _alike(solution: Solution, ranks: list[int], most: int) -> dict[int, Floats]:
    """Several pairs at once."""
    shown, counts = solution.game.dealer.starts.cards, solution.counts
    pair_left = (counts - shown)[:, ranks].T
    cards = np.broadcast_to(_cards_left(solution), pair_left.shape)
    return dict(zip(ranks, _weighed(solution, ranks, most, pair_left, cards), strict=True))


def _cards_left(solution: Solution) -> Floats:
    """[start] cards in the shoe but for the dealer's."""
    left: Floats = solution.counts.sum() - solution.game.dealer.starts.cards.sum(axis=1)
    return left


def _weighed(solution: Solution, ranks: list[int], most: int, pair_left: Floats, cards: Floats) -> Floats:
    """[pair, start] the hands' values, each as often as it comes."""
    original = [solution.splits[rank][0] for rank in ranks]
    added = [solution.splits[rank][1] for rank in ranks]
    if solution.game.rows.split_alike:
        return _sum(original, *weights(pair_left.ravel(), cards.ravel(), most))
    first = _sum(original, *weights(pair_left.ravel(), cards.ravel(), most, "original"))
    return first + _sum(added, *weights(pair_left.ravel(), cards.ravel(), most, "added"))


def _sum(hands: list[SplitHands], of_begun: Floats, of_paired: Floats) -> Floats:
    """[pair, start] from weights [level, pair and start]."""
    n = len(of_begun)
    begun = np.stack([hand.begun[:n] for hand in hands], axis=1)
    paired = np.stack([hand.paired[:n] for hand in hands], axis=1)
    value: Floats = (of_begun.reshape(begun.shape) * begun + of_paired.reshape(paired.shape) * paired).sum(axis=0)
    return value
