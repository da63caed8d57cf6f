"""Every hand that splitting can make, whatever the plan: what it is worth as it stands, with cards of the pair gone.

None of this depends on a plan, so it is summed once and serves every chart of a search. With it each level of a pair
(`splits`) is played like a first hand from a shoe with fewer cards of that rank: `decide` has the value of every
action, `flow` how often a plan comes to each hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.batches import sum_lanes
from holecard.exact.main.prepared_game import Game
from holecard.exact.splits.pair_weights import levels
from holecard.kernels.exact.actions import Allowed, Hands, Standing
from holecard.kernels.exact.split_pair import SplitRows
from holecard.kernels.exact.stand import Lanes

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class PairHands:
    """Hands that begin with a card of a pair, numbered by themselves."""

    rank: int
    which: Integers
    """their numbers among all hands"""
    hands: Hands
    allowed: Allowed
    one: int
    """the single card"""
    two: int
    """the pair"""


@dataclass(frozen=True)
class Level:
    """A pair with so many of its cards out beside a hand's own."""

    counts: Floats
    standing: Standing
    """[hand of the pair, start]"""


def pair_hands(game: Game, rank: int) -> PairHands:
    """A split ace that gets one card only has no longer hands."""
    hands = game.hands
    lone = game.is_lone(rank)
    which = np.flatnonzero((hands.cards[:, rank] > 0) & ((hands.size <= 2) | (not lone)))
    number = np.full(hands.size.size + 1, -1)  # the last for a bust
    number[which] = np.arange(which.size)
    allowed = game.lone if lone else game.after
    return PairHands(
        rank=rank,
        which=which,
        hands=Hands(hands.cards[which], hands.size[which], number[hands.longer[which]]),
        allowed=Allowed(*(mask[which] for mask in allowed)),
        one=int(number[hands.longer[0, rank]]),
        two=int(number[hands.two[rank, rank]]),
    )


def pair_levels(game: Game, counts: Floats, pairs: list[PairHands], rows: SplitRows) -> dict[int, list[Level]]:
    """By rank: its levels 1, 2, …, with one of the two stakes that split hands carry."""
    plain = _standing(game, counts, pairs, rows.plain)
    doubled = {rank: 2 * worth for rank, worth in plain.items()}
    if not game.rows.doubling_doubles:
        doubled = _standing(game, counts, pairs, rows.doubled)
    raised = _standing(game, counts, pairs, rows.doubled_up) if game.after.double_up.any() else plain
    found = {}
    for pair in pairs:
        per_level = zip(plain[pair.rank], doubled[pair.rank], raised[pair.rank], strict=True)
        gone = np.eye(counts.size)[pair.rank]
        found[pair.rank] = [
            Level(counts - level * gone, Standing(*standing)) for level, standing in enumerate(per_level, start=1)
        ]
    return found


def _standing(game: Game, counts: Floats, pairs: list[PairHands], row: NDArray[np.uint8]) -> dict[int, Floats]:
    """By rank: [level, hand of the pair, start] worth of standing with these stakes."""
    sizes = [(levels(game.most_hands(pair.rank)), pair.which.size) for pair in pairs]
    hand = np.concatenate([np.tile(pair.which, n) for pair, (n, _) in zip(pairs, sizes, strict=True)])
    more = np.concatenate([np.repeat(np.arange(1, n + 1), size) for n, size in sizes])
    rank = np.concatenate([np.full(n * size, pair.rank) for pair, (n, size) in zip(pairs, sizes, strict=True)])
    order, n_starts = np.argsort(row[hand], kind="stable"), len(game.dealer.shown)
    lanes = Lanes(
        hand=np.tile(hand[order].astype(np.uint16), n_starts),
        pair=np.tile(rank[order].astype(np.uint8), n_starts),
        more=np.tile(more[order].astype(np.uint8), n_starts),
        start=np.repeat(np.arange(n_starts, dtype=np.uint8), hand.size),
        row=np.tile(row[hand[order]], n_starts),
    )
    worth = np.empty((hand.size, n_starts))
    worth[order] = sum_lanes(game, counts, lanes, 1).reshape(n_starts, hand.size).T
    ends = np.cumsum([n * size for n, size in sizes])
    parts = np.split(worth, ends[:-1])
    return {pair.rank: part.reshape(*shape, n_starts) for pair, part, shape in zip(pairs, parts, sizes, strict=True)}
