"""What a sheet takes over from the one it extends: sections key by key, side wagers by name.

A `[[wager]]` named like one of the extended sheet changes that wager key by key and keeps its place; any other is added
after those of the extended sheet. `without` names the wagers that are not taken over, or says "all".
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any, TypeAlias

from holecard.errors import Unreadable, did_you_mean
from holecard.sheets.files.toml_lines import KeyPath, line_of

SheetData: TypeAlias = dict[str, Any]

#: What belongs to one sheet alone: its name, its story, its rulings, and what it leaves out.
_ITS_OWN = ("name", "about", "source", "ruling", "without")
#: Tables that are replaced whole.
_WHOLE = ("when_dealer_has", "quick_pay")
#: Ways to give a pay table, and what each replaces: `lines` of a sheet are printed on it, whatever they were before.
_PAY_TABLES = {"lines": ("tables", "table", "table_from"), "tables": ("lines",)}


def inherit(base: SheetData, own: SheetData) -> SheetData:
    """The words of a sheet on top of those of the sheet it extends."""
    inherited = {key: value for key, value in base.items() if key not in _ITS_OWN}
    if "without" in own:
        inherited["wager"] = _left_over(inherited.get("wager", []), own["without"])
    merged = overlay(inherited, own)
    if _are_wagers(inherited.get("wager")) and _are_wagers(own.get("wager")):
        merged["wager"] = _wagers(inherited["wager"], own["wager"])
    return merged


def overlay(base: SheetData, differences: SheetData) -> SheetData:
    """Sections are merged key by key; lists and single values are replaced."""
    result = dict(base)
    for key, value in differences.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict) and key not in _WHOLE:
            result[key] = overlay(old, value)
        else:
            result[key] = value
    return result


def _left_over(wagers: list[Any], without: object) -> list[Any]:
    """The wagers that are taken over; `without` is a list of names, or "all"."""
    if without == "all":
        return []
    if not isinstance(without, list):
        return wagers  # of the wrong type, which the schema refuses
    known = {_key(wager): str(wager["name"]) for wager in wagers if _key(wager)}
    for name in without:
        if str(name).lower() not in known:
            hint = did_you_mean(str(name), known.values()) or "it has none"
            raise Unreadable(f"the extended sheet has no wager called {name!r}; {hint}")
    left_out = {str(name).lower() for name in without}
    return [wager for wager in wagers if _key(wager) not in left_out]


def _wagers(base: list[SheetData], own: list[SheetData]) -> list[SheetData]:
    result = list(base)
    places = {_key(wager): place for place, wager in enumerate(base) if _key(wager)}
    for wager in own:
        place = places.pop(_key(wager), None)  # a name given twice is added, and refused for it later
        if place is None:
            result.append(wager)
        else:
            result[place] = _changed(result[place], wager)
    return result


def _changed(wager: SheetData, differences: SheetData) -> SheetData:
    """A wager key by key; a new pay table takes the place of the old one, however that was given."""
    dropped = {key for given, others in _PAY_TABLES.items() if given in differences for key in others}
    return overlay({key: value for key, value in wager.items() if key not in dropped}, differences)


def _are_wagers(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(wager, dict) for wager in value)


def _key(wager: object) -> str | None:
    """Names are compared as `--set` does, however they are capitalized."""
    name = wager.get("name") if isinstance(wager, dict) else None
    return name.lower() if isinstance(name, str) else None


# Where a word stands


def own_line(text: str, merged: SheetData, path: KeyPath) -> int | None:
    """The line of `path` in the sheet's own text; None where it was taken over from the extended sheet."""
    if path[:1] != ("wager",) or len(path) < 2 or not isinstance(path[1], int):
        return line_of(text, path)
    own, wagers = _written(text), merged.get("wager")
    if not _are_wagers(own) or not _are_wagers(wagers):
        return line_of(text, path)
    number = _own_number(wagers or [], own, path[1])
    return None if number is None else line_of(text, ("wager", number, *path[2:]))


@lru_cache(maxsize=1)
def _written(text: str) -> Any:
    return tomllib.loads(text).get("wager", [])


def _own_number(merged: list[SheetData], own: list[SheetData], number: int) -> int | None:
    """Which [[wager]] of the text the merged wager is; of several with one name the last are its own."""
    name = _key(merged[number]) if number < len(merged) else None
    alike = [index for index, wager in enumerate(merged) if _key(wager) == name]
    written = [index for index, wager in enumerate(own) if _key(wager) == name]
    place = alike.index(number) - len(alike) + len(written) if number in alike else -1
    return written[place] if place >= 0 else None
