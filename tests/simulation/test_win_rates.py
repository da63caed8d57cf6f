"""N0, SCORE and the risk of ruin: their values, and errors that are what repeated runs show."""

from __future__ import annotations

import re
from fractions import Fraction
from math import inf, isnan, sqrt
from typing import Any

import numpy as np
import pytest

import holecard
from holecard.charts.named_strategies import never_bust
from holecard.counts import read_count_player
from holecard.simulation.compile.counter_tables import compile_count
from holecard.simulation.compile.program import compile_program
from holecard.simulation.count_results import CountSimulation, total_bet
from holecard.simulation.plays.counted_shoes import CountedShoes
from holecard.simulation.procedures import procedure_of
from holecard.simulation.simulate_count import simulate_count
from holecard.simulation.statistics.estimates import LEVEL, estimate
from holecard.simulation.win_rates import Derived, WinRate

#: Runs that are repeated, and how far from the expected share of them the intervals may miss: three errors.
RUNS, TOO_FAR = 200, 3 * sqrt(0.95 * 0.05 / 200)


def _rate(histogram: dict[Fraction, int]) -> WinRate:
    return WinRate(estimate(histogram), histogram)


def _coin(ev: Fraction, rounds: int = 1000) -> WinRate:
    """A wager of one unit that wins or loses it."""
    wins = int(rounds * (1 + ev) / 2)
    return _rate({Fraction(1): wins, Fraction(-1): rounds - wins})


def test_n0_score_and_ruin_of_a_coin() -> None:
    """A biased coin with mean m has variance 1 - m²; ruin with b units is (q/p)^b."""
    coin = _coin(Fraction(1, 10))
    variance = (1 - 0.01) * 1000 / 999
    assert coin.n0.value == pytest.approx(variance / 0.01)
    assert coin.score.value == pytest.approx(1e6 / coin.n0.value)
    assert coin.risk_of_ruin(20).value == pytest.approx((0.45 / 0.55) ** 20)


def test_the_ends_of_intervals_are_the_numbers_at_the_ends_of_the_win_rate() -> None:
    """The share p of wins is the only thing that is not known of a coin: its interval gives all others."""
    coin = _coin(Fraction(1, 10), 100_000)
    half_width = 1.959964 * sqrt(0.55 * 0.45 / 100_000)
    for end, share in (("low", 0.55 - half_width), ("high", 0.55 + half_width)):
        mean = 2 * share - 1
        score = 1e6 * mean**2 / (1 - mean**2)
        assert getattr(coin.score, end) == pytest.approx(score, rel=0.001)
        other = "high" if end == "low" else "low"
        assert getattr(coin.n0, other) == pytest.approx(1e6 / score, rel=0.001)
        ruin = ((1 - share) / share) ** 20
        assert getattr(coin.risk_of_ruin(20), other) == pytest.approx(ruin, rel=0.005)


def test_a_win_that_may_be_luck_has_no_upper_end() -> None:
    """With 1,000 rounds, a mean of 0.01 has an error of 0.03: N0 may be infinite, and ruin certain."""
    lucky = _coin(Fraction(1, 100))
    assert lucky.n0.high == inf
    assert lucky.score.low == 0.0
    assert lucky.risk_of_ruin(20).high == 1.0
    lost = _coin(Fraction(-1, 100))
    assert (lost.n0.value, lost.score.value, lost.risk_of_ruin(20).value) == (inf, 0.0, 1.0)
    assert lost.n0.low == pytest.approx(1e6 / lost.score.high)
    assert lost.n0.low < inf
    assert lost.risk_of_ruin(20).low < 1.0
    assert all(isnan(each.standard_error) for each in (lost.n0, lost.score, lost.risk_of_ruin(20)))


def test_one_round_has_no_error() -> None:
    alone = _rate({Fraction(1): 1})
    assert isnan(alone.n0.low)
    assert isnan(alone.score.value)


def _repeated(found: list[Derived]) -> tuple[float, float]:
    """Return the spread of the numbers over their stated error."""
    return float(np.std([each.value for each in found], ddof=1)), float(
        np.mean([each.standard_error for each in found])
    )


def _covers(found: list[Derived], truth: float) -> float:
    return float(np.mean([each.low <= truth <= each.high for each in found]))


def test_errors_are_the_spread_of_repeated_runs_where_results_are_skewed() -> None:
    """Independent rounds that win 20 units now and then: the spread of s and its correlation with w matter."""
    nets, chances = np.array([20, 1, -1]), np.array([0.02, 0.44, 0.54])
    mean = float(nets @ chances)
    variance = float(nets**2 @ chances) - mean**2
    random = np.random.default_rng(1)
    runs = []
    for counts in random.multinomial(4_000, chances, RUNS).tolist():
        runs.append(_rate(dict(zip(map(Fraction, nets.tolist()), counts, strict=True))))
    true_score = 1e6 * mean**2 / variance
    for found, truth in (([run.score for run in runs], true_score), ([run.n0 for run in runs], 1e6 / true_score)):
        spread, error = _repeated(found)
        assert spread == pytest.approx(error, rel=0.15)
        assert _covers(found, truth) == pytest.approx(0.95, abs=TOO_FAR)
    ruins = [run.risk_of_ruin(30) for run in runs]
    large = _rate({Fraction(int(net)): int(10**7 * chance) for net, chance in zip(nets, chances, strict=True)})
    spread, error = _repeated(ruins)
    assert spread == pytest.approx(error, rel=0.15)
    assert _covers(ruins, large.risk_of_ruin(30).value) == pytest.approx(0.95, abs=TOO_FAR)


SPREAD = """
count = "hi-lo"
[bets]
"below 1" = 1
"1 and above" = 8
[plays]
insurance = "take at 1"
"""


GENEROUS = {"settle.natural": "8 to 1"}


@pytest.mark.slow
def test_errors_are_the_spread_of_repeated_runs_of_a_counter() -> None:
    """Bets that depend on the shoe: 200 runs of 250 shoes each, held against all other shoes together."""
    sheet, player = holecard.rules("classic", GENEROUS), read_count_player(SPREAD)
    rule, chart = procedure_of(sheet, "cut:75").rule, never_bust(sheet.tables)
    assert rule is not None
    program = compile_program(sheet.tables, [chart, *player.charts(chart)], (), dealt_down=True)
    compiled = compile_count(sheet.tables, program, player, 0, rule)
    play, shoes = CountedShoes(program, 1, 1, rule, compiled.counter), 250
    runs = [total_bet(program, compiled, play.play(shoes * run, shoes), LEVEL) for run in range(RUNS)]
    truth = total_bet(program, compiled, play.play(RUNS * shoes, RUNS * shoes), LEVEL)
    for found, whole in (
        ([run.n0 for run in runs], truth.n0),
        ([run.score for run in runs], truth.score),
        ([run.risk_of_ruin(60) for run in runs], truth.risk_of_ruin(60)),
    ):
        assert _repeated(found)[0] == pytest.approx(_repeated(found)[1], rel=0.2)
        assert _covers(found, whole.value) == pytest.approx(0.95, abs=TOO_FAR)


@pytest.fixture(scope="module")
def run() -> CountSimulation:
    rules, player = holecard.rules("classic", GENEROUS), read_count_player(SPREAD)
    return simulate_count(rules, player, 10_000, strategy="never bust", wagers=(), executor=1, bankroll=60)


def test_numbers_are_printed_with_their_errors_and_not_as_bounds(run: CountSimulation) -> None:
    """Two digits of the error, and an interval at the level of the run; "at most" would be false."""
    shown = " ".join(str(run).split())
    assert "at most" not in shown
    for name, found, unit in (
        ("N0", run.total.n0, 1),
        ("SCORE", run.total.score, 1),
        ("risk of ruin", run.total.risk_of_ruin(60), 100),
    ):
        line = re.search(rf"{name} about ([\d,.]+)%? 95% interval ([\d,.]+)%? to ([\d,.]+)%?;", shown)
        assert line is not None, shown
        numbers = [float(number.replace(",", "")) for number in line.groups()]
        for printed, number in zip(numbers, (found.value, found.low, found.high), strict=True):
            assert printed == pytest.approx(unit * number, abs=0.06 * unit * found.standard_error)
        digits = line[1].replace(",", "").replace(".", "").strip("0")
        assert len(digits) <= 3


def test_data_carry_the_errors(run: CountSimulation) -> None:
    data: dict[str, Any] = run.to_dict()
    for bet, found in ((data["total"], run.total), (data["main"], run.main)):
        for name, derived in (("n0", found.n0), ("score", found.score)):
            assert bet[name] == derived.value
            for what in ("standard_error", "low", "high"):
                assert bet[f"{name}_{what}"] == getattr(derived, what)
    ruin = run.total.risk_of_ruin(60)
    assert data["risk_of_ruin"] == {
        "low": ruin.low,
        "high": ruin.high,
        "estimate": ruin.value,
        "standard_error": ruin.standard_error,
    }
    assert data["risk_of_ruin"]["low"] < data["risk_of_ruin"]["estimate"] < data["risk_of_ruin"]["high"]
