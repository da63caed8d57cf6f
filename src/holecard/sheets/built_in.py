"""The sheets that come with holecard: their names, titles and texts, read without checking them."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

_FOLDER = resources.files("holecard") / "catalog"


class Title(NamedTuple):
    """The head of a sheet: what the game is called, and one sentence about it."""

    name: str
    about: str


@lru_cache
def built_in_names() -> frozenset[str]:
    """The names of the sheets, in no order."""
    return frozenset(entry.name.removesuffix(".toml") for entry in _FOLDER.iterdir() if entry.name.endswith(".toml"))


def built_in_text(name: str) -> str:
    """The TOML text of a sheet."""
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@lru_cache
def titles() -> dict[str, Title]:
    """The title of every game by name, the base game first."""
    sheets = {name: tomllib.loads(built_in_text(name)) for name in built_in_names()}
    order = sorted(sheets, key=lambda name: ("extends" in sheets[name], name))
    return {name: Title(sheets[name]["name"], sheets[name].get("about", "")) for name in order}


def games() -> tuple[str, ...]:
    """Names of the games that come with holecard, the base game first."""
    return tuple(titles())
