"""Hands made by splitting, played by a fixed plan, with more and more cards of the pair gone.

What splitting is worth needs only the value of one such hand with 1, 2, 3 … other cards of the pair out of the shoe
("levels"): the other hands' cards are unseen, and unseen cards are like those still in the shoe.

First the plan is followed to see which hands are needed against which starts; then all of them, for every pair and
level, are summed against the dealer as lanes of one run; then the values are carried back to the hands' beginning.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.exact.actions import DOUBLE, DOUBLE_UP, HIT, Hands, Plan
from holecard.kernels.exact.stand import Bytes, Floats, Lanes, Starts
from holecard.kernels.jit import kernel, lean

Integers = NDArray[np.int64]
Masks = NDArray[np.uint64]


class Pairs(NamedTuple):
    """Pairs to be split."""

    rank: Integers
    levels: Integers
    plan: NDArray[np.uint8]
    """[pair, hand, start] what is done with a hand made by splitting it"""


class Reached(NamedTuple):
    """Hands as the plans come to them, pair after pair; starts are bits."""

    hands: Integers
    """[pair, pair + 1] its range among the hands, but for those a doubling card makes"""
    hand: Integers
    """its number; a pair's first is one card of it alone"""
    comes: Masks
    stands: Masks
    raised: Masks
    """doubled up"""
    lasts: Integers
    """[pair, pair + 1] its range among the hands a doubling card makes"""
    last: Integers
    """its number"""
    doubled: Masks
    """[last hand] stands"""
    begins: Integers
    """[pair, pair + 1] its range among the values"""


class SplitRows(NamedTuple):
    """[hand] row of the stakes: plain, doubled, doubled up; and what a bust loses."""

    plain: Bytes
    doubled: Bytes
    doubled_up: Bytes
    bust: float
    doubled_bust: float


class Wanted(NamedTuple):
    """Lanes, and where what they are worth belongs."""

    lanes: Lanes
    target: NDArray[np.int32]


@kernel
def reach(pairs: Pairs, hands: Hands, n_starts: int) -> Reached:
    """Follow the plans from single cards of the pairs."""
    n, every = pairs.rank.size, hands.size.size
    stands, raised = np.zeros((n, every), np.uint64), np.zeros((n, every), np.uint64)
    comes, doubled = np.zeros((n, every), np.uint64), np.zeros((n, every), np.uint64)
    begins = np.zeros(n + 1, np.int64)
    for p in range(n):
        _follow(pairs.rank[p], hands, pairs.plan[p], n_starts, comes[p], doubled[p], stands[p], raised[p])
        needed = np.count_nonzero(comes[p]) + np.count_nonzero(doubled[p])
        begins[p + 1] = begins[p] + needed * pairs.levels[p] * n_starts
    ranges, hand, at = _numbered(comes)
    last_ranges, last, last_at = _numbered(doubled)
    return Reached(
        ranges,
        hand,
        comes.ravel()[at],
        stands.ravel()[at],
        raised.ravel()[at],
        last_ranges,
        last,
        doubled.ravel()[last_at],
        begins,
    )


@lean
def _follow(
    pair: int, hands: Hands, plan: Plan, n_starts: int, comes: Masks, doubled: Masks, stands: Masks, raised: Masks
) -> None:
    """[hand of all] against which starts a plan comes to it, and what it does there."""
    one = np.uint64(1)
    first = hands.longer[0, pair]
    comes[first] = (one << np.uint64(n_starts)) - one
    for hand in range(first, comes.size):
        if not comes[hand]:
            continue
        hits, doubles = np.uint64(0), np.uint64(0)
        for s in range(n_starts):
            bit = comes[hand] & (one << np.uint64(s))
            action = _action(hand, s, hands.size[hand], plan)
            if action == HIT:
                hits |= bit
            elif action == DOUBLE:
                doubles |= bit
            elif action == DOUBLE_UP:
                raised[hand] |= bit
            else:
                stands[hand] |= bit
        if hits or doubles:
            for rank in range(hands.longer.shape[1]):
                longer = hands.longer[hand, rank]
                if longer >= 0:
                    comes[longer] |= hits
                    doubled[longer] |= doubles


@kernel
def _numbered(needed: Masks) -> tuple[Integers, Integers, Integers]:
    """[pair, pair + 1] ranges of the hands with any bit, their numbers, and where they lie among all."""
    every = needed.shape[1]
    at = np.flatnonzero(needed.ravel())
    ranges = np.searchsorted(at, np.arange(needed.shape[0] + 1) * every)
    return ranges, at % every, at


@kernel
def find_lanes(pairs: Pairs, reached: Reached, rows: SplitRows, n_starts: int, n_rows: int) -> Wanted:
    """All lanes of all pairs, those of one start and one row together.

    What a lane is worth belongs to its pair's range of values, as [hand, level, start]; hands with a doubling card come
    after the others.
    """
    begins = np.zeros((n_starts, n_rows), np.int64)
    for p in range(pairs.rank.size):
        n, mine = pairs.levels[p], slice(reached.hands[p], reached.hands[p + 1])
        last = slice(reached.lasts[p], reached.lasts[p + 1])
        _count(reached.hand[mine], reached.stands[mine], rows.plain, n, begins)
        _count(reached.hand[mine], reached.raised[mine], rows.doubled_up, n, begins)
        _count(reached.last[last], reached.doubled[last], rows.doubled, n, begins)
    size = 0
    for s in range(n_starts):
        for row in range(n_rows):
            begins[s, row], size = size, size + begins[s, row]
    wanted = Wanted(
        Lanes(
            np.empty(size, np.uint16),
            np.empty(size, np.uint8),
            np.empty(size, np.uint8),
            np.empty(size, np.uint8),
            np.empty(size, np.uint8),
        ),
        np.empty(size, np.int32),
    )
    for p in range(pairs.rank.size):
        pair, n, at = pairs.rank[p], pairs.levels[p], reached.begins[p]
        mine, last = slice(reached.hands[p], reached.hands[p + 1]), slice(reached.lasts[p], reached.lasts[p + 1])
        _place(reached.hand[mine], reached.stands[mine], rows.plain, pair, n, at, begins, wanted)
        _place(reached.hand[mine], reached.raised[mine], rows.doubled_up, pair, n, at, begins, wanted)
        at += (mine.stop - mine.start) * n * n_starts
        _place(reached.last[last], reached.doubled[last], rows.doubled, pair, n, at, begins, wanted)
    return wanted


@lean
def _count(hand: Integers, needed: Masks, row: Bytes, levels: int, begins: Integers) -> None:
    """Add the lanes that hands need to those of their start and row."""
    for i in range(hand.size):
        bits = needed[i]
        if bits:
            for s in range(begins.shape[0]):
                if (bits >> np.uint64(s)) & np.uint64(1):
                    begins[s, row[hand[i]]] += levels


@lean
def _place(
    hand: Integers,
    needed: Masks,
    row: Bytes,
    pair: int,
    levels: int,
    at: int,
    begins: Integers,
    wanted: Wanted,
) -> None:
    """Write the lanes of hands where those of their start and row begin, and move the beginnings on."""
    lane_hand, lane_pair, lane_more = wanted.lanes.hand, wanted.lanes.pair, wanted.lanes.more
    lane_start, lane_row, target = wanted.lanes.start, wanted.lanes.row, wanted.target
    n_starts = begins.shape[0]
    for i in range(hand.size):
        bits = needed[i]
        if not bits:
            continue
        of_hand = row[hand[i]]
        for s in range(n_starts):
            if (bits >> np.uint64(s)) & np.uint64(1):
                first = begins[s, of_hand]
                begins[s, of_hand] = first + levels
                for level in range(levels):
                    lane = first + level
                    lane_hand[lane], lane_pair[lane], lane_more[lane] = hand[i], pair, level + 1
                    lane_start[lane], lane_row[lane] = s, of_hand
                    target[lane] = at + (i * levels + level) * n_starts + s


@kernel
def carry_back(
    counts: Floats,
    pairs: Pairs,
    hands: Hands,
    rows: SplitRows,
    starts: Starts,
    reached: Reached,
    wanted: Wanted,
    worth: Floats,
) -> tuple[Floats, Floats]:
    """[pair, level, start] the value of a hand begun with one card of the pair, and with two.

    `worth` is what the wanted lanes are worth.
    """
    values = np.zeros(reached.begins[-1])
    for lane in range(worth.size):
        values[wanted.target[lane]] = worth[lane]
    shape = (pairs.rank.size, pairs.levels.max(), starts.natural.size)
    begun, paired = np.zeros(shape), np.zeros(shape)
    place = np.empty(hands.size.size, np.int64)
    last_place = np.empty(hands.size.size, np.int64)
    for p in range(pairs.rank.size):
        pair, levels = pairs.rank[p], pairs.levels[p]
        width = levels * starts.natural.size
        mine = slice(reached.hands[p], reached.hands[p + 1])
        hand, comes = reached.hand[mine], reached.comes[mine]
        last = reached.last[reached.lasts[p] : reached.lasts[p + 1]]
        for i in range(hand.size):
            place[hand[i]] = i
        for i in range(last.size):
            last_place[last[i]] = i
        begin = reached.begins[p]
        middle, end = begin + hand.size * width, reached.begins[p + 1]
        value = values[begin:middle].reshape((hand.size, width))
        doubled = values[middle:end].reshape((last.size, width))
        _back(counts, pair, levels, hands, pairs.plan[p], rows, starts, hand, comes, place, last_place, value, doubled)
        second = place[hands.longer[hand[0], pair]]
        begun[p, :levels] = value[0].reshape((levels, starts.natural.size))
        paired[p, :levels] = value[second].reshape((levels, starts.natural.size))
    return begun, paired


@kernel
def _back(
    counts: Floats,
    pair: int,
    levels: int,
    hands: Hands,
    plan: Plan,
    rows: SplitRows,
    starts: Starts,
    numbers: Integers,
    comes: Masks,
    place: Integers,
    last_place: Integers,
    value: Floats,
    doubled: Floats,
) -> None:
    """Fill `value[hand, level and start]` of hands that are hit or doubled from what longer ones are worth.

    `value` holds those that stand already, `doubled` those that stand with a doubling card.
    """
    n_starts = starts.natural.size
    left = _left(counts, pair, levels, starts)
    hit = np.empty(levels * n_starts)
    double = np.empty(levels * n_starts)
    lost = np.ones(levels * n_starts)
    for i in range(numbers.size - 1, -1, -1):
        hand = numbers[i]
        size = hands.size[hand]
        hits, doubles = False, False
        for s in range(n_starts):
            if (comes[i] >> np.uint64(s)) & np.uint64(1):
                action = _action(hand, s, size, plan)
                hits |= action == HIT
                doubles |= action == DOUBLE
        if not hits and not doubles:
            continue
        hit[:] = 0.0
        double[:] = 0.0
        for rank in range(counts.size):
            own = hands.cards[hand, rank]
            longer = hands.longer[hand, rank]
            if longer < 0:
                _no_natural_left(left, hands.cards[hand], float(size), rank, starts.natural, lost)
                for k in range(lost.size):
                    chance = (left[rank, k] - own) * lost[k]
                    hit[k] += rows.bust * chance
                    double[k] += rows.doubled_bust * chance
            else:
                if hits:
                    then = place[longer]
                    for k in range(lost.size):
                        hit[k] += (left[rank, k] - own) * value[then, k]
                if doubles:
                    then = last_place[longer]
                    for k in range(lost.size):
                        double[k] += (left[rank, k] - own) * doubled[then, k]
        for s in range(n_starts):
            action = _action(hand, s, size, plan)
            for level in range(levels):
                k = level * n_starts + s
                # No card left: the shoe has not what the level takes, and the value will count for nothing.
                cards_left = max(left[counts.size, k] - size, 1.0)
                if action == HIT:
                    value[i, k] = hit[k] / cards_left
                elif action == DOUBLE:
                    value[i, k] = double[k] / cards_left


@lean
def _action(hand: int, start: int, size: int, plan: Plan) -> int:
    """What is done with a hand: a single card always gets another."""
    return HIT if size == 1 else plan[hand, start]


@kernel
def _left(counts: Floats, pair: int, levels: int, starts: Starts) -> Floats:
    """[rank, level and start] cards left but for the hand's own; the last row is their sum."""
    n_starts = starts.natural.size
    left = np.empty((counts.size + 1, levels * n_starts))
    for k in range(levels * n_starts):
        level, s = k // n_starts, k % n_starts
        left[counts.size, k] = 0.0
        for rank in range(counts.size):
            left[rank, k] = counts[rank] - starts.cards[s, rank]
            if rank == pair:
                left[rank, k] -= level + 1.0
            left[counts.size, k] += left[rank, k]
    return left


@lean
def _no_natural_left(left: Floats, cards: Floats, size: float, rank: int, natural: Integers, chance: Floats) -> None:
    """`chance[level and start]` that the dealer has no known natural once the hand and a card of `rank` are out."""
    n_starts = natural.size
    for s in range(n_starts):
        partner = natural[s]
        if partner >= 0:
            for k in range(s, chance.size, n_starts):
                of_partner = left[partner, k] - cards[partner] - (1.0 if partner == rank else 0.0)
                chance[k] = 1.0 - of_partner / max(left[left.shape[0] - 1, k] - size - 1.0, 1.0)
