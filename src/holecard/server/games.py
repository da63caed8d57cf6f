"""The games that the server deals: every sheet that comes with Holecard, and those of a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from holecard.errors import Problem, Refusal, SheetError, did_you_mean, shortly
from holecard.money import money
from holecard.server.errors import NotFound
from holecard.sheets.catalog import games
from holecard.sheets.override import setting_value
from holecard.sheets.read import rules, rules_from_file
from holecard.sheets.schema import RuleSheet

#: The keys of a sheet whose values are texts for people; so are the names of pay tables.
_WORDS = ("name", "about", "source", "on", "reading", "why", "switch")
#: Sheets with settings that are kept in memory; others are read again.
_KEPT = 200


def words_of(sheet: RuleSheet) -> set[str]:
    """Return every text in a sheet that is for people and means nothing to the rules."""
    found: set[str] = set()
    inside: list[object] = [json.loads(sheet.content)]
    while inside:
        value = inside.pop()
        if isinstance(value, dict):
            for key, item in value.items():
                found.update(_texts(item) if key in _WORDS else item if key == "tables" else ())
            inside.extend(value.values())
        elif isinstance(value, list):
            inside.extend(value)
    return found


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


class Games:
    """Sheets by name. A sheet in the folder that changes is read again; open tables keep the one they have."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._sheets: dict[tuple[object, ...], RuleSheet] = {}

    def names(self) -> list[str]:
        """Return the names of all games."""
        own = self._own()
        return [*own, *(name for name in games(examples=True) if name not in own)]

    def sheet(self, name: str, settings: Mapping[str, object] | None = None) -> RuleSheet:
        """Return a game's sheet with settings changed; refuse one that is not valid."""
        if name not in self.names():
            raise NotFound(f"no game is called {shortly(name)}; {did_you_mean(name, self.names())}")
        file = self.file(name)
        key = (name, repr(sorted((settings or {}).items())), *self._versions(file))
        if key not in self._sheets:
            if len(self._sheets) >= _KEPT:
                del self._sheets[next(iter(self._sheets))]
            self._sheets[key] = self._read(name, settings or {})
        return self._sheets[key]

    def same(self, name: str, settings: Mapping[str, object], sheet: RuleSheet) -> RuleSheet:
        """Return a table's sheet with the game's name and the settings in it, if the game is still the same."""
        try:
            found = self.sheet(name, settings)
        except Refusal:
            return sheet
        return found if found == sheet else sheet

    def _read(self, name: str, settings: Mapping[str, object]) -> RuleSheet:
        """Return a sheet with those of the settings that change the game."""
        file = self.file(name)
        sheet = rules(name, settings) if file is None else rules_from_file(Path(file), name, settings)
        if not settings:
            return sheet
        game = self.sheet(name)
        if new := words_of(sheet) - words_of(game):
            what = f"{shortly(min(new))}: names and other texts of a game cannot be changed; leave this setting out"
            raise SheetError(name, [Problem("settings", what)])
        given = sheet.origin[1]
        same = {path for path in given if setting_value(sheet, path) == setting_value(game, path)}
        changing = {path: value for path, value in given.items() if path not in same}
        return self.sheet(name, changing) if same else sheet

    def smallest_bet(self) -> int:
        """Return what the smallest main bet of the dearest game takes, in cents; where it has a companion, both."""
        found = [0]
        for name in self.names():
            with suppress(Refusal):  # a sheet in the folder that cannot be dealt
                main = self.sheet(name).main
                found.append(money(main.min) * (2 if main.companion else 1))
        return max(found)

    def problem(self, name: str) -> str | None:
        """Return what is wrong with a game's sheet; None where nothing is."""
        try:
            self.sheet(name)
        except Refusal as refused:
            return str(refused)
        return None

    def group(self, name: str) -> Literal["printed", "example", "own"]:
        """Return where a game comes from: printed rules, another sheet of Holecard, or the folder."""
        if name in self._own():
            return "own"
        return "printed" if name in games() and self.sheet(name).source else "example"

    def file(self, name: str) -> str | None:
        """Return the file of a game in the folder; None for one that comes with Holecard."""
        if self._folder is None or name not in self._own():
            return None
        return str(self._folder / f"{name}.toml")

    def _own(self) -> list[str]:
        return sorted(file.stem for file in self._folder.glob("*.toml")) if self._folder is not None else []

    def _versions(self, file: str | None) -> tuple[object, ...]:
        """Return what changes when a file of the folder does: a sheet may extend any of them."""
        if file is None or self._folder is None:
            return ()
        found = ((other.name, other.stat()) for other in sorted(self._folder.glob("*.toml")) if other.is_file())
        return tuple((name, status.st_mtime_ns, status.st_size) for name, status in found)
