"""`pair_levels`: EVs of standing for every hand that a split can make, for each number of pair cards already dealt.

That number is the *level*: how many cards of the pair are out of the shoe in addition to the hand's own. None of
this depends on a policy, so it is summed once and serves every chart of a search. With it, each level of a pair is
played like a first hand from a shoe with fewer cards of that value: `fill_action_evs` gives the EV of every action,
`forward` the probability that a policy reaches each hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.splits.pair_trees import pair_trees
from holecard.exact.splits.pair_weights import levels
from holecard.exact.splits.split_hand_evs import fill_level_evs
from holecard.kernels.arrays import Floats, Integers, UInt8s
from holecard.kernels.exact.actions import Allowed, Hands, StandEVs
from holecard.kernels.exact.level_evs import LevelBatch
from holecard.kernels.exact.split_batch import SplitRows


@dataclass(frozen=True)
class PairHands:
    """Hands that begin with a card of a pair, numbered among themselves."""

    card: int
    """v of the pair"""
    which: Integers
    """[hand of the pair] its number among all hands"""
    hands: Hands
    allowed: Allowed
    one: int
    """the hand of a single card"""
    two: int
    """the hand of two cards of the pair"""


@dataclass(frozen=True)
class Level:
    """One level of a pair."""

    counts: Floats
    """[v] the shoe without the cards of the level"""
    stand_evs: StandEVs
    """[hand of the pair, start]"""


def pair_hands(game: PreparedGame, v: int) -> PairHands:
    """Return the hands of a pair; a split ace that gets only one card has none of three or more cards."""
    hands = game.hands
    one_card = game.gets_one_card(v)
    which = np.flatnonzero((hands.cards[:, v] > 0) & ((hands.size <= 2) | (not one_card)))
    number = np.full(hands.size.size + 1, -1)  # the last entry stands for a bust
    number[which] = np.arange(which.size)
    allowed = game.one_card_ace if one_card else game.split_hand
    return PairHands(
        card=v,
        which=which,
        hands=Hands(hands.cards[which], hands.size[which], number[hands.longer[which]]),
        allowed=Allowed(*(mask[which] for mask in allowed)),
        one=int(number[hands.longer[0, v]]),
        two=int(number[hands.two[v, v]]),
    )


def pair_levels(game: PreparedGame, counts: Floats, pairs: list[PairHands], rows: SplitRows) -> dict[int, list[Level]]:
    """Return, by v of the pair, its levels 1, 2, … with one of the two stakes of split hands."""
    plain = _stand_evs(game, counts, pairs, rows.plain)
    doubled = {v: 2 * evs for v, evs in plain.items()}
    if not game.rows.doubling_doubles:
        doubled = _stand_evs(game, counts, pairs, rows.doubled)
    doubled_up = _stand_evs(game, counts, pairs, rows.doubled_up) if game.split_hand.double_up.any() else plain
    found = {}
    for pair in pairs:
        per_level = zip(plain[pair.card], doubled[pair.card], doubled_up[pair.card], strict=True)
        removed = np.eye(counts.size)[pair.card]
        found[pair.card] = [
            Level(counts - level * removed, StandEVs(*of_level)) for level, of_level in enumerate(per_level, start=1)
        ]
    return found


def _stand_evs(game: PreparedGame, counts: Floats, pairs: list[PairHands], row: UInt8s) -> dict[int, Floats]:
    """Return, by v of the pair, [level, hand of the pair, start] U of standing with these stakes."""
    like, n_starts = pair_trees(game)[1].like, len(game.dealer.shown)
    return {pair.card: _pair_stand_evs(game, counts, pair, row, like, n_starts) for pair in pairs}


def _pair_stand_evs(
    game: PreparedGame, counts: Floats, pair: PairHands, row: UInt8s, like: UInt8s, n_starts: int
) -> Floats:
    n, size = levels(game.most_hands(pair.card)), pair.which.size
    order = np.argsort(like[row[pair.which]], kind="stable")
    hand = pair.which[order]
    start = np.repeat(np.arange(n_starts), size)
    batch = LevelBatch(
        hand=np.tile(hand, n_starts).astype(np.uint16),
        pair=np.full(size * n_starts, pair.card, np.uint8),
        start=start.astype(np.uint8),
        row=np.tile(row[hand], n_starts),
        target=(np.tile(order, n_starts) * n_starts + start).astype(np.int32),
    )
    evs = np.empty((n, size, n_starts))
    fill_level_evs(game, counts, batch, size * n_starts, evs.reshape(-1))
    return evs
