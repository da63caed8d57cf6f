"""A bankroll: the plan, sampled paths against the exact results and a slow replay, determinism, the drawing."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import sqrt
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.charts.caption import caption
from holecard.charts.named_strategies import never_bust
from holecard.errors import Refusal, WagerRefused
from holecard.kernels.philox import philox
from holecard.kernels.play import bankroll_paths
from holecard.report.bankroll_svg import bankroll_to_svg, ticks
from holecard.sheets.read import rules
from holecard.simulation.bankroll import projection
from holecard.simulation.bankroll.bankroll_report import CONVENTION, QUANTILES, BankrollReport
from holecard.simulation.bankroll.projection import bankroll, draws_of, plan_of, sample, steps, walked
from holecard.simulation.bankroll.ruin import Walk, course, moments, walk_of

F = Fraction
SVG = "{http://www.w3.org/2000/svg}"
#: Net results like those of a real round, with a risk of ruin that is neither small nor certain.
ROUND = [(F(-2), 0.05), (F(-1), 0.44), (F(0), 0.08), (F(1), 0.33), (F(3, 2), 0.045), (F(2), 0.055)]
HARD = walk_of(ROUND, 1250, 100)


@pytest.fixture(scope="module")
def classic() -> BankrollReport:
    return bankroll("classic", bankroll="$300", bet="$15", hours=3, rounds_per_hour=100, paths=4000, seed=5)


@pytest.fixture(scope="module")
def quick_pay() -> BankrollReport:
    return bankroll("quick-pay", bankroll=200, bet=10, hours=1, paths=3000, seed=5)


# Sampled against exact


def all_agree(found: BankrollReport) -> None:
    """The share of ruined players at every moment and of winners at the end, within 4 standard errors."""
    exact, counted = found.rows, found.sampled.points
    assert [point.played for point in exact] == [point.played for point in counted]
    assert len(exact) == 9
    for one, other in zip(exact, counted, strict=True):
        error = sqrt(one.ruined * (1 - one.ruined) / found.sampled.paths)
        assert abs(one.ruined - other.ruined) <= 4 * error
    ahead = found.ending.ahead
    assert abs(ahead - found.sampled.ahead) <= 4 * sqrt(ahead * (1 - ahead) / found.sampled.paths)
    assert found.ruined_error == pytest.approx(error)


@pytest.mark.slow
def test_sampled_and_exact_agree(classic: BankrollReport, quick_pay: BankrollReport) -> None:
    """In two games, one of them with a companion wager; ruin is likely enough to occur."""
    for found in (classic, quick_pay):
        all_agree(found)
        assert found.points[-1].ruined > 0.05


def test_sampled_quantiles_lie_where_the_exact_probabilities_put_them() -> None:
    """The exact share of players at or below a sampled quantile is that of the quantile, within 4 standard errors."""
    found = sample(HARD, 150, 4000, 11)
    for moment, point in zip(course(HARD, moments(150, 8)), found.points, strict=True):
        owned = np.array([HARD.cents(int(spare)) for spare in moment.spares])
        for share, amount in zip(QUANTILES, point.quantiles, strict=True):
            error = 4 * sqrt(share * (1 - share) / 4000)
            assert moment.probabilities[owned < amount].sum() <= share + error
            assert moment.probabilities[owned <= amount].sum() >= share - error


def test_the_ending_adds_up(classic: BankrollReport, quick_pay: BankrollReport) -> None:
    """Ahead, even and behind are everyone; ruined players are behind, and some of them are in debt."""
    for found in (classic, quick_pay):
        ending = found.ending
        assert ending.ahead + ending.even + ending.behind == pytest.approx(1, abs=1e-11)
        assert 0 < ending.owing < found.points[-1].ruined < ending.behind
        assert ending.error < 1e-10


def test_debts_are_bankrolls_below_zero() -> None:
    """Three bets, of which one may lose double: with three bets plus $1, a player who is 2 down and loses double is in
    debt.
    """
    walk = walk_of([(F(-2), 0.25), (F(-1), 0.25), (F(1), 0.5)], 301, 100)
    (last,) = course(walk, [2])
    # -4 in two rounds leaves -$99; -3 leaves $1, which is ruin without debt.
    assert projection._ending(walk, last).owing == pytest.approx(0.25**2)
    assert last.ruined == pytest.approx(0.25**2 + 2 * 0.25 * 0.25)


def test_an_even_player_is_not_ahead() -> None:
    """Half of the rounds change nothing; a quarter of the players are ahead after one round."""
    walk = walk_of([(F(-1), 0.25), (F(0), 0.5), (F(1), 0.25)], 300, 100)
    assert sample(walk, 1, 4000, 1).ahead == pytest.approx(0.25, abs=4 * sqrt(0.25 * 0.75 / 4000))
    (last,) = course(walk, [1])
    ending = projection._ending(walk, last)
    assert (ending.ahead, ending.even, ending.behind) == pytest.approx((0.25, 0.5, 0.25))


# One path, slowly


def slow_path(walk: Walk, seed: int, path: int, rounds: int) -> list[int]:
    """The spare money after every round, one random word at a time, with no table except the limits."""
    draws, spares = draws_of(walk), [walk.margin]
    for played in range(rounds):
        counter = (played // 4, path % 2**32, path // 2**32, 0x62616E6B)
        words = philox(*map(np.uint64, (*counter, seed % 2**32, seed // 2**32)))
        outcome = next(o for o, limit in enumerate(draws.limits) if int(words[played % 4]) < limit)
        spares.append(spares[-1] + int(draws.moves[outcome]) if spares[-1] >= 0 else spares[-1])
    return spares


@pytest.mark.parametrize(("seed", "path"), [(1, 0), (2**63 + 12345, 7), (0, 2**32 + 3)])
def test_a_path_is_what_its_words_say(seed: int, path: int) -> None:
    """Every round of it, its largest drop and the round of ruin; large seeds and numbers are used in full."""
    marks = list(range(201))
    found = walked(HARD, draws_of(HARD), marks, seed, range(path, path + 1))
    slow = slow_path(HARD, seed, path, 200)
    assert found.spares[0].tolist() == slow
    assert found.drawdowns[0] == max(high - low for high, low in zip(accumulate(slow, max), slow, strict=True))
    assert found.last[0] == next((played for played, spare in enumerate(slow) if spare < 0), 0)


def test_some_paths_are_ruined_and_stay_so() -> None:
    """Nothing is played after ruin."""
    found = walked(HARD, draws_of(HARD), list(range(301)), 3, range(300))
    ruined = found.last > 0
    assert 0 < ruined.sum() < 300
    for spares, last in zip(found.spares[ruined], found.last[ruined], strict=True):
        assert (spares[:last] >= 0).all()
        assert (spares[last:] == spares[last]).all()
        assert spares[last] < 0
    assert (found.spares[~ruined] >= 0).all()


def test_the_kernel_says_the_same_uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python."""
    compiled = walked(HARD, draws_of(HARD), [10, 25], 9, range(3, 6))
    plain = getattr(bankroll_paths.walk_paths, "py_func", bankroll_paths.walk_paths)
    monkeypatch.setattr(projection, "walk_paths", plain)
    monkeypatch.setattr(bankroll_paths, "_move", getattr(bankroll_paths._move, "py_func", bankroll_paths._move))
    uncompiled = walked(HARD, draws_of(HARD), [10, 25], 9, range(3, 6))
    for one, other in zip(vars(compiled).values(), vars(uncompiled).values(), strict=True):
        assert one.tolist() == other.tolist()


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=20), st.integers(0, 2**32 - 1))
def test_random_words_give_every_result_as_often_as_they_should(weights: list[int], word: int) -> None:
    """Widths sum to 2^32 and deviate by less than one; the shortcut gives the same result as the limits alone."""
    walk = walk_of([(F(n), weight / sum(weights)) for n, weight in enumerate(weights)], 100, 100)
    draws = draws_of(walk)
    widths = np.diff(draws.limits, prepend=0)
    assert draws.limits[-1] == 2**32
    assert all(
        abs(width - 2**32 * probability) < 1 for width, probability in zip(widths, walk.probabilities, strict=True)
    )
    outcome = next(o for o, limit in enumerate(draws.limits) if word < limit)
    assert bankroll_paths._move(draws, np.uint64(word)) == draws.moves[outcome]
    assert draws.begin[word >> 24] <= outcome


# Determinism


def test_the_seed_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads and chunks make no difference; another seed gives another sample."""
    first = sample(HARD, 100, 5000, 1)
    assert sample(HARD, 100, 5000, 1, threads=3) == first
    monkeypatch.setattr(projection, "PATHS_PER_CHUNK", 77)
    assert sample(HARD, 100, 5000, 1, threads=2) == first
    assert sample(HARD, 100, 5000, 2).drawdown != first.drawdown


def test_more_paths_begin_with_the_same_ones() -> None:
    """More marks only sample them more often."""
    draws = draws_of(HARD)
    few = walked(HARD, draws, [0, 50, 100], 4, range(5))
    many = walked(HARD, draws, [0, 10, 50, 100], 4, range(20))
    assert many.spares[:5][:, [0, 2, 3]].tolist() == few.spares.tolist()
    assert many.drawdowns[:5].tolist() == few.drawdowns.tolist()


def test_the_drawn_sessions_are_the_first_paths(classic: BankrollReport) -> None:
    """From the bankroll to the end, or to the round of ruin."""
    main, plan = classic.analysis.main, classic.plan
    walk = walk_of(main.distribution, plan.bankroll, plan.stake)
    assert len(classic.lines) == 5
    for number, line in enumerate(classic.lines):
        slow = slow_path(walk, 5, number, plan.rounds)
        assert line[0] == (0, plan.bankroll)
        assert all(owned == walk.cents(slow[played]) for played, owned in line)
        ruined = next((played for played, spare in enumerate(slow) if spare < 0), None)
        assert line[-1][0] == (plan.rounds if ruined is None else ruined)

    # The policy


def test_a_companion_wager_doubles_the_stake(quick_pay: BankrollReport) -> None:
    """$10 on each of two wagers: below $20 a player is ruined."""
    assert (quick_pay.plan.bet, quick_pay.plan.stake) == (1000, 2000)
    assert quick_pay.analysis.main.unit == "Bet and Surrender or Play"
    with pytest.raises(WagerRefused, match=r"\$19 does not cover one round, which takes \$20, \$10 on each of Bet and"):
        bankroll("quick-pay", bankroll=19, bet=10)


def test_a_chart_is_followed(classic: BankrollReport) -> None:
    """Never busting costs at least 4% of the stake, and the average shows it."""
    chart = never_bust(rules("classic").tables)
    found = bankroll("classic", bankroll="$300", bet="$15", hours=3, rounds_per_hour=100, paths=10, strategy=chart)
    assert found.analysis.main.ev < -0.035
    assert found.ending.mean < classic.ending.mean - 5000


def test_progress_is_reported_step_by_step() -> None:
    """As often as announced."""
    reported: list[int] = []
    asked: dict[str, Any] = {"bankroll": 100, "bet": 5, "paths": 4500, "strategy": "never bust"}
    found = bankroll("classic", **asked, on_progress=lambda: reported.append(1))
    assert len(reported) == steps(4500) == 1 + 97 + 3
    assert len(found.points) == 97


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"bankroll": "$9"}, r"\$9 does not cover one round, which takes \$10"),
        ({"bankroll": "$0"}, r"\$0 does not cover"),
        ({"bankroll": "-$5"}, "is not an amount of money"),
        ({"bet": "$0"}, r"Bet: \$0 is outside the limits, \$5 to \$500"),
        ({"bet": "$501"}, r"\$501 is outside the limits"),
        ({"bet": "$5.50"}, "in steps of"),
        ({"hours": 0}, "hours must be more than 0, not 0"),
        ({"hours": -1.5}, "hours must be more than 0, not -1.5"),
        ({"hours": float("nan")}, "hours must be more than 0, not nan"),
        ({"hours": float("inf")}, "hours must be more than 0, not inf"),
        ({"hours": 0.001}, "are 0.08 rounds; it must be 1 to 250,000"),
        ({"hours": 1e300}, "it must be 1 to 250,000"),
        ({"rounds_per_hour": 0}, "rounds per hour must be 1 to 250,000, not 0"),
        ({"rounds_per_hour": 10**400}, "rounds per hour must be 1 to 250,000"),
        ({"paths": 0}, "the number of paths must be 2 to 1,000,000, not 0"),
        ({"paths": 1_000_001}, "must be 2 to 1,000,000"),
        ({"paths": 1_000_000, "hours": 1000}, "sample at most 125,000"),
        ({"seed": -1}, "the seed must be a whole number"),
        ({"seed": 2**64}, "the seed must be a whole number"),
        ({"confidence": 0.0}, "confidence must be between 0 and 1"),
        ({"confidence": 1.0}, "confidence must be between 0 and 1"),
        ({"confidence": 95}, "confidence must be between 0 and 1"),
        ({"confidence": float("nan")}, "confidence must be between 0 and 1"),
    ],
)
def test_what_cannot_be_played_is_refused(asked: dict[str, float], says: str) -> None:
    """With a clear message, before anything is computed."""
    with pytest.raises(Refusal, match=says):
        bankroll("classic", **{"bankroll": 1000, "bet": 10, **asked})  # type: ignore[arg-type]


def test_hours_come_to_whole_rounds() -> None:
    """To the nearest; a bankroll of one bet is playable."""
    tables = rules("classic").tables
    plan = plan_of(tables, 1000, 1000, 1.011, 80, 0.95)
    assert (plan.rounds, plan.hours) == (81, 81 / 80)


# The drawing


def drawn(found: BankrollReport) -> ElementTree.Element:
    return ElementTree.fromstring(bankroll_to_svg(found, caption(found.analysis.rules)))


def points_of(mark: ElementTree.Element) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in mark.attrib["points"].split()]  # type: ignore[misc]


def said(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_the_drawing_has_bands_a_median_paths_and_the_line_of_ruin(classic: BankrollReport) -> None:
    """Bands are as wide as the session, the outer contains the inner, and all are inside the picture."""
    root = drawn(classic)
    outer, inner = (points_of(band) for band in root.iter(f"{SVG}polygon"))
    lines = [line.attrib["class"] for line in root.iter(f"{SVG}polyline")]
    assert lines == ["path"] * 5 + ["median"]
    assert [line.attrib["class"] for line in root.iter(f"{SVG}line")].count("ruin") == 1
    assert "ruined below $15" in said(root)
    half = len(outer) // 2
    assert len(outer) == len(inner) == 2 * 97
    for far, near in zip(outer[:half], inner[:half], strict=True):
        assert far[0] == near[0]
        assert far[1] <= near[1]
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    every = [point for mark in root.iter() if "points" in mark.attrib for point in points_of(mark)]
    assert all(0 < x < width and 0 < y < height for x, y in every)


def test_curves_lie_at_the_height_of_their_amounts(classic: BankrollReport) -> None:
    """Read from the axis labels: the median begins at the bankroll and ends at its label."""
    root = drawn(classic)
    axis = {
        "".join(text.itertext()): float(text.attrib["y"]) - 4.5
        for text in root.iter(f"{SVG}text")
        if text.attrib.get("class") == "end"
    }
    (median,) = (points_of(line) for line in root.iter(f"{SVG}polyline") if line.attrib["class"] == "median")
    per_dollar = (axis["$0"] - axis["$300"]) / 300
    for (_, y), point in zip(median, classic.points, strict=True):
        assert y == pytest.approx(axis["$0"] - per_dollar * point.quantiles[2] / 100, abs=0.2)


def test_labels_do_not_overlap(quick_pay: BankrollReport, classic: BankrollReport) -> None:
    """Also where most players are ruined and the quantiles meet at the bottom; all text is inside the picture."""
    late = replace(classic, points=(*classic.points[:-1], replace(classic.points[-1], quantiles=(0, 0, 500, 500, 900))))
    for found in (quick_pay, classic, late):
        root = drawn(found)
        labels = [t for t in root.iter(f"{SVG}text") if re.fullmatch(r"\d+%", "".join(t.itertext()))]
        assert ["".join(label.itertext()) for label in labels] == ["5%", "25%", "50%", "75%", "95%"]
        heights = [float(label.attrib["y"]) for label in labels]
        assert all(below - above >= 16.9 for below, above in pairwise(heights))


def test_a_far_line_of_ruin_is_said_and_not_drawn() -> None:
    """It would compress everything else."""
    found = bankroll("classic", bankroll="$50000", bet="$5", hours=1, paths=10, strategy="never bust")
    root = drawn(found)
    assert "ruin" not in {line.attrib["class"] for line in root.iter(f"{SVG}line")}
    words = " ".join(said(root))
    assert "A player with less than $5, which is far below this picture, is ruined." in words
    assert "under 0.0001% ruined" in words


def test_the_drawing_says_what_it_rests_on(classic: BankrollReport) -> None:
    """Units on the axes, the convention below, and a name with XML special characters."""
    root = ElementTree.fromstring(
        bankroll_to_svg(classic, replace(caption(classic.analysis.rules), name="<Ruin> & Co."))
    )
    words = " ".join(said(root))
    assert "hours played, at 100 rounds an hour" in words
    assert "bankroll" in said(root)
    assert f"Convention: {CONVENTION}." in words
    assert said(root)[0] == "<Ruin> & Co."
    assert "$300 at $15 a round for 3 hours of 100 rounds" in words
    assert "prefers-color-scheme:dark" in "".join(root.find(f"{SVG}style").itertext())  # type: ignore[union-attr]


@given(st.floats(-1e6, 1e6), st.floats(1, 1e7), st.integers(3, 12))
def test_ticks_are_round_numbers_within(low: float, span: float, most: int) -> None:
    """Evenly spaced, and neither too many nor too few: consecutive steps of 1, 2, 5 differ by a
    factor of at most 2.5.
    """
    found = ticks(low, low + span, most)
    assert int(most / 2.5) <= len(found) <= most + 1
    assert all(low - 1e-6 * span <= tick <= low + span + 1e-6 * span for tick in found)
    steps_ = {f"{b - a:.0e}" for a, b in pairwise(found)}
    assert len(steps_) <= 1
    assert all(step[0] in "125" for step in steps_)
