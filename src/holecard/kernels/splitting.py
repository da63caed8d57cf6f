"""Hands made by splitting, played by a fixed plan, with more and more cards of the pair gone.

What splitting is worth needs only the value of one such hand with 1, 2, 3 … other cards of the pair out of the shoe
("levels"): the other hands' cards are unseen, and unseen cards are like those still in the shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import kernel
from holecard.kernels.deciding import DOUBLE, DOUBLE_UP, HIT, Hands, Plan
from holecard.kernels.standing import Floats, Indices, Lanes, Stakes, Starts, Tree, standing

Masks = NDArray[np.uint64]


class SplitRows(NamedTuple):
    """[hand] row of the stakes, and how often its worth counts: plain, doubled, doubled up."""

    plain: Indices
    doubled: Indices
    doubled_up: Indices
    plain_times: Floats
    doubled_times: Floats
    doubled_up_times: Floats
    bust: float
    doubled_bust: float


@kernel
def split_hands(
    counts: Floats,
    pair: int,
    levels: int,
    hands: Hands,
    plan: Plan,
    rows: SplitRows,
    tree: Tree,
    starts: Starts,
    stakes: Stakes,
    begun: Floats,
    paired: Floats,
) -> int:
    """`begun[level, start]`: a hand begun with one card of the pair; `paired`: the same once its next card is another.

    Level 0 has one other card of the pair out, level 1 two, and so on. Returns how many lanes were summed.
    """
    n_starts = starts.natural.size
    mine = _hands_with(pair, hands)
    where = np.full(hands.size.size, -1, np.int64)
    for i in range(mine.size):
        where[mine[i]] = i
    stands, doubled, raised, comes = _reach(mine, where, hands, plan, n_starts)
    on_plain, lanes = _worth_of(
        counts, pair, levels, mine, stands, rows.plain, rows.plain_times, hands, tree, starts, stakes
    )
    on_doubled, more = _worth_of(
        counts, pair, levels, mine, doubled, rows.doubled, rows.doubled_times, hands, tree, starts, stakes
    )
    lanes += more
    on_raised, more = _worth_of(
        counts, pair, levels, mine, raised, rows.doubled_up, rows.doubled_up_times, hands, tree, starts, stakes
    )
    lanes += more
    left = _left(counts, pair, levels, starts)
    value = np.zeros((mine.size, levels * n_starts))
    hit = np.empty(levels * n_starts)
    double = np.empty(levels * n_starts)
    lost = np.ones(levels * n_starts)
    for i in range(mine.size - 1, -1, -1):
        if not comes[i]:
            continue
        hand = mine[i]
        size = hands.size[hand]
        draws = False
        for s in range(n_starts):
            action = _action(hand, s, size, plan)
            draws |= action in (HIT, DOUBLE)
        if draws:
            hit[:] = 0.0
            double[:] = 0.0
            for rank in range(counts.size):
                mine_of_rank = hands.cards[hand, rank]
                longer = hands.longer[hand, rank]
                if longer < 0:
                    _no_natural_left(left, hands.cards[hand], float(size), rank, starts.natural, lost)
                    for k in range(lost.size):
                        chance = (left[rank, k] - mine_of_rank) * lost[k]
                        hit[k] += rows.bust * chance
                        double[k] += rows.doubled_bust * chance
                else:
                    then = where[longer]
                    for k in range(lost.size):
                        chance = left[rank, k] - mine_of_rank
                        hit[k] += chance * value[then, k]
                        double[k] += chance * on_doubled[then, k]
        for k in range(lost.size):
            action = _action(hand, k % n_starts, size, plan)
            cards_left = left[counts.size, k] - size
            if action == HIT:
                value[i, k] = hit[k] / cards_left
            elif action == DOUBLE:
                value[i, k] = double[k] / cards_left
            elif action == DOUBLE_UP:
                value[i, k] = on_raised[i, k]
            else:
                value[i, k] = on_plain[i, k]
    second = where[hands.longer[mine[0], pair]]
    for k in range(lost.size):
        begun[k // n_starts, k % n_starts] = value[0, k]
        paired[k // n_starts, k % n_starts] = value[second, k]
    return lanes


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
def _no_natural_left(
    left: Floats, cards: Floats, size: float, rank: int, natural: NDArray[np.int64], chance: Floats
) -> None:
    """`chance[level and start]` that the dealer has no known natural once the hand and a card of `rank` are out."""
    for k in range(chance.size):
        partner = natural[k % natural.size]
        if partner >= 0:
            of_partner = left[partner, k] - cards[partner] - (1.0 if partner == rank else 0.0)
            chance[k] = 1.0 - of_partner / (left[left.shape[0] - 1, k] - size - 1.0)


@kernel
def _hands_with(pair: int, hands: Hands) -> NDArray[np.int64]:
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
def _reach(
    mine: NDArray[np.int64],
    where: NDArray[np.int64],
    hands: Hands,
    plan: Plan,
    n_starts: int,
) -> tuple[Masks, Masks, Masks, Masks]:
    """[hand] against which starts (bits) the plan stands on it, doubles to it, doubles it up, comes to it at all."""
    stands = np.zeros(mine.size, np.uint64)
    doubled = np.zeros(mine.size, np.uint64)
    raised = np.zeros(mine.size, np.uint64)
    comes = np.zeros(mine.size, np.uint64)
    comes[0] = (np.uint64(1) << np.uint64(n_starts)) - np.uint64(1)
    for i in range(mine.size):
        if not comes[i]:
            continue
        hand = mine[i]
        size = hands.size[hand]
        hits = np.uint64(0)
        doubles = np.uint64(0)
        for s in range(n_starts):
            bit = comes[i] & (np.uint64(1) << np.uint64(s))
            action = _action(hand, s, size, plan)
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
                    comes[where[longer]] |= hits
                    doubled[where[longer]] |= doubles
    return stands, doubled, raised, comes


@kernel
def _worth_of(
    counts: Floats,
    pair: int,
    levels: int,
    mine: NDArray[np.int64],
    needed: Masks,
    row: Indices,
    times: Floats,
    hands: Hands,
    tree: Tree,
    starts: Starts,
    stakes: Stakes,
) -> tuple[Floats, int]:
    """[hand, level and start] worth of the needed hands as they stand, and how many were summed."""
    n_starts, n_rows = starts.natural.size, stakes.base.size
    worth = np.zeros((mine.size, levels * n_starts))
    begins = _sort_lanes(mine, needed, row, levels, n_starts, n_rows)
    size = begins[n_starts * n_rows]
    lanes = Lanes(np.empty(size, np.uint64), np.empty(size), np.empty(size, np.uint64), np.empty(size, np.uint64))
    place = np.empty((size, 2), np.int64)
    for i in range(mine.size):
        for s in range(n_starts):
            if (needed[i] >> np.uint64(s)) & np.uint64(1):
                group = s * n_rows + np.int64(row[mine[i]])
                for level in range(levels):
                    lane = begins[group]
                    begins[group] += 1
                    lanes.hand[lane], lanes.more[lane] = mine[i], level + 1.0
                    lanes.start[lane], lanes.row[lane] = s, row[mine[i]]
                    place[lane, 0], place[lane, 1] = i, level * n_starts + s
    out = np.empty(size)
    standing(counts, hands.by_rank, lanes, pair, tree, starts, stakes, out)
    for lane in range(size):
        i = place[lane, 0]
        worth[i, place[lane, 1]] = times[mine[i]] * out[lane]
    return worth, size


@kernel
def _sort_lanes(
    mine: NDArray[np.int64], needed: Masks, row: Indices, levels: int, n_starts: int, n_rows: int
) -> NDArray[np.int64]:
    """[start and row] where its lanes begin, so that those of one start and one row lie together; last, how many."""
    begins = np.zeros(n_starts * n_rows + 1, np.int64)
    for i in range(mine.size):
        for s in range(n_starts):
            if (needed[i] >> np.uint64(s)) & np.uint64(1):
                begins[s * n_rows + np.int64(row[mine[i]]) + 1] += levels
    for group in range(n_starts * n_rows):
        begins[group + 1] += begins[group]
    return begins
