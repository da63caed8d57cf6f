"""Play a run in chunks on an executor, with the same result whatever happens on the way.

A play is a pure function of its units, and tallies add up, so it does not matter which worker plays which chunk, in
what order, or how often a chunk is retried. A run keeps a few chunks in flight, adds each result to the total, and
always knows which units the total covers. It can therefore show progress, save, stop early and resume.
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
from holecard.simulation.run.resume_file import Every, Progress, Saved
from holecard.simulation.run.tally import Played, Tally, Units

#: How often a chunk is tried if its workers die.
TRIES = 5
#: Chunks in flight per worker: one being played, one ready to start.
_FOR_EACH = 2
_COUNT_SECONDS = 5.0
#: The longest single wait in seconds; Windows notices Ctrl-C only between two waits.
_STRETCH = 0.5


class Play(Protocol):
    """Something to play. It is sent to workers, so it must be picklable."""

    @property
    def fingerprint(self) -> str:
        """Equal for two plays exactly if they give the same tally for the same units."""

    def play(self, first: int, units: int) -> Tally:
        """Return the tally of `units` units from `first` on; a pure function."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was played, and whether that is everything requested."""

    played: Played
    complete: bool


class WorkersLost(Refusal):
    """Workers died too often, or none are left; `played` holds the units finished before that."""

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
    """Play units 0 up to `units` in chunks of at most `chunk`, skipping those that `done` holds.

    An executor is used as it is and left open. A function that makes executors is called again when one breaks, as a
    process pool does when a process dies; its executors are closed. `on_progress` is called after each chunk, and
    `save` after the first chunk, every few seconds, and when the run ends for any reason.

    Ctrl-C, or a KeyboardInterrupt from `on_progress`, ends the run early: it waits for chunks in flight; a second
    Ctrl-C does not wait. The outcome is then incomplete and says which units it covers.
    """
    progress = Progress(_start(play, units, chunk, done), on_progress, save)
    with _Workers(executor) as workers:
        flight = _Flight(play, workers, _chunks(progress.played.units, units, chunk))
        with _ctrl_c(flight.interrupt):
            try:
                _play_out(flight, progress)
            except WorkersLost as lost:
                lost.played = progress.played
                raise
            finally:
                flight.cancel()
                progress.save()
    return Outcome(progress.played, complete=progress.played.units.count == units)


def _start(play: Play, units: int, chunk: int, done: Saved | None) -> Played:
    """Return what was played before this run."""
    if units < 0 or chunk < 1:
        raise Refusal(f"cannot play {units} units in chunks of {chunk}; a chunk needs at least one unit")
    if done is None:
        return Played()
    if done.fingerprint != play.fingerprint:
        raise Refusal("the saved state belongs to another run")
    if done.played.units.end > units:
        raise Refusal(f"unit {done.played.units.end:,} is already played, but only {units:,} were requested")
    return done.played


def _play_out(flight: _Flight, progress: Progress) -> None:
    """Play until no chunk is in flight and none is left."""
    while True:
        try:
            flight.fill()
            if not flight.chunks:
                return
            landed = flight.next_landed()
            if landed is not None:
                chunk, tally = landed
                progress.enter(chunk.first, chunk.units, tally)
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
    """Yield the remaining chunks lazily."""
    for first, end in played.missing(units):
        for start in range(first, end, size):
            yield _Chunk(start, min(size, end - start))


def _play_chunk(play: Play, chunk: _Chunk, version: str) -> Tally | Exception:
    """Play a chunk on a worker, which may have another version of holecard installed.

    An exception from the play itself is returned. Anything raised is therefore a transport failure, whatever its type:
    Dask, for example, raises AttributeError if a result is lost before it is fetched.
    """
    if version != __version__:
        return Refusal(f"a worker has holecard {__version__}, not {version}; install the same version everywhere")
    try:
        return play.play(chunk.first, chunk.units)
    except Exception as error:
        return error


class _Flight:
    """The chunks in flight, and those to send next."""

    def __init__(self, play: Play, workers: _Workers, fresh: Iterator[_Chunk]) -> None:
        self.chunks: dict[Future[Tally | Exception], _Chunk] = {}
        self._play = play
        self._workers = workers
        self._fresh = fresh
        self._again: list[_Chunk] = []
        # Finished futures, and None for an interrupt: a SimpleQueue is safe to use in a signal handler.
        self._events: SimpleQueue[Future[Tally | Exception] | None] = SimpleQueue()
        self._interrupts = 0
        self._stopping = False

    def interrupt(self) -> None:
        """Send no more chunks; on a second call, do not wait for those in flight either."""
        self._stopping = True
        self._interrupts += 1
        self._events.put(None)

    def fill(self) -> None:
        """Send chunks until all workers are busy."""
        while not self._stopping and len(self.chunks) < self._workers.capacity():
            chunk = self._again.pop() if self._again else next(self._fresh, None)
            if chunk is None:
                return
            future = self._workers.submit(self._play, chunk)
            self.chunks[future] = chunk
            future.add_done_callback(self._events.put)

    def next_landed(self) -> tuple[_Chunk, Tally] | None:
        """Wait for a finished chunk and return it with its tally; None if something else happened."""
        try:
            future = self._events.get(timeout=_STRETCH)
        except Empty:
            self._workers.check()
            return None
        if future is None:
            if self._interrupts > 1:
                self.cancel()
            return None
        # Missing: a canceled future.
        chunk = self.chunks.pop(future, None)
        return None if chunk is None else self._landed(chunk, future)

    def _landed(self, chunk: _Chunk, future: Future[Tally | Exception]) -> tuple[_Chunk, Tally] | None:
        try:
            played = future.result()
        except KeyboardInterrupt:
            # Ctrl-C reaches every process in the terminal: ours follows, so do not count this as the second.
            self._stopping = True
            return None
        except Exception as error:
            self._retry(chunk, error)
            return None
        if isinstance(played, Exception):
            raise played
        return chunk, played

    def _retry(self, chunk: _Chunk, error: Exception) -> None:
        if chunk.tries == TRIES:
            if not _is_loss(error):
                raise error
            reason = f"{type(error).__name__}: {error}"
            raise WorkersLost(f"{TRIES} workers in a row died while playing {chunk}; {reason}") from error
        self._again.append(replace(chunk, tries=chunk.tries + 1))

    def cancel(self) -> None:
        for future in self.chunks:
            future.cancel()
        self.chunks.clear()


def _is_loss(error: Exception) -> bool:
    """Return whether a chunk failed because of its worker, not because of itself."""
    # Dask's exception can occur only if Dask is loaded.
    dask = sys.modules.get("distributed")
    return isinstance(error, BrokenExecutor | CancelledError) or (
        dask is not None and isinstance(error, dask.KilledWorker)
    )


class _Workers:
    """The executor; recreated when it breaks, if a factory was given."""

    def __init__(self, source: ExecutorSource) -> None:
        self._make = None if isinstance(source, Executor) else source
        self._executor = source if isinstance(source, Executor) else source()
        self._count_again = Every(_COUNT_SECONDS)
        self._capacity = 0

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def capacity(self) -> int:
        """Return how many chunks may be in flight; workers may join a cluster during a run."""
        if self._count_again.is_due():
            self._capacity = _FOR_EACH * workers_of(self._executor)
        return self._capacity

    def submit(self, play: Play, chunk: _Chunk) -> Future[Tally | Exception]:
        try:
            return self._executor.submit(_play_chunk, play, chunk, __version__)
        except BrokenExecutor as error:
            if self._make is None:
                raise WorkersLost(
                    f"the executor broke and accepts no more work ({error}); "
                    "pass a function that creates executors, and the run recreates it"
                ) from error
            self._close()
            self._executor = self._make()
            return self._executor.submit(_play_chunk, play, chunk, __version__)
        except Exception:
            self.check()
            raise

    def check(self) -> None:
        """Raise `WorkersLost` if results can no longer arrive."""
        if has_lost_its_cluster(self._executor):
            raise WorkersLost("lost the connection to the cluster's scheduler; check whether it is still running")

    def _close(self) -> None:
        if self._make is not None:
            self._executor.shutdown(wait=False)


@contextmanager
def _ctrl_c(interrupt: Callable[[], None]) -> Iterator[None]:
    """Call `interrupt` on Ctrl-C instead of raising KeyboardInterrupt in the middle of a step.

    Only in the main thread, and only if Ctrl-C has its default handler.
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
