"""How a run is played: chunk by chunk, on an executor, to the same result whatever happens on the way.

A play is a pure function of the units it is given, and tallies add up, so it does not matter who plays which chunk, in
what order, or how often one is tried again. A run keeps a few chunks in flight, adds what comes back to what was
played, and knows at every moment which units that is: so it can be shown, saved, ended early and gone on with.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Protocol

from holecard import __version__
from holecard.errors import Refusal
from holecard.simulation.run.executors import ExecutorSource, has_lost_its_cluster, workers_of
from holecard.simulation.run.resume_file import Books, Every, Saved
from holecard.simulation.run.tally import Played, Tally, Units

#: How often one chunk is given to a worker, at most, if its workers die.
TRIES = 5
#: Chunks in flight for each worker: one that it plays, one that it need not wait for.
_FOR_EACH = 2
_COUNT_SECONDS = 5.0
#: How long to wait at a stretch; Windows notices a Ctrl-C only between two stretches.
_STRETCH = 0.5


class Play(Protocol):
    """What is played. It is sent to the workers, so it can be pickled."""

    @property
    def fingerprint(self) -> str:
        """Equal for two plays exactly if they give the same tally for the same units."""

    def play(self, first: int, units: int) -> Tally:
        """The tally of the units from `first` on, a function of these alone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was played in the end, and whether that is all that was asked for."""

    played: Played
    complete: bool


class WorkersLost(Refusal):
    """Workers died too often, or all of them are gone; `played` is what they had played."""

    played = Played()


def run(
    play: Play,
    units: int,
    *,
    executor: ExecutorSource,
    chunk: int,
    done: Saved | None = None,
    on_progress: Callable[[Played], None] | None = None,
    save: Callable[[Played], None] | None = None,
) -> Outcome:
    """Play units 0 up to `units`, those that `done` holds left out, at most `chunk` of them together.

    An executor is used as it is and left open. A function that makes executors is called again when one breaks, as a
    pool of processes does when one of them dies; what it makes is closed. `on_progress` is told after each chunk, and
    `save` at the first, every few seconds and when the run ends in whatever way.

    Ctrl-C, or a KeyboardInterrupt from `on_progress`, ends the run early: what is in flight is waited for; after a
    second one it is not. Then the outcome is not complete, and says which units are in it.
    """
    books = Books(_start(play, units, chunk, done), on_progress, save)
    with _Crew(executor) as crew:
        flight = _Flight(play, crew, _chunks(books.played.units, units, chunk))
        with _ctrl_c(flight.interrupt):
            try:
                _play_out(flight, books)
            except WorkersLost as lost:
                lost.played = books.played
                raise
            finally:
                flight.give_up()
                books.save()
    return Outcome(books.played, complete=books.played.units.count == units)


def _start(play: Play, units: int, chunk: int, done: Saved | None) -> Played:
    """What is played before the run begins."""
    if units < 0 or chunk < 1:
        raise Refusal(f"{units} units in chunks of {chunk} cannot be played; play at least one unit in a chunk")
    if done is None:
        return Played()
    if done.fingerprint != play.fingerprint:
        raise Refusal("what was saved is of another run, and is not added to this one")
    if done.played.units.end > units:
        raise Refusal(f"only {units:,} rounds or shoes are asked for, and number {done.played.units.end:,} is played")
    return done.played


def _play_out(flight: _Flight, books: Books) -> None:
    """Until nothing is in flight and nothing is left to be."""
    while True:
        try:
            flight.fill()
            if not flight.chunks:
                return
            landed = flight.next_landed()
            if landed is not None:
                chunk, tally = landed
                books.enter(chunk.first, chunk.units, tally)
        except KeyboardInterrupt:
            flight.interrupt()


@dataclass(frozen=True, slots=True)
class _Chunk:
    first: int
    units: int
    tries: int = 1

    def __str__(self) -> str:
        return f"units {self.first:,} to {self.first + self.units - 1:,}"


def _chunks(played: Units, units: int, size: int) -> Iterator[_Chunk]:
    """What is left to play, one chunk after the other; never all of them at once."""
    for first, end in played.missing(units):
        for start in range(first, end, size):
            yield _Chunk(start, min(size, end - start))


def _play_chunk(play: Play, chunk: _Chunk, version: str) -> Tally | Exception:
    """Run by a worker, which may have another version of us than the one that asks.

    An error of the play's own is given back. What is raised instead is trouble on the way, whatever its name: Dask, for
    one, raises an AttributeError where a result was lost before it was fetched.
    """
    if version != __version__:
        return Refusal(f"a worker has holecard {__version__}, and {version} is asked for: install the same everywhere")
    try:
        return play.play(chunk.first, chunk.units)
    except Exception as error:
        return error


class _Flight:
    """The chunks that are out, and those to go out next."""

    def __init__(self, play: Play, crew: _Crew, fresh: Iterator[_Chunk]) -> None:
        self.chunks: dict[Future[Tally | Exception], _Chunk] = {}
        self._play = play
        self._crew = crew
        self._fresh = fresh
        self._again: list[_Chunk] = []
        # Futures that are done, and None for an interruption: putting into it is safe in a signal handler.
        self._events: SimpleQueue[Future[Tally | Exception] | None] = SimpleQueue()
        self._interrupts = 0
        self._stopping = False

    def interrupt(self) -> None:
        """Send nothing more; asked a second time, wait for nothing either."""
        self._stopping = True
        self._interrupts += 1
        self._events.put(None)

    def fill(self) -> None:
        """Send out as many chunks as there is room for."""
        while not self._stopping and len(self.chunks) < self._crew.room():
            chunk = self._again.pop() if self._again else next(self._fresh, None)
            if chunk is None:
                return
            future = self._crew.submit(self._play, chunk)
            self.chunks[future] = chunk
            future.add_done_callback(self._events.put)

    def next_landed(self) -> tuple[_Chunk, Tally] | None:
        """A chunk that was played and its tally; None if something else happened."""
        try:
            future = self._events.get(timeout=_STRETCH)
        except Empty:
            self._crew.check()
            return None
        if future is None:
            if self._interrupts > 1:
                self.give_up()
            return None
        # Not there: a future that was given up.
        chunk = self.chunks.pop(future, None)
        return None if chunk is None else self._landed(chunk, future)

    def _landed(self, chunk: _Chunk, future: Future[Tally | Exception]) -> tuple[_Chunk, Tally] | None:
        try:
            played = future.result()
        except KeyboardInterrupt:
            # Ctrl-C goes to every process in the terminal; this one's own is on the way, so this is not the second.
            self._stopping = True
            return None
        except Exception as error:
            self._play_again(chunk, error)
            return None
        if isinstance(played, Exception):
            raise played
        return chunk, played

    def _play_again(self, chunk: _Chunk, error: Exception) -> None:
        if chunk.tries == TRIES:
            if not _is_loss(error):
                raise error
            reason = f"{type(error).__name__}: {error}"
            raise WorkersLost(f"{TRIES} workers died one after the other as they played {chunk}; {reason}") from error
        self._again.append(replace(chunk, tries=chunk.tries + 1))

    def give_up(self) -> None:
        for future in self.chunks:
            future.cancel()
        self.chunks.clear()


def _is_loss(error: Exception) -> bool:
    """Whether a chunk failed for its worker's sake and not for its own."""
    # Dask's word for it can only have come where Dask is loaded.
    dask = sys.modules.get("distributed")
    return isinstance(error, BrokenExecutor | CancelledError) or (
        dask is not None and isinstance(error, dask.KilledWorker)
    )


class _Crew:
    """The executor that plays, made anew when it breaks if there is a way to."""

    def __init__(self, source: ExecutorSource) -> None:
        self._make = None if isinstance(source, Executor) else source
        self._executor = source if isinstance(source, Executor) else source()
        self._count_again = Every(_COUNT_SECONDS)
        self._room = 0

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def room(self) -> int:
        """How many chunks may be out at once: workers may join a cluster while we play."""
        if self._count_again.is_due():
            self._room = _FOR_EACH * workers_of(self._executor)
        return self._room

    def submit(self, play: Play, chunk: _Chunk) -> Future[Tally | Exception]:
        try:
            return self._executor.submit(_play_chunk, play, chunk, __version__)
        except BrokenExecutor as error:
            if self._make is None:
                raise WorkersLost(
                    f"the executor broke, and takes no more chunks ({error}); "
                    "give a function that makes one, and it is made anew"
                ) from error
            self._close()
            self._executor = self._make()
            return self._executor.submit(_play_chunk, play, chunk, __version__)
        except Exception:
            self.check()
            raise

    def check(self) -> None:
        """Refuse to wait for what will never come."""
        if has_lost_its_cluster(self._executor):
            raise WorkersLost("the connection to the cluster's scheduler is lost; see whether it still runs")

    def _close(self) -> None:
        if self._make is not None:
            self._executor.shutdown(wait=False)


@contextmanager
def _ctrl_c(interrupt: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C tell instead of raise, so that it never cuts through the middle of a step.

    Only where it would raise: a program that made something else of it, or ignores it, keeps its way, and a thread
    beside the main one never gets it.
    """
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: interrupt())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
