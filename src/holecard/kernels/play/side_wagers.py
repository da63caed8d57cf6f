"""Settle side wagers by lookup: first cards to a pattern of named hands, then pattern and dealer hand to an outcome."""

from __future__ import annotations

from holecard.kernels.jit import index, lean
from holecard.kernels.play.dealing import Dealt, dealt_card
from holecard.kernels.play.lookup import ENDING, RANK_COUNT, RESULT, VALUE_COUNT, Lut, Offsets, Results

SUIT_COUNT = 4
#: The record of a wager in `lut`: number of cards it uses, offsets of its tables, their widths.
LOOKS_AT, SUIT_CLASSES, N_CLASSES, MADE, FINISHES, N_FINISHES, OUTCOMES, LIVE, CELLS = range(9)
WAGER = 9


@lean
def wager_cell(lut: Lut, at: Offsets, wager: int, first: int, second: int, up: int, hole: int, ending: int) -> int:
    """Return the cell of a wager's outcome. Cards are indexes in the shoe, `ending` is the cell of the dealer hand."""
    its = at.wager + WAGER * wager
    return outcome_cell(lut, its, _row(lut, at, its, first, second, up, hole), ending)


@lean
def outcome_cell(lut: Lut, its: int, row: int, ending: int) -> int:
    """Return the cell of an outcome, given the wager's record, the row of the first cards, and the dealer hand."""
    finish = lut[index(lut[its + FINISHES] + ending)] if lut[its + N_FINISHES] > 1 else 0
    return int(lut[its + CELLS] + lut[index(lut[its + OUTCOMES] + lut[its + N_FINISHES] * row + finish)])


@lean
def _row(lut: Lut, at: Offsets, its: int, first: int, second: int, up: int, hole: int) -> int:
    """Return the row of the first cards, given as indexes in the shoe."""
    return row_of(
        lut,
        its,
        card_type(lut, at, first),
        card_type(lut, at, second),
        card_type(lut, at, up),
        card_type(lut, at, hole),
    )


@lean
def card_type(lut: Lut, at: Offsets, card: int) -> int:
    """Return the type of a card: 4 * rank + suit."""
    return int(SUIT_COUNT * lut[index(at.rank + card)] + lut[index(at.suit + card)])


@lean
def row_of(lut: Lut, its: int, first: int, second: int, up: int, hole: int) -> int:
    """Return the row for the pattern that the first cards make and the upcard. Cards are types."""
    looks_at = lut[its + LOOKS_AT]
    ranks = RANK_COUNT * (first // SUIT_COUNT) + second // SUIT_COUNT
    suits = SUIT_COUNT * (first % SUIT_COUNT) + second % SUIT_COUNT
    if looks_at > 2:
        ranks, suits = RANK_COUNT * ranks + up // SUIT_COUNT, SUIT_COUNT * suits + up % SUIT_COUNT
    if looks_at > 3:
        ranks, suits = RANK_COUNT * ranks + hole // SUIT_COUNT, SUIT_COUNT * suits + hole % SUIT_COUNT
    of_suits = lut[index(lut[its + SUIT_CLASSES] + suits)]
    made = lut[index(lut[its + MADE] + lut[its + N_CLASSES] * ranks + of_suits)]
    return int(VALUE_COUNT * made + min(up // SUIT_COUNT, VALUE_COUNT - 1))


@lean
def live_bits(lut: Lut, at: Offsets, seats: int, dealt: Dealt) -> int:
    """Return bits of the pay lines that are still live for any seat after the first cards."""
    up, hole = dealt_card(dealt, seats), dealt_card(dealt, 2 * seats + at.has_hole)
    live = 0
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        for seat in range(seats):
            row = _row(lut, at, its, dealt_card(dealt, seat), dealt_card(dealt, seats + 1 + seat), up, hole)
            live |= lut[lut[its + LIVE] + row]
    return live


@lean
def wager_cell_of(lut: Lut, at: Offsets, wager: int, seat: int, seats: int, dealt: Dealt, results: Results) -> int:
    """Return the cell of a wager's outcome for a seat of a round that `play_round` played."""
    first, second = dealt_card(dealt, seat), dealt_card(dealt, seats + 1 + seat)
    up, hole = dealt_card(dealt, seats), dealt_card(dealt, 2 * seats + at.has_hole)
    return wager_cell(lut, at, wager, first, second, up, hole, int(results[RESULT * seats + ENDING]))
