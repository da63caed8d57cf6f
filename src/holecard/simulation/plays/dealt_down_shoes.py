"""Rounds from shoes that are dealt down: one unit of work for `run.chunks` is one shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from holecard import __version__
from holecard.kernels.play.shoes import SUMS, Rule, play_shoes
from holecard.kernels.play.workspace import new_workspace
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.fresh_shoes import FreshRounds, named
from holecard.simulation.run.tally import Tally

#: Changes when the same seed deals other cards, or when counts change their meaning.
_EDITION = "whole shoes, 4"
#: Shoes played to estimate how many rounds a shoe has.
_TRIED = 256


@dataclass(frozen=True)
class ShoeRounds:
    """A game played by charts from shoes that follow a `Rule`."""

    program: Program
    charts: tuple[int, ...]
    """[seat] index of its chart"""
    seed: int
    rule: Rule
    rules: str = ""
    """the rule sheet as JSON, for the fingerprint"""

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies the rounds, wherever they are played."""
        text = (
            f"{_EDITION}; {self.program.offsets}; {self.charts}; {self.seed}; {self.rule}; {__version__}; {self.rules}"
        )
        return sha256(text.encode() + self.program.lut.tobytes()).hexdigest()

    def play(self, first: int, units: int) -> Tally:
        """Play `units` shoes, numbered from `first`."""
        seats, program, offsets = len(self.charts), self.program, self.program.offsets
        counts, sums = FreshRounds(program, self.charts, self.seed).counts(), np.zeros((seats, SUMS), np.int64)
        rounds = play_shoes(
            program.lut,
            offsets,
            np.array(self.charts, np.uint8),
            np.uint64(self.seed),
            np.uint64(first),
            units,
            self.rule,
            new_workspace(offsets, seats),
            counts,
            sums,
            np.zeros(seats, np.int64),
        )
        return Tally({"rounds": rounds, **named(counts), "sums": sums})

    def shoes_for(self, rounds: int) -> int:
        """Return how many whole shoes have about this many rounds; with a cut card, estimated from the first shoes."""
        if self.rule.cut > self.program.offsets.cards:
            return -(-rounds // self.rule.rounds)
        tried = int(self.play(0, _TRIED)["rounds"])
        return max(1, -(-rounds * _TRIED // tried))
