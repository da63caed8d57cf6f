"""One progress bar on the error stream, for work that takes more than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from holecard.report.numbers import decimals, millions

if TYPE_CHECKING:
    from rich.progress import Progress

    from holecard.simulation.count_results import CountSimulation
    from holecard.simulation.luck_results import LuckSimulation
    from holecard.simulation.results import Simulation
    from holecard.simulation.statistics.estimates import Estimate

    AnySimulation = Simulation | LuckSimulation | CountSimulation

#: Seconds before a bar appears, and before a rate can be measured.
PATIENCE = 1.0


class ProgressBar:
    """A bar that appears once the work has taken a second, and only in a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """Count one step of `total`."""
        self._done += 1
        self.show(self._done, f"{self._done} of {self._total}")

    def rescale(self, total: int) -> None:
        """Set how much there is to do, where it is known only once the work has begun."""
        self._total = total

    def show(self, done: int, description: str) -> None:
        """Show how much is done."""
        if self._bar is None and time.monotonic() - self._started > PATIENCE and sys.stderr.isatty():
            self._bar = _bar(self._total)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=description)


def _bar(total: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Console(stderr=True)
    # Room for the ^C that a terminal writes after the bar, which would break the line.
    screen.width = min(screen.width, 100) - 4
    bar = Progress(
        BarColumn(bar_width=None),
        TextColumn("{task.description}"),
        TimeRemainingColumn(compact=True),
        console=screen,
        transient=True,
        expand=True,
    )
    bar.add_task("", total=total)
    bar.start()
    return bar


class SimulationBar(ProgressBar):
    """Rounds, rate, and the mean so far."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self._first: AnySimulation | None = None

    def show_main(self, found: Simulation) -> None:
        """Show a run by the mean of its first seat."""
        self.show_mean(found, found.main.estimate)

    def show_luck(self, found: LuckSimulation) -> None:
        """Show a luck-adjusted run."""
        self.show_mean(found, found.result.luck_adjusted)

    def show_count(self, found: CountSimulation) -> None:
        """Show a run with a player who counts by what the player wins per round."""
        self.show_mean(found, found.main.won)

    def show_mean(self, found: AnySimulation, mean: Estimate) -> None:
        """Show how many rounds are played, how fast, and their mean."""
        self._first = self._first or found
        self.show(found.rounds, self._description(found, mean))

    def rate(self, found: AnySimulation) -> float | None:
        """Return rounds per second since the first report, without rounds from a file and the time to load kernels."""
        first = self._first or found
        seconds = found.seconds - first.seconds
        return (found.rounds - first.rounds) / seconds if seconds > PATIENCE else None

    def pace(self, found: AnySimulation) -> str:
        """Return how long the run took; not part of the result, because no other run repeats it."""
        rate = self.rate(found)
        pace = "" if rate is None else f", {millions(rate)} million rounds per second once started"
        return f"played in {found.seconds:.1f} s{pace}"

    def _description(self, found: AnySimulation, mean: Estimate) -> str:
        places, rate = decimals(mean.standard_error), self.rate(found)
        speed = "" if rate is None else f", {millions(rate)} M/s"
        ev = f"ev {mean.ev:+.{places}f}, standard error {mean.standard_error:.{places}f}"
        return f"{millions(found.rounds)} of {millions(found.asked)} M rounds{speed}, {ev}"


class SweepBar(ProgressBar):
    """Points, rounds and rate over a whole grid."""

    def __init__(self, points: int, rounds: int) -> None:
        super().__init__(points * rounds)
        self._points, self._rounds = points, rounds
        self._first: tuple[int, float] | None = None

    def show_point(self, done: int, found: Simulation) -> None:
        """Show how many points are finished, and the progress of the next one."""
        now, played = time.monotonic(), done * self._rounds + found.rounds
        self._first = self._first or (played, now)
        self.show(played, self._description(done, played, now))

    def _description(self, done: int, played: int, now: float) -> str:
        """Return the text with the rate since the first report, which leaves out the time to load the kernels."""
        before, since = self._first or (played, now)
        speed = f", {millions((played - before) / (now - since))} M/s" if now - since > PATIENCE else ""
        whole = self._points * self._rounds
        return f"{done} of {self._points} points, {millions(played)} of {millions(whole)} M rounds{speed}"
