"""A run gives the same tally whatever worker plays its chunks, in any order, and after any failure."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from pickle import PicklingError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holecard
from holecard.errors import Refusal
from holecard.simulation.run import chunks
from holecard.simulation.run.chunks import TRIES, WorkersLost, run
from holecard.simulation.run.tally import Played, Units
from holecard.simulation.simulate import saved_of
from tests.simulation.fake_play import (
    Breaking,
    Deadly,
    FakePlay,
    Losing,
    Watched,
    Wrong,
    check_partial,
    marks,
    saved,
    tally_of,
    tally_of_ranges,
)

ROOT = Path(__file__).parents[2]
UNITS = 500
WHOLE = Played(Units(((0, UNITS),)), tally_of(range(UNITS)))


def processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


# The same result


@given(chunk=st.integers(1, 600), threads=st.integers(1, 3), cuts=st.lists(st.integers(0, UNITS), max_size=8))
def test_chunks_threads_and_what_was_played_before_do_not_matter(chunk: int, threads: int, cuts: list[int]) -> None:
    """Any chunk size, any number of threads, resumed from any set of units."""
    places = sorted(set(cuts))
    before = Units.of(zip(places[::2], places[1::2], strict=False))
    done = saved(Played(before, tally_of_ranges(before.ranges) if before.ranges else None))
    with ThreadPoolExecutor(threads) as pool:
        outcome = run(FakePlay(), UNITS, executor=pool, chunk=chunk, done=done)
    assert outcome.complete
    assert outcome.played == WHOLE


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 100))
def test_lost_chunks_do_not_matter(lost: list[bool], chunk: int) -> None:
    """As long as no chunk is lost repeatedly: here at most every other call is."""
    errors = [BrokenExecutor("gone"), CancelledError()]

    def loses(call: int) -> Exception | None:
        return errors[call % 4 // 2] if call % 2 and call < len(lost) and lost[call] else None

    with Losing(2, loses) as pool:
        assert run(FakePlay(), UNITS, executor=pool, chunk=chunk).played == WHOLE


def test_processes_give_the_same() -> None:
    """Each has its own memory."""
    with processes() as pool:
        assert run(FakePlay(), UNITS, executor=pool, chunk=30).played == WHOLE


def test_an_executor_that_plays_at_once_gives_the_same() -> None:
    """The call may be done before it is returned."""
    outcome = run(FakePlay(), UNITS, executor=Breaking(10**6), chunk=7)
    assert outcome.played == WHOLE


def test_nothing_to_play_is_complete() -> None:
    """No units, or all of them played before."""
    pool = Breaking(0)
    assert run(FakePlay(), 0, executor=pool, chunk=5) == chunks.Outcome(Played(), complete=True)
    assert run(FakePlay(), UNITS, executor=pool, chunk=5, done=saved(WHOLE)).played == WHOLE


# A limited number at a time


@pytest.mark.usefixtures("_ctrl_c")
def test_a_trillion_chunks_are_not_made_at_once() -> None:
    """At most two are in flight for each worker, and there is no list of the remaining ones."""
    seen: list[int] = []

    def enough(played: Played) -> None:
        seen.append(played.units.count)
        if len(seen) == 50:
            raise KeyboardInterrupt

    with Watched(3) as pool:
        outcome = run(FakePlay(), 10**12, executor=pool, chunk=1, on_progress=enough)
    assert not outcome.complete
    assert pool.most == 6
    assert 50 <= outcome.played.units.count <= 56
    check_partial(outcome.played)


def test_progress_is_reported_after_each_chunk() -> None:
    """The reports are consistent, and include the units played before."""
    reported: list[Played] = []
    start = Played(Units(((100, 200),)), tally_of(range(100, 200)))
    with ThreadPoolExecutor(2) as pool:
        run(FakePlay(), UNITS, executor=pool, chunk=100, done=saved(start), on_progress=reported.append)
    assert [played.units.count for played in reported] == [200, 300, 400, 500]
    for played in reported:
        check_partial(played)


# Saving


def test_the_state_is_saved_at_the_first_chunk_and_at_the_end() -> None:
    """A file that cannot be written is noticed early, and the final state is not lost."""
    saves: list[Played] = []
    with ThreadPoolExecutor(1) as pool:
        run(FakePlay(), UNITS, executor=pool, chunk=100, save=saves.append)
    assert [played.units.count for played in saves] == [100, 500]


def test_what_was_played_is_saved_when_the_play_fails() -> None:
    """The error is that of the play, and nothing is retried."""
    saves: list[Played] = []
    calls: list[int] = []
    with (
        Losing(1, lambda call: calls.append(call)) as pool,  # type: ignore[func-returns-value]
        pytest.raises(ZeroDivisionError, match="unit 250"),
    ):
        run(Wrong(unit=250), 10**9, executor=pool, chunk=100, save=saves.append)
    assert saves[-1].units == Units(((0, 200),))
    assert len(calls) <= 4


# Workers that die


def test_a_worker_that_dies_loses_no_result(tmp_path: Path) -> None:
    """A process that ends itself breaks its whole pool, and a new pool is created."""
    made: list[Executor] = []

    def make() -> Executor:
        made.append(processes())
        return made[-1]

    outcome = run(Deadly(unit=123, folder=str(tmp_path)), UNITS, executor=make, chunk=50)
    assert marks(tmp_path) == 1
    assert outcome.complete
    assert outcome.played == WHOLE
    assert len(made) == 2
    for pool in made:
        with pytest.raises(RuntimeError):
            pool.submit(int)


def test_a_broken_pool_that_cannot_be_replaced_is_reported(tmp_path: Path) -> None:
    """The units played so far are saved, and the exception has them."""
    saves: list[Played] = []
    with processes() as pool, pytest.raises(WorkersLost, match="pass a function that creates executors") as lost:
        run(Deadly(unit=400, folder=str(tmp_path)), UNITS, executor=pool, chunk=10, save=saves.append)
    assert lost.value.played == saves[-1]
    assert 0 < saves[-1].units.count < UNITS
    check_partial(saves[-1])


def test_broken_executors_are_replaced_and_closed() -> None:
    """As often as necessary, as long as each plays something."""
    made: list[Breaking] = []

    def make() -> Breaking:
        made.append(Breaking(3))
        return made[-1]

    assert run(FakePlay(), UNITS, executor=make, chunk=50).played == WHOLE
    assert len(made) == 4
    assert all(pool.is_closed for pool in made)


def test_an_executor_of_the_callers_is_left_open() -> None:
    """The caller closes it."""
    pool = Breaking(100)
    run(FakePlay(), UNITS, executor=pool, chunk=50)
    assert not pool.is_closed


@pytest.mark.parametrize("error", [BrokenExecutor("gone"), CancelledError()])
def test_a_chunk_is_tried_only_so_often(error: Exception) -> None:
    """Then the run ends with an error that names the units and the units played so far."""
    tried: list[int] = []

    class Losers(Breaking):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if args[1].first != 100:
                return super().submit(fn, *args, **kwargs)
            tried.append(args[1].first)
            future: Future[Any] = Future()
            future.set_exception(error)
            return future

    with pytest.raises(WorkersLost, match=r"5 workers in a row died.*units 100 to 199; \w+") as lost:
        run(FakePlay(), UNITS, executor=Losers(10**6), chunk=100)
    assert len(tried) == TRIES == 5
    assert lost.value.__cause__ is error
    check_partial(lost.value.played)


def test_trouble_on_the_way_is_not_the_plays_own() -> None:
    """Dask loses a result that it has already announced and raises AttributeError: the chunk is played again."""
    trouble = [AttributeError("'str' object has no attribute 'with_traceback'")]

    class Losers(Breaking):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            if args[1].first != 100 or not trouble:
                return super().submit(fn, *args, **kwargs)
            future: Future[Any] = Future()
            future.set_exception(trouble.pop())
            return future

    outcome = run(FakePlay(), UNITS, executor=Losers(10**6), chunk=100)
    assert outcome.complete
    assert not trouble
    check_partial(outcome.played)


def test_trouble_that_stays_is_raised_as_it_is() -> None:
    """A play that cannot be pickled does not count as a dead worker."""

    class Unsendable(FakePlay):
        """A class that a worker cannot import."""

    with processes() as pool, pytest.raises((AttributeError, PicklingError), match=r"pickle|local object"):
        run(Unsendable(), UNITS, executor=pool, chunk=100)


# What is refused


def test_what_is_saved_of_another_run_is_never_merged() -> None:
    """Nor a state with more units than requested."""
    with pytest.raises(Refusal, match="another run"):
        run(FakePlay(fingerprint="other"), UNITS, executor=Breaking(9), chunk=100, done=saved(WHOLE))
    with pytest.raises(Refusal, match="unit 500 is already played, but only 499 were requested"):
        run(FakePlay(), UNITS - 1, executor=Breaking(9), chunk=100, done=saved(WHOLE))


def test_fewer_rounds_than_were_saved_are_refused_by_the_file_they_are_in(tmp_path: Path) -> None:
    """Also with gaps where a run ended early: the request must include the last saved unit."""
    file = tmp_path / "run.json"
    assert saved_of(file, FakePlay(), {}, 35) is None
    gaps = saved(Played(Units(((0, 10), (20, 40))), tally_of_ranges([(0, 10), (20, 40)])))
    gaps.write(file)
    with pytest.raises(Refusal, match=r"run.json already holds 30 rounds of the first 40, but only 39 were requested"):
        saved_of(file, FakePlay(), {}, 39)
    there = saved_of(file, FakePlay(), {}, 40)
    assert there is not None
    assert there.played == gaps.played


@pytest.mark.parametrize(("units", "chunk"), [(-1, 5), (5, 0), (5, -1)])
def test_numbers_that_make_no_sense_are_refused(units: int, chunk: int) -> None:
    """A negative number of units, or empty chunks."""
    with pytest.raises(Refusal, match="a chunk needs at least one unit"):
        run(FakePlay(), units, executor=Breaking(9), chunk=chunk)


def test_a_worker_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may deal differently: its tally is not added to ours."""
    monkeypatch.setattr(chunks, "__version__", "99.0")
    with processes() as pool, pytest.raises(Refusal, match=f"has holecard {holecard.__version__}, not 99.0"):
        run(FakePlay(), UNITS, executor=pool, chunk=100)
