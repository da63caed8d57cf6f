"""Rounds per second on a GPU, through the same calls as `simulate`: from fresh shoes and from shoes dealt down.

The first call of each job compiles and warms up. Results do not depend on how a kernel uses the GPU, so other ways are
measured, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import holecard
from holecard.exact.charts.best_chart import best_chart
from holecard.gpu import cuda_module
from holecard.kernels.gpu.layout import Tuning
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.plays.gpu_fresh import FRESH_TUNING, play_on_gpu
from holecard.simulation.plays.gpu_shoes import SHOE_TUNING, ShoesOnGpu
from holecard.simulation.procedures import procedure_of

BASE, SEATS = "classic", 7
_FRESH_ROUNDS, _SHOES = 2_000_000_000, 20_000_000
_REPEATS = 3

Job = Callable[[], int]


@cache
def _program(game: str, *, sides: bool = False, dealt_down: bool = False) -> Program:
    tables = holecard.rules(game).tables
    chart = best_chart(game).chart
    return compile_program(tables, [chart], tables.wagers if sides else (), dealt_down=dealt_down)


def _shoes(game: str, seats: int = 1, *, sides: bool = False, procedure: str = "cut:75") -> ShoeRounds:
    rule = procedure_of(holecard.rules(game), procedure).rule
    assert rule is not None
    return ShoeRounds(_program(game, sides=sides, dealt_down=True), (0,) * seats, 1, rule, device="cuda")


def _fresh(game: str, seats: int = 1, *, sides: bool = False) -> FreshRounds:
    return FreshRounds(_program(game, sides=sides), (0,) * seats, 1, "cuda")


def gpu(*, variants: bool = True) -> None:
    """Measure fresh shoes, dealt-down shoes and seats; with `variants`, also other uses of the GPU."""
    print(f"\nRounds per second on a GPU ({cuda_module().get_current_device().name}), best of {_REPEATS}")
    for game in holecard.games():
        _row(f"fresh shoes, {game}, main wager", _fresh_job(_fresh(game), _FRESH_ROUNDS))
    for game in holecard.games():
        if holecard.rules(game).wager:
            _row(f"fresh shoes, {game}, all side wagers", _fresh_job(_fresh(game, sides=True), _FRESH_ROUNDS // 2))
    _row(f"fresh shoes, {BASE}, {SEATS} seats", _fresh_job(_fresh(BASE, SEATS), _FRESH_ROUNDS // 10), SEATS)
    for game in holecard.games():
        _row(f"cut card, {game}, main wager", _shoe_job(_shoes(game), _SHOES))
    for game in holecard.games():
        _row(f"cut card, {game}, all side wagers", _shoe_job(_shoes(game, sides=True), _SHOES // 4))
    _row(f"cut card, {BASE}, {SEATS} seats", _shoe_job(_shoes(BASE, SEATS), _SHOES // 4), SEATS)
    _row(f"shuffler, {BASE}, main wager", _shoe_job(_shoes(BASE, procedure="shuffler"), _SHOES // 100))
    if variants:
        _variants()


def _variants() -> None:
    for threads, registers in ((256, 64), (1024, 64), (512, 40), (1024, 32)):
        fresh = _fresh(BASE)
        _row(f"  fresh, {threads} threads, {registers} registers", _tuned_fresh(fresh, Tuning(threads, registers)))
    _row("  fresh, tables not shared", _tuned_fresh(_fresh(BASE), FRESH_TUNING._replace(share_tables=False)))
    for threads, registers in ((256, 96), (448, 96), (448, 128), (640, 80), (640, 64)):
        words = f"{threads} threads, {registers} registers"
        _row(f"  cut card, {words}", _tuned_shoes(_shoes(BASE), _SHOES, Tuning(threads, registers)))
        job = _tuned_shoes(_shoes(BASE, SEATS), _SHOES // 4, Tuning(threads, registers))
        _row(f"  cut card, {SEATS} seats, {words}", job, SEATS)
    apart = SHOE_TUNING._replace(share_tables=False)
    _row("  cut card, tables not shared", _tuned_shoes(_shoes(BASE), _SHOES, apart))
    _row(f"  cut card, {SEATS} seats, tables not shared", _tuned_shoes(_shoes(BASE, SEATS), _SHOES // 4, apart), SEATS)


def _fresh_job(play: FreshRounds, rounds: int) -> Job:
    return lambda: int(play.play(0, rounds)["rounds"])


def _shoe_job(play: ShoeRounds, shoes: int) -> Job:
    return lambda: int(play.play(0, shoes)["rounds"])


def _tuned_fresh(play: FreshRounds, tuning: Tuning) -> Job:
    def job() -> int:
        play_on_gpu(play.program, play.charts, play.seed, 0, _FRESH_ROUNDS, play.counts(), tuning)
        return _FRESH_ROUNDS

    return job


def _tuned_shoes(play: ShoeRounds, shoes: int, tuning: Tuning) -> Job:
    def job() -> int:
        counts = FreshRounds(play.program, play.charts, play.seed).counts()
        on_gpu = ShoesOnGpu(play.program, play.charts, play.seed, play.rule, counts, tuning=tuning)
        on_gpu.play(0, shoes)
        on_gpu.finish()
        return int(counts.dealers.sum())

    return job


def _row(name: str, job: Job, seats: int = 1) -> None:
    try:
        print(f"  {name:44} {_rate(job, seats)}", flush=True)
    except Exception as error:  # a kernel may need more than this GPU has; the others are measured nevertheless
        print(f"  {name:44} failed: {error}", flush=True)


def _rate(job: Job, seats: int) -> str:
    begun = time.perf_counter()
    job()
    first, runs = time.perf_counter() - begun, []
    for _ in range(_REPEATS):
        begun = time.perf_counter()
        rounds = job()
        runs.append(time.perf_counter() - begun)
    rate = rounds / min(runs) / 1e9
    with_seats = f", {seats * rate:6.2f} G seats" if seats > 1 else ""
    return f"{rate:6.2f} G rounds{with_seats} per second ({rounds / 1e9:.2f} G; first call {first:.1f} s)"
