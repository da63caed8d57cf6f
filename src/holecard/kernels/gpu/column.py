"""One shoe per GPU thread, in the memory that the threads of a block share.

The cards and their order are those of `kernels.play.dealing`; here the shoe holds types (4 * rank + suit) instead of
indexes, one byte each. The words of a shoe are as far apart as all threads' words are long, so each thread reads its
own memory bank: a *column*.

A `Cursor` says how far a shoe was dealt. A round that needs a second shoe makes it `short`: its cards
then mean nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.gpu.layout import narrow
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.state import Types
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import pick

_WORD, _HALF, _ONE, _WORDS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint32(1), np.uint64(2**32)


class ShoeColumn(NamedTuple):
    """Where a shoe is, and what determines its cards."""

    number: np.uint64
    key: np.uint64
    first: int
    """byte of its first place"""
    row: int
    """bytes from a word to the next one"""
    cards: int


class Cursor(NamedTuple):
    """How far a shoe was dealt, in cards."""

    have: int
    """cards dealt"""
    start: int
    """where the round starts"""
    blocks: int
    """blocks of random words used"""
    short: int
    """1 if the round needs a second shoe"""


@lean
def new_cursor(burn: int) -> Cursor:
    """Return the cursor of a full shoe whose first round starts after the burned cards."""
    return Cursor(narrow(0), narrow(burn), narrow(0), narrow(0))


@lean
def start_round(cursor: Cursor, start: int) -> Cursor:
    """Return the cursor of a round that starts at this place."""
    return Cursor(cursor.have, narrow(start), cursor.blocks, cursor.short)


@lean
def nth_type(memory: Types, column: ShoeColumn, cursor: Cursor, n: int) -> int:
    """Return the type of the round's n-th card, already dealt."""
    return narrow(memory[_byte(column, min(narrow(cursor.start + n), narrow(column.cards - 1)))])


@lean
def deal_for(memory: Types, column: ShoeColumn, cursor: Cursor, n: int, ahead: int) -> Cursor:
    """Deal until the round's n-th card is there, and at the same time as many more as fit the shoe, up to `ahead`."""
    while not cursor.short and (
        cursor.have <= narrow(cursor.start + n)
        or (cursor.have <= narrow(cursor.start + ahead) and cursor.have < column.cards)
    ):
        empty = cursor.have == column.cards
        cursor = _refill(memory, column, cursor) if empty else _deal_block(memory, column, cursor)
    return cursor


@lean
def keep_first(memory: Types, column: ShoeColumn, cursor: Cursor, first: int, n: int) -> Cursor:
    """Keep `n` cards from place `first` on as the next cards, and return all others to the shoe."""
    for i in range(n):
        _swap(memory, column, narrow(i), narrow(first + i))
    return Cursor(narrow(n), narrow(0), cursor.blocks, cursor.short)


@lean
def _byte(column: ShoeColumn, place: int) -> np.uint32:
    return index(narrow(column.first + narrow(place >> 2) * column.row + narrow(place & 3)))


@lean
def _swap(memory: Types, column: ShoeColumn, one: int, other: int) -> None:
    here, there = _byte(column, one), _byte(column, other)
    memory[here], memory[there] = memory[there], memory[here]


@lean
def _refill(memory: Types, column: ShoeColumn, cursor: Cursor) -> Cursor:
    """Shuffle the discards back in when the last card is out, keeping the cards of this round on the table."""
    if cursor.start > 0:
        return keep_first(memory, column, cursor, cursor.start, column.cards - cursor.start)
    return Cursor(cursor.have, cursor.start, cursor.blocks, narrow(1))


@lean
def _deal_block(memory: Types, column: ShoeColumn, cursor: Cursor) -> Cursor:
    """Deal the next cards with one block of random words."""
    number, key, have = column.number, column.key, cursor.have
    block = np.uint64(np.uint32(cursor.blocks))
    a, b, c, d = philox(number & _WORD, number >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)
    have = _draw_two(memory, column, a, have)
    have = _draw_two(memory, column, b, have)
    have = _draw_two(memory, column, c, have)
    have = _draw_two(memory, column, d, have)
    return Cursor(have, cursor.start, narrow(cursor.blocks + 1), cursor.short)


@lean
def _draw_two(memory: Types, column: ShoeColumn, word: np.uint64, have: int) -> int:
    """Draw the two cards that a word picks, or the last one, unless the word is biased; return the cards dealt."""
    left = np.uint32(column.cards - have)
    if left > 0:
        others = np.uint32(left - _ONE)
        one, rest = pick(word, np.uint64(left))
        two, rest = pick(np.uint64(np.uint32(rest)), np.uint64(others))
        orders = np.uint32(left * others)
        if np.uint32(rest) < orders and rest < _WORDS % np.uint64(orders):
            return have
        _swap(memory, column, have, narrow(have + narrow(one)))
        have = narrow(have + 1)
        if others > 0:
            _swap(memory, column, have, narrow(have + narrow(two)))
            have = narrow(have + 1)
    return have
