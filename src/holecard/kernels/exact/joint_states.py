"""Several hands of one split pair together: the ways their cards and results can combine, equal ones merged.

A *state* is what some hands have drawn in all (a multiset of ranks) and how they ended (a multiset of classes). Both
are packed into words that add up hand by hand: `cards` has a field for every rank, each topped by a guard bit, `ends`
is any additive code of the classes. Hands are added end by end, each with all its multiplicities at once, so that every
multiset of ends is met once: an end taken c times counts ways^c / c!.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import kernel, lean

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Places = NDArray[np.int32]

_EMPTY = -1
_FIRST_SIZE = 1024
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@kernel
def joint_states(
    cards: Words, ends: Words, ways: Floats, hands: int, room: np.uint64, guards: np.uint64
) -> tuple[NDArray[np.int64], Words, Words, Floats]:
    """([hands] number of states, then [hands, state] cards, ends and ways of 0, 1, … `hands` hands in no order).

    `cards[end]`, `ends[end]`, `ways[end]` describe one hand. `room` has in every field the most cards that all hands
    together can draw; states that need more are left out.
    """
    size = np.zeros(hands + 1, np.int64)
    size[0] = 1
    room_for = _FIRST_SIZE
    cards_of = np.zeros((hands + 1, room_for), np.uint64)
    ends_of = np.zeros((hands + 1, room_for), np.uint64)
    ways_of = np.zeros((hands + 1, room_for))
    places = np.full((hands + 1, 2 * room_for), _EMPTY, np.int32)
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
                if size[n] + before > room_for:
                    while size[n] + before > room_for:
                        room_for *= 2
                    cards_of, ends_of, ways_of = _wider(cards_of, ends_of, ways_of, size, room_for)
                    places = _placed(cards_of, ends_of, size, 2 * room_for)
                size[n] = _add(
                    cards_of[n - times], ends_of[n - times], ways_of[n - times], before, more_cards, more_ends, factor,
                    room_and_guards, guards, cards_of[n], ends_of[n], ways_of[n], size[n], places[n],
                )  # fmt: skip
    return size, cards_of, ends_of, ways_of


@lean
def _add(
    cards: Words,
    ends: Words,
    ways: Floats,
    before: int,
    more_cards: np.uint64,
    more_ends: np.uint64,
    factor: float,
    room: np.uint64,
    guards: np.uint64,
    into_cards: Words,
    into_ends: Words,
    into_ways: Floats,
    size: int,
    places: Places,
) -> int:
    """Add some hands to every state of fewer; returns how many states there are then."""
    mask = np.uint64(places.size - 1)
    one = np.uint64(1)
    for i in range(before):
        of_cards = cards[i] + more_cards
        if (room - of_cards) & guards != guards:
            continue
        of_ends = ends[i] + more_ends
        place = _hash(of_cards, of_ends) & mask
        while True:
            at = places[place]
            if at == _EMPTY:
                places[place] = size
                into_cards[size], into_ends[size], into_ways[size] = of_cards, of_ends, ways[i] * factor
                size += 1
                break
            if into_cards[at] == of_cards and into_ends[at] == of_ends:
                into_ways[at] += ways[i] * factor
                break
            place = (place + one) & mask
    return size


@lean
def _hash(first: np.uint64, second: np.uint64) -> np.uint64:
    mixed = (first ^ (second * _MIX)) * _MIX
    return (mixed ^ (mixed >> _SHIFT)) * _MIX >> np.uint64(20)


@kernel
def _wider(
    cards: Words, ends: Words, ways: Floats, size: NDArray[np.int64], room_for: int
) -> tuple[Words, Words, Floats]:
    rows = size.size
    wider_cards, wider_ends = np.empty((rows, room_for), np.uint64), np.empty((rows, room_for), np.uint64)
    wider_ways = np.empty((rows, room_for))
    for n in range(rows):
        for i in range(size[n]):
            wider_cards[n, i], wider_ends[n, i], wider_ways[n, i] = cards[n, i], ends[n, i], ways[n, i]
    return wider_cards, wider_ends, wider_ways


@kernel
def _placed(cards: Words, ends: Words, size: NDArray[np.int64], room_for: int) -> Places:
    places = np.full((size.size, room_for), _EMPTY, np.int32)
    mask = np.uint64(room_for - 1)
    for n in range(size.size):
        for i in range(size[n]):
            place = _hash(cards[n, i], ends[n, i]) & mask
            while places[n, place] != _EMPTY:
                place = (place + np.uint64(1)) & mask
            places[n, place] = i
    return places


@kernel
def numbered(words: Words) -> tuple[Places, Words]:
    """([i] number of each word among the different ones, those in order of appearance)."""
    size = 1
    while size < 2 * words.size:
        size *= 2
    places = np.full(size, _EMPTY, np.int32)
    mask = np.uint64(size - 1)
    number = np.empty(words.size, np.int32)
    found = np.empty(words.size, np.uint64)
    different = 0
    for i in range(words.size):
        place = _hash(words[i], np.uint64(0)) & mask
        while places[place] != _EMPTY and found[places[place]] != words[i]:
            place = (place + np.uint64(1)) & mask
        if places[place] == _EMPTY:
            places[place] = different
            found[different] = words[i]
            different += 1
        number[i] = places[place]
    return number, found[:different].copy()
