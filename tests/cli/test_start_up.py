"""A command imports only what it needs, so that quick commands start quickly."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from holecard.cli import app
from holecard.sheets.catalog import games, titles
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.read import from_data, rules
from tests.selection import one_in

_LIST_MODULES = """
import sys
from holecard.cli.app import app
app({words!r}, standalone_mode=False)
print("modules:", *sys.modules)
"""


def _modules_after(*words: str) -> set[str]:
    """The modules imported by a new process after running a command."""
    code = _LIST_MODULES.format(words=list(words))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.rpartition("modules:")[2].split())


@pytest.mark.parametrize("words", one_in(3, [["rules", "double-up"], ["games"], ["check", "classic"]]))
def test_commands_that_read_a_sheet_load_no_numbers(words: list[str]) -> None:
    loaded = _modules_after(*words)
    assert not loaded & {"numba", "numpy", "holecard.exact.analysis", "holecard.simulation", "holecard.table.table"}
    assert not {name for name in loaded if name.startswith("holecard.cli.play")}


@pytest.mark.parametrize("words", one_in(2, [["check", "classic"], ["rules", "classic"]]))
def test_a_sheet_without_side_wagers_loads_nothing_for_them(words: list[str]) -> None:
    loaded = _modules_after(*words)
    assert not loaded & {"holecard.composition", "holecard.sheets.checks.line_readings"}


def test_a_description_without_side_wagers_needs_no_tables() -> None:
    sheet = from_data(json.loads(rules("classic").content), "the sheet")  # new: other tests share what `rules` returns
    describe(sheet)
    assert "tables" not in vars(sheet)


def test_every_command_of_the_help_exists() -> None:
    commands = app._Commands()
    assert [commands[name].name for name in commands] == list(commands)


def test_titles_are_those_of_the_sheets() -> None:
    assert titles() == {
        name: (rules(name).name, rules(name).about, name not in games()) for name in games(examples=True)
    }
