"""Benchmarks of perfect-play values: shoes valued per second, for the main wager and for every side wager.

Rates are by the clock, with the threads named, because valuing many shoes is a job for all cores or for a GPU.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holecard
from bench.timing import load
from holecard.errors import Refusal
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.solve import solve
from holecard.exact.shoe_values import main_values, wager_values
from holecard.exact.shoe_values.gpu_values import Launch, gpu_main_values
from holecard.exact.shoe_values.shoe_counts import by_rank, by_value
from holecard.kernels.arrays import Floats, Integers

BASE = "classic"
DECKS = 6
ON_CPU, ON_GPU, SIDE = 96, 60_000, 20_000
#: Threads of a block, blocks of a multiprocessor and registers of a thread that are tried on a GPU.
LAUNCHES = ((256, 3, 80), (256, 4, 64), (256, 2, 128), (384, 2, 80), (512, 2, 64), (128, 8, 64), (128, 6, 80))
_AGREED = 1e-11


def shoes() -> None:
    """Run all benchmarks of this module."""
    print(f"\nValues of many shoes ({load()}; {DECKS} decks with 60 to 312 cards left)")
    main_wager()
    side_wagers()
    on_gpu()


def some_shoes(number: int) -> NDArray[np.int64]:
    """Return [shoe, type] shoes from which random cards have been dealt."""
    random = np.random.default_rng(14)
    cards = random.permuted(np.tile(np.repeat(np.arange(52), DECKS), (number, 1)), axis=1)
    left = random.integers(60, cards.shape[1] + 1, number)
    return np.array([np.bincount(row[:n], minlength=52) for row, n in zip(cards, left, strict=True)])


def _rate(job: Callable[[], Any], number: int) -> float:
    """Return shoes per second of the best of three runs."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        job()
        times.append(time.perf_counter() - begun)
    return number / min(times)


def lane_nodes(game: str, counts: Floats) -> float:
    """Return hands summed against the dealer times the average number of dealer's hands, in millions, for one shoe."""
    ready = prepared_game(holecard.rules(game).tables)
    nodes = np.diff(ready.dealer.tree.nodes.astype(np.int64))
    return float(solve(ready, counts).summed * nodes.mean() / 1e6)


def main_wager() -> None:
    """Measure the main wager of every game on the CPU."""
    table = some_shoes(ON_CPU)
    print(f"\nMain wager, {os.cpu_count()} threads" + " " * 15 + "shoes/s   target    about lane-nodes per shoe")
    for game in holecard.games():
        main_values(game, table[:2])
        rate = _rate(lambda game=game: main_values(game, table), len(table))  # type: ignore[misc]
        work = lane_nodes(game, by_value(table[:1])[0].astype(np.float64))
        print(f"  {game:36} {rate:9,.0f}   {'>= 100' if game == BASE else '':9} {work:.1f} M")


def side_wagers() -> None:
    """Measure every side wager of every game and example."""
    table = some_shoes(SIDE)
    print(f"\nSide wagers, {os.cpu_count()} threads" + " " * 15 + "shoes/s   target")
    for game in holecard.games(examples=True):
        for wager in holecard.rules(game).tables.wagers:
            wager_values(game, wager.name, table[:2])
            rate = _rate(lambda: wager_values(game, wager.name, table), len(table))  # noqa: B023
            print(f"  {game + ', ' + wager.name:36} {rate:9,.0f}   >= 2,000")


def on_gpu() -> None:
    """Measure the main wager of every game on a GPU, and compare some values with those of the CPU."""
    table = some_shoes(ON_GPU)
    try:
        main_values(BASE, table[:1], device="cuda")
    except Refusal as refused:
        print(f"\nMain wager on a GPU: {refused}")
        return
    print("\nMain wager on a GPU" + " " * 19 + "shoes/s   target    largest difference from the CPU")
    for game in holecard.games():
        few = table[:24]
        apart = float(np.abs(main_values(game, few, device="cuda") - main_values(game, few)).max())
        assert apart < _AGREED, f"{game}: GPU and CPU differ by {apart}"
        rate = _rate(lambda game=game: main_values(game, table, device="cuda"), len(table))  # type: ignore[misc]
        print(f"  {game:36} {rate:9,.0f}   {'>= 10,000' if game == BASE else '':9} {apart:.1e}")
    for game in (BASE, "face-up"):
        _launches(game, table[:8192])


def _launches(game: str, table: Integers) -> None:
    """Measure other divisions of the work, and print what a thread of them takes."""
    from holecard.kernels.shoe_values.gpu_block import values_kernel

    ready = prepared_game(holecard.rules(game).tables)
    counts, tens = by_value(table).astype(np.float64), by_rank(table)[:, 9:].astype(np.float64)
    for threads, blocks, registers in LAUNCHES:
        launch = Launch(threads, blocks, registers=registers)
        rate = _rate(lambda: gpu_main_values(ready, counts, tens, os.cpu_count() or 1, _quiet, launch), len(table))  # noqa: B023
        kernel = values_kernel(registers)
        taken, local = (max(of().values()) for of in (kernel.get_regs_per_thread, kernel.get_local_mem_per_thread))
        print(
            f"  {f'{game}, {threads} threads x {blocks} blocks':36} {rate:9,.0f}   "
            f"at most {registers or 'any'} registers: {taken}, {local} bytes of local memory"
        )


def _quiet(_done: int) -> None:
    """Ignore progress."""
