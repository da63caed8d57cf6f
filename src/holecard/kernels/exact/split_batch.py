"""Which hands made by splitting have to be summed against the dealer, for every pair, as one batch.

Policies are followed from a single card of the pair to find which hands are needed against which starts. The hands that
stand become the lanes of a batch (`level_evs`); `split_evs` carries their EVs back to the first card.

The notation is that of `level_evs`. Sets of starts are bits of a uint64. The EVs of a pair are stored as
float64[hand, level, start].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Integers, UInt8s, UInt64s
from holecard.kernels.exact.actions import DOUBLE_CODE, DOUBLE_UP_CODE, HIT_CODE, ActionCodes, Hands
from holecard.kernels.exact.level_evs import LevelBatch
from holecard.kernels.jit import kernel, lean


class Pairs(NamedTuple):
    """Pairs that may be split."""

    card: Integers
    """[pair] v of its cards"""
    levels: Integers
    """[pair] number of levels"""
    policy: UInt8s
    """[pair, hand, start] action of a hand made by splitting the pair"""


class ReachedHands(NamedTuple):
    """Hands that the policies come to, pair after pair; the masks are sets of starts."""

    hands: Integers
    """[pair, pair + 1] range of its entries in `hand`: all hands but those made by a doubling card"""
    hand: Integers
    """[entry] number of the hand; the first of a pair is a single card"""
    comes: UInt64s
    """[entry] starts against which the policy comes to it"""
    stands: UInt64s
    """[entry] starts against which it stands"""
    doubled_up: UInt64s
    """[entry] starts against which it is doubled up"""
    lasts: Integers
    """[pair, pair + 1] range of its entries in `last`: hands made by a doubling card"""
    last: Integers
    """[entry of `last`] number of the hand"""
    doubled: UInt64s
    """[entry of `last`] starts against which it stands"""
    begins: Integers
    """[pair, pair + 1] range of its EVs"""


class SplitRows(NamedTuple):
    """Payoff rows of split hands, [hand]: with plain stakes, doubled, doubled up; and the payoff of a bust."""

    plain: UInt8s
    doubled: UInt8s
    doubled_up: UInt8s
    bust: float
    doubled_bust: float


@kernel
def follow_policies(pairs: Pairs, hands: Hands, n_starts: int) -> ReachedHands:
    """Follow the policies from single cards of the pairs; return the hands that they come to."""
    n, every = pairs.card.size, hands.size.size
    stands, doubled_up = np.zeros((n, every), np.uint64), np.zeros((n, every), np.uint64)
    comes, doubled = np.zeros((n, every), np.uint64), np.zeros((n, every), np.uint64)
    begins = np.zeros(n + 1, np.int64)
    for p in range(n):
        _follow_policy(pairs.card[p], hands, pairs.policy[p], n_starts, comes[p], doubled[p], stands[p], doubled_up[p])
        needed = np.count_nonzero(comes[p]) + np.count_nonzero(doubled[p])
        begins[p + 1] = begins[p] + needed * pairs.levels[p] * n_starts
    ranges, hand, at = _nonzero_by_pair(comes)
    last_ranges, last, last_at = _nonzero_by_pair(doubled)
    return ReachedHands(
        ranges,
        hand,
        comes.ravel()[at],
        stands.ravel()[at],
        doubled_up.ravel()[at],
        last_ranges,
        last,
        doubled.ravel()[last_at],
        begins,
    )


@lean
def _follow_policy(
    pair: int,
    hands: Hands,
    policy: ActionCodes,
    n_starts: int,
    comes: UInt64s,
    doubled: UInt64s,
    stands: UInt64s,
    doubled_up: UInt64s,
) -> None:
    """Fill the masks [hand] with the starts against which a policy comes to the hand, and what it does there."""
    one = np.uint64(1)
    first = hands.longer[0, pair]
    comes[first] = (one << np.uint64(n_starts)) - one
    for hand in range(first, comes.size):
        if not comes[hand]:
            continue
        hits, doubles = np.uint64(0), np.uint64(0)
        for s in range(n_starts):
            bit = comes[hand] & (one << np.uint64(s))
            action = action_of(hand, s, hands.size[hand], policy)
            if action == HIT_CODE:
                hits |= bit
            elif action == DOUBLE_CODE:
                doubles |= bit
            elif action == DOUBLE_UP_CODE:
                doubled_up[hand] |= bit
            else:
                stands[hand] |= bit
        if hits or doubles:
            for v in range(hands.longer.shape[1]):
                longer = hands.longer[hand, v]
                if longer >= 0:
                    comes[longer] |= hits
                    doubled[longer] |= doubles


@kernel
def _nonzero_by_pair(needed: UInt64s) -> tuple[Integers, Integers, Integers]:
    """Return [pair, pair + 1] ranges of the hands with any bit, their numbers, and their positions among all."""
    every = needed.shape[1]
    at = np.flatnonzero(needed.ravel())
    ranges = np.searchsorted(at, np.arange(needed.shape[0] + 1) * every)
    return ranges, at % every, at


@kernel
def list_batch(pairs: Pairs, reached: ReachedHands, rows: SplitRows, like: UInt8s, n_starts: int) -> LevelBatch:
    """Return all lanes of all pairs; `like` is that of `PairRows`.

    The EVs of a lane belong to its pair's range of EVs, as [hand, level, start]; hands with a doubling card come after
    the others.
    """
    # Pairs with one level come first and are sorted as one.
    group = np.where(pairs.levels == 1, 0, np.arange(1, pairs.card.size + 1))
    begins = np.zeros((n_starts, pairs.card.size + 1, like.size), np.int64)
    for p in range(pairs.card.size):
        mine, last = slice(reached.hands[p], reached.hands[p + 1]), slice(reached.lasts[p], reached.lasts[p + 1])
        places = begins[:, group[p]]
        _count_lanes(reached.hand[mine], reached.stands[mine], rows.plain, like, places)
        _count_lanes(reached.hand[mine], reached.doubled_up[mine], rows.doubled_up, like, places)
        _count_lanes(reached.last[last], reached.doubled[last], rows.doubled, like, places)
    size = 0
    for s in range(n_starts):
        for p in range(pairs.card.size + 1):
            for row in range(like.size):
                begins[s, p, row], size = size, size + begins[s, p, row]
    batch = LevelBatch(
        np.empty(size, np.uint16),
        np.empty(size, np.uint8),
        np.empty(size, np.uint8),
        np.empty(size, np.uint8),
        np.empty(size, np.int32),
    )
    for p in range(pairs.card.size):
        pair, stride, at = pairs.card[p], pairs.levels[p] * n_starts, reached.begins[p]
        mine, last = slice(reached.hands[p], reached.hands[p + 1]), slice(reached.lasts[p], reached.lasts[p + 1])
        places = begins[:, group[p]]
        _write_lanes(reached.hand[mine], reached.stands[mine], rows.plain, like, pair, at, stride, places, batch)
        _write_lanes(
            reached.hand[mine], reached.doubled_up[mine], rows.doubled_up, like, pair, at, stride, places, batch
        )
        at += (mine.stop - mine.start) * stride
        _write_lanes(reached.last[last], reached.doubled[last], rows.doubled, like, pair, at, stride, places, batch)
    return batch


@lean
def _count_lanes(hand: Integers, needed: UInt64s, row: UInt8s, like: UInt8s, begins: Integers) -> None:
    """Add the lanes that hands need to `begins[start, row]`."""
    for i in range(hand.size):
        bits = needed[i]
        if bits:
            of_hand = like[row[hand[i]]]
            for s in range(begins.shape[0]):
                begins[s, of_hand] += np.int64((bits >> np.uint64(s)) & np.uint64(1))


@lean
def _write_lanes(
    hand: Integers,
    needed: UInt64s,
    row: UInt8s,
    like: UInt8s,
    pair: int,
    at: int,
    stride: int,
    begins: Integers,
    batch: LevelBatch,
) -> None:
    """Write the lanes of hands from `begins[start, row]` on, and advance these positions."""
    lane_hand, lane_pair, lane_start, lane_row, target = batch
    for i in range(hand.size):
        bits = needed[i]
        if not bits:
            continue
        of_hand = row[hand[i]]
        for s in range(begins.shape[0]):
            if (bits >> np.uint64(s)) & np.uint64(1):
                lane = begins[s, like[of_hand]]
                begins[s, like[of_hand]] = lane + 1
                lane_hand[lane], lane_pair[lane], lane_start[lane], lane_row[lane] = hand[i], pair, s, of_hand
                target[lane] = at + i * stride + s


@lean
def action_of(hand: int, start: int, size: int, policy: ActionCodes) -> int:
    """Return what is done with a hand; a single card always gets another."""
    return HIT_CODE if size == 1 else policy[hand, start]
