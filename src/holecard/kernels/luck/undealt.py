"""The cards that the next card is drawn from, and the luck of the cards for later rounds.

Row 0 of `left` counts the cards in the shoe, and every card that is not in a shuffler's chute comes from there. Burned
cards are out like dealt ones. If the shoe is empty, the next card comes from the discards, or from another shoe if
there are none; see `dealing._refill`.

The cards in a *chute* were drawn in earlier rounds, each from the cards that were in the machine then: all but those on
the table and those before it in the chute. Cards leave the chute in the order in which they came, so when one is turned
over, all of those have been seen. Its distribution, given everything seen before, is that of a card drawn from the
counts at its draw, which are kept in row 1 + place.

**Later rounds.** What the cards left say about later rounds is worth `ahead` (the rounds expected after this one, fixed
before its first card) times `shoe_value`, which is a mean of shares: a martingale as cards are dealt, as long as no
card comes back. So `ahead` times its change during the round has mean 0, wherever the round ends. The last card of a
shoe brings no news; the counts that follow it begin a new martingale.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.jit import index, inlined, lean
from holecard.kernels.luck.baseline import CARDS_LEFT, COUNTS, SLOPE_WIDTH, BaselineValues, Slopes, Steps, shoe_value
from holecard.kernels.play.dealing import START, Dealt, dealt_card, dealt_size, nth_card
from holecard.kernels.play.lookup import OF_DEALER, RESULT, VALUE_COUNT, Lut, Numbers, Offsets, Results, ShoeKey

#: Indexes of `LuckWorkspace.place`: cards in the chute when the round began, where they begin in the rows of `left`,
#: rows, and the rounds expected after this one, in 1/2^AHEAD_BITS.
KEPT, RING, RING_SIZE, AHEAD = range(4)
PLACES = 4
AHEAD_BITS = 8


class LuckWorkspace(NamedTuple):
    """Scratch arrays for the rounds of one shoe."""

    charts: Numbers
    """[seat]"""
    dealt: Dealt
    left: Steps
    """[row, counts] see above"""
    place: Steps
    """see `KEPT`, …"""
    tilt: Slopes
    """the tilt of this round"""
    shoe_values: Steps
    """[seat] `shoe_value` when the round began, or when the shoe was refilled"""
    luck: Steps
    """[seat] the luck of the round so far"""
    shoe_luck: Steps
    """[seat] the luck of the shoe so far"""
    nets: Results
    """[seat] the net result of the shoe so far in parts"""
    ends: Numbers
    """[seat, hand]"""
    hands: Numbers
    """[seat]"""
    results: Results
    """as `play_round` writes them"""


def new_luck_workspace(at: Offsets, charts: tuple[int, ...], chute: int = 0) -> LuckWorkspace:
    """Return a workspace for one seat per chart, and a chute with this many places."""
    seats, rows = len(charts), max(1, chute)

    def each_seat() -> Steps:
        return np.zeros(seats, np.int64)

    place = np.zeros(PLACES, np.int64)
    place[RING_SIZE] = rows
    return LuckWorkspace(
        charts=np.array(charts, np.int32),
        dealt=np.zeros(dealt_size(at.cards, at.hands * seats), np.uint16),
        left=np.zeros((1 + rows, COUNTS), np.int64),
        place=place,
        tilt=np.zeros(SLOPE_WIDTH, np.int16),
        shoe_values=each_seat(),
        luck=each_seat(),
        shoe_luck=each_seat(),
        nets=each_seat(),
        ends=np.zeros(at.hands * seats, np.int32),
        hands=np.zeros(seats, np.int32),
        results=np.zeros(RESULT * seats + OF_DEALER, np.int64),
    )


@lean
def _copy(counts: Steps, to: Steps) -> None:
    for i in range(COUNTS):
        to[i] = counts[i]


@lean
def fill(work: LuckWorkspace, shoe: Steps) -> None:
    """Count a full shoe, with an empty chute."""
    _copy(shoe, work.left[0])
    work.place[KEPT] = 0
    work.place[RING] = 0


@inlined
def counts_row(work: LuckWorkspace, n: int) -> int:
    """Return the row of counts that the round's n-th card was drawn from."""
    place = work.place
    return 1 + (place[RING] + n) % place[RING_SIZE] if n < place[KEPT] else 0


@inlined
def draw(lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, n: int) -> int:
    """Return the round's n-th card; it counts as left until `take`."""
    if work.left[0, CARDS_LEFT] == 0:
        refill(lut, at, baseline, work, n)
    return nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, work.dealt, n)


@inlined
def take(lut: Lut, at: Offsets, work: LuckWorkspace, card: int) -> None:
    """Take a card out of the shoe."""
    left = work.left[0]
    left[index(lut[at.value + card])] -= 1
    left[index(VALUE_COUNT + lut[at.rank + card])] -= 1
    left[CARDS_LEFT] -= 1


@lean
def refill(lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int) -> None:
    """Put back the discards, as `dealing` is about to do, with the n cards of this round on the table."""
    if n:
        add_luck_ahead(lut, at, baseline, work, n)
    _copy(baseline.shoe, work.left[0])
    if work.dealt[START] > 0:
        for i in range(n):
            take(lut, at, work, dealt_card(work.dealt, i))
    note_shoe_values(baseline, work)


@lean
def note_shoe_values(baseline: BaselineValues, work: LuckWorkspace) -> None:
    """Note what the shoe is worth to each seat; it must hold a card."""
    for seat in range(work.charts.size):
        work.shoe_values[seat] = shoe_value(baseline.removal, work.charts[seat], work.left[0])


@lean
def add_luck_ahead(lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int) -> None:
    """Add the luck for later rounds of the round's n cards, or of those since the shoe was refilled."""
    ahead, left = work.place[AHEAD], work.left[0]
    if ahead == 0:
        return
    for seat in range(work.charts.size):
        chart = work.charts[seat]
        if left[CARDS_LEFT]:
            now = shoe_value(baseline.removal, chart, left)
        else:
            now = int(baseline.removal[chart, lut[at.value + dealt_card(work.dealt, n - 1)]])
        work.luck[seat] += (ahead * (now - work.shoe_values[seat])) >> AHEAD_BITS


@lean
def return_behind_chute(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, n: int, chute: int
) -> None:
    """Count the cards for a shuffler's next round: the n cards of this one are behind the chute, which is full."""
    place = work.place
    for later in range(n, n + chute):
        if later >= place[KEPT]:
            _copy(work.left[0], work.left[1 + (place[RING] + later) % place[RING_SIZE]])
        take(lut, at, work, nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, work.dealt, later))
    _copy(baseline.shoe, work.left[0])
    place[RING] = (place[RING] + n) % place[RING_SIZE]
    place[KEPT] = chute
