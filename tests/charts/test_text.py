"""Charts as text: output reads back, common spellings are accepted, and refusals name line and cell."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.charts.caption import Caption, caption
from holecard.charts.layout import Layout
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.charts.text import read_chart_text, write_chart_text
from holecard.errors import ChartError
from holecard.sheets.read import rules
from tests.charts.charts import plain_chart, some_chart
from tests.random_play import sheets
from tests.selection import one_in

seeds = st.integers(0, 2**32)

PLAIN = """
hard    2   3   4   5   6   7   8   9   T   A
    4   H   H   H   H   H   H   H   H   H   H
    5   H   H   H   H   H   H   H   H   H   H
    6   H   H   H   H   H   H   H   H   H   H
    7   H   H   H   H   H   H   H   H   H   H
    8   H   H   H   H   H   H   H   H   H   H
    9   H   H   H   H   H   H   H   H   H   H
   10   DH  DH  DH  DH  DH  DH  DH  DH  H   H
   11   DH  DH  DH  DH  DH  DH  DH  DH  H   H
   12   S   S   S   S   S   H   H   H   H   H
   13   S   S   S   S   S   H   H   H   H   H
   14   S   S   S   S   S   H   H   H   H   H
   15   S   S   S   S   S   H   H   H   H   H
   16   S   S   S   S   S   H   H   H   H   H
   17   S   S   S   S   S   S   S   S   S   S
   18   S   S   S   S   S   S   S   S   S   S
   19   S   S   S   S   S   S   S   S   S   S
   20   S   S   S   S   S   S   S   S   S   S

soft    2   3   4   5   6   7   8   9   T   A
   12   H   H   H   H   H   H   H   H   H   H
   13   H   H   H   H   H   H   H   H   H   H
   14   H   H   H   H   H   H   H   H   H   H
   15   H   H   H   H   H   H   H   H   H   H
   16   H   H   H   H   H   H   H   H   H   H
   17   H   H   H   H   H   H   H   H   H   H
   18   S   S   S   S   S   S   S   S   S   S
   19   S   S   S   S   S   S   S   S   S   S
   20   S   S   S   S   S   S   S   S   S   S

pairs   2   3   4   5   6   7   8   9   T   A
  2,2   -   -   -   -   -   -   -   -   -   -
  3,3   -   -   -   -   -   -   -   -   -   -
  4,4   -   -   -   -   -   -   -   -   -   -
  5,5   -   -   -   -   -   -   -   -   -   -
  6,6   -   -   -   -   -   -   -   -   -   -
  7,7   -   -   -   -   -   -   -   -   -   -
  8,8   P   P   P   P   P   P   P   P   P   P
  9,9   -   -   -   -   -   -   -   -   -   -
  T,T   -   -   -   -   -   -   -   -   -   -
  A,A   P   P   P   P   P   P   P   P   P   P
""".lstrip("\n")

HARD_ROWS = "the rows are 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
PAIR_ROWS = "the rows are 2,2 3,3 4,4 5,5 6,6 7,7 8,8 9,9 T,T A,A"
CLASSIC = Layout.of(rules("classic").tables)


def problems(text: str, layout: Layout = CLASSIC) -> list[str]:
    with pytest.raises(ChartError) as refused:
        read_chart_text(text, layout, "chart.txt")
    return list(refused.value.problems)


def edited(before: str, after: str) -> str:
    assert PLAIN.count(before) == 1, before
    return PLAIN.replace(before, after)


def test_a_chart_is_written_in_aligned_columns() -> None:
    """Three blocks, one line per row."""
    assert write_chart_text(plain_chart()) == PLAIN
    assert read_chart_text(PLAIN, CLASSIC) == plain_chart()


@pytest.mark.parametrize("name", one_in(3, sheets()))
@given(seed=seeds)
def test_what_is_written_reads_back(name: str, seed: int) -> None:
    """Any chart of any sheet, with and without its heading."""
    sheet = sheets()[name]
    chart = some_chart(Layout.of(sheet.tables), seed)
    assert read_chart_text(write_chart_text(chart), chart.layout) == chart
    assert read_chart_text(write_chart_text(chart, caption(sheet, ["A note.", "# hard 2 3"])), chart.layout) == chart


@pytest.mark.parametrize("name", one_in(3, sheets()))
@given(seed=seeds)
def test_lines_columns_spacing_and_capitals_are_free(name: str, seed: int) -> None:
    """Blocks and rows in any order, tabs instead of spaces, comments anywhere."""
    chart, rng = some_chart(Layout.of(sheets()[name].tables), seed), random.Random(seed)
    blocks = [block.split("\n") for block in write_chart_text(chart).strip().split("\n\n")]
    rng.shuffle(blocks)
    lines = []
    for heading, *rows in blocks:
        rng.shuffle(rows)
        lines += [heading, *rows]
    text = "\r\n".join(rng.choice(["\t", "  "]).join(line.split()) + rng.choice(["", " # why"]) for line in lines)
    assert read_chart_text(rng.choice([text.lower(), text.upper(), text]), chart.layout) == chart


def test_columns_may_stand_in_any_order() -> None:
    """They are found by name."""
    turned = []
    for line in PLAIN.splitlines():
        first, *cells = line.split() or [""]
        turned.append(" ".join([first, *reversed(cells)]))
    assert read_chart_text("\n".join(turned), CLASSIC) == plain_chart()


def test_names_people_use_are_understood() -> None:
    """A,7 for soft 18, TT and 10,10 for T,T, 10 for T, pair for pairs, a colon after a name."""
    hard, soft, pairs = PLAIN.split("\n\n")
    soft = soft.replace("   18 ", "  A,7: ").replace("   19 ", "  s19 ").replace("   20 ", "   A9 ")
    text = "\n\n".join([hard, soft, pairs.replace("pairs", "Pair:")])
    text = text.replace("T   A\n", "10  A\n").replace("T,T ", "10,10 ").replace("8,8", "88").replace("A,A", "aa")
    assert read_chart_text(text, CLASSIC) == plain_chart()


def test_wide_charts_are_cut_by_groups_and_stay_within_eighty_columns() -> None:
    """The dealer's hard totals first, then the soft ones."""
    layout = Layout.of(rules("face-up").tables)
    text = write_chart_text(some_chart(layout, 1))
    assert [line.split()[:2] for line in text.splitlines() if line.startswith(("hard", "soft", "pairs"))] == [
        ["hard", "4"],
        ["soft", "4"],
        ["pairs", "4"],
        ["hard", "s12"],
        ["soft", "s12"],
        ["pairs", "s12"],
    ]
    plain = write_chart_text(mimic_the_dealer(rules("face-up").tables))
    assert max(map(len, plain.splitlines())) <= 80


def test_the_heading_says_game_decks_settings_legend_and_notes() -> None:
    """All of it in comments."""
    sheet = rules("quick-pay", {"decks": 8, "player.double": "hard 9-11"})
    chart = some_chart(Layout.of(sheet.tables), 3)
    heading = write_chart_text(chart, caption(sheet, ["It costs 0.0022%."])).partition("\nhard")[0].strip().splitlines()
    assert all(line.startswith("#") for line in heading)
    words = " ".join(line.lstrip("# ") for line in heading)
    for said in (
        sheet.name,
        "8 decks",
        "dealer hits soft 17",
        "double on hard 9-11",
        "push against a dealer's 17",
        "Q Quick Pay",
        "It costs 0.0022%.",
    ):
        assert said in " ".join(words.split())


def test_a_name_cannot_break_out_of_the_heading() -> None:
    """Line breaks of any kind in the name stay inside comments."""
    chart = plain_chart()
    for rude in ("a\nb 2", "a\rb 2", "a\u2028b 2", "a\x85b 2", "a\x0bb 2"):
        assert read_chart_text(write_chart_text(chart, Caption("x", rude, 6, notes=(rude,))), chart.layout) == chart


# Refusals


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (
            "   11   DH",
            "   11   RH",
            "line 9: hard 11 v 2: 'R' is surrender, which this game does not offer; it can be H, S, D",
        ),
        ("   11   DH", "   11   X", "line 9: hard 11 v 2: 'X' is not a letter of a chart; it can be H, S, D"),
        (
            "   11   DH",
            "   11   D ",
            "line 9: hard 11 v 2: 'D' does not say what to do if that is not allowed; write 'DH' or 'DS'",
        ),
        ("   11   DH", "   11 H DH", "line 9: hard 11: there are 11 cells under 10 columns"),
        ("   11   DH", "   11   ", "line 9: hard 11 v A: the cell is missing"),
        (
            "  8,8   P",
            "  8,8   -P",
            "line 38: 8,8 v 2: '-' is only for pairs, which are then played as their total; it can be H, S, D, P, -",
        ),
        ("   11   DH", "   1l   DH", f"line 9: hard: '1l' is not a row of this game's chart; {HARD_ROWS}"),
        ("   11   DH", "   10   DH", "line 9: hard 10: the row occurs twice, first in line 8"),
        (
            "  8,8",
            "  8,9",
            f"line 38: pairs: '8,9' is not a row of this game's chart; {PAIR_ROWS}",
        ),
        (
            "pairs   2",
            "pairs   1",
            "line 31: pairs: '1' is not a column of this game's chart; the columns are 2 3 4 5 6 7 8 9 T A",
        ),
        ("pairs   2", "pairs   3", "line 31: pairs: the column 3 occurs twice"),
        (
            "pairs   2   3   4   5   6   7   8   9   T   A",
            "pairs",
            "line 31: pairs: name the columns on the same line: 2 3 4 5 6 7 8 9 T A",
        ),
        ("soft    2", "2", f"line 20: hard: '2' is not a row of this game's chart; {HARD_ROWS}"),
    ],
)
def test_errors_name_their_location(before: str, after: str, says: str) -> None:
    """File, line, row, column, and the valid values."""
    assert f"chart.txt, {says}" in problems(edited(before, after))


def test_a_missing_part_is_reported_once() -> None:
    """A missing row, column or block is one problem, not one per cell."""
    line = next(line for line in PLAIN.splitlines() if line.startswith("   11"))
    assert problems(PLAIN.replace(line, "")) == ["chart.txt: hard 11: the row is missing"]
    short = "\n".join(line[:43] if "T   A" in line else line[:44] for line in PLAIN.splitlines())
    columns = [f"chart.txt: {block}: the column A is missing" for block in ("hard", "soft", "pairs")]
    assert [problem for problem in problems(short) if "column" in problem] == columns
    assert problems(PLAIN.partition("pairs")[0]) == ["chart.txt: the block 'pairs' is missing"]
    assert problems("") == [f"chart.txt: the block {block!r} is missing" for block in ("hard", "soft", "pairs")]


def test_rows_need_a_heading() -> None:
    """A text that is not a chart at all."""
    found = problems("4 H H H\n")
    assert found[0] == "chart.txt, line 1: '4' is before any heading; begin with 'hard' and its columns"


def test_all_problems_are_reported_at_once() -> None:
    """Two in one row, one in another."""
    text = edited("   11   DH  DH", "   11   RH  D ").replace("  8,8   P", "  8,8   X")
    assert [problem.split(":")[1] for problem in problems(text)] == [" hard 11 v 2", " hard 11 v 3", " 8,8 v 2"]


def test_a_chart_of_another_game_is_refused() -> None:
    """Its columns belong to another game; the message names a block that this game does not have."""
    face_up = Layout.of(rules("face-up").tables)
    assert "chart.txt, line 1: hard: '2' is not a column of this game's chart" in problems(PLAIN, face_up)[0]
    unsplit = Layout.of(rules("classic", split_hands=1).tables)
    assert problems(PLAIN, unsplit) == ["chart.txt, line 31: pairs: a chart of this game has no such block; remove it"]


def test_ten_is_a_total_where_both_dealer_cards_are_up() -> None:
    """There is no column T there."""
    layout = Layout.of(rules("face-up").tables)
    chart = some_chart(layout, 5)
    assert read_chart_text(write_chart_text(chart), layout).cells == chart.cells
    assert any(
        "'T' is not a column" in problem
        for problem in problems(write_chart_text(chart).replace("  10  ", "  T   ", 1), layout)
    )
