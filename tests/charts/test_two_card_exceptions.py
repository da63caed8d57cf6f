"""Exceptions for two cards: written, read back, refused with a location, and applied to the first two cards only."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest

from holecard import report
from holecard.charts.layout import Layout
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.charts.text import read_chart_text, write_chart_text
from holecard.charts.two_card_exceptions import TwoCards
from holecard.errors import ChartError
from holecard.sheets.read import rules
from tests.charts.charts import plain_chart, some_chart

CLASSIC = rules("classic")
LAYOUT = Layout.of(CLASSIC.tables)
#: 4 and ace, by index.
FOUR, ACE = 2, 9
TEN_TWO, SOFT_18 = TwoCards(2, 10, FOUR, "H"), TwoCards(1, 7, ACE, "DH")
CHART = replace(mimic_the_dealer(CLASSIC.tables), exceptions=(TEN_TWO, SOFT_18))


def test_they_are_written_as_people_say_them() -> None:
    lines = write_chart_text(CHART).splitlines()
    assert lines[lines.index("except") :] == ["except", "    T,2 v 4    H", "    A,7 v A    DH"]


def test_what_is_written_reads_back() -> None:
    assert read_chart_text(write_chart_text(CHART), LAYOUT) == CHART
    both_up = Layout.of(rules("face-up").tables)
    soft_17 = next(index for index, column in enumerate(both_up.columns) if column.name == "s17")
    chart = replace(some_chart(both_up, 3), exceptions=(TwoCards(6, 10, soft_17, "S"),))
    assert "T,6 v s17" in write_chart_text(chart)
    assert read_chart_text(write_chart_text(chart), both_up) == chart


@pytest.mark.parametrize("line", ["T,2 v 4 H", "10,2 V 4 h", "2,T v 4 H", "T2 v 4 H", "t,2  v  4   H  # by hand"])
def test_spellings_are_free(line: str) -> None:
    plain = write_chart_text(replace(CHART, exceptions=()))
    assert read_chart_text(f"{plain}\nExceptions:\n{line}", LAYOUT).exceptions == (TEN_TWO,)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("T,2 4 H", "is not an exception; write it like 'T,2 v 4  H'"),
        ("T,2,3 v 4 H", "'T,2,3' is not a hand of two cards"),
        ("T,X v 4 H", "'T,X' is not a hand of two cards"),
        ("8,8 v 4 H", "'8,8' is a pair"),
        ("A,T v 4 H", "A,T v 4: a natural leaves nothing to decide"),
        ("T,2 v 1 H", "'1' is not a column of this game's chart; the columns are 2 3 4 5 6 7 8 9 T A"),
        ("T,2 v 4 X", "T,2 v 4: 'X' is not a letter of a chart"),
        ("T,2 v 4 P", "T,2 v 4: 'P' is split, which is only for pairs"),
        ("T,2 v 4 D", "T,2 v 4: "),
    ],
)
def test_errors_name_their_line(line: str, says: str) -> None:
    plain = write_chart_text(replace(CHART, exceptions=()))
    number = plain.count("\n") + 3
    with pytest.raises(ChartError) as refused:
        read_chart_text(f"{plain}\nexcept\n{line}", LAYOUT, "mine.txt")
    assert f"mine.txt, line {number}: " in str(refused.value)
    assert says in str(refused.value)


def test_an_exception_cannot_occur_twice() -> None:
    with pytest.raises(ChartError, match="T,2 v 4: the exception occurs twice"):
        replace(CHART, exceptions=(TEN_TWO, TEN_TWO))
    text = write_chart_text(CHART) + "T,2 v 4 S"
    with pytest.raises(ChartError, match=rf"line {len(text.splitlines())}: T,2 v 4: the exception occurs twice"):
        read_chart_text(text, LAYOUT)


@pytest.mark.parametrize("odd", [TwoCards(8, 8, 0, "H"), TwoCards(9, 2, 0, "H"), TwoCards(2, 9, 10, "H")])
def test_one_that_means_nothing_cannot_be_made(odd: TwoCards) -> None:
    with pytest.raises(ChartError, match="is not an exception"):
        replace(CHART, exceptions=(odd,))


def test_only_the_first_two_cards_are_looked_at() -> None:
    """Hard 12 v 4 as dealt, in either order; and the same total after a hit or a split."""
    stays = replace(plain_chart(), exceptions=(TEN_TWO,))
    assert stays.preferences(12, False, None, (4,), (10, 2)) == ("hit", "stand")
    assert stays.preferences(12, False, None, (4,), (2, 10)) == ("hit", "stand")
    assert stays.preferences(12, False, None, (4,)) == stays.preferences(12, False, None, (4,), (9, 3))
    assert stays.preferences(12, False, None, (5,), (10, 2)) == stays.preferences(12, False, None, (5,))


def test_what_an_exception_leaves_open_the_total_decides() -> None:
    assert CHART.choose(18, True, None, (1,), ("hit", "stand", "double"), (1, 7)) == "double"
    assert CHART.choose(18, True, None, (1,), ("hit", "stand"), (1, 7)) == "hit"


def test_other_programs_get_them() -> None:
    *_, last, last_but = csv.reader(report.csv(CHART).splitlines())
    assert last == ["T,2", "", "", "H", *[""] * 7]
    assert last_but == ["A,7", *[""] * 9, "DH"]
    data = json.loads(report.json(CHART))
    assert data["exceptions"] == [
        {"hand": "T,2", "dealer": "4", "cell": "H"},
        {"hand": "A,7", "dealer": "A", "cell": "DH"},
    ]
    assert "Exceptions for the first two cards: T,2 v 4 hit; A,7 v A double, else hit." in data["notes"]
