"""A bankroll from round to round: its chances spread over the grid, or paths of it drawn by chance.

Notation: money is counted in *parts* of the stake, and `spare` is what a player has beyond the stake of the next round;
ruined is who has a negative spare. Rounds are independent and alike: outcome o moves the spare by moves[o] parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.jit import kernel
from holecard.kernels.philox import philox

#: A word of a counter that no other use of the generator has.
_BANKROLL = np.uint64(0x62616E6B)
#: Chances spread at a stretch, so that they and what they become stay in the fastest cache.
_BLOCK = 1024
_NO_WORD = np.uint64(0)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Draws(NamedTuple):
    """How a word of 32 bits falls on an outcome: on the first whose limit it lies below."""

    moves: Integers
    """[outcome] parts won or lost"""
    limits: Integers
    """[outcome] rising to 2^32, in steps as wide as the chances"""
    begin: Integers
    """[upper 8 bits of a word] the first outcome it can fall on"""


@kernel
def spread_round(mass: Floats, moves: Integers, chances: Floats, fresh: Floats) -> None:
    """One more round: mass [spare] goes to fresh [spare + move - lowest move], which comes as zeros."""
    lowest = moves.min()
    for begin in range(0, len(mass), _BLOCK):
        block = mass[begin : begin + _BLOCK]
        for outcome in range(len(moves)):
            chance, moved = chances[outcome], fresh[begin + moves[outcome] - lowest :]
            for spare in range(len(block)):
                moved[spare] += chance * block[spare]


@kernel
def edges(mass: Floats, allowance: float) -> tuple[int, int]:
    """The range of `mass` that leaves out no more than the allowance at either end, but never everything."""
    first, end = 0, len(mass)
    left_out = mass[first]
    while left_out <= allowance and first < end - 1:
        first += 1
        left_out += mass[first]
    left_out = mass[end - 1]
    while left_out <= allowance and first < end - 1:
        end -= 1
        left_out += mass[end - 1]
    return first, end


@kernel
def _move(draws: Draws, word: np.uint64) -> int:
    fallen = np.int64(word)
    outcome = draws.begin[fallen >> 24]
    while fallen >= draws.limits[outcome]:
        outcome += 1
    return draws.moves[outcome]  # type: ignore[no-any-return]


@kernel
def walk_paths(
    draws: Draws,
    seed: np.uint64,
    first: int,
    margin: int,
    marks: Integers,
    spares: Integers,
    falls: Integers,
    last: Integers,
) -> None:
    """Play the paths first, first + 1, … from a spare of `margin`; who is ruined plays no more.

    Filled are spares [path, mark], what is spare after marks[mark] rounds, falls [path], the deepest fall below the
    highest point before it, and last [path], the round that ruined, or 0. A path depends on seed and number alone.
    """
    key_low, key_high = seed & _LOW, seed >> _HALF
    for path in range(len(falls)):
        number = np.uint64(first + path)
        words = (_NO_WORD, _NO_WORD, _NO_WORD, _NO_WORD)
        spare, highest, fall, played = margin, margin, 0, 0
        for mark in range(len(marks)):
            while played < marks[mark] and spare >= 0:
                if played % 4 == 0:
                    words = philox(np.uint64(played // 4), number & _LOW, number >> _HALF, _BANKROLL, key_low, key_high)
                spare += _move(draws, words[played % 4])
                played += 1
                highest = max(highest, spare)
                fall = max(fall, highest - spare)
            spares[path, mark] = spare
        falls[path] = fall
        last[path] = played if spare < 0 else 0
