"""Settings laid over a sheet when it is loaded: `decks=8`, `settle.natural="6 to 5"`, `wager.Pairs.max="$50"`."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from holecard.errors import Problem, SheetError, did_you_mean
from holecard.sheets.schema import RuleSheet

_SECTIONS = ("table", "shoe", "dealer", "main", "player", "insurance", "settle")
_LISTS = {"wager": "name", "ruling": "on"}


def parse_setting(text: str) -> tuple[str, object]:
    """`path=value` as written after --set; the value is TOML where it reads as TOML, else plain words.

    >>> parse_setting("settle.natural=6 to 5"), parse_setting("decks=8")
    (('settle.natural', '6 to 5'), ('decks', 8))
    """
    path, equals, words = text.partition("=")
    if not equals or not path.strip():
        raise SheetError("--set", [Problem("", f"{text!r}: write a word and its value, as in settle.natural='6 to 5'")])
    try:
        value: object = tomllib.loads(f"value = {words}")["value"]
    except tomllib.TOMLDecodeError:
        value = words.strip()
    return path.strip(), value


def apply_overrides(data: dict[str, Any], settings: Mapping[str, object]) -> dict[str, Any]:
    """A copy of the sheet's words with the settings in place."""
    if not settings:
        return data
    result = copy.deepcopy(data)
    for path, value in settings.items():
        _place(result, full_path(path), value)
    return result


def full_path(word: str) -> tuple[str, ...]:
    """The path of a word given alone or with its section; `double__on` may stand for `double.on`."""
    parts = tuple(part.strip() for part in word.split("."))
    if len(parts) > 1 or word in RuleSheet.model_fields:
        return parts
    homes = [(section, word) for section in _SECTIONS if word in _fields(section)]
    if len(homes) == 1:
        return homes[0]
    if homes:
        choices = " or ".join(".".join(home) for home in homes)
        raise SheetError("", [Problem(word, f"several sections have this word; write {choices}")])
    every = [*RuleSheet.model_fields, *(name for section in _SECTIONS for name in _fields(section))]
    raise SheetError("", [Problem(word, f"no section has this word; {_nearest(word, every)}")])


def _nearest(word: str, known: list[str]) -> str:
    hint = did_you_mean(word, known)
    return hint if hint.startswith("did") else "`holecard schema` lists every word"


def _fields(section: str) -> list[str]:
    model = RuleSheet.model_fields[section].annotation
    assert isinstance(model, type)
    assert issubclass(model, BaseModel)
    return list(model.model_fields)


def _place(data: dict[str, Any], path: tuple[str, ...], value: object) -> None:
    first, *rest = path
    if first in _LISTS and rest:
        entry = _entry(data, first, rest[0])
        if len(rest) == 1:
            raise SheetError("", [Problem(".".join(path), "write which of its words to set, such as .max")])
        _place(entry, tuple(rest[1:]), value)
    elif rest:
        section = data.setdefault(first, {})
        if not isinstance(section, dict):
            raise SheetError("", [Problem(".".join(path), f"{first} is a single word and has nothing inside")])
        _place(section, tuple(rest), value)
    else:
        data[first] = value


def _entry(data: dict[str, Any], section: str, name: str) -> dict[str, Any]:
    entries: list[dict[str, Any]] = data.get(section, [])
    key = _LISTS[section]
    for entry in entries:
        if str(entry.get(key, "")).lower() == name.lower():
            return entry
    hint = did_you_mean(name, [str(entry.get(key, "")) for entry in entries]) or f"this game has no {section}"
    raise SheetError("", [Problem(f"{section}.{name}", f"no {section} is called so; {hint}")])
