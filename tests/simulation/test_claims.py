"""Each kind of claim has its own measure, and is judged when there are enough rounds."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from holecard.errors import Refusal
from holecard.simulation.statistics.agreement import Agreement, judge
from holecard.simulation.statistics.comparisons import (
    LEAST_IN_A_CELL,
    LEAST_OFTEN,
    Claim,
    FrequencyClaim,
    HistogramClaim,
    MeanClaim,
)


def one(claim: Claim) -> Agreement:
    """A claim judged alone."""
    return judge([claim])


def test_a_mean_is_measured_in_standard_errors() -> None:
    """-0.0082 for -0.0062 with an error of 0.001 is 2 below."""
    (found,) = one(MeanClaim("main", "mean", -0.0062, -0.0082, 0.001)).comparisons
    assert found.z == pytest.approx(-2)
    assert found.p == pytest.approx(math.erfc(math.sqrt(2)))
    assert found.text == "simulated -0.0082, exact -0.0062, off by -0.002, 2.0 standard errors"


def test_a_margin_widens_a_mean() -> None:
    """Half of the difference may be an error of the exact number."""
    (found,) = one(MeanClaim("main", "sd", 1.15, 1.152, 0.001, margin=0.001)).comparisons
    assert found.z == pytest.approx(1)
    assert found.text.endswith("off by +0.002, 1.0 standard errors beyond a margin of 0.001")
    (inside,) = one(MeanClaim("main", "sd", 1.15, 1.152, 1e-9, margin=0.003)).comparisons
    assert (inside.z, inside.p) == (0.0, 1.0)


def test_without_an_error_both_must_be_equal() -> None:
    """As fractions where both are fractions, without floats."""
    assert one(MeanClaim("w", "mean", Fraction(1, 3), Fraction(1, 3), 0.0)).agrees
    found = one(MeanClaim("w", "mean", Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), 0.0))
    assert not found.agrees
    assert found.comparisons[0].p == 0.0
    assert "but nothing is allowed" in found.verdict
    assert one(MeanClaim("w", "mean", 0.1 + 0.2, 0.3, 0.0, margin=1e-15)).agrees
    assert not one(MeanClaim("w", "mean", 0.1 + 0.2, 0.3, 0.0)).agrees


def test_a_frequency_is_measured_by_its_binomial_error() -> None:
    """5,200 of 10,000 fair tosses are 200/50 = 4 errors above."""
    (found,) = one(FrequencyClaim("coin", "heads", Fraction(1, 2), 5200, 10_000)).comparisons
    assert (found.z, found.standard_error, found.exact, found.simulated) == (4.0, 0.005, 0.5, 0.52)
    assert found.p == pytest.approx(math.erfc(199.5 / 50 / math.sqrt(2)), rel=0.01)
    assert found.text == "5,200 in 10,000 rounds, 5,000.0 expected, off by +200.0, 4.0 standard errors"


def test_a_trillion_rounds_compare_exactly() -> None:
    """A third of 3·10^12, and 5 standard errors more: √(10^12 · 2/3) is 816,497."""
    third = FrequencyClaim("w", "line", Fraction(1, 3), 10**12, 3 * 10**12)
    assert one(third).comparisons[0].z == 0.0
    (found,) = one(replace(third, count=10**12 + 5 * 816_497)).comparisons
    assert found.z == pytest.approx(5, rel=1e-6)
    assert found.p == pytest.approx(math.erfc(5 / math.sqrt(2)), rel=1e-4)


def test_a_rare_line_is_judged_by_what_is_likely() -> None:
    """Six with one expected is z = 5, but occurs once in 1,700 runs and does not fail. Eleven fails."""
    rare = FrequencyClaim("w", "jackpot", Fraction(1, 10**6), 6, 10**6)
    (found,) = one(rare).comparisons
    assert found.z == pytest.approx(5, rel=1e-5)
    assert found.verdict == "not judged", "that it stayed away would have been no surprise either"
    assert [c.verdict for c in one(replace(rare, count=11)).comparisons] == ["differs"]


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_line_is_judged_once_it_would_be_missed(mirrored: bool) -> None:
    """With 12 expected, zero is found among eighty comparisons; with one round less, nothing is judged."""
    probability, never = (Fraction(999, 1000), 12_000) if mirrored else (Fraction(1, 1000), 0)
    others = [MeanClaim("a", str(place), 0.0, 0.0, 1.0) for place in range(79)]
    line = FrequencyClaim("w", "line", probability, never, 12_000)
    assert [c.what for c in judge([*others, line]).differing] == ["line"]
    assert judge([replace(line, count=abs(never - 12))]).comparisons[0].verdict == "agrees"
    few = one(replace(line, count=abs(never - 12) - mirrored, rounds=11_999))
    assert few.comparisons[0].verdict == "not judged"
    assert few.enough == 12_000


@pytest.mark.parametrize("exact", [0, 1])
def test_never_and_always_are_judged_after_a_few_rounds(exact: int) -> None:
    """They hold in every round, so a few rounds are enough; the first exception is a difference."""
    for rounds, verdict in ((LEAST_OFTEN - 1, "not judged"), (LEAST_OFTEN, "agrees")):
        claim = FrequencyClaim("w", "line", Fraction(exact), exact * rounds, rounds)
        assert one(claim).comparisons[0].verdict == verdict
    assert one(FrequencyClaim("w", "line", Fraction(exact), 1 - exact, 1)).differing


def test_the_stated_number_of_rounds_is_enough() -> None:
    """For a line and for a histogram, in all rounds dealt; with one percent less, something is not judged."""
    rare, often = Fraction(1, 700), Fraction(2, 5)
    probabilities = {Fraction(9): rare, Fraction(1): often, Fraction(-1): 1 - rare - often}

    def after(dealt: int) -> Agreement:
        """A quarter of the rounds can be bet on, and everything occurs as often as expected."""
        rounds = dealt // 4
        counts = {net: round(probability * rounds) for net, probability in probabilities.items()}
        counts[Fraction(-1)] += rounds - sum(counts.values())
        line = FrequencyClaim("w", "line", rare, counts[Fraction(9)], rounds, share=0.25)
        return judge([line, HistogramClaim("w", "results", probabilities, counts, share=0.25)])

    # The most likely result leaves 0.4014 for all others.
    each = [12 * 700 * 4, 25 / float(rare + often) * 4]
    assert [c.enough for c in after(40).comparisons] == pytest.approx(each)
    # The larger, rounded up to two digits.
    assert after(40).enough == after(33_000).enough == 34_000
    assert [c.verdict for c in after(248).comparisons] == ["not judged"] * 2
    assert [c.verdict for c in after(252).comparisons] == ["not judged", "agrees"]
    assert [c.verdict for c in after(34_000).comparisons] == ["agrees", "agrees"]
    assert after(34_000).enough is None


@pytest.mark.parametrize(("exact", "holds", "fails"), [(0, 0, 1), (1, 10**9, 10**9 - 1)])
def test_never_and_always_hold_exactly(exact: int, holds: int, fails: int) -> None:
    """One round in 10^9 is enough."""
    claim = FrequencyClaim("w", "line", Fraction(exact), holds, 10**9)
    assert one(claim).comparisons[0].p == 1.0
    wrong = one(replace(claim, count=fails))
    assert wrong.comparisons[0].p == 0.0
    assert not wrong.agrees
    assert one(replace(claim, count=fails, margin=1e-6)).agrees


def test_a_margin_widens_a_frequency() -> None:
    """Off by 200 of 10,000: a margin of 1.5% leaves 50 beyond 5,150."""
    (found,) = one(FrequencyClaim("coin", "heads", 0.5, 5200, 10_000, margin=0.015)).comparisons
    assert found.z == pytest.approx(50 / math.sqrt(10_000 * 0.515 * 0.485))
    (below,) = one(FrequencyClaim("coin", "heads", 0.5, 4800, 10_000, margin=0.015)).comparisons
    assert below.z == pytest.approx(-found.z)
    assert one(FrequencyClaim("coin", "heads", 0.5, 5200, 10_000, margin=0.03)).comparisons[0].p == 1.0


def test_a_margin_widens_a_histogram() -> None:
    """200 off in 10,000, of which 150 are forgiven: 2 · 50²/5000."""
    heads, tails = Fraction(1), Fraction(-1)
    claim = HistogramClaim("coin", "results", {heads: 0.5, tails: 0.5}, {heads: 5200, tails: 4800})
    assert not one(claim).agrees
    (found,) = one(replace(claim, margins={heads: 0.015, tails: 0.015})).comparisons
    assert found.statistic == pytest.approx(1.0)
    assert found.degrees == 1


def test_where_only_one_result_can_come_any_other_is_found() -> None:
    """It needs no second cell to compare."""
    certain = HistogramClaim("w", "results", {Fraction(1): 1.0, Fraction(2): 0.0}, {Fraction(1): LEAST_OFTEN})
    assert one(certain).agrees
    assert "always the only possible result" in one(certain).verdict
    assert one(replace(certain, observed={Fraction(1): LEAST_OFTEN, Fraction(2): 1})).differing
    few = one(replace(certain, observed={Fraction(1): 3}))
    assert (few.judged, few.enough) == (0, LEAST_OFTEN)


@pytest.mark.parametrize(
    "claim",
    [
        MeanClaim("w", "it", math.nan, 0.0, 1.0),
        MeanClaim("w", "it", 0.0, 0.0, -1.0),
        MeanClaim("w", "it", 0.0, 0.0, math.inf),
        MeanClaim("w", "it", 0.0, 0.0, 1.0, margin=-1.0),
        MeanClaim("w", "it", 0.0, 0.0, 1.0, margin=math.nan),
        FrequencyClaim("w", "it", 1.5, 1, 10),
        FrequencyClaim("w", "it", math.nan, 1, 10),
        FrequencyClaim("w", "it", 0.5, 11, 10),
        FrequencyClaim("w", "it", 0.5, -1, 10),
        HistogramClaim("w", "it", {Fraction(1): 0.5}, {Fraction(1): 10}),
    ],
)
def test_an_invalid_claim_is_refused(claim: Claim) -> None:
    """The message names the claim."""
    with pytest.raises(Refusal, match="w, it: "):
        one(claim)


# Rare results


#: Net results of a game with four hands, with probabilities similar to the classic game.
TAIL = {
    Fraction(-8): 2.0e-7,
    Fraction(-4): 5.0e-4,
    Fraction(-2): 0.044,
    Fraction(-1): 0.434,
    Fraction(0): 0.087,
    Fraction(1): 0.368,
    Fraction(2): 0.061,
    Fraction(4): 7.2e-4,
    Fraction(6): 3.6e-5,
    Fraction(8): 1.1e-6,
}
TAIL[Fraction(3)] = 1 - sum(TAIL.values())
MANY = 10**8


def drawn(rounds: int, seed: int) -> dict[Fraction, int]:
    """Counts of independent rounds."""
    probabilities = [TAIL[net] for net in sorted(TAIL)]
    return dict(zip(sorted(TAIL), np.random.default_rng(seed).multinomial(rounds, probabilities).tolist(), strict=True))


def moved(net: Fraction, times: float) -> dict[Fraction, float]:
    """A claim with one cell multiplied by a factor, at the expense of the most likely one."""
    return {**TAIL, net: TAIL[net] * times, Fraction(-1): TAIL[Fraction(-1)] - TAIL[net] * (times - 1)}


@pytest.mark.parametrize("margin", [0.0, 1e-12, 1e-8])
def test_a_rare_cell_ten_times_too_large_is_found(margin: float) -> None:
    """+8 at 10^8 rounds: 1,100 claimed, about 110 observed; its own margin forgives one of them."""
    margins = dict.fromkeys(TAIL, margin)
    claim = HistogramClaim("main", "results", moved(Fraction(8), 10), drawn(MANY, 1), margins)
    assert one(claim).differing
    assert one(replace(claim, exact=TAIL)).agrees


def test_a_margin_forgives_its_own_cell_only() -> None:
    """With the error of the deviation as a margin on every cell, +8 could have any value."""
    wrong = HistogramClaim("main", "results", moved(Fraction(8), 10), drawn(MANY, 1), {Fraction(-1): 1e-4})
    assert one(wrong).differing
    assert one(replace(wrong, margins={Fraction(8): 1e-4, Fraction(-1): 1e-4})).agrees


def test_a_cell_too_rare_for_chi_square_is_judged_by_itself() -> None:
    """-8 is expected 20 times and was observed 60 times; pooled with +8, expected 110 times, it would not be noticed.

    P(60 or more | 20) is about 1e-12, whichever way it is summed.
    """
    observed = {**drawn(MANY, 2), Fraction(-8): 60}
    found = one(HistogramClaim("main", "results", TAIL, observed))
    assert found.differing
    assert "worst -8: 60, 20.0 expected" in found.verdict
    rare = sum(expected * MANY < LEAST_IN_A_CELL for expected in TAIL.values())
    assert rare == 1
    tail = math.fsum(math.exp(k * math.log(20) - 20 - math.lgamma(k + 1)) for k in range(60, 200))
    assert found.comparisons[0].p == pytest.approx((1 + rare) * 2 * tail, rel=1e-3)


@pytest.mark.slow
def test_right_cells_fail_as_seldom_as_the_level_says() -> None:
    """At a level of 2%, at most 30 plus four sd of 1,500 seeds, for numbers of rounds that leave different cells rare.

    Chi-square and rare cells together cannot fail more often; they fail less often, because counts are integers.
    """
    for rounds in (10_000, 1_000_000, 20_000_000):
        seeds = range(500)
        failed = sum(
            not judge([HistogramClaim("main", "results", TAIL, drawn(rounds, seed))], level=0.02).agrees
            for seed in seeds
        )
        assert failed <= 10 + 4 * math.sqrt(10), rounds
