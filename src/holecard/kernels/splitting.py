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

from holecard.kernels.compiled import kernel
from holecard.kernels.deciding import DOUBLE, DOUBLE_UP, HIT, Hands, Plan
from holecard.kernels.standing import Bytes, Floats, Lanes, Starts

Integers = NDArray[np.int64]
Masks = NDArray[np.uint64]


class Reached(NamedTuple):
    """Hands with a card of the pair, as the plan comes to them; starts are bits."""

    hand: Integers
    """numbers of the hands; the first is the card of the pair alone"""
    place: Integers
    """[hand of all] its place among these, or -1"""
    stands: Masks
    raised: Masks
    """doubled up"""
    doubled: Masks
    """stands with a doubling card"""
    comes: Masks
    """comes to it at all, but for doubling"""


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
def reach(pair: int, hands: Hands, plan: Plan, n_starts: int) -> Reached:
    """Follow the plan from a single card of the pair."""
    mine = _hands_with(pair, hands)
    place = np.full(hands.size.size, -1, np.int64)
    for i in range(mine.size):
        place[mine[i]] = i
    stands = np.zeros(mine.size, np.uint64)
    raised = np.zeros(mine.size, np.uint64)
    doubled = np.zeros(mine.size, np.uint64)
    comes = np.zeros(mine.size, np.uint64)
    comes[0] = (np.uint64(1) << np.uint64(n_starts)) - np.uint64(1)
    for i in range(mine.size):
        if not comes[i]:
            continue
        hand = mine[i]
        hits, doubles = np.uint64(0), np.uint64(0)
        for s in range(n_starts):
            bit = comes[i] & (np.uint64(1) << np.uint64(s))
            action = _action(hand, s, hands.size[hand], plan)
            if action == HIT:
                hits |= bit
            elif action == DOUBLE:
                doubles |= bit
            elif action == DOUBLE_UP:
                raised[i] |= bit
            else:
                stands[i] |= bit
        if hits or doubles:
            for rank in range(hands.longer.shape[1]):
                longer = hands.longer[hand, rank]
                if longer >= 0:
                    comes[place[longer]] |= hits
                    doubled[place[longer]] |= doubles
    return Reached(mine, place, stands, raised, doubled, comes)


@kernel
def find_lanes(
    pairs: Integers,
    levels: Integers,
    offsets: Integers,
    all_reached: tuple[Reached, ...],
    rows: SplitRows,
    n_starts: int,
    n_rows: int,
) -> Wanted:
    """All lanes of all pairs, those of one start and one row together.

    What a lane is worth belongs to its pair's offset and on, as [hand, level, start]; with a doubling card, to the
    second half of the values.
    """
    begins = np.zeros((n_starts, n_rows), np.int64)
    for p in range(pairs.size):
        reached = all_reached[p]
        _count(reached.hand, reached.stands, rows.plain, levels[p], begins)
        _count(reached.hand, reached.raised, rows.doubled_up, levels[p], begins)
        _count(reached.hand, reached.doubled, rows.doubled, levels[p], begins)
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
    half = offsets[pairs.size]
    for p in range(pairs.size):
        reached, pair, n, at = all_reached[p], pairs[p], levels[p], offsets[p]
        _place(reached.hand, reached.stands, rows.plain, pair, n, at, begins, wanted)
        _place(reached.hand, reached.raised, rows.doubled_up, pair, n, at, begins, wanted)
        _place(reached.hand, reached.doubled, rows.doubled, pair, n, half + at, begins, wanted)
    return wanted


@kernel
def _count(hand: Integers, needed: Masks, row: Bytes, levels: int, begins: Integers) -> None:
    """Add the lanes that hands need to those of their start and row."""
    for i in range(hand.size):
        bits = needed[i]
        if bits:
            for s in range(begins.shape[0]):
                if (bits >> np.uint64(s)) & np.uint64(1):
                    begins[s, row[hand[i]]] += levels


@kernel
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
def scatter(worth: Floats, wanted: Wanted, values: Floats) -> None:
    """Bring what the lanes are worth to where it belongs."""
    for lane in range(worth.size):
        values[wanted.target[lane]] = worth[lane]


@kernel
def carry_back(
    counts: Floats,
    pair: int,
    levels: int,
    hands: Hands,
    plan: Plan,
    rows: SplitRows,
    starts: Starts,
    reached: Reached,
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
    for i in range(reached.hand.size - 1, -1, -1):
        if not reached.comes[i]:
            continue
        hand = reached.hand[i]
        size = hands.size[hand]
        hits, doubles = False, False
        for s in range(n_starts):
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
                then = reached.place[longer]
                for k in range(lost.size):
                    hit[k] += (left[rank, k] - own) * value[then, k]
                if doubles:
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


@kernel
def _hands_with(pair: int, hands: Hands) -> Integers:
    """Numbers of the hands that hold a card of the pair; the first is that card alone."""
    found = np.empty(hands.size.size, np.int64)
    n = 0
    for hand in range(hands.size.size):
        if hands.cards[hand, pair] > 0.0:
            found[n] = hand
            n += 1
    return found[:n]


@kernel
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


@kernel
def _no_natural_left(left: Floats, cards: Floats, size: float, rank: int, natural: Integers, chance: Floats) -> None:
    """`chance[level and start]` that the dealer has no known natural once the hand and a card of `rank` are out."""
    n_starts = natural.size
    for s in range(n_starts):
        partner = natural[s]
        if partner >= 0:
            for k in range(s, chance.size, n_starts):
                of_partner = left[partner, k] - cards[partner] - (1.0 if partner == rank else 0.0)
                chance[k] = 1.0 - of_partner / max(left[left.shape[0] - 1, k] - size - 1.0, 1.0)
