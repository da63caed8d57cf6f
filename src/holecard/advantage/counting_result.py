"""The result of `counting`: every wager of a game with what a counter can take from it."""

from __future__ import annotations

from dataclasses import dataclass

from holecard.advantage.gains import CutGains, ReadingEdge
from holecard.advantage.index_search import IndexPlays
from holecard.advantage.removal import RemovalEffects
from holecard.advantage.tags import FittedCount
from holecard.advantage.targets import Target
from holecard.counts import Count
from holecard.errors import Refusal, did_you_mean, shortly
from holecard.money import Money
from holecard.presentation import Brief, Drawn
from holecard.sheets.schema import RuleSheet


@dataclass(frozen=True)
class CountingPlan:
    """What is assumed of the table and the player."""

    count: Count
    """the count of the player of the main wager"""
    cut: int
    """percent of the shoe in front of the cut card, for verdicts and index plays"""
    seats: int
    spread: int
    """units bet on the main wager in favorable rounds; one unit in others"""
    bet: Money
    """one unit"""
    pace: int
    """rounds per hour"""
    shoes: int
    """sampled shoes with exact EVs of the main wager"""
    seed: int


@dataclass(frozen=True, repr=False)
class WagerCounting(Brief):
    """One wager: its effects of removal, counts for it, and gains by cut card."""

    target: Target
    stake: Money
    """the largest bet: the spread on the main wager; else one unit, within the wager's limits"""
    full: RemovalEffects
    """from the full shoe"""
    half: RemovalEffects | None
    """from half of each card; None where suits cannot be halved"""
    level_one: FittedCount | None
    """the best balanced tags from -1 to 1; None where no card changes the wager"""
    level_two: FittedCount | None
    known: tuple[FittedCount, ...]
    """the counts that come with Holecard, and the player's"""
    gains: tuple[CutGains, ...]
    """by cut card, the shallowest first"""
    count: Count | None
    """the count of `by_reading`: the player's for the main wager, else the best one"""
    by_reading: tuple[ReadingEdge, ...]
    """with the plan's cut card"""
    verdict: str

    def at_cut(self, cut: int) -> CutGains | None:
        """Return the gains with a cut card."""
        return next((one for one in self.gains if one.cut == cut), None)


@dataclass(frozen=True, repr=False)
class Counting(Drawn):
    """What a counter can take from a game."""

    _report = "counting.counting"

    rules: RuleSheet
    plan: CountingPlan
    wagers: tuple[WagerCounting, ...]
    index_plays: IndexPlays | None
    """for the plan's count; None where the main wager, or the plays, were not asked for"""
    verdict: str
    """about the game, in one sentence"""

    def wager(self, name: str) -> WagerCounting:
        """Return a wager by its name; "main" and "insurance" are two of them."""
        for one in self.wagers:
            if one.target.name.lower() == str(name).strip().lower():
                return one
        names = [one.target.name for one in self.wagers]
        raise Refusal(f"there is no wager {shortly(name)} in this result; {did_you_mean(str(name), names)}")
