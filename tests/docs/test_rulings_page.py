"""docs/rulings.md is what the sheets say, and every switch it names can be thrown."""

from __future__ import annotations

import pytest

import holecard
from docs.make_rulings import PAGE, page
from holecard.sheets.descriptions.describe import settings_of
from holecard.sheets.override import parse_setting
from holecard.sheets.read import rules

SWITCHES = [(game, switch) for game in holecard.games() for ruling in rules(game).ruling for switch in ruling.switches]


def test_the_page_is_what_the_sheets_say() -> None:
    """A changed ruling without `make docs` is caught here."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(("game", "switch"), SWITCHES)
def test_every_switch_changes_the_sheet(game: str, switch: str) -> None:
    """The other reading is a word of the sheet, and it is not the one in force."""
    assert rules(game, dict(map(parse_setting, settings_of(switch)))) != rules(game)
