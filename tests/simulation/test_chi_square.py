"""Tail probabilities against closed forms with many digits, and counts against probabilities computed by hand."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import Refusal
from holecard.simulation.statistics.chi_square import Fit, binomial_tails, normal_tails, pooled, survival
from tests.selection import one_in

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
DEGREES = [1, 2, 3, 4, 5, 6, 7, 10, 11, 29, 50, 51, 100, 101, 333, 500, 777, 998, 999, 1000]
#: The continued fraction replaces the series at k + 2.
PLACES = (-2, -0.001, 0, 1, 1.999, 2, 2.001, 10, 100, 400, 900, 1200)


def closed_form(statistic: float, degrees: int) -> Decimal:
    """Poisson terms y^j/j! e^-y below k/2; for odd k, at half-integers, plus erfc(√y)."""
    with localcontext() as context:
        context.prec = 60
        y = Decimal(statistic) / 2
        odd = degrees % 2
        j = Decimal("0.5") if odd else Decimal(0)
        # At 1/2 the factorial is √π/2.
        term = (-y).exp() * (2 * (y / PI).sqrt() if odd else 1)
        total = Decimal(math.erfc(math.sqrt(y))) if odd else Decimal(0)
        while j < Decimal(degrees) / 2 - Decimal("0.1"):
            total += term
            j += 1
            term *= y / j
        return total


@pytest.mark.parametrize("degrees", DEGREES)
def test_the_tail_is_the_closed_form(degrees: int) -> None:
    """To a relative error of 1e-10, wherever it is at least 1e-300."""
    statistics = [degrees * share for share in (0.001, 0.1, 0.5, 0.9, 1.1, 1.5, 2, 3)]
    statistics += [degrees + more for more in PLACES if degrees + more > 0]
    compared = 0
    for statistic in statistics:
        exact = closed_form(statistic, degrees)
        if exact >= Decimal("1e-300"):
            compared += 1
            assert float(Decimal(survival(statistic, degrees)) / exact - 1) == pytest.approx(0, abs=1e-10), statistic
    assert compared >= 15


def test_the_tail_reaches_to_1e_300() -> None:
    """With two degrees it is e^(-x/2); with a thousand, a statistic of 3675 has about 10^-300."""
    assert survival(600 * math.log(10), 2) == pytest.approx(1e-300, rel=1e-10)
    for degrees in (999, 1000):
        exact = closed_form(3675.0, degrees)
        assert Decimal("1e-302") < exact < Decimal("1e-298")
        assert survival(3675.0, degrees) == pytest.approx(float(exact), rel=1e-10, abs=0)


@pytest.mark.parametrize(
    ("degrees", "p", "quantile"),
    [
        (1, 0.05, 3.841),
        (1, 0.001, 10.828),
        (2, 0.05, 5.991),
        (5, 0.99, 0.554),
        (10, 0.05, 18.307),
        (10, 0.001, 29.588),
        (30, 0.01, 50.892),
        (100, 0.05, 124.342),
        (100, 0.95, 77.929),
    ],
)
def test_the_printed_table(degrees: int, p: float, quantile: float) -> None:
    """As in every statistics book, to three decimals."""
    assert survival(quantile + 0.0005, degrees) < p < survival(quantile - 0.0005, degrees)


def test_the_ends_of_the_tail() -> None:
    """One at 0, and zero at infinity."""
    for degrees in (1, 2, 1000):
        assert survival(0, degrees) == 1.0
        assert survival(math.inf, degrees) == 0.0
        assert survival(1e9, degrees) == 0.0


@pytest.mark.parametrize(("statistic", "degrees"), [(1.0, 0), (-0.1, 3), (math.nan, 3)])
def test_no_tail_of_nothing(statistic: float, degrees: int) -> None:
    """Below 0, or without a degree of freedom."""
    with pytest.raises(Refusal, match=r"(at least 1 degree|must be 0 or more)"):
        survival(statistic, degrees)


def test_a_coin_by_hand() -> None:
    """44 to 56: twice 6²/50, and one degree."""
    fit = pooled({"heads": 44, "tails": 56}, {"heads": 0.5, "tails": 0.5})
    assert fit.statistic == pytest.approx(1.44)
    assert (fit.degrees, fit.impossible) == (1, ())
    assert fit.p == pytest.approx(math.erfc(1.2 / math.sqrt(2)), rel=1e-13)


def test_the_worst_cell_is_named() -> None:
    """The one with the largest contribution, not the largest difference."""
    fit = pooled({"a": 480, "b": 505, "c": 15}, {"a": Fraction(1, 2), "b": Fraction(49, 100), "c": Fraction(1, 100)})
    assert (fit.worst.name, fit.worst.observed, fit.worst.expected, fit.worst.off) == ("c", 15, 10.0, 5.0)
    assert fit.statistic == pytest.approx(400 / 500 + 225 / 490 + 25 / 10, rel=1e-14)


def test_rare_cells_are_pooled() -> None:
    """Of 100 rounds: expected counts of 3 and 4 make 7, which is enough; `least` decides whether 90 and 3 more are
    pooled.
    """
    probabilities = {"a": Fraction(90, 100), "b": Fraction(3, 100), "c": Fraction(4, 100), "d": Fraction(3, 100)}
    fit = pooled({"a": 80, "b": 4, "c": 6, "d": 10}, probabilities)
    assert fit.degrees == 1
    assert fit.statistic == pytest.approx(100 / 90 + 100 / 10, rel=1e-14)
    assert fit.worst.name == "the 3 rarest together"
    assert pooled({"a": 80, "b": 4, "c": 6, "d": 10}, probabilities, least=3).degrees == 3


def test_a_pool_too_small_takes_the_next_rarest() -> None:
    """Expected counts of 1 and 2 make 3, so 17 joins; 80 does not."""
    probabilities = {"a": 0.8, "b": 0.17, "c": 0.02, "d": 0.01}
    fit = pooled({"a": 70, "b": 20, "c": 6, "d": 4}, probabilities)
    assert fit.degrees == 1
    assert fit.statistic == pytest.approx(100 / 80 + 100 / 20, rel=1e-12)


def test_a_cell_at_the_least_stands_alone() -> None:
    """Only smaller ones are pooled."""
    assert pooled({"a": 95, "b": 5}, {"a": Fraction(19, 20), "b": Fraction(1, 20)}, least=5).degrees == 1


def test_too_few_rounds_compare_nothing() -> None:
    """A single cell always fits; so does a sample without rounds."""
    for counts in ({"a": 3, "b": 1}, {}):
        fit = pooled(counts, {"a": 0.5, "b": 0.5})
        assert (fit.statistic, fit.degrees, fit.p) == (0.0, 0, 1.0)


def test_probabilities_that_are_off_by_rounding_still_fit() -> None:
    """They are divided by their sum, so that even 10^12 rounds do not show it."""
    fit = pooled({"a": 5 * 10**11, "b": 5 * 10**11}, {"a": 0.5 + 4e-10, "b": 0.5 + 4e-10})
    assert fit.statistic == 0.0


@pytest.mark.parametrize("probabilities", [{"a": 0.5, "b": 0.49}, {"a": 0.5, "b": 0.500001}, {"a": Fraction(1, 3)}, {}])
def test_probabilities_that_do_not_add_up_are_refused(probabilities: dict[str, float]) -> None:
    """A result is missing."""
    with pytest.raises(Refusal, match=r"add up to .*, not 1"):
        pooled({"a": 10}, probabilities)


def test_invalid_counts_and_probabilities_are_refused() -> None:
    """The message names the result."""
    with pytest.raises(Refusal, match="'a' has the count -1"):
        pooled({"a": -1}, {"a": 1.0})
    for probability in (-0.5, 1.5, math.nan):
        with pytest.raises(Refusal, match="'a': a probability must be between 0 and 1"):
            pooled({"a": 1}, {"a": probability, "b": 0.5})
    for least, margin in ((0, 0.0), (math.nan, 0.0), (5, -0.1), (5, math.nan)):
        with pytest.raises(Refusal, match=r"more than 0|between 0 and 1"):
            pooled({"a": 1}, {"a": 1.0}, least=least, margins={"a": margin})


@pytest.mark.parametrize("probabilities", [{"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.5, "never": 0.0}])
def test_what_cannot_happen_fits_nothing(probabilities: dict[str, float]) -> None:
    """One in a million rounds is enough, whether the probability is 0 or not given; a margin does not help."""
    for margin in (0.0, 0.1):
        fit = pooled(
            {"a": 500_000, "b": 499_999, "never": 1}, probabilities, margins=dict.fromkeys(("a", "b", "never"), margin)
        )
        assert (fit.p, fit.statistic) == (0.0, math.inf)
        assert [(cell.name, cell.observed) for cell in fit.impossible] == [("never", 1)]


def test_an_impossible_result_that_did_not_occur_is_not_a_cell() -> None:
    """It adds no degree of freedom."""
    with_never = pooled({"a": 44, "b": 56, "never": 0}, {"a": 0.5, "b": 0.5, "never": 0.0})
    assert with_never == pooled({"a": 44, "b": 56}, {"a": 0.5, "b": 0.5})


def test_a_margin_forgives_as_much_as_it_says() -> None:
    """Of 6 missing, 2 in a hundred are forgiven; a pool of two cells forgives twice that."""
    fit = pooled({"a": 44, "b": 56}, {"a": 0.5, "b": 0.5}, margins={"a": 0.02, "b": 0.02})
    assert fit.statistic == pytest.approx(2 * 4**2 / 50, rel=1e-12)
    assert pooled({"a": 44, "b": 56}, {"a": 0.5, "b": 0.5}, margins={"a": 0.0625, "b": 0.0625}).statistic == 0.0
    rare = {"a": Fraction(94, 100), "b": Fraction(3, 100), "c": Fraction(3, 100)}
    fit = pooled({"a": 84, "b": 8, "c": 8}, rare, margins=dict.fromkeys(rare, 0.01))
    assert fit.statistic == pytest.approx(9**2 / 94 + 8**2 / 6, rel=1e-12)


def test_right_probabilities_give_every_p_equally_often() -> None:
    """Over 400 samples of 2,000: each tenth of [0, 1] within five standard deviations, 6 each, of 40."""
    probabilities = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.07, "e": 0.03}
    tenths = [0] * 10
    for seed in range(400):
        sample = Random(seed).choices(list(probabilities), list(probabilities.values()), k=2000)
        fit: Fit = pooled({name: sample.count(name) for name in probabilities}, probabilities)
        assert fit.degrees == 4
        tenths[min(9, int(10 * fit.p))] += 1
    assert all(10 <= tenth <= 70 for tenth in tenths), tenths


def exact_tail(count: int, rounds: int, probability: Fraction) -> Fraction:
    """Twice the smaller of the two tails, in fractions."""
    probabilities = [comb(rounds, k) * probability**k * (1 - probability) ** (rounds - k) for k in range(rounds + 1)]
    return min(
        Fraction(1), 2 * min(sum(probabilities[: count + 1], Fraction(0)), sum(probabilities[count:], Fraction(0)))
    )


@given(st.integers(1, 40), st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100), st.data())
def test_small_counts_have_their_binomial_probability(rounds: int, probability: Fraction, data: st.DataObject) -> None:
    """Near the middle, where both tails are about a half, an upper bound is enough."""
    count = data.draw(st.integers(0, rounds))
    exact = float(exact_tail(count, rounds, probability))
    assert binomial_tails(count, rounds, probability) >= exact * (1 - 1e-12)
    if exact < 0.5:
        assert binomial_tails(count, rounds, probability) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("count", one_in(4, [0, 2, 11, 40, 80, 150, 400, 1000]))
def test_a_count_far_out_has_its_binomial_probability(count: int) -> None:
    """Also at 1e-300; smaller probabilities than a float can represent are 0."""
    exact = float(exact_tail(count, 1000, Fraction(1, 100)))
    found = binomial_tails(count, 1000, Fraction(1, 100))
    assert found == (pytest.approx(exact, rel=1e-11) if exact > 1e-300 else pytest.approx(0, abs=1e-300))


def test_a_jackpot_follows_poisson() -> None:
    """One in 10^12, in 10^12 rounds: six or more have a probability of 5.94e-4."""
    six_or_more = 1 - sum(math.exp(-1) / math.factorial(k) for k in range(6))
    assert binomial_tails(6, 10**12, Fraction(1, 10**12)) == pytest.approx(2 * six_or_more, rel=1e-9)


@pytest.mark.parametrize("z", [-4.0, -2.0, -1.0, 1.0, 2.0, 4.0])
def test_a_large_count_is_as_good_as_normal(z: float) -> None:
    """A fair coin, 360,000 times, with a continuity correction of one half: the two ways to compute p agree."""
    count = 180_000 + round(300 * z)
    meet = normal_tails((abs(count - 180_000) - 0.5) / 300)
    assert binomial_tails(count, 360_000, Fraction(1, 2)) == pytest.approx(meet, rel=1e-3)


def test_the_normal_tails() -> None:
    """1.96 is one in twenty for both sides together."""
    for z in (-1.959963984540054, 1.959963984540054):
        assert normal_tails(z) == pytest.approx(0.05, rel=1e-12)
    assert (normal_tails(0), normal_tails(math.inf), normal_tails(-math.inf, 0.5)) == (1.0, 0.0, 0.0)
    assert math.isnan(normal_tails(math.nan, 0.5))


@pytest.mark.parametrize("expected", [1, 4, 25, 400])
def test_the_skewed_tail_follows_rare_wins(expected: int) -> None:
    """They are Poisson, with skewness 1/√expected: the tail is between those of this count and of the previous one.

    The normal tail is far below it.
    """
    sd = math.sqrt(expected)
    many = expected + round(4.5 * sd)
    terms = (math.exp(k * math.log(expected) - expected - math.lgamma(k + 1)) for k in range(many, many + 400))
    tail = 2 * math.fsum(terms)
    this, before = (many - expected) / sd, (many - 1 - expected) / sd
    assert normal_tails(this, 1 / sd) < tail < normal_tails(before, 1 / sd)
    assert normal_tails(-this, -1 / sd) == normal_tails(this, 1 / sd)
    assert normal_tails(before) < 0.8 * tail


def test_the_short_side_of_a_skew_is_left_as_it_is() -> None:
    """The normal tail is the larger one there, and a p that is too large causes no false alarm."""
    assert normal_tails(-3, 0.5) == normal_tails(-3)
    assert normal_tails(3, 1e-4) == normal_tails(3)
