"""docs/charts.md explains every chart letter, and docs/json.md every key of a chart."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from holecard import report
from holecard.charts.layout import Layout
from holecard.charts.letters import ACTIONS, AS_TOTAL, AS_TOTAL_WORDS, letter_name
from holecard.charts.named_strategies import never_bust
from holecard.charts.text import read_chart_text, write_chart_text
from holecard.exact.charts.best_chart import BestChart
from holecard.sheets.read import rules

DOCS = Path(__file__).parents[2] / "docs"


def test_every_letter_has_its_row() -> None:
    """The rows have the order and the words of a legend."""
    rows = [
        line.split("|")[1:3] for line in (DOCS / "charts.md").read_text(encoding="utf-8").splitlines() if "| `" in line
    ]
    said = [(letter.strip(" `"), words.strip()) for letter, words in rows]
    assert said == [*((letter, letter_name(letter)) for letter in ACTIONS), (AS_TOTAL, AS_TOTAL_WORDS)]


@pytest.mark.parametrize("game", ["classic", "face-up"])
def test_every_key_is_documented(game: str) -> None:
    """The page lists the keys in the order in which they are printed."""
    sheet = rules(game)
    data = json.loads(report.json(BestChart(sheet, never_bust(sheet.tables), -0.06, -0.006, 1e-13)))
    page = (DOCS / "json.md").read_text(encoding="utf-8").partition("## `holecard strategy")[2].partition("\n## ")[0]
    places = [page.index(f"`{key}`") for key in data]
    assert places == sorted(places)
    assert list(data["rows"][0]) == ["hand", "cells"]
    assert list(data["rows"][0]["cells"]) == data["columns"]
    for column in (data["columns"][0], data["columns"][-1]):
        assert f'`"{column}"`' in page


@pytest.mark.parametrize(
    ("written", "meant"), [("A,7", "18"), ("s18", "18"), ("A7", "18"), ("88", "8,8"), ("10,10", "T,T")]
)
def test_other_spellings(written: str, meant: str) -> None:
    """The spellings on the page mean the same as the names that a chart prints."""
    tables = rules("classic").tables
    chart = never_bust(tables)
    text = write_chart_text(chart)
    hard, _, rest = text.partition("soft ")
    changed = f"{hard}soft {re.sub(rf'^ +{meant} ', f'{written} ', rest, count=1, flags=re.MULTILINE)}"
    assert changed != text
    assert read_chart_text(changed, Layout.of(tables)) == chart
