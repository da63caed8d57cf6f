"""The games that the server deals: every sheet that comes with Holecard, and those of a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from holecard.errors import Refusal, did_you_mean, shortly
from holecard.server.errors import NotFound
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet

#: Sheets with settings that are kept in memory; others are read again.
_KEPT = 200


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
            self._sheets[key] = rules(file or name, settings)
        return self._sheets[key]

    def problem(self, name: str) -> str | None:
        """Return what is wrong with a game's sheet; None where nothing is."""
        try:
            self.sheet(name)
        except Refusal as refused:
            return str(refused)
        return None

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
