"""Right claims agree, wrong ones are found, and error rates match the level."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from holecard.errors import Refusal
from holecard.report.render.json import to_json
from holecard.report.simulated.verification import comparison_data
from holecard.simulation.statistics.agreement import Agreement, holm, judge
from holecard.simulation.statistics.comparisons import Claim, FrequencyClaim, HistogramClaim, MeanClaim
from holecard.simulation.statistics.estimates import exact_mean, rounds_of, shape

Probabilities = dict[Fraction, Fraction]
NATURAL = Fraction(3, 2)
GAME: Probabilities = {
    NATURAL: Fraction(45, 1000),
    Fraction(1): Fraction(325, 1000),
    Fraction(0): Fraction(88, 1000),
    Fraction(-1): Fraction(432, 1000),
    Fraction(2): Fraction(60, 1000),
    Fraction(-2): Fraction(42, 1000),
    Fraction(3): Fraction(5, 1000),
    Fraction(-4): Fraction(3, 1000),
}
ROUNDS = 300_000


def dealt(probabilities: Probabilities, rounds: int, seed: int) -> Counter[Fraction]:
    """Rounds drawn with these probabilities."""
    return Counter(
        Random(seed).choices(
            list(probabilities), [float(probability) for probability in probabilities.values()], k=rounds
        )
    )


@cache
def sample() -> Counter[Fraction]:
    """Rounds of the game, dealt once."""
    return dealt(GAME, ROUNDS, seed=4)


def mean_claim(probabilities: Probabilities, histogram: Counter[Fraction]) -> MeanClaim:
    """The error and the skewness follow from the exact probabilities."""
    rounds, exact, simulated = rounds_of(histogram), shape(probabilities), exact_mean(histogram)
    assert simulated is not None
    root = math.sqrt(rounds)
    return MeanClaim("main", "mean", exact.mean, simulated, exact.sd / root, skew=exact.skew / root)


def all_claims(probabilities: Probabilities, histogram: Counter[Fraction]) -> list[Claim]:
    """The mean, every result's frequency, and the whole histogram."""
    rounds = rounds_of(histogram)
    each = [
        FrequencyClaim("main", f"net {net}", probability, histogram[net], rounds)
        for net, probability in probabilities.items()
    ]
    return [mean_claim(probabilities, histogram), *each, HistogramClaim("main", "results", probabilities, histogram)]


def one(claim: Claim) -> Agreement:
    """A claim judged alone."""
    return judge([claim])


def test_a_right_simulation_agrees() -> None:
    """In everything, and the result says how close it was to failing."""
    found = judge(all_claims(GAME, sample()))
    assert found.agrees
    assert found.judged == len(found.comparisons) == 2 + len(GAME)
    assert found.differing == ()
    assert found.verdict.startswith("Exact and simulated agree in all of 10 comparisons. Largest difference:\n  main, ")
    farthest = min(found.comparisons, key=lambda c: c.p)
    assert farthest.text in found.verdict


def test_a_natural_paid_7_to_5_is_found() -> None:
    """Dealt at 7:5 and claimed at 3:2: one impossible result, and one that never occurred."""
    seven_to_five = {Fraction(7, 5) if net == NATURAL else net: probability for net, probability in GAME.items()}
    found = judge(all_claims(GAME, dealt(seven_to_five, ROUNDS, seed=5)))
    assert not found.agrees
    assert {c.what for c in found.differing} >= {"net 3/2", "results"}
    naturals = dealt(seven_to_five, ROUNDS, seed=5)[Fraction(7, 5)]
    assert f"main, results: 7/5 occurred {naturals:,} times although its probability is 0 (p = 0" in found.verdict


def test_a_natural_paid_7_to_5_is_found_by_the_mean_alone() -> None:
    """A tenth of a unit in 4.5% of rounds is 0.0045: two standard errors of 300,000 rounds, seven of three million."""
    off = Fraction(1, 10) * GAME[NATURAL]
    for rounds, seen in ((300_000, False), (3_000_000, True)):
        claim = mean_claim(GAME, sample())
        far = replace(claim, simulated=claim.exact - off, se=shape(GAME).sd / math.sqrt(rounds))
        assert one(far).agrees is not seen


@pytest.mark.parametrize("wrong", [Fraction(95, 100), Fraction(105, 100)])
def test_a_probability_off_by_a_twentieth_is_found(wrong: Fraction) -> None:
    """That of the natural, at the expense of the push: found by its frequency, and by the histogram alone."""
    moved = GAME[NATURAL] * (wrong - 1)
    claimed = {**GAME, NATURAL: GAME[NATURAL] + moved, Fraction(0): GAME[Fraction(0)] - moved}
    found = judge(all_claims(claimed, sample()))
    assert "net 3/2" in {c.what for c in found.differing}
    assert not one(HistogramClaim("main", "results", claimed, sample())).agrees
    count = sample()[NATURAL]
    assert f"main, net 3/2: {count:,} in 300,000 rounds, " in found.verdict


def test_one_result_paid_one_off_is_found() -> None:
    """A pay line off by one on half a percent of rounds."""
    off_by_one = {Fraction(4) if net == 3 else net: probability for net, probability in GAME.items()}
    assert not judge(all_claims(off_by_one, sample())).agrees


@pytest.mark.slow
def test_right_claims_give_every_p_equally_often() -> None:
    """Over 200 seeds, means, frequencies and histograms: each fifth of [0, 1] within four sd, 5.7 each, of 40.

    The rarest result, with a probability of 3 in 1000, is expected 27 times: no cell of the histogram is rare.
    """
    fifths: dict[str, list[int]] = {}
    for seed in range(200):
        for comparison in judge(all_claims(GAME, dealt(GAME, 9000, seed))).comparisons:
            if comparison.what in ("mean", "net -1", "results"):
                fifths.setdefault(comparison.what, [0] * 5)[min(4, int(5 * comparison.p))] += 1
    assert len(fifths) == 3
    for what, counts in fifths.items():
        assert sum(counts) == 200
        assert all(17 <= count <= 63 for count in counts), (what, counts)


@pytest.mark.slow
def test_a_right_simulation_fails_as_seldom_as_the_level_says() -> None:
    """At a level of 1/5, at most 40 plus four sd of 200 seeds; fewer, because the comparisons are not independent."""
    failed = sum(not judge(all_claims(GAME, dealt(GAME, 4000, seed)), level=0.2).agrees for seed in range(200))
    assert 5 <= failed <= 62


@pytest.mark.parametrize("expected", [0.5, 2, 10, 50])
def test_a_rare_pay_line_raises_no_false_alarm(expected: float) -> None:
    """Every number of hits with its probability: those that fail sum to at most the level."""
    rounds = 100_000
    hit = Fraction(expected) / rounds
    wager: Probabilities = {Fraction(1000): hit, Fraction(-1): 1 - hit}
    failing = 0.0
    for hits in range(150):
        histogram = Counter({Fraction(1000): hits, Fraction(-1): rounds - hits})
        if not judge(all_claims(wager, histogram)).agrees:
            failing += math.exp(hits * math.log(expected) - expected - math.lgamma(hits + 1))
    assert 1e-5 < failing <= 1e-3


def test_holm_by_hand() -> None:
    """Sorted .01 .02 .03 .5: ×4 = .04, ×3 = .06, ×2 = .06 from the previous one, ×1 = .5."""
    assert holm([0.5, 0.02, 0.01, 0.03]) == pytest.approx([0.5, 0.06, 0.04, 0.06])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


def z_of(p: float) -> float:
    """The z whose two tails are p, by bisection."""
    low, high = 0.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / math.sqrt(2)) > p else (low, middle)
    return low


@pytest.mark.parametrize(
    ("probabilities", "differing"),
    [
        ([0.0004, 0.9, 0.9], set()),  # 3 × .0004 is .0012
        ([0.0003, 0.9, 0.9], {"0"}),
        ([0.0003, 0.00045, 0.9], {"0", "1"}),  # 3 × .0003 = .0009, then 2 × .00045 = .0009
        ([0.0003, 0.0006, 0.9], {"0"}),  # 2 × .0006 is too large
        ([0.0003, 0.0006, 0.0007], {"0"}),  # and protects the next one, although 1 × .0007 is small enough
    ],
)
def test_the_verdict_is_holms(probabilities: list[float], differing: set[str]) -> None:
    """At a level of 0.001; alone, each p below .001 would be a difference."""
    claims = [MeanClaim("a", str(place), 0.0, z_of(p), 1.0) for place, p in enumerate(probabilities)]
    assert {c.what for c in judge(claims).differing} == differing


def test_a_failed_histogram_names_its_worst_result() -> None:
    """With the observed and the expected count."""
    histogram = Counter({**sample(), NATURAL: 15_000})
    found = one(HistogramClaim("main", "results", GAME, histogram))
    assert f"worst 3/2: 15,000, {0.045 * rounds_of(histogram):,.1f} expected" in found.verdict
    assert found.verdict.startswith("Exact and simulated differ in the only comparison:\n  main, results: chi-square ")


def test_what_cannot_be_judged_is_said_and_fails_nothing() -> None:
    """A wager that could not be placed yet; but a result without any judgment is not an agreement. A coin needs 25
    heads and 25 tails.
    """
    unjudged: list[Claim] = [
        MeanClaim("w", "mean", 0.5, math.nan, math.nan),
        FrequencyClaim("w", "line", 0.5, 0, 0),
        HistogramClaim("w", "results", {Fraction(1): 0.5, Fraction(-1): 0.5}, {Fraction(1): 3}),
    ]
    nothing = judge(unjudged)
    assert (nothing.agrees, nothing.judged, nothing.differing) == (False, 0, ())
    too_few = "3 of {} comparisons had too few rounds to be judged (w); about 50 are enough for all."
    assert nothing.verdict == f"Nothing could be judged, so this is not agreement.\n{too_few.format(3)}"
    assert (judge([]).agrees, judge([]).verdict) == (False, "There is nothing to compare.")
    mean = MeanClaim("main", "mean", 0.0, 3.2, 1.0)
    found = judge([*unjudged, mean])
    assert found.agrees
    assert found.judged == 1
    assert found.comparisons[3].adjusted == found.comparisons[3].p
    first, said, last = found.verdict.splitlines()
    assert first == "Exact and simulated agree in the only comparison judged:"
    assert said.startswith("  main, mean: simulated 3.2")
    assert last == too_few.format(4)
    assert one(mean).verdict.startswith("Exact and simulated agree in the only comparison:\n")
    two = judge([*unjudged, mean, replace(mean, simulated=9.0)])
    assert two.verdict.startswith("Exact and simulated differ in 1 of the 2 comparisons judged:\n  main, mean: ")
    assert two.verdict.endswith(too_few.format(5))
    both = judge([*unjudged, mean, mean]).verdict
    assert both.startswith("Exact and simulated agree in all of the 2 comparisons judged. Largest difference:\n")


def test_failures_are_listed_worst_first() -> None:
    """In the verdict; the comparisons stay in the order of the claims."""
    off = [5.0, 9.0, 0.0, 7.0]
    found = judge([MeanClaim("a", str(z), 0.0, z, 1.0) for z in off])
    assert [c.what for c in found.comparisons] == ["5.0", "9.0", "0.0", "7.0"]
    assert [c.what for c in found.differing] == ["9.0", "7.0", "5.0"]
    assert [line.split(":")[0] for line in found.verdict.splitlines()[1:]] == ["  a, 9.0", "  a, 7.0", "  a, 5.0"]


def test_data_is_plain_and_its_names_are_stable() -> None:
    """Also where a number is infinite, which JSON cannot represent."""
    odd: list[Claim] = [MeanClaim("w", "mean", 0.0, 1.0, 0.0), FrequencyClaim("w", "line", 0.5, 0, 0)]
    found = judge([*all_claims(GAME, sample()), *odd])
    data = json.loads(to_json([comparison_data(one) for one in found.comparisons]))
    assert (found.agrees, found.level, found.judged) == (False, 0.001, 11)
    names = "name what kind verdict text exact simulated standard_error z statistic degrees margin p adjusted"
    assert {tuple(comparison) for comparison in data} == {tuple(names.split())}
    kinds = [comparison["kind"] for comparison in data]
    assert kinds == ["mean", *["frequency"] * 8, "histogram", "mean", "frequency"]
    boundless, unjudged = data[-2:]
    assert (boundless["verdict"], boundless["z"], boundless["p"]) == ("differs", None, 0.0)
    assert (unjudged["verdict"], unjudged["p"], unjudged["exact"]) == ("not judged", None, 0.5)
    assert data[1]["z"] == found.comparisons[1].z


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
def test_a_level_is_a_probability(level: float) -> None:
    """It is the probability that a correct simulation fails."""
    with pytest.raises(Refusal, match="one false alarm in a thousand"):
        judge([], level)
