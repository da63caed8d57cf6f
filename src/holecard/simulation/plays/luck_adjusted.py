"""Luck-adjusted rounds: the same mean with a much smaller standard error.

`kernels.luck` defines luck and shows why removing it keeps the mean; `compile.baseline_values` makes the baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256

import numpy as np

from holecard import __version__
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, DealingRule
from holecard.kernels.luck.baseline import BaselineValues
from holecard.kernels.luck.shoes import play_adjusted_rounds, play_adjusted_shoes
from holecard.kernels.luck.sums import LUCK_SUMS, ROUNDS_PLAYED
from holecard.kernels.luck.undealt import AHEAD_BITS, new_luck_workspace
from holecard.simulation.compile.baseline_values import baseline_values
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds, rule_text
from holecard.simulation.run.tally import Counts, Tally

#: Changes when the same seed deals other cards, or when sums change their meaning.
_EDITION = "luck, 4"
#: Shoes that show how many cards a round takes, with numbers that no run reaches: what is known about the shoes of a
#: run before they are played must not come from them.
_TRIED, _NOT_PLAYED = 64, 2**63


@dataclass(frozen=True, eq=False)
class LuckAdjustedRounds:
    """A game played by charts, each round from a fresh shoe, with luck measured."""

    program: Program
    seed: int
    sheet: str = ""
    """the rule sheet as JSON, for the fingerprint: the meaning of the sums depends on it"""
    charts: tuple[int, ...] = (0,)
    """[seat] index of its chart"""
    rule: DealingRule | None = None
    """None: every round has a fresh shoe"""

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies the rounds, wherever they are played."""
        rule = None if self.rule is None else rule_text(self.rule)
        played = f"{self.program.offsets}; {self.program.scale}; {self.charts}; {rule}; {self.seed}"
        text = f"{_EDITION}; {played}; {__version__}; {self.sheet}"
        return sha256(text.encode() + self.program.lut.tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LuckAdjustedRounds) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def play(self, first: int, units: int) -> Tally:
        """Play `units` rounds, numbered from `first`."""
        return self.play_by(_baseline(self), first, units)

    def play_by(self, baseline: BaselineValues, first: int, units: int) -> Tally:
        """Play rounds numbered from `first`, measuring luck against any baseline."""
        at, sums = self.program.offsets, self._zeros()
        key, number = np.uint64(self.seed), np.uint64(first)
        work = new_luck_workspace(at, self.charts)
        play_adjusted_rounds(self.program.lut, at, baseline, key, number, units, work, sums)
        return _tally(sums)

    def _zeros(self) -> Counts:
        seats = len(self.charts)
        return np.zeros((seats + 1 if seats > 1 else 1, LUCK_SUMS), np.int64)


@dataclass(frozen=True, eq=False)
class LuckAdjustedShoes(LuckAdjustedRounds):
    """A game played by charts from shoes that follow a `DealingRule`, with luck measured. Units of work are shoes."""

    def play_by(self, baseline: BaselineValues, first: int, units: int) -> Tally:
        """Play shoes numbered from `first`, measuring luck against any baseline."""
        sums, _ = self._shoes(baseline, first, units, _pace(self))
        return _tally(sums)

    def pace_by(self, baseline: BaselineValues) -> int:
        """Return about how many cards 2^AHEAD_BITS rounds take."""
        sums, cards = self._shoes(baseline, _NOT_PLAYED, _TRIED, 3 * (len(self.charts) + 1) << AHEAD_BITS)
        return (cards << AHEAD_BITS) // int(sums[0, ROUNDS_PLAYED])

    def shoes_for(self, rounds: int) -> int:
        """Return how many whole shoes have about this many rounds, as `ShoeRounds` does."""
        assert self.rule is not None
        return ShoeRounds(self.program, self.charts, self.seed, self.rule).shoes_for(rounds)

    def _shoes(self, baseline: BaselineValues, first: int, shoes: int, pace: int) -> tuple[Counts, int]:
        """Return the sums, and the number of cards dealt."""
        assert self.rule is not None
        at, sums = self.program.offsets, self._zeros()
        work = new_luck_workspace(at, self.charts, 0 if self.rule.chute == NO_CHUTE else self.rule.chute)
        key, number = np.uint64(self.seed), np.uint64(first)
        cards = play_adjusted_shoes(self.program.lut, at, baseline, key, number, shoes, self.rule, pace, work, sums)
        return sums, cards


@lru_cache(maxsize=8)
def _baseline(play: LuckAdjustedRounds) -> BaselineValues:
    """Compute the baseline once per process: it is larger than the program it is made from."""
    return baseline_values(play.program, 1 + max(play.charts))


@lru_cache(maxsize=8)
def _pace(play: LuckAdjustedShoes) -> int:
    """Find the pace once per process, with the play's own baseline: it must not depend on how shoes are measured."""
    return play.pace_by(_baseline(play))


def _tally(sums: Counts) -> Tally:
    return Tally({"rounds": sums[0, ROUNDS_PLAYED], "sums": sums})
