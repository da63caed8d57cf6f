"""Rounds from shoes that are dealt down, as the runs of `chunks` play them: every unit is one shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from holecard import __version__
from holecard.kernels.play.shoes import SUMS, Rule, play_shoes
from holecard.kernels.play.workspace import room
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.fresh_shoes import FreshRounds, named
from holecard.simulation.run.tally import Tally

#: Changes when the same seed deals other cards, or counts mean something else.
_EDITION = "whole shoes, 4"
#: Shoes that tell how many rounds a shoe has.
_TRIED = 256


@dataclass(frozen=True)
class ShoeRounds:
    """A game played by charts from shoes kept by a rule."""

    program: Program
    charts: tuple[int, ...]
    """[seat] the chart it plays by"""
    seed: int
    rule: Rule
    rules: str = ""
    """the sheet, as it goes into the fingerprint"""

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same rounds, wherever they are played."""
        said = (
            f"{_EDITION}; {self.program.places}; {self.charts}; {self.seed}; {self.rule}; {__version__}; {self.rules}"
        )
        return sha256(said.encode() + self.program.book.tobytes()).hexdigest()

    def play(self, first: int, units: int) -> Tally:
        """The shoes from number `first` on."""
        seats, program, places = len(self.charts), self.program, self.program.places
        counts, sums = FreshRounds(program, self.charts, self.seed).counts(), np.zeros((seats, SUMS), np.int64)
        rounds = play_shoes(
            program.book,
            places,
            np.array(self.charts, np.uint8),
            np.uint64(self.seed),
            np.uint64(first),
            units,
            self.rule,
            room(places, seats),
            counts,
            sums,
            np.zeros(seats, np.int64),
        )
        return Tally({"rounds": rounds, **named(counts), "sums": sums})

    def shoes_for(self, rounds: int) -> int:
        """Whole shoes that have about so many rounds; with a cut card, told by the first ones."""
        if self.rule.cut > self.program.places.cards:
            return -(-rounds // self.rule.rounds)
        tried = int(self.play(0, _TRIED)["rounds"])
        return max(1, -(-rounds * _TRIED // tried))
