"""Sheets, tables and charts are values: equal when equal, hashable, picklable and copyable, for every sheet."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from holecard.charts.layout import Layout
from holecard.sheets.catalog import games
from holecard.sheets.files.toml_writer import sheet_data, toml_sections
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from tests.charts.charts import some_chart
from tests.random_play import sheets
from tests.selection import one_in

NAMES = list(sheets())


def _again(name: str) -> RuleSheet:
    """The same game, read from its own text and compiled separately."""
    again = read_sheet(toml_sections(sheet_data(sheets()[name])))
    assert again is not sheets()[name]
    assert again.tables is not sheets()[name].tables
    return again


# Sheets and tables


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_a_sheet_equals_the_same_sheet_read_again(name: str) -> None:
    """Compiled or not, and whether it extends another sheet or is complete."""
    sheet, again = sheets()[name], _again(name)
    assert sheet == again
    assert hash(sheet) == hash(again)
    assert sheet.hash == again.hash
    assert len({sheet, again}) == 1


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_tables_equal_the_tables_of_an_equal_sheet(name: str) -> None:
    tables, again = sheets()[name].tables, _again(name).tables
    assert tables == again
    assert hash(tables) == hash(again)
    assert len({tables, again}) == 1


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_sheets_and_tables_survive_pickling_and_copying(name: str) -> None:
    sheet = sheets()[name]
    for value in (sheet, sheet.tables):
        for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert other == value
            assert hash(other) == hash(value)
            assert type(other) is type(value)
    assert pickle.loads(pickle.dumps(sheet)).origin == sheet.origin


def test_a_copy_of_a_sheet_carries_no_compiled_tables() -> None:
    """A copy with other data compiles its own tables; a pickle contains only the data."""
    sheet = rules("classic")
    assert sheet.tables.settlement[0][20][20].net == 0
    assert len(pickle.dumps(sheet)) < len(pickle.dumps(sheet.tables)) / 10
    ties_lose = sheet.settle.model_copy(update={"ties": "lose"})
    for deep in (False, True):
        changed = sheet.model_copy(update={"settle": ties_lose}, deep=deep)
        assert changed.tables.settlement[0][20][20].net == -1
        assert changed.hash != sheet.hash
    assert sheet.settle.ties == "push"


@pytest.mark.parametrize(
    ("word", "value"), [("decks", 8), ("settle.ties", "lose"), ("main.max", "$600"), ("name", "Another")]
)
def test_every_difference_makes_another_sheet(word: str, value: object) -> None:
    sheet, other = rules("classic"), rules("classic", {word: value})
    assert sheet != other
    assert sheet.hash != other.hash
    assert sheet.tables != other.tables


def test_settings_that_say_what_the_sheet_says_leave_it_equal() -> None:
    assert rules("classic", decks=6) == rules("classic")
    assert rules("classic", decks=6).hash == rules("classic").hash
    assert rules("classic") != "classic"


def test_every_sheet_has_a_hash_unlike_the_others() -> None:
    hashes = {sheet.hash for sheet in sheets().values()}
    assert len(hashes) == len(set(sheets().values()))
    assert all(len(one) == 16 and set(one) <= set("0123456789abcdef") for one in hashes)


def test_the_hash_of_a_sheet_is_the_same_in_another_process() -> None:
    """Python salts the hashes of strings in every process; the hash for JSON must not depend on them."""
    code = "import holecard; print(*(holecard.rules(name).hash for name in holecard.games()))"
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert there.stdout.split() == [rules(name).hash for name in games()]


def test_sections_are_hashable_too() -> None:
    assert hash(rules("classic").settle) == hash(copy.deepcopy(rules("classic").settle))


# Charts


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_charts_and_layouts_are_values(name: str) -> None:
    chart, again = (some_chart(Layout.of(tables), 5) for tables in (sheets()[name].tables, _again(name).tables))
    for value, other in ((chart, again), (chart.layout, again.layout)):
        for same in (other, pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert same == value
            assert hash(same) == hash(value)
            assert len({same, value}) == 1
    assert chart != some_chart(chart.layout, 6)
