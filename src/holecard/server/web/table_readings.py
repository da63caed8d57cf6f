"""The readings that a table can be opened with: every switch of the rulings of its game."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from holecard.errors import Refusal
from holecard.server.game.entries import SettingValue
from holecard.server.games import Games
from holecard.sheets.descriptions.describe import settings_of_switch
from holecard.sheets.override import parse_setting, setting_value, spelled_out
from holecard.sheets.schema import RuleSheet

ReadingSettings = dict[str, SettingValue]


class TableReading(BaseModel):
    """A point on which printed rules are unclear, how they are read, and what can be chosen instead."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    on: str
    """What it is about."""
    reading: str
    """How the game is dealt."""
    choices: list[ReadingSettings]
    """The settings of each other reading, for `settings` of a new table."""


def table_readings(games: Games, name: str) -> Iterator[TableReading]:
    """Yield what can be chosen at a new table of a game. A switch that two rulings name is offered with the first."""
    sheet = games.sheet(name)
    known: list[ReadingSettings] = []
    for ruling in sheet.ruling:
        choices: list[ReadingSettings] = []
        for switch in ruling.switches:
            settings = _changing(sheet, switch)
            if settings and settings not in known and _can_be_dealt(games, name, settings):
                choices.append(settings)
                known.append(settings)
        if choices:
            yield TableReading(on=ruling.on, reading=ruling.reading, choices=choices)


def _changing(sheet: RuleSheet, switch: str) -> ReadingSettings:
    """Return those settings of a switch that change the game."""
    given = spelled_out(dict(parse_setting(setting) for setting in settings_of_switch(switch)))
    return {path: value for path, value in given.items() if setting_value(sheet, path) != value}  # type: ignore[misc]


def _can_be_dealt(games: Games, name: str, settings: ReadingSettings) -> bool:
    """Return whether the game can be dealt so; an inherited ruling may not suit it."""
    try:
        games.sheet(name, settings)
    except Refusal:
        return False
    return True
