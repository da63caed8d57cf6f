"""Follow a bankroll from round to round: its exact distribution on a grid, or sampled paths.

Notation: money is counted in *parts* of the stake. `spare` is the bankroll beyond the stake of the next round; a player
with a negative spare is ruined. Rounds are independent and identically distributed: outcome o changes the spare by
moves[o] parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.jit import kernel
from holecard.kernels.philox import philox

#: A counter word that no other use of the generator has.
_BANKROLL = np.uint64(0x62616E6B)
#: Probabilities handled together, so that source and target stay in the fastest cache.
_BLOCK = 1024
_NO_WORD = np.uint64(0)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Draws(NamedTuple):
    """How a 32-bit word picks an outcome: the first whose limit is above the word."""

    moves: Integers
    """[outcome] parts won or lost"""
    limits: Integers
    """[outcome] cumulative probabilities, scaled to 2^32"""
    begin: Integers
    """[upper 8 bits of a word] the first outcome it can pick"""


@kernel
def spread_round(mass: Floats, moves: Integers, probabilities: Floats, fresh: Floats) -> None:
    """Play one more round: mass [spare] moves to fresh [spare + move - lowest move], which must be zeros."""
    lowest = moves.min()
    for begin in range(0, len(mass), _BLOCK):
        block = mass[begin : begin + _BLOCK]
        for outcome in range(len(moves)):
            probability, moved = probabilities[outcome], fresh[begin + moves[outcome] - lowest :]
            for spare in range(len(block)):
                moved[spare] += probability * block[spare]


@kernel
def edges(mass: Floats, allowance: float) -> tuple[int, int]:
    """Return the range of `mass` that drops at most the allowance at either end, and keeps at least one entry."""
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
    drawn = np.int64(word)
    outcome = draws.begin[drawn >> 24]
    while drawn >= draws.limits[outcome]:
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
    drawdowns: Integers,
    last: Integers,
) -> None:
    """Play the paths first, first + 1, … from a spare of `margin`; a ruined player stops.

    Fill spares [path, mark] with the spare after marks[mark] rounds, drawdowns [path] with the largest drawdown, and
    last [path] with the round of ruin, or 0. A path depends only on the seed and its number.
    """
    key_low, key_high = seed & _LOW, seed >> _HALF
    for path in range(len(drawdowns)):
        number = np.uint64(first + path)
        words = (_NO_WORD, _NO_WORD, _NO_WORD, _NO_WORD)
        spare, highest, drawdown, played = margin, margin, 0, 0
        for mark in range(len(marks)):
            while played < marks[mark] and spare >= 0:
                if played % 4 == 0:
                    words = philox(np.uint64(played // 4), number & _LOW, number >> _HALF, _BANKROLL, key_low, key_high)
                spare += _move(draws, words[played % 4])
                played += 1
                highest = max(highest, spare)
                drawdown = max(drawdown, highest - spare)
            spares[path, mark] = spare
        drawdowns[path] = drawdown
        last[path] = played if spare < 0 else 0
