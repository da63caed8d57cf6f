"""Rounds from shoes that are dealt down: one unit of work for `run.chunks` is one shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Protocol, runtime_checkable

import numpy as np

from holecard import __version__
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, ROUNDS, SUMS, DealingRule
from holecard.kernels.dealt_down.one_by_one import play_shoes
from holecard.kernels.dealt_down.shuffler import new_demand, play_shufflers
from holecard.kernels.dealt_down.side_by_side import play_shoes_side_by_side
from holecard.kernels.dealt_down.state import new_shoe_lanes
from holecard.kernels.play.lookup import Results
from holecard.kernels.play.tally import RoundCounts
from holecard.kernels.play.workspace import new_workspace
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.fresh_shoes import Device, FreshRounds, named
from holecard.simulation.run.tally import Tally

#: Changes when the same seed deals other cards, or when counts change their meaning.
_EDITION = "whole shoes, 4"
#: Shoes played to estimate how many rounds a shoe has.
_TRIED = 256


def rule_text(rule: DealingRule) -> str:
    """Return a rule as fingerprints spell it; with another spelling, older resume files could not be continued."""
    return f"Rule(burn={rule.burn}, cut={rule.cut}, rounds={rule.rounds}, chute={rule.chute})"


@runtime_checkable
class PlaysShoes(Protocol):
    """A play whose units of work are whole shoes."""

    def shoes_for(self, rounds: int) -> int:
        """Return how many whole shoes have about this many rounds."""


@dataclass(frozen=True)
class ShoeRounds:
    """A game played by charts from shoes that follow a `DealingRule`."""

    program: Program
    charts: tuple[int, ...]
    """[seat] index of its chart"""
    seed: int
    rule: DealingRule
    sheet: str = ""
    """the rule sheet as JSON, for the fingerprint"""
    device: Device = "cpu"

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies the rounds, wherever they are played."""
        played = f"{self.program.offsets}; {self.charts}; {self.seed}; {rule_text(self.rule)}"
        text = f"{_EDITION}; {played}; {__version__}; {self.sheet}"
        return sha256(text.encode() + self.program.lut.tobytes()).hexdigest()

    def play(self, first: int, units: int) -> Tally:
        """Play `units` shoes, numbered from `first`."""
        if self.device == "cuda":
            return self._play_on_gpu(first, units)
        program, rule = self.program, self.rule
        counts, sums = self._zeros()
        shared = (
            program.lut,
            program.rank_tables,
            program.offsets,
            np.uint64(self.seed),
            np.uint64(first),
            units,
            rule,
            new_shoe_lanes(program.offsets, rule, np.array(self.charts, np.uint8)),
        )
        if rule.chute == NO_CHUTE:
            rounds = play_shoes_side_by_side(*shared, counts, sums)
        else:
            rounds = play_shufflers(*shared, new_demand(), counts, sums)
        return Tally({"rounds": rounds, **named(counts), "sums": sums})

    def play_one_by_one(self, first: int, units: int) -> Tally:
        """Play the same shoes without lanes: slower, and plain enough to compare with."""
        counts, sums = self._zeros()
        seats, offsets = len(self.charts), self.program.offsets
        rounds = play_shoes(
            self.program.lut,
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

    def _play_on_gpu(self, first: int, units: int) -> Tally:
        from holecard.simulation.plays.gpu_shoes import ShoesOnGpu  # loads the driver, so only where it is needed

        counts, sums = self._zeros()
        on_gpu = ShoesOnGpu(self.program, self.charts, self.seed, self.rule, counts, sums)
        on_gpu.play(first, units)
        on_gpu.finish()
        return Tally({"rounds": sums[0, ROUNDS], **named(counts), "sums": sums})

    def _zeros(self) -> tuple[RoundCounts, Results]:
        """Return counts and sums of zero."""
        counts = FreshRounds(self.program, self.charts, self.seed).counts()
        return counts, np.zeros((len(self.charts), SUMS), np.int64)

    def shoes_for(self, rounds: int) -> int:
        """Return how many whole shoes have about this many rounds; with a cut card, estimated from the first shoes."""
        if self.rule.cut > self.program.offsets.cards:
            return -(-rounds // self.rule.rounds)
        tried = int(self.play(0, _TRIED)["rounds"])
        return max(1, -(-rounds * _TRIED // tried))
