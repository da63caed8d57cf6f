"""Settings that change a sheet when it is loaded: `decks=8`, `settle.natural="6 to 5"`, `wager.Pairs.max="$50"`."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from holecard.errors import Problem, SheetError, did_you_mean
from holecard.sheets.abbreviations import ABBREVIATIONS, abbreviation, expand
from holecard.sheets.checks.missing_features import feature_asked_for
from holecard.sheets.schema import RuleSheet

_SECTIONS = ("table", "shoe", "dealer", "main", "player", "insurance", "settle")
_LISTS = {"wager": "name", "ruling": "on"}
#: A wager has one pay table or several, so that setting one of them removes the other.
_REPLACED_BY = {"lines": ("tables", "table"), "tables": ("lines",)}


def parse_setting(text: str) -> tuple[str, object]:
    """Parse a setting as written after --set; the value is TOML if it can be parsed as TOML, else plain text.

    >>> parse_setting("settle.natural=6 to 5"), parse_setting("decks=8"), parse_setting("H17")
    (('settle.natural', '6 to 5'), ('decks', 8), ('H17', True))
    """
    path, equals, words = text.partition("=")
    if not equals and abbreviation(text):
        return text.strip(), True
    if not equals or not path.strip():
        examples = "settle.natural='6 to 5', or an abbreviation such as H17"
        raise SheetError("--set", [Problem("", f"{text!r}: write a setting and its value, as in {examples}")])
    try:
        value: object = tomllib.loads(f"value = {words}")["value"]
    except (ValueError, RecursionError):
        value = words.strip()
    return path.strip(), value


class Applied(NamedTuple):
    """A sheet's data with settings applied, and what is wrong with settings that name nothing in the sheet."""

    data: dict[str, Any]
    settings: dict[str, object]
    """those that were applied, by full path"""
    typed: dict[tuple[str, ...], str]
    """full paths, and the settings as they were written"""
    problems: tuple[Problem, ...]


def apply_settings(data: dict[str, Any], settings: Mapping[str, object]) -> Applied:
    """Return a copy of the sheet's data with the settings applied, as far as they can be."""
    result = copy.deepcopy(data) if settings else data
    wanted: dict[str, object] = {}
    typed: dict[tuple[str, ...], str] = {}
    problems: list[Problem] = []
    for word, given in settings.items():
        try:
            wanted |= spelled_out({word: given})
            typed |= _typed_words(word, given)
        except SheetError as refused:
            problems += refused.problems
    for path, value in wanted.items():
        try:
            _place(result, full_path(path), copy.deepcopy(value))
        except SheetError as refused:
            problems += refused.problems
    return Applied(result, wanted, typed, tuple(problems))


def spelled_out(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings by full path, so that the last of two spellings of one key counts.

    >>> spelled_out({"decks": 8, "H17": True, "settle": {"ties": "lose"}})
    {'shoe.decks': 8, 'dealer.soft_17': 'hit', 'settle.ties': 'lose'}
    """
    return {
        ".".join(full_path(key)): value
        for word, given in settings.items()
        for key, value in (_section(word, given) or expand(word, given)).items()
    }


def _typed_words(word: str, given: object) -> dict[tuple[str, ...], str]:
    """Return a setting as it was written, by each full path that it sets."""
    keys = _section(word, given) or expand(word, given)
    return {full_path(key): word if word not in _SECTIONS else key for key in keys}


def path_in(data: Any, path: tuple[str, ...]) -> tuple[str | int, ...]:
    """Return the path with the number of each entry of a list in the place of its name."""
    if not path:
        return ()
    if isinstance(data, list):
        named = next(
            (key for key in _LISTS.values() if any(isinstance(one, dict) and key in one for one in data)), "name"
        )
        found = _entry(data, path, named)
        if found is None:
            return path
        entry, rest = found
        return (next(n for n, one in enumerate(data) if one is entry), *path_in(entry, rest))
    return (path[0], *path_in(data.get(path[0]) if isinstance(data, dict) else None, path[1:]))


def named_path(data: Any, path: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the path as a setting has it, with the name of each entry of a list in the place of its number.

    >>> named_path({"wager": [{"name": "Pairs", "max": "$5"}]}, ("wager", 0, "max"))
    ('wager', 'Pairs', 'max')
    """
    words: list[str] = []
    for part in path:
        key = _LISTS.get(words[-1], "") if words else ""
        data = data[part] if isinstance(part, int) or (isinstance(data, dict) and part in data) else None
        words.append(str(data.get(key, part)) if isinstance(data, dict) and isinstance(part, int) else str(part))
    return tuple(words)


def _section(word: str, given: object) -> dict[str, object]:
    """Return a whole section, as in `{"settle": {"ties": "lose"}}`, key by key."""
    if not isinstance(given, Mapping) or word not in _SECTIONS:
        return {}
    return {f"{word}.{key}": value for key, value in given.items()}


def full_path(word: str) -> tuple[str, ...]:
    """Return the path of a key written alone, with its section, or as an abbreviation (the first key that it sets)."""
    if found := abbreviation(word):
        word = next(iter(found.true))
    if word in ("extends", "without"):
        raise SheetError("", [Problem(word, "this cannot be changed by a setting; write your own sheet instead")])
    parts = tuple(word.strip().split("."))
    if len(parts) > 1 or word in RuleSheet.model_fields:
        return parts
    homes = [(section, word) for section in _SECTIONS if word in _fields(section)]
    if len(homes) == 1:
        return homes[0]
    if homes:
        choices = " or ".join(".".join(home) for home in homes)
        raise SheetError("", [Problem(word, f"several sections have this key; write {choices}")])
    every = [*ABBREVIATIONS, *RuleSheet.model_fields, *(name for section in _SECTIONS for name in _fields(section))]
    raise SheetError("", [Problem(word, f"no section has this key; {_nearest(word, every)}")])


def setting_value(sheet: RuleSheet, path: str) -> object:
    """Return the value at a path such as "shoe.decks" or "wager.Pairs.max"; None if there is none."""
    value: Any = sheet.model_dump(mode="json", by_alias=True)
    parts = full_path(path)
    while parts:
        if isinstance(value, list):
            found = _entry(value, parts, "on" if path.startswith("ruling") else "name")
            if found is None:
                return None
            value, parts = found
        elif isinstance(value, dict) and parts[0] in value:
            value, parts = value[parts[0]], parts[1:]
        else:
            return None
    return value


def _nearest(word: str, known: list[str]) -> str:
    if asked := feature_asked_for(word):
        return asked
    hint = did_you_mean(word, known)
    return hint if hint.startswith("did") else "`holecard schema` lists every key"


def _fields(section: str) -> list[str]:
    model = RuleSheet.model_fields[section].annotation
    assert isinstance(model, type)
    assert issubclass(model, BaseModel)
    return list(model.model_fields)


def _place(data: Any, path: tuple[str, ...], value: object, done: tuple[str, ...] = ()) -> None:
    """Put the value at the end of the path, creating sections as needed; list entries are found by name or number."""
    first, rest = path[0], path[1:]
    if isinstance(data, list):
        _place_in_list(data, path, value, done)
    elif not isinstance(data, dict):
        raise SheetError("", [Problem(".".join((*done, *path)), f"{done[-1]} is a single value without keys")])
    elif rest:
        _place(data.setdefault(first, [] if first in _LISTS else {}), rest, value, (*done, first))
    else:
        data[first] = value
        for other in _REPLACED_BY.get(first, ()) if done[:1] == ("wager",) and len(done) == 2 else ():
            data.pop(other, None)


def _place_in_list(entries: list[Any], path: tuple[str, ...], value: object, done: tuple[str, ...]) -> None:
    key = _LISTS.get(done[-1], "name")
    if found := _entry(entries, path, key):
        entry, rest = found
        if not rest:
            raise SheetError("", [Problem(".".join((*done, *path)), "write which of its keys to set, such as .max")])
        _place(entry, rest, value, (*done, ".".join(path[: len(path) - len(rest)])))
        return
    named = [str(entry.get(key)) for entry in entries if isinstance(entry, dict) and entry.get(key)]
    where = ".".join((*done, path[0]))
    kind = {"wager": "side wager", "ruling": "ruling"}.get(done[-1])
    if kind:
        hint = did_you_mean(path[0], named) or f"this game has no {kind}s"
        raise SheetError("", [Problem(where, f"there is no {kind} with this name; {hint}")])
    numbers = f"its entries are 0 to {len(entries) - 1}" if entries else "the list is empty"
    raise SheetError("", [Problem(where, f"there is no entry with this number; {numbers}")])


def _entry(entries: list[Any], path: tuple[str, ...], key: str) -> tuple[Any, tuple[str, ...]] | None:
    """Return the entry that the beginning of a path names or counts, and the rest of the path.

    A name may hold dots, so the longest beginning that is a name counts.
    """
    names = {str(entry.get(key, "")).lower(): entry for entry in entries if isinstance(entry, dict)}
    for length in range(len(path), 0, -1):
        name = ".".join(path[:length])
        numbered = entries[int(name)] if name.isdecimal() and int(name) < len(entries) else None
        if (entry := names.get(name.lower(), numbered)) is not None:
            return entry, path[length:]
    return None
