"""EVs of single hands made by splitting, played by a fixed policy, with more and more cards of the pair removed.

The EV of a split needs only the EV of one such hand with 1, 2, 3 … other cards of the pair out of the shoe (*levels*):
the other hands' cards are unseen, and unseen cards are like cards still in the shoe. The EVs of the hands that stand
(`split_batch`) are carried back, longest hands first, to hands of one and of two cards of the pair.

The notation is that of `level_evs`; "level and start" is one axis, level * starts + start.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.arrays import Floats, Integers, UInt64s
from holecard.kernels.exact.actions import DOUBLE_CODE, HIT_CODE, ActionCodes, Hands
from holecard.kernels.exact.split_batch import Pairs, ReachedHands, SplitRows, action_of
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
    evs: Floats,
) -> tuple[Floats, Floats]:
    """Return [pair, level, start] the EVs of a hand begun with one card of the pair, and with two.

    `evs` holds the EVs of the hands that stand, each in its pair's range.
    """
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
    above = _sums_from_above(left)
    hit = np.empty(levels * n_starts)
    double = np.empty(levels * n_starts)
    bust = np.empty(levels * n_starts)
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
        safe = 0
        while safe < counts.size and hands.longer[hand, safe] >= 0:
            safe += 1
        _fill_bust(left, above[safe], hands.cards[hand], float(size), safe, starts.natural, bust)
        for k in range(bust.size):
            hit[k], double[k] = rows.bust * bust[k], rows.doubled_bust * bust[k]
        for v in range(safe):
            own, longer, of_value = hands.cards[hand, v], hands.longer[hand, v], left[v]
            if hits:
                of_longer = ev[index[longer]]
                for k in range(bust.size):
                    hit[k] += (of_value[k] - own) * of_longer[k]
            if doubles:
                of_longer = doubled[last_index[longer]]
                for k in range(bust.size):
                    double[k] += (of_value[k] - own) * of_longer[k]
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


@kernel
def _sums_from_above(left: Floats) -> Floats:
    """Return [v, level and start] the cards left of this value and of all higher ones."""
    above = np.zeros_like(left)
    for v in range(left.shape[0] - 2, -1, -1):
        above[v] = above[v + 1] + left[v]
    return above


@lean
def _fill_bust(
    left: Floats, above: Floats, cards: Floats, size: float, safe: int, natural: Integers, bust: Floats
) -> None:
    """Fill `bust[level and start]`: the cards from v = `safe` on, which bust, each times P(no known natural) then."""
    own, n_starts, all_left = cards[safe:].sum(), natural.size, left[left.shape[0] - 1]
    for k in range(bust.size):
        bust[k] = above[k] - own
    for s in range(n_starts):
        partner = natural[s]
        if partner >= 0:
            for k in range(s, bust.size, n_starts):
                partners, others = left[partner, k] - cards[partner], max(all_left[k] - size - 1.0, 1.0)
                # A partner that busts the hand is one less that can make the natural.
                bust[k] += ((partners if partner >= safe else 0.0) - bust[k] * partners) / others
