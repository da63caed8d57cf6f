"""The games that the server deals: every sheet that comes with Holecard, and those of a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from holecard.errors import did_you_mean, shortly
from holecard.server.errors import NotFound
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet


class Games:
    """Sheets by name."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._sheets: dict[tuple[str, str], RuleSheet] = {}

    def names(self) -> list[str]:
        """Return the names of all games."""
        own = self._own()
        return [*own, *(name for name in games(examples=True) if name not in own)]

    def sheet(self, name: str, settings: Mapping[str, object] | None = None) -> RuleSheet:
        """Return a game's sheet with settings changed; sheets are read once."""
        if name not in self.names():
            raise NotFound(f"no game is called {shortly(name)}; {did_you_mean(name, self.names())}")
        key = (name, repr(sorted((settings or {}).items())))
        if key not in self._sheets:
            self._sheets[key] = rules(self.file(name) or name, settings)
        return self._sheets[key]

    def file(self, name: str) -> str | None:
        """Return the file of a game in the folder; None for one that comes with Holecard."""
        if self._folder is None or name not in self._own():
            return None
        return str(self._folder / f"{name}.toml")

    def _own(self) -> list[str]:
        return sorted(file.stem for file in self._folder.glob("*.toml")) if self._folder is not None else []

    def seats(self, name: str) -> int:
        """Return how many seats a game's table has."""
        return self.sheet(name).tables.seats
