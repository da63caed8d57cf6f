"""Dealt-down shoes with a player who counts: one unit of work for `run.chunks` is one shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from holecard import __version__
from holecard.kernels.dealt_down.counted import ReadingCounts, play_counted_shoes
from holecard.kernels.dealt_down.counter_lanes import new_counter_lanes
from holecard.kernels.dealt_down.counter_tables import INSURED, SIDE_SUMS, CounterTables
from holecard.kernels.dealt_down.dealing_rule import SUMS, DealingRule
from holecard.kernels.dealt_down.state import new_shoe_lanes
from holecard.kernels.play.lookup import Results
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.dealt_down_shoes import rule_text
from holecard.simulation.plays.fresh_shoes import FreshRounds, named
from holecard.simulation.run.tally import Tally

#: Changes when the same seed deals other cards, or when counts change their meaning.
_EDITION = "counted shoes, 3"
#: Shoes played to estimate how many rounds a shoe has.
_TRIED = 256


@dataclass(frozen=True, eq=False)
class CountedShoes:
    """A game with one player who counts; the others play chart 0."""

    program: Program
    seats: int
    seed: int
    rule: DealingRule
    counter: CounterTables
    sheet: str = ""
    """the rule sheet as JSON, for the fingerprint"""

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies the rounds, wherever they are played."""
        played = f"{self.program.offsets}; {self.seats}; {self.seed}; {rule_text(self.rule)}"
        text = f"{_EDITION}; {played}; {__version__}; {self.sheet}"
        found = sha256(text.encode() + self.program.lut.tobytes())
        for number in self.counter:
            found.update(number.tobytes() if isinstance(number, np.ndarray) else repr(number).encode())
        return found.hexdigest()

    def play(self, first: int, units: int) -> Tally:
        """Play `units` shoes, numbered from `first`."""
        program, at = self.program, self.program.offsets
        charts = np.zeros(self.seats, np.uint8)
        counts, by_reading = FreshRounds(program, (0,) * self.seats, self.seed).counts(), self._zeros()
        state = new_shoe_lanes(at, self.rule, charts, whole=True)
        rounds = play_counted_shoes(
            program.lut,
            program.rank_tables,
            at,
            np.uint64(self.seed),
            np.uint64(first),
            units,
            self.rule,
            self.counter,
            state,
            new_counter_lanes(at, self.counter, state),
            counts,
            by_reading,
        )
        by_name = {f"by_reading_{name}": table for name, table in by_reading._asdict().items()}
        return Tally({"rounds": rounds, **named(counts), **by_name})

    def _zeros(self) -> ReadingCounts:
        slots, wagers = self.counter.slots, self.program.offsets.wagers

        def zeros(*shape: int) -> Results:
            return np.zeros(shape, np.int64)

        return ReadingCounts(
            nets=zeros(2, slots, INSURED, len(self.program.nets)),
            insurance=zeros(slots, 2),
            wagers=zeros(slots, max(1, self.program.wager_cells)),
            sums=zeros(SIDE_SUMS + wagers, SUMS),
        )

    def shoes_for(self, rounds: int) -> int:
        """Return how many whole shoes have about this many rounds, estimated from the first shoes."""
        tried = int(self.play(0, _TRIED)["rounds"])
        return max(1, -(-rounds * _TRIED // tried))
