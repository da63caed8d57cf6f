"""docs/python.md: the reference is generated from the code, and names everything that is public."""

from __future__ import annotations

import inspect
import re

import pytest

import holecard
import holecard.counts
import holecard.testing
from docs.make_python import PAGE, page
from holecard.cli.app import _Commands


def test_the_reference_is_what_the_code_says() -> None:
    """This fails if a public name was changed without running `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_public_name_has_an_entry() -> None:
    """Each once."""
    entries = re.findall(r"^### `(\w+)`$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert sorted(entries) == sorted([*holecard.__all__, *holecard.counts.__all__, *holecard.testing.__all__])


def test_every_public_function_and_class_explains_itself() -> None:
    assert [name for name in holecard.__all__ if not inspect.getdoc(getattr(holecard, name))] == []


#: Commands that print something else than a result, and options that only the command line has.
SERVER_COMMANDS = {"serve", "audit", "verify-shoe", "backup", "operator", "close-tables"}
NO_FUNCTION = {"play", "train", "tables", "schema", *SERVER_COMMANDS}
ONLY_COMMANDS = {"json", "format_", "output", "settings", "csv", "as_csv", "hands", "plot", "main_only", "vary"}
#: Options that make `holecard simulate` a `simulate_count`.
WITH_COUNT = {("simulate", "count"): "player", ("simulate", "bankroll"): "bankroll"}
OTHER_NAMES = {"spot": "at", "wager": "wagers", "game": "game", "games": "games", "file": "game"}


@pytest.mark.parametrize("command", [name for name in _Commands() if name not in NO_FUNCTION])
def test_python_can_do_what_the_command_can(command: str) -> None:
    """Under the same name, with the same parameters and defaults."""
    function = getattr(holecard, command.replace("-", "_"))
    if command in ("games", "rules", "replay", "house-odds"):
        return  # they take a sheet, a record or a target as a value
    parameters = inspect.signature(function).parameters
    for option in _Commands()[command].params:
        name = str(option.name)
        if name in ONLY_COMMANDS or name in ("help", "reduce_variance"):
            continue
        known = OTHER_NAMES.get(name, name)
        if (command, name) in WITH_COUNT:
            assert WITH_COUNT[command, name] in inspect.signature(holecard.simulate_count).parameters
            continue
        assert known in parameters, f"{command}: {name}"
        default = parameters[known].default
        if name == "rounds":
            assert float(option.default) == default
        elif option.default is not None and default is not inspect.Parameter.empty:
            assert option.default == default, f"{command}: {name}"
