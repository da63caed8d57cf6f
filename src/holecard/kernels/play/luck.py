"""Play one round from a fresh shoe, and measure how much of its result was luck (a control variate).

Give every state of a round a fixed baseline value v. The *luck* of a card is its effect beyond the expected effect,

    v(after it) - Σ_r left_r · v(after r) / Σ_r left_r

with the cards still in the shoe. Its mean is exactly 0 for any v, so the result minus all luck of the round has the
same mean as the result. The closer v is to the true EV, the smaller the variance. The opening cards are one step: the
value after them minus its mean over all openings. The hole card counts as known once it is dealt, even though nobody
sees it.

Values are whole *steps*: `part` steps per part of the stake, just under 2^32 per unit. Everything is exact except one
division per card, which rounds down: luck is overstated by less than one step, 2.4e-10 units, per card.

Why sums over 10^12 < 2^40 rounds fit 63 bits: a number of steps is cut after its 12th bit. The upper piece is below
2^26 for a round of up to 64 units, and its sum fits while its mean stays below 8 units; the lower pieces sum to less
than 2^52. The square of the upper piece is below 2^52 and is cut after its 20th bit: the upper pieces sum to less than
2^63 while the mean square stays below 8 square units, the lower ones to less than 2^60. Squares of net results in parts
are cut after their 22nd bit: the lower pieces sum to less than 2^62, and the upper ones fit for
`luck_adjusted.most_rounds` rounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import Dealt, begin, dealt_card, dealt_size, nth_card
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASS_COUNT,
    DEALER_OPEN,
    PAIRS,
    RANK_COUNT,
    ROW,
    VALUE_COUNT,
    Lut,
    Numbers,
    Offsets,
    ShoeKey,
)

#: Bits cut off: from a number of steps, from the square of its upper piece, and from the square of a net result.
FINE, SQUARE_FINE, NET_FINE = 12, 20, 22
#: Indexes of the sums: net results in parts, their squares in two pieces, then four for luck and four for the
#: luck-adjusted result.
NET_SUM, NET_UPPER, NET_LOWER, LUCK, ADJUSTED = 0, 1, 2, 3, 7
LUCK_SUMS = 11
#: Within each four: upper pieces, lower pieces, and the same of the squares.
UPPER, LOWER, SQUARE_UPPER, SQUARE_LOWER = range(4)

Steps = NDArray[np.int64]


class BaselineValues(NamedTuple):
    """The baseline value of every state, in steps, and the full shoe."""

    ev: Steps
    """[original or added stakes, dealer hand, node] a hand that is finished or takes a card"""
    pending: Steps
    """[upcard and hole card, rank, finished hands, hands] all hands of a split that still wait for a second card"""
    opening: int
    """the mean over all opening cards"""
    part: int
    """steps in a part of the stake"""
    shoe: Steps
    """[value, then rank] number of cards"""


class LuckWorkspace(NamedTuple):
    """Scratch arrays."""

    dealt: Dealt
    left: Steps
    """like `BaselineValues.shoe`, for the cards still in the shoe; restored after each round"""
    ends: Numbers


def new_luck_workspace(at: Offsets, baseline: BaselineValues) -> LuckWorkspace:
    """Return a workspace for one seat."""
    return LuckWorkspace(
        dealt=np.empty(dealt_size(at.cards, at.hands), np.uint16),
        left=baseline.shoe.copy(),
        ends=np.empty(at.hands, np.int32),
    )


@lean
def play_adjusted_rounds(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    work: LuckWorkspace,
    sums: Steps,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`, by the first chart; add their results to `sums`."""
    for number in range(rounds):
        begin(work.dealt)
        play_adjusted_round(lut, at, baseline, ShoeKey(first + np.uint64(number), key), work, sums)


@lean
def play_adjusted_round(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, sums: Steps
) -> int:
    """Play the round that `play_round` plays with one seat, from a started shoe; return the number of cards."""
    for n in range(3 + at.has_hole):
        _deal(lut, at, shoe, work, n)
    cell = VALUE_COUNT * lut[at.value + dealt_card(work.dealt, 1)]
    if at.has_hole:
        cell += lut[at.value + dealt_card(work.dealt, 3)]
    hands, n, luck = _player(lut, at, baseline, shoe, work, cell)
    dealer, n, more = _dealer(lut, at, baseline, shoe, work, n, lut[at.dealer + cell], hands)
    _add_up(sums, _net(lut, at, dealer, work.ends, hands), luck + more, baseline.part)
    _put_back(lut, at, work, n)
    return n


@lean
def _deal(lut: Lut, at: Offsets, shoe: ShoeKey, work: LuckWorkspace, n: int) -> int:
    """Take the n-th card out of the shoe."""
    index = nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, work.dealt, n)
    work.left[lut[at.value + index]] -= 1
    work.left[VALUE_COUNT + lut[at.rank + index]] -= 1
    return index


@lean
def _put_back(lut: Lut, at: Offsets, work: LuckWorkspace, n: int) -> None:
    """Restore the full shoe."""
    for i in range(n):
        index = dealt_card(work.dealt, i)
        work.left[lut[at.value + index]] += 1
        work.left[VALUE_COUNT + lut[at.rank + index]] += 1


@lean
def _player(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, cell: int
) -> tuple[int, int, int]:
    """Play all hands after the opening deal; return the number of hands, of cards dealt so far, and their luck."""
    n, dealer = 3 + at.has_hole, lut[at.dealer + cell]
    pair = lut[at.rank + dealt_card(work.dealt, 0)]
    row = lut[at.dealer_view + cell] * PAIRS + RANK_COUNT * pair
    node = lut[at.first + row + lut[at.rank + dealt_card(work.dealt, 2)]]
    split, over = node >= at.splits, 0
    hands = 2 if split else 1
    luck = (baseline.pending[cell, pair, 0, 2] if split else baseline.ev[0, dealer, node]) - baseline.opening
    while over < hands:
        if split:
            node, more = _second(lut, at, baseline, shoe, work, n, cell, row, over, hands)
            n, luck = n + 1, luck + more
            if node >= at.splits:
                hands += 1
                continue
        work.ends[over], n, more = _play_on(lut, at, baseline, shoe, work, n, node, min(over, 1), dealer)
        luck += more
        over += 1
    return hands, n, luck


@lean
def _play_on(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    shoe: ShoeKey,
    work: LuckWorkspace,
    n: int,
    node: int,
    added: int,
    dealer: int,
) -> tuple[int, int, int]:
    """Draw to a hand until it is finished; return its end, the number of cards dealt so far, and their luck."""
    luck = 0
    while node >= at.ends:
        row, weighed = at.after + ROW * node, 0
        for value in range(VALUE_COUNT):
            weighed += work.left[value] * baseline.ev[added, dealer, lut[row + value]]
        node = lut[row + lut[at.value + _deal(lut, at, shoe, work, n)]]
        luck += baseline.ev[added, dealer, node] - weighed // (at.cards - n)
        n += 1
    return node, n, luck


@lean
def _second(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    shoe: ShoeKey,
    work: LuckWorkspace,
    n: int,
    cell: int,
    row: int,
    over: int,
    hands: int,
) -> tuple[int, int]:
    """Deal the second card of a split hand; return its node (a split if it is resplit) and the luck of the card."""
    weighed = 0
    for rank in range(RANK_COUNT):
        _, ev = _with_second(lut, at, baseline, cell, row, rank, over, hands)
        weighed += work.left[VALUE_COUNT + rank] * ev
    dealt = lut[at.rank + _deal(lut, at, shoe, work, n)]
    node, ev = _with_second(lut, at, baseline, cell, row, dealt, over, hands)
    return node, ev - weighed // (at.cards - n)


@lean
def _with_second(
    lut: Lut, at: Offsets, baseline: BaselineValues, cell: int, row: int, rank: int, over: int, hands: int
) -> tuple[int, int]:
    """Return the node after a second card of this rank, and the value of it and of all hands still to come."""
    pair = row % PAIRS // RANK_COUNT
    if lut[at.again + row + rank] and hands < lut[at.most + pair]:
        return at.splits, baseline.pending[cell, pair, over, hands + 1]
    node = lut[at.second + row + rank]
    this = baseline.ev[min(over, 1), lut[at.dealer + cell], node]
    return node, this + baseline.pending[cell, pair, over + 1, hands]


@lean
def _dealer(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, n: int, dealer: int, hands: int
) -> tuple[int, int, int]:
    """Draw for the dealer if a hand waits; return the dealer hand, the number of cards dealt, and their luck."""
    waits, luck = at.draws_out > 0, 0
    for hand in range(hands):
        waits |= work.ends[hand] >= at.settled
    while waits and dealer >= DEALER_OPEN:
        row, weighed = at.dealer_after + ROW * (dealer - DEALER_OPEN), 0
        for value in range(VALUE_COUNT):
            weighed += work.left[value] * _together(baseline, lut[row + value], work.ends, hands)
        dealer = lut[row + lut[at.value + _deal(lut, at, shoe, work, n)]]
        luck += _together(baseline, dealer, work.ends, hands) - weighed // (at.cards - n)
        n += 1
    return dealer, n, luck


@lean
def _together(baseline: BaselineValues, dealer: int, ends: Numbers, hands: int) -> int:
    """Return the value of finished hands against a dealer hand."""
    ev = baseline.ev[0, dealer, ends[0]]
    for hand in range(1, hands):
        ev += baseline.ev[1, dealer, ends[hand]]
    return int(ev)


@lean
def _net(lut: Lut, at: Offsets, dealer: int, ends: Numbers, hands: int) -> int:
    """Return the net result in parts."""
    net = 0
    for hand in range(hands):
        against = dealer if ends[hand] >= at.settled else ANY_CLASS
        net += int(lut[at.net + CLASS_COUNT * (ends[hand] + (at.ends if hand else 0)) + against])
    return net


@lean
def _add_up(sums: Steps, net: int, luck: int, part: int) -> None:
    sums[NET_SUM] += net
    sums[NET_UPPER] += (net * net) >> NET_FINE
    sums[NET_LOWER] += (net * net) & ((1 << NET_FINE) - 1)
    _add(sums, LUCK, luck)
    _add(sums, ADJUSTED, net * part - luck)


@lean
def _add(sums: Steps, to: int, steps: int) -> None:
    """Add a number of steps and its square, each in two pieces."""
    upper = steps >> FINE
    square = upper * upper
    sums[to + UPPER] += upper
    sums[to + LOWER] += steps & ((1 << FINE) - 1)
    sums[to + SQUARE_UPPER] += square >> SQUARE_FINE
    sums[to + SQUARE_LOWER] += square & ((1 << SQUARE_FINE) - 1)
