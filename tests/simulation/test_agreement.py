"""Right claims agree, wrong ones are found, and both as often as the level says."""

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
from holecard.simulation.agreement import Agreement, compare, holm
from holecard.simulation.claims import LEAST_OFTEN, Claim, FrequencyClaim, HistogramClaim, MeanClaim
from holecard.simulation.estimates import exact_mean, rounds_of, shape

Chances = dict[Fraction, Fraction]
NATURAL = Fraction(3, 2)
GAME: Chances = {
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


def dealt(chances: Chances, rounds: int, seed: int) -> Counter[Fraction]:
    """Rounds drawn with these chances."""
    return Counter(Random(seed).choices(list(chances), [float(chance) for chance in chances.values()], k=rounds))


@cache
def sample() -> Counter[Fraction]:
    """Rounds of the game, dealt once."""
    return dealt(GAME, ROUNDS, seed=4)


def mean_claim(chances: Chances, histogram: Counter[Fraction]) -> MeanClaim:
    """The error and the skew are those the exact chances promise."""
    rounds, exact, simulated = rounds_of(histogram), shape(chances), exact_mean(histogram)
    assert simulated is not None
    root = math.sqrt(rounds)
    return MeanClaim("main", "mean", exact.mean, simulated, exact.sd / root, skew=exact.skew / root)


def all_claims(chances: Chances, histogram: Counter[Fraction]) -> list[Claim]:
    """The mean, every result's frequency, and the whole histogram."""
    rounds = rounds_of(histogram)
    each = [FrequencyClaim("main", f"net {net}", chance, histogram[net], rounds) for net, chance in chances.items()]
    return [mean_claim(chances, histogram), *each, HistogramClaim("main", "results", chances, histogram)]


def one(claim: Claim) -> Agreement:
    """A claim judged alone."""
    return compare([claim])


def test_a_right_simulation_agrees() -> None:
    """In everything, and says how near it came to failing."""
    found = compare(all_claims(GAME, sample()))
    assert found.agrees
    assert found.judged == len(found.comparisons) == 2 + len(GAME)
    assert found.differing == ()
    assert found.verdict.startswith("Exact and simulated agree in all of 10 comparisons. Farthest apart:\n  main, ")
    farthest = min(found.comparisons, key=lambda c: c.p)
    assert farthest.words in found.verdict


def test_a_natural_paid_7_to_5_is_found() -> None:
    """Dealt at 7:5 and claimed at 3:2: a result that cannot be, and one that never came."""
    seven_to_five = {Fraction(7, 5) if net == NATURAL else net: chance for net, chance in GAME.items()}
    found = compare(all_claims(GAME, dealt(seven_to_five, ROUNDS, seed=5)))
    assert not found.agrees
    assert {c.what for c in found.differing} >= {"net 3/2", "results"}
    naturals = dealt(seven_to_five, ROUNDS, seed=5)[Fraction(7, 5)]
    assert f"main, results: 7/5 came {naturals:,} times with a chance of 0 (p = 0" in found.verdict


def test_a_natural_paid_7_to_5_is_found_by_the_mean_alone() -> None:
    """A tenth of a unit on 4.5% of rounds is 0.0045: two standard errors of 300,000 rounds, seven of three million."""
    off = Fraction(1, 10) * GAME[NATURAL]
    for rounds, seen in ((300_000, False), (3_000_000, True)):
        claim = mean_claim(GAME, sample())
        far = replace(claim, simulated=claim.exact - off, se=shape(GAME).sd / math.sqrt(rounds))
        assert one(far).agrees is not seen


@pytest.mark.parametrize("wrong", [Fraction(95, 100), Fraction(105, 100)])
def test_a_chance_off_by_a_twentieth_is_found(wrong: Fraction) -> None:
    """Of the natural, at the cost of the push: by its frequency, and by the histogram alone."""
    moved = GAME[NATURAL] * (wrong - 1)
    claimed = {**GAME, NATURAL: GAME[NATURAL] + moved, Fraction(0): GAME[Fraction(0)] - moved}
    found = compare(all_claims(claimed, sample()))
    assert "net 3/2" in {c.what for c in found.differing}
    assert not one(HistogramClaim("main", "results", claimed, sample())).agrees
    count = sample()[NATURAL]
    assert f"main, net 3/2: {count:,} in 300,000 rounds, " in found.verdict


def test_one_result_paid_one_off_is_found() -> None:
    """A pay line off by one on half a percent of rounds."""
    off_by_one = {Fraction(4) if net == 3 else net: chance for net, chance in GAME.items()}
    assert not compare(all_claims(off_by_one, sample())).agrees


def test_right_claims_give_every_p_equally_often() -> None:
    """Over 200 seeds, means, frequencies and histograms: each fifth of [0, 1] within four sd, 5.7 each, of 40."""
    fifths: dict[str, list[int]] = {}
    for seed in range(200):
        for comparison in compare(all_claims(GAME, dealt(GAME, 4000, seed))).comparisons:
            if comparison.what in ("mean", "net -1", "results"):
                fifths.setdefault(comparison.what, [0] * 5)[min(4, int(5 * comparison.p))] += 1
    assert len(fifths) == 3
    for what, counts in fifths.items():
        assert sum(counts) == 200
        assert all(17 <= count <= 63 for count in counts), (what, counts)


def test_a_right_simulation_fails_as_seldom_as_the_level_says() -> None:
    """At a level of a fifth, of 200 seeds at most 40 and four sd; less, since the comparisons depend on each other."""
    failed = sum(not compare(all_claims(GAME, dealt(GAME, 4000, seed)), level=0.2).agrees for seed in range(200))
    assert 5 <= failed <= 62


@pytest.mark.parametrize("expected", [0.5, 2, 10, 50])
def test_a_rare_pay_line_raises_no_false_alarm(expected: float) -> None:
    """Every number of hits, with its chance: those that fail add up to no more than the level."""
    rounds = 100_000
    hit = Fraction(expected) / rounds
    wager: Chances = {Fraction(1000): hit, Fraction(-1): 1 - hit}
    failing = 0.0
    for hits in range(150):
        histogram = Counter({Fraction(1000): hits, Fraction(-1): rounds - hits})
        if not compare(all_claims(wager, histogram)).agrees:
            failing += math.exp(hits * math.log(expected) - expected - math.lgamma(hits + 1))
    assert 1e-5 < failing <= 1e-3


def test_holm_by_hand() -> None:
    """Sorted .01 .02 .03 .5: ×4 = .04, ×3 = .06, ×2 = .06 by the one before, ×1 = .5."""
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
    ("chances", "differing"),
    [
        ([0.0004, 0.9, 0.9], set()),  # 3 × .0004 is .0012
        ([0.0003, 0.9, 0.9], {"0"}),
        ([0.0003, 0.00045, 0.9], {"0", "1"}),  # 3 × .0003 = .0009, then 2 × .00045 = .0009
        ([0.0003, 0.0006, 0.9], {"0"}),  # 2 × .0006 is too much
        ([0.0003, 0.0006, 0.0007], {"0"}),  # and shields the next, though 1 × .0007 would do
    ],
)
def test_the_verdict_is_holms(chances: list[float], differing: set[str]) -> None:
    """At one in a thousand; alone, each p below .001 would differ."""
    claims = [MeanClaim("a", str(place), 0.0, z_of(p), 1.0) for place, p in enumerate(chances)]
    assert {c.what for c in compare(claims).differing} == differing


def test_a_mean_is_measured_in_standard_errors() -> None:
    """-0.0082 for -0.0062 with an error of 0.001 is 2 below."""
    (found,) = one(MeanClaim("main", "mean", -0.0062, -0.0082, 0.001)).comparisons
    assert found.z == pytest.approx(-2)
    assert found.p == pytest.approx(math.erfc(math.sqrt(2)))
    assert found.words == "simulated -0.0082, exact -0.0062, off by -0.002, 2.0 standard errors"


def test_a_margin_widens_a_mean() -> None:
    """Half of the difference may be the exact number's own."""
    (found,) = one(MeanClaim("main", "sd", 1.15, 1.152, 0.001, margin=0.001)).comparisons
    assert found.z == pytest.approx(1)
    assert found.words.endswith("off by +0.002, 1.0 standard errors beyond a margin of 0.001")
    (inside,) = one(MeanClaim("main", "sd", 1.15, 1.152, 1e-9, margin=0.003)).comparisons
    assert (inside.z, inside.p) == (0.0, 1.0)


def test_without_an_error_both_must_be_equal() -> None:
    """As fractions where both are: no float stands between."""
    assert one(MeanClaim("w", "mean", Fraction(1, 3), Fraction(1, 3), 0.0)).agrees
    found = one(MeanClaim("w", "mean", Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), 0.0))
    assert not found.agrees
    assert found.comparisons[0].p == 0.0
    assert "where nothing may be" in found.verdict
    assert one(MeanClaim("w", "mean", 0.1 + 0.2, 0.3, 0.0, margin=1e-15)).agrees
    assert not one(MeanClaim("w", "mean", 0.1 + 0.2, 0.3, 0.0)).agrees


def test_a_frequency_is_measured_by_its_binomial_error() -> None:
    """5,200 of 10,000 fair tosses are 200/50 = 4 errors above."""
    (found,) = one(FrequencyClaim("coin", "heads", Fraction(1, 2), 5200, 10_000)).comparisons
    assert (found.z, found.se, found.exact, found.simulated) == (4.0, 0.005, 0.5, 0.52)
    assert found.p == pytest.approx(math.erfc(199.5 / 50 / math.sqrt(2)), rel=0.01)
    assert found.words == "5,200 in 10,000 rounds, 5,000.0 expected, off by +200.0, 4.0 standard errors"


def test_a_trillion_rounds_compare_exactly() -> None:
    """A third of 3·10^12, and 5 standard errors more: √(10^12 · 2/3) is 816,497."""
    third = FrequencyClaim("w", "line", Fraction(1, 3), 10**12, 3 * 10**12)
    assert one(third).comparisons[0].z == 0.0
    (found,) = one(replace(third, count=10**12 + 5 * 816_497)).comparisons
    assert found.z == pytest.approx(5, rel=1e-6)
    assert found.p == pytest.approx(math.erfc(5 / math.sqrt(2)), rel=1e-4)


def test_a_rare_line_is_judged_by_what_is_likely() -> None:
    """Six where one is expected is z = 5, yet comes once in 1,700 runs: no failure. Eleven is."""
    rare = FrequencyClaim("w", "jackpot", Fraction(1, 10**6), 6, 10**6)
    (found,) = one(rare).comparisons
    assert found.z == pytest.approx(5, rel=1e-5)
    assert found.verdict == "not judged", "that it stayed away would have been no surprise either"
    assert [c.verdict for c in one(replace(rare, count=11)).comparisons] == ["differs"]


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_line_is_judged_once_it_would_be_missed(mirrored: bool) -> None:
    """Expected 12 times, none at all is found among eighty comparisons; one round less, and nothing is judged."""
    chance, never = (Fraction(999, 1000), 12_000) if mirrored else (Fraction(1, 1000), 0)
    others = [MeanClaim("a", str(place), 0.0, 0.0, 1.0) for place in range(79)]
    line = FrequencyClaim("w", "line", chance, never, 12_000)
    assert [c.what for c in compare([*others, line]).differing] == ["line"]
    assert compare([replace(line, count=abs(never - 12))]).comparisons[0].verdict == "agrees"
    few = one(replace(line, count=abs(never - 12) - mirrored, rounds=11_999))
    assert few.comparisons[0].verdict == "not judged"
    assert few.enough == 12_000


@pytest.mark.parametrize("exact", [0, 1])
def test_never_and_always_are_judged_after_a_few_rounds(exact: int) -> None:
    """They hold in every round, so a handful says something; a difference shows in the first."""
    for rounds, verdict in ((LEAST_OFTEN - 1, "not judged"), (LEAST_OFTEN, "agrees")):
        claim = FrequencyClaim("w", "line", Fraction(exact), exact * rounds, rounds)
        assert one(claim).comparisons[0].verdict == verdict
    assert one(FrequencyClaim("w", "line", Fraction(exact), 1 - exact, 1)).differing


def test_the_rounds_said_to_be_enough_are() -> None:
    """For a line and for a histogram, in all rounds dealt; a hundredth less, and something is not judged."""
    rare, often = Fraction(1, 700), Fraction(2, 5)
    chances = {Fraction(9): rare, Fraction(1): often, Fraction(-1): 1 - rare - often}

    def after(dealt: int) -> Agreement:
        """A quarter of the rounds dealt can be bet on, and all comes as often as expected."""
        rounds = dealt // 4
        counts = {net: round(chance * rounds) for net, chance in chances.items()}
        counts[Fraction(-1)] += rounds - sum(counts.values())
        line = FrequencyClaim("w", "line", rare, counts[Fraction(9)], rounds, share=0.25)
        return compare([line, HistogramClaim("w", "results", chances, counts, share=0.25)])

    # The likeliest result leaves 0.4014 for all others.
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
    """One round in a thousand million is enough."""
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
    (found,) = one(replace(claim, margin=0.015)).comparisons
    assert found.statistic == pytest.approx(1.0)
    assert found.degrees == 1


def test_a_failed_histogram_names_its_worst_result() -> None:
    """With what came and what should."""
    histogram = Counter({**sample(), NATURAL: 15_000})
    found = one(HistogramClaim("main", "results", GAME, histogram))
    assert f"worst 3/2: 15,000, {0.045 * rounds_of(histogram):,.1f} expected" in found.verdict
    assert found.verdict.startswith("Exact and simulated differ in the only comparison:\n  main, results: chi-square ")


def test_what_cannot_be_judged_is_said_and_fails_nothing() -> None:
    """A wager nobody could place yet; but nothing judged at all is no agreement. A coin needs 25 heads and 25 tails."""
    unjudged: list[Claim] = [
        MeanClaim("w", "mean", 0.5, math.nan, math.nan),
        FrequencyClaim("w", "line", 0.5, 0, 0),
        HistogramClaim("w", "results", {Fraction(1): 0.5, Fraction(-1): 0.5}, {Fraction(1): 3}),
    ]
    nothing = compare(unjudged)
    assert (nothing.agrees, nothing.judged, nothing.differing) == (False, 0, ())
    too_few = "3 of {} comparisons had too few rounds to be judged (w); about 50 are enough for all."
    assert nothing.verdict == f"Nothing could be judged, which is no agreement.\n{too_few.format(3)}"
    assert (compare([]).agrees, compare([]).verdict) == (False, "There is nothing to compare.")
    mean = MeanClaim("main", "mean", 0.0, 3.2, 1.0)
    found = compare([*unjudged, mean])
    assert found.agrees
    assert found.judged == 1
    assert found.comparisons[3].adjusted == found.comparisons[3].p
    first, said, last = found.verdict.splitlines()
    assert first == "Exact and simulated agree in the only comparison judged:"
    assert said.startswith("  main, mean: simulated 3.2")
    assert last == too_few.format(4)
    assert one(mean).verdict.startswith("Exact and simulated agree in the only comparison:\n")
    two = compare([*unjudged, mean, replace(mean, simulated=9.0)])
    assert two.verdict.startswith("Exact and simulated differ in 1 of the 2 comparisons judged:\n  main, mean: ")
    assert two.verdict.endswith(too_few.format(5))
    both = compare([*unjudged, mean, mean]).verdict
    assert both.startswith("Exact and simulated agree in all of the 2 comparisons judged. Farthest apart:\n")


def test_where_only_one_result_can_come_any_other_is_found() -> None:
    """It has no two cells to compare, and needs none."""
    certain = HistogramClaim("w", "results", {Fraction(1): 1.0, Fraction(2): 0.0}, {Fraction(1): LEAST_OFTEN})
    assert one(certain).agrees
    assert "always the one result that can come" in one(certain).verdict
    assert one(replace(certain, observed={Fraction(1): LEAST_OFTEN, Fraction(2): 1})).differing
    few = one(replace(certain, observed={Fraction(1): 3}))
    assert (few.judged, few.enough) == (0, LEAST_OFTEN)


def test_what_fails_is_told_worst_first() -> None:
    """In the verdict; the comparisons stay in the order they were claimed."""
    off = [5.0, 9.0, 0.0, 7.0]
    found = compare([MeanClaim("a", str(z), 0.0, z, 1.0) for z in off])
    assert [c.what for c in found.comparisons] == ["5.0", "9.0", "0.0", "7.0"]
    assert [c.what for c in found.differing] == ["9.0", "7.0", "5.0"]
    assert [line.split(":")[0] for line in found.verdict.splitlines()[1:]] == ["  a, 9.0", "  a, 7.0", "  a, 5.0"]


def test_data_is_plain_and_its_names_are_stable() -> None:
    """Also where a number is boundless: JSON has none."""
    odd: list[Claim] = [MeanClaim("w", "mean", 0.0, 1.0, 0.0), FrequencyClaim("w", "line", 0.5, 0, 0)]
    found = compare([*all_claims(GAME, sample()), *odd])
    data = json.loads(json.dumps(found.to_data(), allow_nan=False))
    assert list(data) == ["agrees", "verdict", "level", "judged", "comparisons"]
    assert (data["agrees"], data["level"], data["judged"], data["verdict"]) == (False, 0.001, 11, found.verdict)
    names = "name what kind verdict words exact simulated se z statistic degrees margin p adjusted"
    assert {tuple(comparison) for comparison in data["comparisons"]} == {tuple(names.split())}
    kinds = [comparison["kind"] for comparison in data["comparisons"]]
    assert kinds == ["mean", *["frequency"] * 8, "histogram", "mean", "frequency"]
    boundless, unjudged = data["comparisons"][-2:]
    assert (boundless["verdict"], boundless["z"], boundless["p"]) == ("differs", None, 0.0)
    assert (unjudged["verdict"], unjudged["p"], unjudged["exact"]) == ("not judged", None, 0.5)
    assert data["comparisons"][1]["z"] == found.comparisons[1].z


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
def test_what_is_no_claim_is_refused(claim: Claim) -> None:
    """By its name."""
    with pytest.raises(Refusal, match="w, it: "):
        one(claim)


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
def test_a_level_is_a_chance(level: float) -> None:
    """Of finding a right simulation wrong."""
    with pytest.raises(Refusal, match="once in a thousand"):
        compare([], level)
