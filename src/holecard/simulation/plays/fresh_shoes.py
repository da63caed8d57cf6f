"""Rounds from fresh shoes, as the runs of `chunks` play them: every unit is one round, dealt by its own number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard import __version__
from holecard.errors import Refusal
from holecard.kernels.play.batch import play_rounds
from holecard.kernels.play.counting import Counts
from holecard.kernels.play.lookup import CLASSES, DEALER_CARDS, VALUES
from holecard.kernels.play.workspace import room
from holecard.simulation.compile.program import Program
from holecard.simulation.run.tally import Tally

Device: TypeAlias = Literal["cpu", "cuda"]
#: Changes when the same seed deals other cards, or counts mean something else.
_EDITION = "fresh shoes, 5"
#: Rounds that a processor plays in a tenth to a third of a second, a graphics card too.
CHUNK = {"cpu": 4_000_000, "cuda": 1_000_000_000}


@dataclass(frozen=True)
class FreshRounds:
    """A game played by charts, each round from a fresh shoe."""

    program: Program
    charts: tuple[int, ...]
    """[seat] the chart it plays by"""
    seed: int
    device: Device = "cpu"
    rules: str = ""
    """the sheet, as it goes into the fingerprint: what counts mean depends on it, too"""

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same rounds, wherever they are played."""
        said = f"{_EDITION}; {self.program.places}; {self.charts}; {self.seed}; {__version__}; {self.rules}"
        return sha256(said.encode() + self.program.book.tobytes()).hexdigest()

    def play(self, first: int, units: int) -> Tally:
        """The rounds from number `first` on."""
        counts = self.counts()
        if self.device == "cuda":
            self._on_card(first, units, counts)
        else:
            seats, places = len(self.charts), self.program.places
            charts = np.array(self.charts, np.uint8)
            key, number = np.uint64(self.seed), np.uint64(first)
            play_rounds(self.program.book, places, charts, key, number, units, room(places, seats), counts)
        return Tally({"rounds": units, **named(counts)})

    def counts(self) -> Counts:
        """Nothing counted yet."""
        seats, places = len(self.charts), self.program.places
        return Counts(
            cells=np.zeros((seats, places.ends * CLASSES), np.int64),
            splits=np.zeros((seats, places.sums), np.int64),
            stakes=np.zeros(seats, np.int64),
            dealers=np.zeros(VALUES * VALUES, np.int64),
            endings=np.zeros(CLASSES * (DEALER_CARDS + 1), np.int64),
            wagers=np.zeros((seats, max(self.program.wager_cells, 1)), np.int64),
        )

    def _on_card(self, first: int, units: int, counts: Counts) -> None:
        from holecard.simulation.plays.gpu import play_on_card  # the driver loads here, and only where it is needed

        play_on_card(self.program, self.charts, self.seed, first, units, counts)


def named(counts: Counts) -> dict[str, NDArray[np.int64]]:
    """The counts by their names."""
    return counts._asdict()


def seed_of(seed: int) -> int:
    """A seed is any number of 64 bits."""
    if not 0 <= seed < 2**64:
        raise Refusal(f"seed {seed} does not fit 64 bits; choose one from 0 to 18446744073709551615")
    return seed
