"""What a new table can be opened with: every switch of every ruling."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.server.games import Games
from holecard.server.web.table_readings import TableReading, table_readings
from holecard.sheets.descriptions.describe import settings_of_switch
from holecard.sheets.override import parse_setting, setting_value, spelled_out

PRINTED = holecard.games()


@pytest.fixture(scope="module")
def games() -> Games:
    return Games(None)


def chosen(readings: Iterable[TableReading]) -> list[dict[str, Any]]:
    return [dict(choice) for reading in readings for choice in reading.choices]


@pytest.mark.parametrize("game", PRINTED)
def test_every_switch_of_every_ruling_can_be_chosen(games: Games, game: str) -> None:
    """Once: a switch that two rulings name is offered with the first."""
    sheet = holecard.rules(game)
    switches = [
        spelled_out(dict(parse_setting(setting) for setting in settings_of_switch(switch)))
        for ruling in sheet.ruling
        for switch in ruling.switches
    ]
    offered = chosen(table_readings(games, game))
    for settings in switches:
        changing = {path: value for path, value in settings.items() if setting_value(sheet, path) != value}
        assert offered.count(changing) == 1, settings
    assert all(choice for choice in offered)


@pytest.mark.parametrize("game", PRINTED)
def test_every_choice_can_be_dealt_and_changes_the_rules(games: Games, game: str) -> None:
    for settings in chosen(table_readings(games, game)):
        assert holecard.rules(game, settings).sha256 != holecard.rules(game).sha256


def test_all_pay_tables_of_the_print_can_be_chosen(games: Games) -> None:
    offered = chosen(table_readings(games, "upcard-luck-21"))
    assert [one for one in offered if "wager.Upcard Luck.table" in one] == [
        {"wager.Upcard Luck.table": "B"},
        {"wager.Upcard Luck.table": "C"},
    ]


def test_what_a_game_cannot_be_dealt_with_is_not_offered(games: Games) -> None:
    """Late surrender needs a dealer who peeks, and a game with both cards up does not ask whether the dealer peeks."""
    for game in ("quick-pay", "last-chance", "face-up", "double-exposure"):
        assert {"dealer.hole_card": "no peek"} not in chosen(table_readings(games, game))


def test_a_sheet_of_the_folder_offers_the_readings_that_it_inherits(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extends = "double-up"\nname = "Mine"\n[settle]\nnatural = "6 to 5"\n')
    offered = chosen(table_readings(Games(tmp_path), "mine"))
    assert {"settle.rounding": "nearest"} in offered
    assert {"player.split_by": "rank"} in offered
    assert {"settle.natural": "6 to 5"} not in offered
