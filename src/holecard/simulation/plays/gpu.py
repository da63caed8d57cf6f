"""A graphics card as a place to play: found, given its work, asked for the counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from holecard.errors import Refusal
from holecard.kernels.play.counting import Counts
from holecard.kernels.play.dealing import BLOCK_CARDS, FIRST, LONGEST
from holecard.simulation.compile.program import Program

#: Blocks of threads that keep a large card busy.
_BLOCKS = 132 * 32
#: Rounds played in one go, for each of which there is room to be put off.
_TOGETHER = 1 << 27
#: Bytes of counters that every card has room for beside its threads.
_ROOM = 48 * 1024


def check_card() -> None:
    """Refuse where there is none, or nothing to speak to it with."""
    cuda = _cuda()
    if not cuda.is_available():
        raise Refusal("no CUDA card answers here; see whether `nvidia-smi` finds one, or play with --device cpu")


def play_on_card(program: Program, charts: tuple[int, ...], seed: int, first: int, units: int, counts: Counts) -> None:
    """Play rounds on the card and add them to the counts."""
    cuda = _cuda()
    from holecard.kernels.play.cuda import MOST_CARDS, MOST_HANDS, THREADS
    from holecard.kernels.play.cuda import play_on_card as kernel

    tables = (counts.cells, counts.splits, counts.stakes, counts.dealers, counts.endings, counts.wagers)
    shared = 4 * (sum(table.size for table in tables) - counts.stakes.size)
    hands = program.places.hands * len(charts)
    if shared > _ROOM or hands > MOST_HANDS or FIRST + LONGEST * (hands + 1) + BLOCK_CARDS > MOST_CARDS:
        raise Refusal(
            "this game has more to count than a card has room for; use fewer seats, or play with --device cpu"
        )
    given = [cuda.to_device(np.ascontiguousarray(array).ravel()) for array in tables]
    book, by_seat = cuda.to_device(program.book), cuda.to_device(np.array(charts, np.uint8))
    later, nothing = cuda.device_array(min(units, _TOGETHER), np.uint32), cuda.device_array(0, np.uint32)

    def play(begin: int, rounds: int, picked: Any, later: Any) -> int:
        """How many rounds are put off."""
        blocks, put_off = max(1, min(_BLOCKS, rounds // THREADS)), cuda.to_device(np.zeros(1, np.uint32))
        numbers = np.uint64(seed), np.uint64(begin)
        kernel[blocks, THREADS, 0, shared](
            book, program.places, by_seat, *numbers, rounds, picked, later, put_off, *given
        )
        return int(put_off.copy_to_host()[0])

    for begin in range(first, first + units, _TOGETHER):
        with_split = play(begin, min(_TOGETHER, first + units - begin), nothing, later)
        if with_split:
            play(begin, with_split, later, nothing)
    for array, on_card in zip(tables, given, strict=True):
        array[...] = on_card.copy_to_host().reshape(array.shape)


def _cuda() -> Any:
    try:
        from holecard.kernels.play.cuda import cuda
    except ImportError:
        raise Refusal('playing on a graphics card needs another package: pip install "holecard[cuda]"') from None
    return cuda
