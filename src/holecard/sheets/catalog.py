"""The games that come with Holecard: their names, what people call them, and the text of their sheets."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

_CATALOG = resources.files("holecard") / "catalog"


def games(*, examples: bool = False) -> tuple[str, ...]:
    """Return the names of the games that come with Holecard, the base game first; on request also the examples."""
    return (*_files("."), *example_games()) if examples else tuple(_files("."))


def example_games() -> tuple[str, ...]:
    """Return the names of the example games: complete and tested, to learn from and to copy."""
    return tuple(_files("examples"))


def sheet_text(name: str) -> str:
    """The text of a game's sheet."""
    return _file(name).read_text(encoding="utf-8")


def find_game(text: str) -> str | None:
    """The game that people call so: by name or title, in any capitals, with blanks or hyphens.

    >>> find_game("Classic"), find_game("double up"), find_game("Double-Up Blackjack"), find_game("poker")
    ('classic', 'double-up', 'double-up', None)
    """
    return _spellings().get(_folded(text))


def _file(name: str) -> Traversable:
    return (_files(".") | _files("examples"))[name]


@lru_cache
def _files(folder: str) -> dict[str, Traversable]:
    """The sheets of a folder of the catalog by the names of their games, base games first."""
    files = sorted((file for file in (_CATALOG / folder).iterdir() if file.name.endswith(".toml")), key=_order)
    return {file.name.removesuffix(".toml"): file for file in files}


def _order(file: Traversable) -> tuple[bool, str]:
    return "extends" in tomllib.loads(file.read_text(encoding="utf-8")), file.name.removesuffix(".toml")


@lru_cache
def _spellings() -> dict[str, str]:
    """What each game is called; a name counts for more than the title of another game."""
    titles = {_folded(str(tomllib.loads(sheet_text(name))["name"])): name for name in games(examples=True)}
    return titles | {_folded(name): name for name in games(examples=True)}


def _folded(text: str) -> str:
    return re.sub(r"[\s_-]+", "-", text.strip().lower())
