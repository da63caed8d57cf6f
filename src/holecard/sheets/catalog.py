"""The games that come with Holecard: their names, titles and texts, read without checking the sheets."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

_CATALOG = resources.files("holecard") / "catalog"


class Title(NamedTuple):
    """The head of a sheet: what the game is called, one sentence about it, and whether it is an example."""

    name: str
    about: str
    is_example: bool = False


def games(*, examples: bool = False) -> tuple[str, ...]:
    """Return the names of the games that come with Holecard, the base game first; on request also the examples."""
    return tuple(name for name, title in titles().items() if examples or not title.is_example)


@lru_cache
def titles() -> dict[str, Title]:
    """Return the title of every game by name: the base game, the other games, the examples."""
    sheets = {name: tomllib.loads(sheet_text(name)) for name in _files()}
    order = sorted(sheets, key=lambda name: (name in _files("examples"), "extends" in sheets[name], name))
    return {
        name: Title(sheets[name]["name"], sheets[name].get("about", ""), name in _files("examples")) for name in order
    }


def is_game(name: str) -> bool:
    """Return whether a game, or an example, has exactly this name."""
    return name in _files()


def sheet_text(name: str) -> str:
    """Return the TOML text of a game's sheet."""
    return _files()[name].read_text(encoding="utf-8")


def find_game(text: str) -> str | None:
    """Return the name of the game that people call so: by name or title, in any capitals, with blanks or hyphens."""
    by_title = {_folded(title.name): name for name, title in titles().items()}
    by_name = {_folded(name): name for name in titles()}
    return (by_title | by_name).get(_folded(text))


@lru_cache
def _files(*folders: str) -> dict[str, Traversable]:
    """Return the sheets in folders of the catalog, or all of them, by the names of their games."""
    return {
        file.name.removesuffix(".toml"): file
        for folder in folders or (".", "examples")
        for file in (_CATALOG / folder).iterdir()
        if file.name.endswith(".toml")
    }


def _folded(text: str) -> str:
    return re.sub(r"[\s_-]+", "-", text.strip().lower())
