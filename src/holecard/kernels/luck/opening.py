"""Deal the opening cards, and measure their luck for every seat.

The order is that of `play_round`: a card to every seat, the upcard, a second card to every seat, the hole card. A card
changes the baseline of the seat that gets it, or of all seats if the dealer gets it.
"""

from __future__ import annotations

from holecard.kernels.jit import inlined
from holecard.kernels.luck.baseline import BaselineValues, luck_in_row
from holecard.kernels.luck.undealt import LuckWorkspace, counts_row, draw, take
from holecard.kernels.play.dealing import dealt_card
from holecard.kernels.play.lookup import RANK_COUNT, VALUE_COUNT, Lut, Offsets, ShoeKey


@inlined
def deal_opening(lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace) -> int:
    """Deal the opening cards one by one, and add the luck of each; return their number."""
    seats = work.charts.size
    cards = 2 * seats + 1 + at.has_hole
    for n in range(cards):
        card = draw(lut, at, baseline, shoe, work, n)
        if n < seats:
            _first(lut, at, baseline, work, n, card)
        elif n == seats:
            _upcard(lut, at, baseline, work, n, card)
        elif n <= 2 * seats:
            _second(lut, at, baseline, work, n, card)
        else:
            _hole(lut, at, baseline, work, n, card)
        take(lut, at, work, card)
    return cards


@inlined
def deal_fresh_opening(lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace) -> int:
    """Deal one seat's opening from a full shoe, where the luck of its cards adds up to the value after them.

    That is so because the values after each card are means without replacement.
    """
    cards = 3 + at.has_hole
    for n in range(cards):
        take(lut, at, work, draw(lut, at, baseline, shoe, work, n))
    chart, dealt = work.charts[0], work.dealt
    first, second = lut[at.rank + dealt_card(dealt, 0)], lut[at.rank + dealt_card(dealt, 2)]
    up = lut[at.value + dealt_card(dealt, 1)]
    state = baseline.second + ((chart * RANK_COUNT + first) * VALUE_COUNT + up) * RANK_COUNT + second
    if at.has_hole:
        state = baseline.hole + (state - baseline.second) * VALUE_COUNT + lut[at.value + dealt_card(dealt, 3)]
    work.luck[0] += baseline.ev[state] - baseline.ev[baseline.opening + chart]
    return cards


@inlined
def _first(lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int, card: int) -> None:
    state = baseline.first + work.charts[n] * RANK_COUNT
    _add_luck_of_rank(lut, at, baseline, work, n, n, state, card)


@inlined
def _upcard(lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int, card: int) -> None:
    for seat in range(work.charts.size):
        state = baseline.upcard + _first_card(lut, at, work, seat) * VALUE_COUNT
        _add_luck_of_value(lut, at, baseline, work, n, seat, state, card)


@inlined
def _second(lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int, card: int) -> None:
    seat = n - work.charts.size - 1
    state = baseline.second + _with_upcard(lut, at, work, seat) * RANK_COUNT
    _add_luck_of_rank(lut, at, baseline, work, n, seat, state, card)


@inlined
def _hole(lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int, card: int) -> None:
    seats = work.charts.size
    for seat in range(seats):
        second = lut[at.rank + dealt_card(work.dealt, seats + 1 + seat)]
        state = baseline.hole + (_with_upcard(lut, at, work, seat) * RANK_COUNT + second) * VALUE_COUNT
        _add_luck_of_value(lut, at, baseline, work, n, seat, state, card)


@inlined
def _first_card(lut: Lut, at: Offsets, work: LuckWorkspace, seat: int) -> int:
    """Return [chart, rank] of a seat as a number."""
    return int(work.charts[seat] * RANK_COUNT + lut[at.rank + dealt_card(work.dealt, seat)])


@inlined
def _with_upcard(lut: Lut, at: Offsets, work: LuckWorkspace, seat: int) -> int:
    """Return [chart, rank, value of the upcard] of a seat as a number."""
    upcard = lut[at.value + dealt_card(work.dealt, work.charts.size)]
    return int(_first_card(lut, at, work, seat) * VALUE_COUNT + upcard)


@inlined
def _add_luck_of_rank(
    lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int, seat: int, begin: int, card: int
) -> None:
    """Add a seat's luck of the n-th card; the states after each rank start at `begin`."""
    left, drawn = work.left[counts_row(work, n)], lut[at.rank + card]
    work.luck[seat] += luck_in_row(baseline.ev, baseline.slope, work.tilt, begin, left, VALUE_COUNT, RANK_COUNT, drawn)


@inlined
def _add_luck_of_value(
    lut: Lut, at: Offsets, baseline: BaselineValues, work: LuckWorkspace, n: int, seat: int, begin: int, card: int
) -> None:
    """Add a seat's luck of the n-th card; the states after each value start at `begin`."""
    left, drawn = work.left[counts_row(work, n)], lut[at.value + card]
    work.luck[seat] += luck_in_row(baseline.ev, baseline.slope, work.tilt, begin, left, 0, VALUE_COUNT, drawn)
