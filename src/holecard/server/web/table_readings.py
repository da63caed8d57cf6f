"""The readings that a table can be opened with: every switch of the game's rulings, and of the sheets it extends."""

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
    base: str | None
    """The title of the game that this one extends, where that game's sheet has the ruling; null for one of its own."""
    choices: list[ReadingSettings]
    """The settings of each other reading, for `settings` of a new table."""


def table_readings(games: Games, name: str) -> list[TableReading]:
    """Return what can be chosen at a new table of a game, its own rulings first."""
    sheet = games.sheet(name)
    known: list[ReadingSettings] = []
    return [reading for source in _lineage(games, sheet) for reading in _readings(games, name, sheet, source, known)]


def _lineage(games: Games, sheet: RuleSheet) -> Iterator[RuleSheet]:
    """Yield a sheet and those it extends, as far as the server deals them."""
    yield sheet
    if sheet.extends is not None and sheet.extends in games.names():
        yield from _lineage(games, games.sheet(sheet.extends))


def _readings(
    games: Games, name: str, sheet: RuleSheet, source: RuleSheet, known: list[ReadingSettings]
) -> Iterator[TableReading]:
    """Yield the readings of one sheet's rulings that change this game; `known` grows by their settings."""
    for ruling in source.ruling:
        choices: list[ReadingSettings] = []
        for switch in ruling.switches:
            settings = _changing(sheet, switch)
            if settings and settings not in known and _can_be_dealt(games, name, settings):
                choices.append(settings)
                known.append(settings)
        if choices:
            base = None if source is sheet else source.name
            yield TableReading(on=ruling.on, reading=ruling.reading, base=base, choices=choices)


def _changing(sheet: RuleSheet, switch: str) -> ReadingSettings:
    """Return those settings of a switch that change the game."""
    given = spelled_out(dict(parse_setting(setting) for setting in settings_of_switch(switch)))
    return {path: value for path, value in given.items() if setting_value(sheet, path) != value}  # type: ignore[misc]


def _can_be_dealt(games: Games, name: str, settings: ReadingSettings) -> bool:
    try:
        games.sheet(name, settings)
    except Refusal:
        return False
    return True
