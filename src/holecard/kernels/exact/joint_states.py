"""Every combination of cards and results that several hands of one split pair can have, equal ones merged.

A *state* is what some hands have drawn together (a multiset of values) and how they ended (a multiset of classes). Both
are packed into 64-bit words that add up hand by hand:

    cards       uint64[end]     a field of bits for each v, topped by a guard bit
    ends        uint64[end]     any additive code of the classes
    ways        float64[end]    orders of the cards

Ends are added one after the other, each with all its multiplicities at once, so every multiset of ends occurs once: an
end taken c times counts ways^c / c!. States are looked up in an open-addressing hash table, `slots`.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.arrays import Floats, Int32s, Integers, UInt64s
from holecard.kernels.jit import kernel, lean

_EMPTY = -1
_FIRST_CAPACITY = 1024
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@kernel
def joint_states(
    cards: UInt64s, ends: UInt64s, ways: Floats, hands: int, room: np.uint64, guards: np.uint64
) -> tuple[Integers, UInt64s, UInt64s, Floats]:
    """Return [hands] the number of states, then [hands, state] their cards, ends and ways.

    The states are those of 0, 1, … `hands` hands in no order. `room` holds in each field the most cards that all hands
    together can draw; states that need more are left out.
    """
    size = np.zeros(hands + 1, np.int64)
    size[0] = 1
    capacity = _FIRST_CAPACITY
    cards_of = np.zeros((hands + 1, capacity), np.uint64)
    ends_of = np.zeros((hands + 1, capacity), np.uint64)
    ways_of = np.zeros((hands + 1, capacity))
    slots = np.full((hands + 1, 2 * capacity), _EMPTY, np.int32)
    ways_of[0, 0] = 1.0
    room_and_guards = room | guards
    for end in range(ways.size):
        for n in range(hands, 0, -1):
            factor = 1.0
            more_cards, more_ends = np.uint64(0), np.uint64(0)
            for times in range(1, n + 1):
                factor *= ways[end] / times
                more_cards += cards[end]
                more_ends += ends[end]
                before = size[n - times]
                if size[n] + before > capacity:
                    while size[n] + before > capacity:
                        capacity *= 2
                    cards_of, ends_of, ways_of = _enlarge(cards_of, ends_of, ways_of, size, capacity)
                    slots = _fill_slots(cards_of, ends_of, size, 2 * capacity)
                size[n] = _add(
                    cards_of[n - times], ends_of[n - times], ways_of[n - times], before, more_cards, more_ends, factor,
                    room_and_guards, guards, cards_of[n], ends_of[n], ways_of[n], size[n], slots[n],
                )  # fmt: skip
    return size, cards_of, ends_of, ways_of


@lean
def _add(
    cards: UInt64s,
    ends: UInt64s,
    ways: Floats,
    before: int,
    more_cards: np.uint64,
    more_ends: np.uint64,
    factor: float,
    room: np.uint64,
    guards: np.uint64,
    into_cards: UInt64s,
    into_ends: UInt64s,
    into_ways: Floats,
    size: int,
    slots: Int32s,
) -> int:
    """Add some hands to every state of fewer hands; return the number of states there are then."""
    mask = np.uint64(slots.size - 1)
    one = np.uint64(1)
    for i in range(before):
        of_cards = cards[i] + more_cards
        if (room - of_cards) & guards != guards:
            continue
        of_ends = ends[i] + more_ends
        slot = _hash(of_cards, of_ends) & mask
        while True:
            at = slots[slot]
            if at == _EMPTY:
                slots[slot] = size
                into_cards[size], into_ends[size], into_ways[size] = of_cards, of_ends, ways[i] * factor
                size += 1
                break
            if into_cards[at] == of_cards and into_ends[at] == of_ends:
                into_ways[at] += ways[i] * factor
                break
            slot = (slot + one) & mask
    return size


@lean
def _hash(first: np.uint64, second: np.uint64) -> np.uint64:
    mixed = (first ^ (second * _MIX)) * _MIX
    return (mixed ^ (mixed >> _SHIFT)) * _MIX >> np.uint64(20)


@kernel
def _enlarge(
    cards: UInt64s, ends: UInt64s, ways: Floats, size: Integers, capacity: int
) -> tuple[UInt64s, UInt64s, Floats]:
    """Return copies with room for more states."""
    rows = size.size
    wider_cards, wider_ends = np.empty((rows, capacity), np.uint64), np.empty((rows, capacity), np.uint64)
    wider_ways = np.empty((rows, capacity))
    for n in range(rows):
        for i in range(size[n]):
            wider_cards[n, i], wider_ends[n, i], wider_ways[n, i] = cards[n, i], ends[n, i], ways[n, i]
    return wider_cards, wider_ends, wider_ways


@kernel
def _fill_slots(cards: UInt64s, ends: UInt64s, size: Integers, capacity: int) -> Int32s:
    """Return a hash table of all states found so far."""
    slots = np.full((size.size, capacity), _EMPTY, np.int32)
    mask = np.uint64(capacity - 1)
    for n in range(size.size):
        for i in range(size[n]):
            slot = _hash(cards[n, i], ends[n, i]) & mask
            while slots[n, slot] != _EMPTY:
                slot = (slot + np.uint64(1)) & mask
            slots[n, slot] = i
    return slots


@kernel
def numbered(words: UInt64s) -> tuple[Int32s, UInt64s]:
    """Return ([i] index of each word among the distinct words, the distinct words in order of appearance)."""
    size = 1
    while size < 2 * words.size:
        size *= 2
    slots = np.full(size, _EMPTY, np.int32)
    mask = np.uint64(size - 1)
    number = np.empty(words.size, np.int32)
    found = np.empty(words.size, np.uint64)
    different = 0
    for i in range(words.size):
        slot = _hash(words[i], np.uint64(0)) & mask
        while slots[slot] != _EMPTY and found[slots[slot]] != words[i]:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == _EMPTY:
            slots[slot] = different
            found[different] = words[i]
            different += 1
        number[i] = slots[slot]
    return number, found[:different].copy()
