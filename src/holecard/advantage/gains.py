"""How often a wager is favorable, and what is gained from it, from the exact EVs of sampled rounds.

A perfect player knows the EV of every round, with best play. A count player bets at a reading and all better ones, and
plays the main wager by a chart. The reading is chosen by the average EV of the rounds with each reading, in one half of
the shoes, and the gain is measured in the other half; then the halves change places. So no gain comes from having
chosen well by luck.

Where a wager is placed after the check, both players see the upcard first. Then EVs have a column for each upcard, the
wager is offered as often as it can be placed with this upcard, and a count player has a reading for each upcard, on the
side that gains more. Gains count all rounds, those in which a wager is not offered, too.

The exact EVs of the first shoes are combined with quick estimates for all shoes of a larger sample (`linear_values`):
the average of f(estimate) over all rounds, plus the average of f(exact) - f(estimate) over the rounds with exact EVs.
Its mean is that of the exact values, with a smaller error. Rounds of one shoe are alike, so standard errors come from
whole shoes: the root of the sum over shoes of the squared sum of what its rounds add to the average.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.advantage.count_spread import count_readings
from holecard.counts import Count
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.simulation.plays.shoe_sample import ShoeSample

#: What gains are stated per.
_ROUNDS = 100
#: A reading with fewer exact EVs is not shown.
_FEWEST = 8


@dataclass(frozen=True)
class Measured:
    """An average over rounds, and its standard error from whole shoes."""

    mean: float
    error: float


@dataclass(frozen=True)
class UpcardBet:
    """Where a count player bets with one upcard."""

    upcard: int
    """value"""
    bet_at: int
    descending: bool
    """whether the bet is made at this reading and below"""


@dataclass(frozen=True)
class CountGain:
    """What a count player gains."""

    count: Count
    bet_at: int | None
    """the best reading to begin with, from all shoes; None: never, or by upcard"""
    descending: bool
    """whether the bet is made at this reading and below, because the tags run against the wager"""
    frequency: Measured
    """share of rounds with a bet, or with the large one"""
    gain: Measured
    """units per 100 rounds, with one unit at these readings and nothing at others"""
    spread_gain: Measured | None
    """units per 100 rounds with the spread at these readings and one unit at others, for the main wager"""
    by_upcard: tuple[UpcardBet, ...] = ()
    """the best readings for a wager that is placed when the upcard is seen; upcards that never pay are left out"""


@dataclass(frozen=True)
class CutGains:
    """The gains with one place of the cut card."""

    cut: int
    """percent of the shoe"""
    rounds: int
    """rounds with exact EVs"""
    unknown: int
    """rounds left out, because their cards do not suffice for the longest round"""
    ev: Measured
    """EV of a bet in every round in which the wager is offered"""
    favorable: Measured
    """share of these rounds with a positive EV"""
    gain: Measured
    """units per 100 rounds of a perfect player, with one unit where the EV is positive"""
    spread_gain: Measured | None
    """units per 100 rounds of a perfect player, with the spread there and one unit elsewhere, for the main wager"""
    counts: tuple[CountGain, ...]

    @property
    def best_count(self) -> CountGain | None:
        """The count player with the largest gain; None where no card changes the wager."""
        return max(self.counts, key=lambda one: one.gain.mean, default=None)


@dataclass(frozen=True)
class ReadingEdge:
    """The rounds with one reading of a count, or with all from it on to one side."""

    reading: int
    ends: str
    """ "or less", "or more", or "" """
    frequency: float
    ev: Measured


@dataclass(frozen=True, eq=False)
class ValuedRounds:
    """Sampled rounds with their EVs; [round, v] where the wager is placed when the upcard is seen."""

    sample: ShoeSample
    exact: Floats
    """[round] exact EVs, NaN where they were not computed or are not known"""
    estimates: Floats
    """[round] quick estimates"""
    offered: Floats
    """[round] how often the wager is offered in such a round, estimated where no exact EV was computed"""
    computed: Flags
    """[round] whether an exact EV was computed"""
    decks: int
    estimated_offers: Floats | None = None
    """[round] quick estimates of `offered`; None where it is known for all rounds"""

    @property
    def known(self) -> Flags:
        """[round] whether the exact EV is known."""
        return np.asarray(~np.isnan(self.exact).reshape(self.exact.shape[0], -1).any(axis=1))

    @property
    def offered_share(self) -> float:
        """How often the wager is offered in a round."""
        always = np.ones(self.exact.shape)
        return self._combined(always, always).mean

    def dealt_to(self, cut: int) -> ValuedRounds:
        """Return the rounds before a cut card at `cut` percent.

        Where some of them have no exact EV because they have too few cards, all with as few cards are left out.
        """
        found = self.only(self.sample.out < 52 * self.decks * cut // 100)
        unknown = found.computed & ~found.known
        if not unknown.any():
            return found
        left = found.sample.cards.sum(axis=1, dtype=np.int64)
        return found.only(left > left[unknown].max())

    def only(self, which: Flags) -> ValuedRounds:
        """Return some of the rounds."""
        old = self.sample
        kept = ShoeSample(old.cards[which], old.out[which], old.shoe[which], old.round[which])
        exact, estimates, offered = (array[which] for array in (self.exact, self.estimates, self.offered))
        offers = None if self.estimated_offers is None else self.estimated_offers[which]
        return ValuedRounds(kept, exact, estimates, offered, self.computed[which], self.decks, offers)

    def readings(self, count: Count) -> Integers:
        """Return [round] the whole count of a player who has seen all cards but those left and those burned."""
        tags = np.array(count.tags, np.float64)
        left = self.sample.cards.astype(np.float64)
        total = self.decks * tags.sum() - left @ tags
        return count_readings(count, self.decks, total, 52.0 * self.decks - left.sum(axis=1))

    def average(self, bets_exact: Floats, bets_estimated: Floats | None = None, per: int = 1) -> Measured:
        """Return the average result of a round, with these units bet by the exact EV and by the estimate.

        Both may be the same where a bet does not depend on the EV.
        """
        bets_estimated = bets_exact if bets_estimated is None else bets_estimated
        return self._combined(bets_exact * self.exact, bets_estimated * self.estimates, per)

    def share(self, exact: Flags, estimated: Flags) -> Measured:
        """Return how often something is so, among the rounds in which the wager is offered."""
        found, whole = self._combined(exact, estimated), self.offered_share
        return Measured(found.mean / whole, found.error / whole)

    def _combined(self, exact: Floats | Flags, estimated: Floats | Flags, per: int = 1) -> Measured:
        """Return the average over all rounds of what is so wherever the wager is offered."""
        known = self.computed
        exact = np.where(known, _of_rounds(exact * self.offered), 0.0)
        estimated = _of_rounds(estimated * (self.offered if self.estimated_offers is None else self.estimated_offers))
        if known.all():
            estimated = exact
        elif not known.any():
            return Measured(float("nan"), float("nan"))
        of_all = estimated.mean()
        differences = np.where(known, exact - estimated, 0.0)
        of_known = differences.sum() / known.sum()
        parts = (estimated - of_all) / estimated.size + np.where(known, differences - of_known, 0.0) / known.sum()
        _, of_shoe = np.unique(self.sample.shoe, return_inverse=True)
        sums = np.bincount(of_shoe, parts)
        shoes = max(sums.size, 2)
        error = float(np.sqrt((sums**2).sum() * shoes / (shoes - 1)))
        return Measured(per * float(of_all + of_known), per * error)


def cut_gains(
    rounds: ValuedRounds,
    cut: int,
    counts: tuple[tuple[Count, bool], ...],
    spread: int | None,
    counted: ValuedRounds | None = None,
) -> CutGains | None:
    """Return the gains with a cut card, for counts and whether each runs against the wager; None without a round.

    `counted` are the rounds as count players play them, where they play differently from a perfect player.
    """
    dealt = rounds.dealt_to(cut)
    by_count = dealt if counted is None else counted.dealt_to(cut)
    if not dealt.computed.any():
        return None
    asked = rounds.computed & (rounds.sample.out < 52 * rounds.decks * cut // 100)
    favorable, estimated = dealt.exact > 0, dealt.estimates > 0
    every, offered = dealt.average(np.ones(dealt.exact.shape)), dealt.offered_share
    return CutGains(
        cut=cut,
        rounds=int(dealt.computed.sum()),
        unknown=int(asked.sum() - dealt.computed.sum()),
        ev=Measured(every.mean / offered, every.error / offered),
        favorable=dealt.share(favorable, estimated),
        gain=dealt.average(favorable.astype(np.float64), estimated.astype(np.float64), _ROUNDS),
        spread_gain=None
        if spread is None
        else dealt.average(np.where(favorable, spread, 1.0), np.where(estimated, spread, 1.0), _ROUNDS),
        counts=tuple(count_gain(by_count, count, against, spread) for count, against in counts),
    )


def count_gain(dealt: ValuedRounds, count: Count, against: bool, spread: int | None) -> CountGain:
    """Return what a count player gains; `against`: low readings favor the wager. Each upcard finds its own side."""
    readings, known = dealt.readings(count), dealt.computed
    by_upcard = dealt.exact.ndim == 2
    signs = (1, -1) if by_upcard else (-1,) if against else (1,)
    results = (dealt.exact * dealt.offered).reshape(readings.size, -1)
    first = dealt.sample.shoe % 2 == 0
    columns = np.zeros(results.shape, np.bool_)
    for half in (first, ~first):
        chosen_by = known & ~half
        for column in range(results.shape[1]):
            best = _best_start(readings[chosen_by], results[chosen_by, column], signs)
            if best is not None:
                sign, at = best
                columns[:, column] |= half & (sign * readings >= at)
    bets = columns.reshape(dealt.exact.shape)
    starts = [_best_start(readings[known], column, signs) for column in results[known].T]
    return CountGain(
        count=count,
        bet_at=None if by_upcard or starts[0] is None else starts[0][0] * starts[0][1],
        descending=against,
        frequency=dealt.share(bets, bets),
        gain=dealt.average(bets.astype(np.float64), per=_ROUNDS),
        spread_gain=None if spread is None else dealt.average(np.where(bets, float(spread), 1.0), per=_ROUNDS),
        by_upcard=tuple(
            UpcardBet(v + 1, start[0] * start[1], start[0] < 0)
            for v, start in enumerate(starts)
            if by_upcard and start is not None
        ),
    )


def reading_edges(rounds: ValuedRounds, count: Count, cut: int) -> tuple[ReadingEdge, ...]:
    """Return the average EV at each reading of a count; rare ones at both ends are taken together."""
    dealt = rounds.dealt_to(cut)
    readings = dealt.readings(count)
    known = np.sort(readings[dealt.computed])
    if known.size < 2 * _FEWEST:
        return ()
    low, high = int(known[_FEWEST - 1]), int(known[-_FEWEST])
    found = []
    for reading in np.unique(np.clip(readings, low, high)).tolist():
        here = dealt.only(np.clip(readings, low, high) == reading)
        if here.computed.sum() < 2:  # nothing to estimate an error from
            continue
        ends = "or less" if reading == low < high else "or more" if reading == high > low else ""
        ev, offered = here.average(np.ones(here.exact.shape)), here.offered_share
        share = len(here.exact) / readings.size
        found.append(ReadingEdge(reading, ends, share, Measured(ev.mean / offered, ev.error / offered)))
    return tuple(found)


def _of_rounds(results: Floats) -> Floats:
    """Return [round] the sum over upcards, where results have them."""
    return results if results.ndim == 1 else np.asarray(results.sum(axis=1))


def _best_start(readings: Integers, results: Floats, signs: tuple[int, ...]) -> tuple[int, int] | None:
    """Return where to begin so that bets gain most, sign and sign times reading; None where no start gains."""
    found: tuple[float, int, int] | None = None
    for sign in signs if readings.size else ():
        signed = sign * readings
        lowest = int(signed.min())
        above = np.cumsum(np.bincount(signed - lowest, results)[::-1])[::-1]
        at = int(np.argmax(above))
        if above[at] > (found[0] if found is not None else 0.0):
            found = (float(above[at]), sign, lowest + at)
    return None if found is None else found[1:]
