"""The result of `counting`: every wager of a game with what a counter can take from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from holecard.advantage.index_plays.index_search import IndexPlays
from holecard.advantage.removal import RemovalEffects
from holecard.advantage.tags import FittedCount
from holecard.advantage.targets import Target
from holecard.counts import Count
from holecard.errors import Refusal, did_you_mean, shortly
from holecard.money import Money
from holecard.presentation import Brief, Drawn
from holecard.sheets.schema import RuleSheet
from holecard.wagers.pay_table import Limits


@dataclass(frozen=True)
class SampleMean:
    """An average over rounds, and its standard error from whole shoes."""

    mean: float
    standard_error: float

    @property
    def is_gain(self) -> bool:
        """Whether it is more than chance: more than two standard errors above zero."""
        return self.mean > max(2 * self.standard_error, 1e-9)


@dataclass(frozen=True)
class UpcardBet:
    """Where a counter bets with one upcard."""

    upcard: int
    """value"""
    bet_at: int
    and_below: bool
    """whether the bet is made at this reading and below"""


@dataclass(frozen=True, repr=False)
class CountGain(Brief):
    """What a counter gains."""

    count: Count
    bet_at: int | None
    """the best reading to begin with, from all shoes; None: never, then the gain is 0, or by upcard"""
    and_below: bool
    """whether the bet is made at this reading and below, because the tags run against the wager"""
    frequency: SampleMean
    """share of rounds with a bet, or with the large one"""
    gain: SampleMean
    """units per 100 rounds, with one unit at these readings and nothing at others"""
    spread_gain: SampleMean | None
    """units per 100 rounds with the spread at these readings and one unit at others, for the main wager"""
    by_upcard: tuple[UpcardBet, ...] = ()
    """the best readings for a wager that is placed when the upcard is seen; upcards that never pay are left out"""
    over_flat: SampleMean | None = None
    """units per 100 rounds more than with one unit in every round: what the other readings would have lost"""


@dataclass(frozen=True, repr=False)
class CutGains(Brief):
    """The gains with one place of the cut card."""

    cut: int
    """percent of the shoe"""
    rounds: int
    """rounds with EVs, exact ones but for `rounds_approximated`"""
    rounds_left_out: int
    """those without an EV, because they have too few cards"""
    ev: SampleMean
    """EV of a bet in every round in which the wager is offered"""
    favorable: SampleMean
    """share of these rounds with a positive EV"""
    gain: SampleMean
    """units per 100 rounds of a perfect player, with one unit where the EV is positive"""
    spread_gain: SampleMean | None
    """units per 100 rounds of a perfect player, with the spread there and one unit elsewhere, for the main wager"""
    counts: tuple[CountGain, ...]
    rounds_approximated: int = 0
    """of `rounds`, those of the main wager whose cards do not suffice for the longest round: see `small_shoes`"""
    flat_gain: SampleMean | None = None
    """units per 100 rounds with one unit in every round in which the wager is offered, played as counters play"""

    @property
    def flat_betting_wins(self) -> bool:
        """Whether the wager favors every player, counting or not."""
        return self.flat_gain is not None and self.flat_gain.is_gain

    @property
    def best_count(self) -> CountGain | None:
        """The counter with the largest gain of those that are more than chance, else of all.

        None where no card changes the wager.
        """
        gaining = [one for one in self.counts if one.gain.is_gain]
        return max(gaining or self.counts, key=lambda one: one.gain.mean, default=None)


@dataclass(frozen=True, repr=False)
class ReadingEdge(Brief):
    """The rounds with one reading of a count, with a few next to each other, or with all from one on to one side."""

    reading: int
    up_to: int
    """the highest of these readings; rare ones are taken together with their neighbors"""
    ends: str
    """ "or less", "or more", or "" """
    frequency: float
    ev: SampleMean


@dataclass(frozen=True, repr=False)
class CountingPlan(Brief):
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
    """sampled shoes with EVs of the main wager"""
    seed: int
    asked_bet: Money | None = None
    """the unit that was asked for, where the limits of the table do not allow it"""
    asked_spread: int | None = None
    """the spread that was asked for, where the limits of the table do not allow it"""

    def within_limits(self, sheet: RuleSheet) -> CountingPlan:
        """Return the plan with a unit and a spread that the limits of the main wager allow."""
        limits = sheet.tables.main
        low, high, step = (int(amount) for amount in (limits.low, limits.high, limits.step))
        unit = int(self.bet)
        if unit * self.spread > high:
            unit = high // self.spread
        unit = max(low, unit - (unit - low) % step)
        spread = max(1, min(self.spread, high // unit))
        return replace(
            self,
            bet=Money.cents(unit),
            spread=spread,
            asked_bet=None if unit == self.bet else self.bet,
            asked_spread=None if spread == self.spread else self.spread,
        )

    def stake(self, sheet: RuleSheet, target: Target) -> Money:
        """Return the largest bet: the spread on the main wager; else one unit, or the nearest that its limits allow."""
        if target.kind == "insurance":
            return Money.cents(round(sheet.tables.insurance_share * int(self.bet) * self.spread))
        if target.kind == "main":
            return Money.cents(int(self.bet) * self.spread * target.equal_bets)
        limits = limits_of(sheet, target)
        if target.in_dollars:
            return limits.low
        bet = min(max(self.bet, limits.low), limits.high)
        return Money.cents(int(bet) - int(bet - limits.low) % int(limits.step))


def limits_of(sheet: RuleSheet, target: Target) -> Limits:
    """Return the limits of a side wager."""
    return next(wager.limits for wager in sheet.tables.wagers if wager.name == target.wager)


@dataclass(frozen=True, repr=False)
class WagerCounting(Brief):
    """One wager: its effects of removal, counts for it, and gains by cut card."""

    target: Target
    stake: Money
    """the largest bet: the spread on the main wager, with its companion; else one unit, within the wager's limits"""
    full_shoe: RemovalEffects
    """from the full shoe"""
    half_shoe: RemovalEffects | None
    """from half of each card; None where suits cannot be halved"""
    level_one: FittedCount | None
    """the best balanced tags from -1 to 1; None where no card changes the wager"""
    level_two: FittedCount | None
    known: tuple[FittedCount, ...]
    """the counts that come with Holecard, and the player's"""
    gains: tuple[CutGains, ...]
    """by cut card, the shallowest first; without cut cards so deep that over 1% of the rounds have too few cards"""
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
    """for the plan's count; only insurance where the main wager was not asked for; None where nothing was searched"""
    verdict: str
    """about the game, in one sentence"""

    def wager(self, name: str) -> WagerCounting:
        """Return a wager by its name; "main" and "insurance" are two of them."""
        for one in self.wagers:
            if one.target.name.lower() == str(name).strip().lower():
                return one
        names = [one.target.name for one in self.wagers]
        raise Refusal(f"there is no wager {shortly(name)} in this result; {did_you_mean(str(name), names)}")
