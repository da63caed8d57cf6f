"""EVs of single hands made by splitting, played by a fixed policy, with more and more cards of the pair removed.

The EV of a split needs only the EV of one such hand with 1, 2, 3 … other cards of the pair out of the shoe (*levels*):
the other hands' cards are unseen, and unseen cards are like cards still in the shoe. The EVs of the hands that stand
(`split_batch`) are carried back, longest hands first, to hands of one and of two cards of the pair.

The notation is that of `stand`; "level and start" is one axis, level * starts + start.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.arrays import Floats, Integers, UInt64s
from holecard.kernels.exact.actions import DOUBLE_CODE, HIT_CODE, ActionCodes, Hands
from holecard.kernels.exact.split_batch import Pairs, ReachedHands, SplitBatch, SplitRows, action_of
from holecard.kernels.exact.stand import DealerStarts
from holecard.kernels.jit import kernel, lean


@kernel
def carry_back(
    counts: Floats,
    pairs: Pairs,
    hands: Hands,
    rows: SplitRows,
    starts: DealerStarts,
    reached: ReachedHands,
    wanted: SplitBatch,
    lane_evs: Floats,
) -> tuple[Floats, Floats]:
    """Return [pair, level, start] the EVs of a hand begun with one card of the pair, and with two.

    `lane_evs[lane]` are the EVs of the lanes of `wanted`.
    """
    evs = np.zeros(reached.begins[-1])
    for lane in range(lane_evs.size):
        evs[wanted.target[lane]] = lane_evs[lane]
    shape = (pairs.card.size, pairs.levels.max(), starts.natural.size)
    begun, paired = np.zeros(shape), np.zeros(shape)
    index = np.empty(hands.size.size, np.int64)
    last_index = np.empty(hands.size.size, np.int64)
    for p in range(pairs.card.size):
        pair, levels = pairs.card[p], pairs.levels[p]
        width = levels * starts.natural.size
        mine = slice(reached.hands[p], reached.hands[p + 1])
        hand, comes = reached.hand[mine], reached.comes[mine]
        last = reached.last[reached.lasts[p] : reached.lasts[p + 1]]
        for i in range(hand.size):
            index[hand[i]] = i
        for i in range(last.size):
            last_index[last[i]] = i
        begin = reached.begins[p]
        middle, end = begin + hand.size * width, reached.begins[p + 1]
        ev = evs[begin:middle].reshape((hand.size, width))
        doubled = evs[middle:end].reshape((last.size, width))
        _carry_back_pair(
            counts, pair, levels, hands, pairs.policy[p], rows, starts, hand, comes, index, last_index, ev, doubled
        )
        second = index[hands.longer[hand[0], pair]]
        begun[p, :levels] = ev[0].reshape((levels, starts.natural.size))
        paired[p, :levels] = ev[second].reshape((levels, starts.natural.size))
    return begun, paired


@kernel
def _carry_back_pair(
    counts: Floats,
    pair: int,
    levels: int,
    hands: Hands,
    policy: ActionCodes,
    rows: SplitRows,
    starts: DealerStarts,
    numbers: Integers,
    comes: UInt64s,
    index: Integers,
    last_index: Integers,
    ev: Floats,
    doubled: Floats,
) -> None:
    """Fill `ev[entry, level and start]` of hands that are hit or doubled from the EVs of longer hands.

    `ev` already holds the EVs of hands that stand, `doubled` those of hands that stand with a doubling card.
    """
    n_starts = starts.natural.size
    left = _left(counts, pair, levels, starts)
    hit = np.empty(levels * n_starts)
    double = np.empty(levels * n_starts)
    no_natural = np.ones(levels * n_starts)
    for i in range(numbers.size - 1, -1, -1):
        hand = numbers[i]
        size = hands.size[hand]
        hits, doubles = False, False
        for s in range(n_starts):
            if (comes[i] >> np.uint64(s)) & np.uint64(1):
                action = action_of(hand, s, size, policy)
                hits |= action == HIT_CODE
                doubles |= action == DOUBLE_CODE
        if not hits and not doubles:
            continue
        hit[:] = 0.0
        double[:] = 0.0
        for v in range(counts.size):
            own = hands.cards[hand, v]
            longer = hands.longer[hand, v]
            if longer < 0:
                _fill_no_natural(left, hands.cards[hand], float(size), v, starts.natural, no_natural)
                for k in range(no_natural.size):
                    weight = (left[v, k] - own) * no_natural[k]
                    hit[k] += rows.bust * weight
                    double[k] += rows.doubled_bust * weight
            else:
                if hits:
                    then = index[longer]
                    for k in range(no_natural.size):
                        hit[k] += (left[v, k] - own) * ev[then, k]
                if doubles:
                    then = last_index[longer]
                    for k in range(no_natural.size):
                        double[k] += (left[v, k] - own) * doubled[then, k]
        for s in range(n_starts):
            action = action_of(hand, s, size, policy)
            for level in range(levels):
                k = level * n_starts + s
                # Without a card left the shoe cannot reach this level, and the EV gets weight 0.
                cards_left = max(left[counts.size, k] - size, 1.0)
                if action == HIT_CODE:
                    ev[i, k] = hit[k] / cards_left
                elif action == DOUBLE_CODE:
                    ev[i, k] = double[k] / cards_left


@kernel
def _left(counts: Floats, pair: int, levels: int, starts: DealerStarts) -> Floats:
    """Return [v, level and start] the cards left, the hand's own among them; the last row is their number."""
    n_starts = starts.natural.size
    left = np.empty((counts.size + 1, levels * n_starts))
    for k in range(levels * n_starts):
        level, s = k // n_starts, k % n_starts
        left[counts.size, k] = 0.0
        for v in range(counts.size):
            left[v, k] = counts[v] - starts.cards[s, v]
            if v == pair:
                left[v, k] -= level + 1.0
            left[counts.size, k] += left[v, k]
    return left


@lean
def _fill_no_natural(left: Floats, cards: Floats, size: float, v: int, natural: Integers, no_natural: Floats) -> None:
    """Fill `no_natural[level and start]`: P(no known natural) once the hand and a card `v` are out."""
    n_starts = natural.size
    for s in range(n_starts):
        partner = natural[s]
        if partner >= 0:
            for k in range(s, no_natural.size, n_starts):
                of_partner = left[partner, k] - cards[partner] - (1.0 if partner == v else 0.0)
                no_natural[k] = 1.0 - of_partner / max(left[left.shape[0] - 1, k] - size - 1.0, 1.0)
