"""Exact and sampled numbers agree for every game; a wrong rule on either side is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import holecard
from holecard.sheets.tables import Tables
from holecard.simulation.agreement import compare
from holecard.simulation.simulate import simulate
from holecard.simulation.verify import Verification, claims, verify
from holecard.strategy.chart import Chart
from holecard.strategy.named import mimic_the_dealer, never_bust
from tests.simulation.charts import splitting

EXAMPLES = sorted(str(path) for path in Path("examples/games").glob("*.toml"))
ROUNDS = 150_000


def _verify(sheet: str, chart: Callable[[Tables], Chart], against: dict[str, object] | None = None) -> Verification:
    rules = holecard.rules(sheet)
    other = None if against is None else holecard.rules(sheet, against)
    return verify(rules, chart(rules.tables), ROUNDS, seed=20261115, against=other)


@pytest.mark.parametrize("sheet", [*holecard.games(), *EXAMPLES])
def test_exact_and_sampled_agree(sheet: str) -> None:
    found = _verify(sheet, splitting if sheet in holecard.games() else mimic_the_dealer)
    assert found.agreement.agrees, found.agreement.verdict
    names = {comparison.name for comparison in found.agreement.comparisons}
    assert names >= {"main wager", "dealer", *(wager.name for wager in found.exact.wagers)} - set(found.left_out)
    if sheet in holecard.games():
        assert not found.left_out


@pytest.mark.parametrize(
    ("sheet", "wrong", "where"),
    [
        ("classic", {"settle.natural": "7 to 5"}, "main wager"),
        ("classic", {"dealer.soft_17": "stand"}, "dealer"),
        ("classic", {"decks": 1}, "dealer"),
        ("classic", {"insurance.pays": "3 to 1"}, "insurance"),
        ("quick-pay", {"dealer.soft_17": "stand"}, "dealer"),
        ("upcard-luck-21", {"wager.Upcard Luck.table": "B"}, "Upcard Luck"),
        ("upcard-luck-21", {"wager.Taxpayer's Fortune.upcard": "2-7"}, "Taxpayer's Fortune"),
        ("face-up", {"settle.natural": "3 to 2"}, "main wager"),
    ],
)
def test_a_wrong_rule_is_found(sheet: str, wrong: dict[str, object], where: str) -> None:
    found = _verify(sheet, mimic_the_dealer, wrong)
    assert not found.agreement.agrees
    assert where in {comparison.name for comparison in found.agreement.differing}


def test_one_pay_line_off_by_one_is_found(tmp_path: Path) -> None:
    """The rarest line of a wager pays 501 instead of 500: no mean would tell."""
    source = Path("src/holecard/games/double-up.toml").read_text(encoding="utf-8")
    right = 'pays = "500 to 1"'
    assert source.count(right) == 1
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(source.replace(right, 'pays = "501 to 1"'), encoding="utf-8")
    rules = holecard.rules("double-up")
    chart = splitting(rules.tables)
    found = verify(rules, chart, 400_000, seed=1, against=holecard.rules(str(wrong)))
    assert [comparison.name for comparison in found.agreement.differing] == ["Bonus 16"]
    assert verify(rules, chart, 400_000, seed=1).agreement.agrees


def test_rounds_by_another_chart_are_found() -> None:
    """Rounds played by one chart, the mathematics of another."""
    rules = holecard.rules("classic")
    sampled = simulate(rules, "never bust", ROUNDS, seed=2, draws_out=True)
    right, wrong = (holecard.analyze(rules, strategy=chart(rules.tables)) for chart in (never_bust, mimic_the_dealer))
    assert compare(claims(right, sampled)).agrees
    assert {found.name for found in compare(claims(wrong, sampled)).differing} == {"main wager"}
