"""How often a wager is favorable, and what is gained from it, from the EVs of sampled rounds.

A perfect player knows the EV of every round, with best play. A counter bets at a reading and all better ones, and
plays the main wager by a chart. The reading is chosen by the average EV of the rounds with each reading, in one half of
the shoes, and the gain is measured in the other half; then the halves change places. So no gain comes from having
chosen well by luck.

Where a wager is placed after the check, both players see the upcard first. Then EVs have a column for each upcard, the
wager is offered as often as it can be placed with this upcard, and a counter has a reading for each upcard, on the
side that gains more. Gains count all rounds, those in which a wager is not offered, too.

Side wagers and insurance have exact EVs in all shoes. The main wager has them in the first shoes only, approximate ones
where a shoe is small. They are combined with quick estimates for all shoes of a larger sample (`linear_values`):
the average of f(estimate) over all rounds, plus the average of f(exact) - f(estimate) over the rounds with exact EVs.
Its mean is that of the exact values, with a smaller error. Rounds of one shoe are alike, so standard errors come from
whole shoes: the root of the sum over shoes of the squared sum of what its rounds add to the average.

With few exact EVs, f(exact) and f(estimate) may be equal in all of them, although they differ in one round of twenty,
and what was not seen would seem to be known. So errors are as if two more rounds had differed, by as much as a round
can. Wilson's interval of a share adds two to what was seen for the same reason. If k rounds differ, the error from the
differences grows by 1/k of itself, so this matters only with few shoes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.advantage.counting_result import CountGain, CutGains, ReadingEdge, SampleMean, UpcardBet
from holecard.advantage.index_plays.count_distribution import count_readings
from holecard.counts import Count
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.simulation.plays.shoe_sample import ShoeSample

#: What gains are stated per.
_ROUNDS = 100
#: The fewest EVs of a reading; with fewer, readings are taken together.
_FEWEST = 8
#: With a larger share of rounds left out, gains are not known.
_MOST_LEFT_OUT = 0.01
#: Rounds in which exact values and estimates differ, although it was not seen: see above.
_UNSEEN = 2


@dataclass(frozen=True, eq=False)
class ValuedRounds:
    """Sampled rounds with their EVs; [round, v] where the wager is placed when the upcard is seen."""

    sample: ShoeSample
    exact: Floats
    """[round] EVs, approximate ones where `approximate` says so; NaN where they were not computed or are not known"""
    estimates: Floats
    """[round] quick estimates, NaN where a round has too few cards to be valued"""
    offered: Floats
    """[round] how often the wager is offered in such a round"""
    computed: Flags
    """[round] whether an exact EV was computed"""
    decks: int
    approximate: Flags | None = None
    """[round] whether the EV is approximate, because the shoe is too small for an exact one; None: nowhere"""

    @property
    def known(self) -> Flags:
        """[round] whether the exact EV is known."""
        return ~_any_nan(self.exact)

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
        unknown = found.computed & ~found.known | _any_nan(found.estimates)
        if not unknown.any():
            return found
        left = found.sample.cards.sum(axis=1, dtype=np.int64)
        return found.only(left > left[unknown].max())

    def only(self, which: Flags) -> ValuedRounds:
        """Return some of the rounds."""
        old = self.sample
        kept = ShoeSample(old.cards[which], old.out[which], old.shoe[which], old.round[which])
        exact, estimates, offered = (array[which] for array in (self.exact, self.estimates, self.offered))
        approximate = None if self.approximate is None else self.approximate[which]
        return ValuedRounds(kept, exact, estimates, offered, self.computed[which], self.decks, approximate)

    def readings(self, count: Count) -> Integers:
        """Return [round] the whole count of a player who has seen all cards but those left and those burned."""
        tags = np.array(count.tags, np.float64)
        left = self.sample.cards.astype(np.float64)
        total = self.decks * tags.sum() - left @ tags
        return count_readings(count, self.decks, total, 52.0 * self.decks - left.sum(axis=1))

    def average(
        self, bets_exact: Floats, bets_estimated: Floats | None = None, per: int = 1, most: float | None = None
    ) -> SampleMean:
        """Return the average result of a round, with these units bet by the exact EV and by the estimate.

        Both may be the same where a bet does not depend on the EV. `most` is the largest bet. Because larger bets are
        made where EVs are positive, results differ by at most the difference of the EVs, times the largest bet.
        """
        bets_estimated = bets_exact if bets_estimated is None else bets_estimated
        apart = np.abs(self.exact - self.estimates) * self.offered
        largest = (float(bets_exact.max()) if most is None else most) * apart
        return self._combined(bets_exact * self.exact, bets_estimated * self.estimates, largest, per)

    def share(self, exact: Flags, estimated: Flags | None = None) -> SampleMean:
        """Return how often something is so, among the rounds in which the wager is offered.

        Without `estimated`, it does not depend on the EV.
        """
        largest = None if estimated is None else self.offered
        found, whole = self._combined(exact, exact if estimated is None else estimated, largest), self.offered_share
        return SampleMean(found.mean / whole, found.standard_error / whole)

    def perfect(self, spread: int | None) -> tuple[SampleMean, SampleMean, SampleMean | None]:
        """Return how often the EV is positive, and the gains of a perfect player: with one unit, and with a spread.

        A correction by few differences can lead below zero, or above all rounds. The exact values alone are then the
        better average.
        """
        yes, guess = self.exact > 0, self.estimates > 0
        favorable = self.share(yes, guess)
        gain = self.average(yes.astype(np.float64), guess.astype(np.float64), _ROUNDS, 1.0)
        spread_gain = None
        if spread is not None:
            bets, guessed = np.where(yes, float(spread), 1.0), np.where(guess, float(spread), 1.0)
            spread_gain = self.average(bets, guessed, _ROUNDS, spread)
        if self.computed.all() or (0 <= favorable.mean <= 1 and gain.mean >= 0):
            return favorable, gain, spread_gain
        alone = self.only(self.computed).perfect(spread)
        return (
            _with_error(alone[0], favorable),
            _with_error(alone[1], gain),
            None if alone[2] is None or spread_gain is None else _with_error(alone[2], spread_gain),
        )

    def _combined(
        self, exact: Floats | Flags, estimated: Floats | Flags, largest: Floats | None = None, per: int = 1
    ) -> SampleMean:
        """Return the average over all rounds of what is so wherever the wager is offered.

        `largest` is the most by which exact results and estimates can differ in a round.
        """
        known = self.computed
        exact = np.where(known, _of_rounds(exact * self.offered), 0.0)
        estimated = exact if known.all() else _of_rounds(estimated * self.offered)
        if not known.any():
            return SampleMean(float("nan"), float("nan"))
        of_all = estimated.mean()
        differences = (exact - estimated)[known]
        of_known = differences.mean()
        _, of_shoe = np.unique(self.sample.shoe, return_inverse=True)
        shoes, known_shoes = int(of_shoe.max()) + 1, int(np.unique(of_shoe[known]).size)
        by_estimates = np.bincount(of_shoe, (estimated - of_all) / estimated.size, shoes) * _widened(shoes)
        by_differences = np.bincount(of_shoe[known], (differences - of_known) / differences.size, shoes)
        variance = ((by_estimates + by_differences * _widened(known_shoes)) ** 2).sum()
        if largest is not None and not known.all():
            # Squares are added up over upcards: with one of them, and not with all at once.
            variance += _UNSEEN * _of_rounds(largest**2)[known].mean() / differences.size**2
        return SampleMean(per * float(of_all + of_known), per * float(np.sqrt(variance)))


def _with_error(alone: SampleMean, combined: SampleMean) -> SampleMean:
    """Return an average of few exact values, with the larger of two errors: few may not show any difference."""
    return SampleMean(alone.mean, max(alone.standard_error, combined.standard_error))


def _widened(shoes: int) -> float:
    """Return the factor of an error that was measured around the average of the same shoes."""
    return float(np.sqrt(shoes / max(shoes - 1, 1)))


def cut_gains(
    rounds: ValuedRounds,
    cut: int,
    counts: tuple[tuple[Count, bool], ...],
    spread: int | None,
    counted: ValuedRounds | None = None,
) -> CutGains | None:
    """Return the gains with a cut card, for counts and whether each runs against the wager.

    None without a round, and where too many rounds are left out: the last ones are the most valuable. `counted` are the
    rounds as counters play them, where they play differently from a perfect player.
    """
    dealt = rounds.dealt_to(cut)
    by_count = dealt if counted is None else counted.dealt_to(cut)
    before_cut = rounds.sample.out < 52 * rounds.decks * cut // 100
    if not dealt.computed.any() or len(dealt.sample) < (1 - _MOST_LEFT_OUT) * before_cut.sum():
        return None
    every, offered = dealt.average(np.ones(dealt.exact.shape)), dealt.offered_share
    if not offered:
        return None
    favorable, gain, spread_gain = dealt.perfect(spread)
    return CutGains(
        cut=cut,
        rounds=int(dealt.computed.sum()),
        rounds_left_out=int((rounds.computed & before_cut).sum() - dealt.computed.sum()),
        rounds_approximated=0 if dealt.approximate is None else int((dealt.computed & dealt.approximate).sum()),
        ev=SampleMean(every.mean / offered, every.standard_error / offered),
        favorable=favorable,
        gain=gain,
        spread_gain=spread_gain,
        counts=tuple(count_gain(by_count, count, against, spread) for count, against in counts),
        flat_gain=by_count.average(np.ones(by_count.exact.shape), per=_ROUNDS),
    )


def count_gain(dealt: ValuedRounds, count: Count, against: bool, spread: int | None) -> CountGain:
    """Return what a counter gains; `against`: low readings favor the wager. Each upcard finds its own side."""
    readings, known = dealt.readings(count), dealt.computed
    by_upcard = dealt.exact.ndim == 2
    signs = (1, -1) if by_upcard else (-1,) if against else (1,)
    results = (dealt.exact * dealt.offered).reshape(readings.size, -1)
    even = dealt.sample.shoe % 2 == 0
    columns, starts = np.zeros(results.shape, np.bool_), []
    for bets_here, result in zip(columns.T, results.T, strict=True):
        chosen = [_best_start(readings[known & half], result[known & half], signs) for half in (~even, even)]
        for half, start in zip((even, ~even), chosen, strict=True):
            if start is not None:
                bets_here |= half & (start[0] * readings >= start[1])
        # Where no reading pays in both halves together, one of the readings that were measured is named.
        starts.append(_best_start(readings[known], result[known], signs) or chosen[0] or chosen[1])
    bets = columns.reshape(dealt.exact.shape)
    return CountGain(
        count=count,
        bet_at=None if by_upcard or starts[0] is None else starts[0][0] * starts[0][1],
        and_below=against,
        frequency=dealt.share(bets),
        gain=dealt.average(bets.astype(np.float64), per=_ROUNDS),
        spread_gain=None if spread is None else dealt.average(np.where(bets, float(spread), 1.0), per=_ROUNDS),
        by_upcard=tuple(
            UpcardBet(v + 1, start[0] * start[1], start[0] < 0)
            for v, start in enumerate(starts)
            if by_upcard and start is not None
        ),
        over_flat=dealt.average(bets.astype(np.float64) - 1, per=_ROUNDS, most=1.0),
    )


def reading_edges(rounds: ValuedRounds, count: Count, cut: int) -> tuple[ReadingEdge, ...]:
    """Return the average EV at each reading of a count; rare ones are taken together. Nothing with very few rounds."""
    dealt = rounds.dealt_to(cut)
    readings = dealt.readings(count)
    groups = _groups(readings, dealt.computed & (_of_rounds(dealt.offered) > 0))
    found = []
    for number, (first, last) in enumerate(groups):
        is_low, is_high = number == 0 < len(groups) - 1, number == len(groups) - 1 > 0
        inside = (readings >= first) & (readings <= last)
        here, occur = dealt.only(inside), readings[inside]
        lowest, highest = int(occur.min()), int(occur.max())
        ev, offered = here.average(np.ones(here.exact.shape)), here.offered_share
        found.append(
            ReadingEdge(
                reading=highest if is_low else lowest,
                up_to=lowest if is_high else highest,
                ends="or less" if is_low else "or more" if is_high else "",
                frequency=float(_of_rounds(here.offered).sum() / _of_rounds(dealt.offered).sum()),
                ev=SampleMean(ev.mean / offered, ev.standard_error / offered),
            )
        )
    return tuple(found)


def _groups(readings: Integers, known: Flags) -> list[tuple[int, int]]:
    """Return the first and last readings of groups with enough exact EVs in each; together they are all readings."""
    exact = np.sort(readings[known])
    if exact.size < 2 * _FEWEST:
        return []
    low, high = int(exact[_FEWEST - 1]), int(exact[-_FEWEST])
    lowest, highest = int(readings.min()), int(readings.max())
    found, first = [], lowest
    for last in (*range(low, high), highest):
        if np.count_nonzero((exact >= first) & (exact <= last)) >= _FEWEST:
            found.append((first, last))
            first = last + 1
    return found


def _any_nan(values: Floats) -> Flags:
    """Return [round] whether a value is missing."""
    missing = np.isnan(values)
    return np.asarray(missing.any(axis=1) if missing.ndim == 2 else missing)


def _of_rounds(results: Floats) -> Floats:
    """Return [round] the sum over upcards, where results have them."""
    return results if results.ndim == 1 else np.asarray(results.sum(axis=1))


def _best_start(readings: Integers, results: Floats, signs: tuple[int, ...]) -> tuple[int, int] | None:
    """Return where to begin so that bets gain most, sign and sign times reading; None where no start gains.

    It is a reading that occurs: of equal starts, the one next to those that pay.
    """
    found: tuple[float, int, int] | None = None
    for sign in signs if readings.size else ():
        signed = sign * readings
        lowest = int(signed.min())
        above = np.cumsum(np.bincount(signed - lowest, results)[::-1])
        at = int(np.argmax(above))
        if above[at] > (found[0] if found is not None else 0.0):
            found = (float(above[at]), sign, lowest + above.size - 1 - at)
    return None if found is None else found[1:]
