"""docs/rulings.md is generated from the sheets, and every switch that it names works."""

from __future__ import annotations

import pytest

import holecard
from docs.make_rulings import PAGE, page
from holecard.sheets.descriptions.describe import settings_of_switch
from holecard.sheets.override import parse_setting
from holecard.sheets.read import rules

SWITCHES = [(game, switch) for game in holecard.games() for ruling in rules(game).ruling for switch in ruling.switches]


def test_the_page_is_what_the_sheets_say() -> None:
    """This fails if a ruling was changed without running `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(("game", "switch"), SWITCHES)
def test_every_switch_changes_the_sheet(game: str, switch: str) -> None:
    """The switch is a valid setting, and it differs from the default."""
    assert rules(game, dict(map(parse_setting, settings_of_switch(switch)))) != rules(game)
