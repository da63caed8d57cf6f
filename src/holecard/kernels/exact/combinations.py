"""Counts of the ways to deal a set of cards, added up by category. Integers throughout; nothing is rounded.

Notation, for both kernels:

    left        int64[52]       cards of each type in the shoe
    category    uint32[sets]    the category of each set of types; sets in lexicographic order of their sorted types
    ways        int64[categories], 0 when passed in; the number of ways to deal a set of that category

Choosing r of n equal cards has n (n - 1) … (n - r + 1) / r! ways. Called with lists of Python integers instead of
arrays, the uncompiled functions count shoes of any size.
"""

from __future__ import annotations

from typing import Any

from holecard.kernels.jit import kernel

_TYPES = 52


@kernel
def count_sets(left: Any, size: int, category: Any, ways: Any) -> None:
    """Count sets of `size` cards (2 or more), in no order.

    A set is its last card after a prefix of `size` - 1 cards. The prefix runs like a counter whose digits never go
    down: `chosen` holds its types, `run[i]` how often chosen[i] occurs in places 0..i, `before[i]` the ways of places
    0..i-1.
    """
    prefix = size - 1
    chosen = [0] * prefix
    run = [1] * prefix
    before = [1] * size
    place = 0
    position = 0
    while True:
        for i in range(place, prefix):
            if i > place:
                chosen[i] = chosen[i - 1]
            run[i] = run[i - 1] + 1 if i > 0 and chosen[i] == chosen[i - 1] else 1
            before[i + 1] = before[i] * (left[chosen[i]] - run[i] + 1) // run[i]
        weight = before[prefix]
        last = chosen[prefix - 1]
        again = run[prefix - 1]
        ways[category[position]] += weight * (left[last] - again) // (again + 1)
        for card in range(last + 1, _TYPES):
            ways[category[position + card - last]] += weight * left[card]
        position += _TYPES - last
        place = prefix - 1
        while place >= 0 and chosen[place] == _TYPES - 1:
            place -= 1
        if place < 0:
            return
        chosen[place] += 1


@kernel
def count_seated(left: Any, dealers: int, category: Any, ways: Any) -> None:
    """Count the player's two cards, in no order, with the upcard, and where `dealers` is 2 with the hole card too.

    `left` is changed while cards are out, and restored.
    """
    position = 0
    for first in range(_TYPES):
        for second in range(first, _TYPES):
            pair = left[first] * (left[first] - 1) // 2 if first == second else left[first] * left[second]
            left[first] -= 1
            left[second] -= 1
            for upcard in range(_TYPES):
                weight = pair * left[upcard]
                if dealers == 1:
                    ways[category[position]] += weight
                    position += 1
                else:
                    left[upcard] -= 1
                    for hole in range(_TYPES):
                        ways[category[position + hole]] += weight * left[hole]
                    left[upcard] += 1
                    position += _TYPES
            left[first] += 1
            left[second] += 1
