"""`sweep`: the grid, every point identical to `simulate`, one executor, Ctrl-C, and refusals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import pytest

from holecard.charts.named_strategies import NAMED
from holecard.errors import ChartError, Refusal, SheetError
from holecard.exact.solved_game import main_ev
from holecard.sheets.grid import grid
from holecard.sheets.read import rules
from holecard.simulation import sweep as module
from holecard.simulation.results import Simulation
from holecard.simulation.simulate import simulate
from holecard.simulation.sweep import Sweep, sweep, sweeping
from tests.selection import quick
from tests.simulation.charts import splitting

GAMES = ("classic", "double-up")
VARY = {"decks": (6, 8), "dealer.soft_17": ("hit", "stand")}
PLAIN = "never bust"
ROUNDS = 20_000


def the_same_as_alone(points: Sweep, rounds: int = ROUNDS, seed: int = 1) -> None:
    """Check each point against a simulation of its sheet, built here from the settings alone."""
    for point in points:
        alone = simulate(rules(point.game, point.varied), PLAIN, rounds, seed, wagers=(), executor=1)
        assert point.sampled.rules.model_dump() == alone.rules.model_dump()
        assert replace(point.sampled, rules=alone.rules, seconds=alone.seconds) == alone


@pytest.fixture
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: object, **__: object) -> Simulation:
        raise AssertionError("it is played before it is refused")

    monkeypatch.setattr(module, "simulate", play)


# The grid


def test_the_last_word_changes_fastest() -> None:
    """The games change slowest; every sheet has its varied settings, and the common ones."""
    points = grid(GAMES, VARY, {"settle.natural": "6 to 5"}).points
    combinations = [(6, "hit"), (6, "stand"), (8, "hit"), (8, "stand")]
    assert [point.game for point in points] == ["classic"] * 4 + ["double-up"] * 4
    assert [tuple(point.settings.values()) for point in points] == combinations * 2
    assert [(point.rules.shoe.decks, point.rules.dealer.soft_17) for point in points] == combinations * 2
    assert {point.rules.settle.natural for point in points} == {"6 to 5"}


def test_a_game_alone_is_a_grid_of_one() -> None:
    """By name, by file, or as a sheet."""
    file = "european"
    sheet = rules("classic", decks=2)
    assert [point.game for point in grid("classic").points] == ["classic"]
    assert [point.game for point in grid(file).points] == [str(file)]
    assert [(point.game, point.rules) for point in grid(sheet).points] == [("classic, shoe.decks = 2", sheet)]


# Every point


@pytest.mark.parametrize("executor", quick([None, "threads:2", 1], "threads:2"))
def test_a_point_is_what_a_simulation_finds(executor: Any) -> None:
    """To the last bit, for any number of threads."""
    points = sweep(GAMES, VARY, PLAIN, ROUNDS, seed=5, executor=executor)
    assert len(points) == 8
    the_same_as_alone(points, seed=5)
    assert len({tuple(point.sampled.main.histogram.items()) for point in points}) == 8, "no two points are alike"


@pytest.mark.slow
def test_processes_may_play() -> None:
    """Any executor works, and is left open."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        points = sweep(GAMES, {"decks": [6, 8]}, PLAIN, ROUNDS, executor=pool)
        assert pool.submit(abs, -1).result() == 1
    assert len(points) == 4
    the_same_as_alone(points)


def test_the_best_chart_is_found_for_every_point() -> None:
    """Each game has its own."""
    points = sweep("classic", {"dealer.soft_17": ["hit", "stand"]}, rounds=2_000)
    assert [point.sampled.main.strategy for point in points] == ["the best total-dependent chart"] * 2
    for point in points:
        alone = simulate(rules("classic", point.varied), "basic", 2_000)
        assert point.sampled.main.histogram == alone.main.histogram


@pytest.mark.slow
def test_the_exact_mean_is_that_of_the_chart_played() -> None:
    """z is in standard errors of the exact deviation."""
    chart = splitting(rules("classic").tables)
    (point,) = sweep("classic", strategy=chart, rounds=ROUNDS, exact=True)
    assert point.exact is not None
    assert point.z is not None
    assert point.exact.ev == main_ev("classic", strategy=chart)
    mean = point.sampled.main.estimate.ev
    error = point.exact.standard_deviation / math.sqrt(ROUNDS)
    assert point.exact.ev + point.z * error == pytest.approx(mean, abs=1e-12)
    assert abs(point.z) < 4
    assert point.exact.standard_deviation != point.sampled.main.estimate.standard_deviation


def test_nothing_exact_unless_asked_for() -> None:
    """Nor z."""
    (point,) = sweep("classic", strategy=PLAIN, rounds=10)
    assert (point.exact, point.z) == (None, None)


# One executor


def test_all_points_share_an_executor(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is opened once, and closed at the end."""
    opened: list[Executor] = []
    used: list[object] = []
    as_it_was, play = module.executor_of, module.simulate

    @contextmanager
    def opening(given: Any) -> Iterator[Executor]:
        with as_it_was(given) as executor:
            opened.append(executor)
            yield executor

    def noting(*words: Any, executor: Any, **how: Any) -> Simulation:
        used.append(executor)
        return play(*words, executor=executor, **how)

    monkeypatch.setattr(module, "executor_of", opening)
    monkeypatch.setattr(module, "simulate", noting)
    sweep(GAMES, {"decks": [6, 8]}, PLAIN, 100, executor="threads:2")
    assert len(opened) == 1
    assert used == opened * 4
    with pytest.raises(RuntimeError, match="shutdown"):
        opened[0].submit(abs, 1)


# Progress and Ctrl-C


def test_progress_is_reported_over_the_grid() -> None:
    """The number of finished points, and the progress of the next one."""
    reported: list[tuple[int, int]] = []
    sweep(GAMES, None, PLAIN, 100, on_progress=lambda done, found: reported.append((done, found.rounds)))
    assert reported == [(0, 100), (1, 100)]


def test_ctrl_c_in_a_run_ends_with_the_finished_points() -> None:
    """The interrupted one is left out, whatever its progress."""

    def interrupt(done: int, _: Simulation) -> None:
        if done == 2:
            raise KeyboardInterrupt

    rounds = 50_000_000  # more than can be in flight at once
    with ThreadPoolExecutor(1) as pool:
        quick = _Quick(pool)
        points = sweep(GAMES, {"decks": [6, 8]}, PLAIN, rounds, executor=quick, on_progress=interrupt)
    assert [(point.game, point.varied["decks"]) for point in points] == [("classic", 6), ("classic", 8)]
    assert all(point.sampled.complete for point in points)


class _Quick(Executor):
    """Plays the very first chunk once for each game, and reuses it for the others."""

    _max_workers = 1

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._played: dict[str, Any] = {}

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        play, chunk, version = args
        if play.fingerprint not in self._played:
            small = replace(chunk, units=1000)
            self._played[play.fingerprint] = self._pool.submit(fn, play, small, version).result()
        done: Future[Any] = Future()
        done.set_result(self._played[play.fingerprint])
        return done


def test_ctrl_c_between_two_runs_ends_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a chart or an exact value is computed."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "analyze", interrupted)
    assert sweep(GAMES, None, PLAIN, 100, exact=True).points == ()
    assert len(sweep(GAMES, None, PLAIN, 100)) == 2


def test_points_come_as_they_are_finished() -> None:
    """Before the next is played."""
    reported: list[int] = []
    each = sweeping(grid(GAMES), PLAIN, 100, on_progress=lambda done, _: reported.append(done))
    assert next(each).game == "classic"
    assert reported == [0]
    assert [point.game for point in each] == ["double-up"]


# Refused


@pytest.mark.usefixtures("nothing_is_played")
@pytest.mark.parametrize(
    ("games", "vary", "says"),
    [
        (["face-up", "classic"], {"wager.Match Up.max": ["$5"]}, "wager.Match Up"),
        (["classic", "nowhere"], {}, "nowhere"),
        ("classic", {"natral": [1]}, r"classic:\s+natral: .*did you mean 'natural'"),
        ("classic", {"decks": [6, "x"]}, r"classic:\s+decks: 'x' is not valid"),
        ("classic", {"decks": [1], "shoe.decks": [6]}, r"classic:\s+shoe.decks: decks is the same setting"),
        ("classic", {"decks": "68"}, "decks: '68' is not a list of values"),
        ("classic", {"decks": []}, r"decks: \[\] is not a list of values"),
        ([], {}, "a grid of 0 games"),
        ("classic", {"decks": range(1, 200), "cut_card": range(1, 200)}, "a grid of 39,601 games"),
    ],
)
def test_a_grid_that_cannot_be_played_is_refused(games: Any, vary: Any, says: str) -> None:
    """Before the first round; the message names the sheet and the setting."""
    with pytest.raises(Refusal, match=says):
        sweep(games, vary, PLAIN, 10)


@pytest.mark.usefixtures("nothing_is_played")
def test_a_sheet_without_the_word_is_named() -> None:
    """Not the one that has it."""
    with pytest.raises(SheetError, match=r"^classic:\s+wager.Match Up") as refused:
        sweep(["match-up", "classic"], {"wager.Match Up.max": ["$50", "$60"]}, PLAIN, 10)
    assert refused.value.sheet == "classic"


@pytest.mark.usefixtures("nothing_is_played")
def test_a_strategy_must_suit_every_point() -> None:
    """A chart of one game does not fit the other; an unknown name is refused at once."""
    chart = NAMED[PLAIN](rules("classic").tables)
    with pytest.raises(ChartError, match=r"^double-up: the chart is not for"):
        sweep(GAMES, strategy=chart, rounds=10)
    with pytest.raises(Refusal, match="did you mean 'never bust'"):
        sweep(GAMES, strategy="never bost", rounds=10)


def test_rounds_and_seeds_are_those_of_a_simulation() -> None:
    """And refused in the same way."""
    with pytest.raises(Refusal, match="cannot play 0 rounds"):
        sweep("classic", strategy=PLAIN, rounds=0)
    with pytest.raises(Refusal, match="does not fit in 64 bits"):
        sweep("classic", strategy=PLAIN, rounds=10, seed=2**64)
