"""Rounds from fresh shoes: one unit of work for `run.chunks` is one round, and its number determines its cards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard import __version__
from holecard.errors import Refusal
from holecard.kernels.fresh.rounds import play_rounds
from holecard.kernels.fresh.state import FreshWorkspace, new_fresh_workspace
from holecard.kernels.play.lookup import CLASS_COUNT, DEALER_CARDS, VALUE_COUNT
from holecard.kernels.play.tally import RoundCounts
from holecard.simulation.compile.program import Program
from holecard.simulation.run.tally import Tally

Device: TypeAlias = Literal["cpu", "cuda"]
#: Changes when the same seed deals other cards, or when counts change their meaning.
_EDITION = "fresh shoes, 5"
#: Rounds that take a tenth to a third of a second.
ROUNDS_PER_CHUNK = {"cpu": 4_000_000, "cuda": 2_000_000_000}


@dataclass(frozen=True)
class FreshRounds:
    """A game played by charts, each round from a fresh shoe."""

    program: Program
    charts: tuple[int, ...]
    """[seat] index of its chart"""
    seed: int
    device: Device = "cpu"
    sheet: str = ""
    """the rule sheet as JSON, for the fingerprint: the meaning of the counts depends on it"""

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies the rounds, wherever they are played."""
        text = f"{_EDITION}; {self.program.offsets}; {self.charts}; {self.seed}; {__version__}; {self.sheet}"
        return sha256(text.encode() + self.program.lut.tobytes()).hexdigest()

    def workspace(self) -> FreshWorkspace:
        """Return scratch for rounds on the CPU, to be used by one thread at a time."""
        return new_fresh_workspace(self.program.offsets, np.array(self.charts, np.uint8))

    def play(self, first: int, units: int, work: FreshWorkspace | None = None) -> Tally:
        """Play `units` rounds, numbered from `first`; a workspace saves time if few rounds are played often."""
        counts = self.counts()
        if self.device == "cuda":
            self._on_gpu(first, units, counts)
        else:
            offsets = self.program.offsets
            key, number = np.uint64(self.seed), np.uint64(first)
            lut, tables = self.program.lut, self.program.rank_tables
            play_rounds(lut, tables, offsets, key, number, units, work or self.workspace(), counts)
        return Tally({"rounds": units, **named(counts)})

    def counts(self) -> RoundCounts:
        """Return counts of zero."""
        seats, offsets = len(self.charts), self.program.offsets
        return RoundCounts(
            cells=np.zeros((seats, offsets.ends * CLASS_COUNT), np.int64),
            splits=np.zeros((seats, offsets.sums), np.int64),
            stakes=np.zeros(seats, np.int64),
            dealers=np.zeros(VALUE_COUNT * VALUE_COUNT, np.int64),
            endings=np.zeros(CLASS_COUNT * (DEALER_CARDS + 1), np.int64),
            wagers=np.zeros((seats, max(self.program.wager_cells, 1)), np.int64),
        )

    def _on_gpu(self, first: int, units: int, counts: RoundCounts) -> None:
        from holecard.simulation.plays.gpu_fresh import play_on_gpu  # loads the driver, so only where it is needed

        play_on_gpu(self.program, self.charts, self.seed, first, units, counts)


def named(counts: RoundCounts) -> dict[str, NDArray[np.int64]]:
    """Return the counts by name."""
    return counts._asdict()


def seed_of(seed: int) -> int:
    """Return the seed if it fits 64 bits, or raise a `Refusal`."""
    if not 0 <= seed < 2**64:
        raise Refusal(f"seed {seed} does not fit in 64 bits; choose a number from 0 to 18446744073709551615")
    return seed
