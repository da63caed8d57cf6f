"""Merge a sheet with the one it extends: sections key by key, side wagers by name, and the rulings meant for both.

A `[[wager]]` with the name of a wager of the extended sheet changes that wager key by key and keeps its position; any
other is added after those of the extended sheet. `without` lists the wagers that are not inherited, or is "all".

A `[[ruling]]` with `inherit = true` is inherited unless it would be wrong: if the sheet rules on the point, or on one
of the settings that choose another reading, or changes such a setting.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any, TypeAlias

from holecard.errors import Unreadable, did_you_mean
from holecard.sheets.files.toml_lines import KeyPath, line_of

SheetData: TypeAlias = dict[str, Any]

#: Between settings of a ruling's switch that belong together.
SWITCHED_TOGETHER = " --set "

#: Keys that are not inherited.
_NOT_INHERITED = ("name", "about", "source", "ruling", "without")
#: Tables that are replaced as a whole.
_WHOLE = ("when_dealer_has", "quick_pay")
#: The keys for a pay table, and the inherited keys that each replaces. `table_from` is not among them: who replaces the
#: lines of a house table changes a house table, unless the sheet says that the new lines are printed.
_PAY_TABLES = {"lines": ("tables", "table"), "tables": ("lines",)}


def inherit(base: SheetData, own: SheetData) -> SheetData:
    """Return the data of a sheet merged with the data of the sheet it extends."""
    inherited = {key: value for key, value in base.items() if key not in _NOT_INHERITED}
    if "without" in own:
        inherited["wager"] = _left_over(inherited.get("wager", []), own["without"])
    merged = overlay(inherited, own)
    if _are_tables(inherited.get("wager")) and _are_tables(own.get("wager")):
        merged["wager"] = _wagers(inherited["wager"], own["wager"])
    own_rulings = own.get("ruling", [])
    if _are_tables(own_rulings) and (more := _rulings(base, merged, own_rulings)):
        merged["ruling"] = [*own_rulings, *more]
    return merged


def overlay(base: SheetData, differences: SheetData) -> SheetData:
    """Merge sections key by key; replace lists and single values."""
    result = dict(base)
    for key, value in differences.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict) and key not in _WHOLE:
            result[key] = overlay(old, value)
        else:
            result[key] = value
    return result


def _left_over(wagers: list[Any], without: object) -> list[Any]:
    """Return the inherited wagers; `without` is a list of names, or "all"."""
    if without == "all":
        return []
    if not isinstance(without, list):
        return wagers  # the schema refuses the wrong type
    known = {_key(wager): str(wager["name"]) for wager in wagers if _key(wager)}
    for name in without:
        if str(name).lower() not in known:
            hint = did_you_mean(str(name), known.values()) or "it has no side wagers"
            raise Unreadable(f"the extended sheet has no wager named {name!r}; {hint}")
    left_out = {str(name).lower() for name in without}
    return [wager for wager in wagers if _key(wager) not in left_out]


def _wagers(base: list[SheetData], own: list[SheetData]) -> list[SheetData]:
    result = list(base)
    places = {_key(wager): place for place, wager in enumerate(base) if _key(wager)}
    for wager in own:
        place = places.pop(_key(wager), None)  # a name that occurs twice is added here and refused later
        if place is None:
            result.append(wager)
        else:
            result[place] = _changed(result[place], wager)
    return result


def _changed(wager: SheetData, differences: SheetData) -> SheetData:
    """Merge a wager key by key; a new pay table replaces the old one."""
    dropped = {key for given, others in _PAY_TABLES.items() if given in differences for key in others}
    return overlay({key: value for key, value in wager.items() if key not in dropped}, differences)


def _rulings(base: SheetData, merged: SheetData, own: list[SheetData]) -> list[SheetData]:
    """Return the rulings of the extended sheet that are still true of this one."""
    ruled = {ruling.get("on") for ruling in own}
    settings = {path for ruling in own for path in _switched(ruling)}
    return [
        ruling
        for ruling in (base["ruling"] if _are_tables(base.get("ruling")) else [])
        if ruling.get("inherit") is True
        and ruling.get("on") not in ruled
        and not settings & _switched(ruling)
        and all(_value(base, path) == _value(merged, path) for path in _switched(ruling))
    ]


def _switched(ruling: SheetData) -> set[str]:
    """Return the paths of the settings that a ruling's switches set."""
    switch = ruling.get("switch", "")
    switches = switch if isinstance(switch, list) else [switch]
    settings = [setting for words in switches for setting in str(words).split(SWITCHED_TOGETHER)]
    return {setting.partition("=")[0].strip() for setting in settings if setting}


def _value(data: SheetData, path: str) -> object:
    value: Any = data
    for part in path.split("."):
        if isinstance(value, list):
            value = next((entry for entry in value if _key(entry) == part.lower()), None)
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def _are_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(table, dict) for table in value)


def _key(wager: object) -> str | None:
    """Return the name in lower case: names are compared without regard to capitals, as in `--set`."""
    name = wager.get("name") if isinstance(wager, dict) else None
    return name.lower() if isinstance(name, str) else None


# Line numbers


def own_line(text: str, merged: SheetData, path: KeyPath) -> int | None:
    """Return the line of `path` in the sheet's own text; None if it was inherited."""
    if path[:1] != ("wager",) or len(path) < 2 or not isinstance(path[1], int):
        return line_of(text, path)
    own, wagers = _written(text), merged.get("wager")
    if not _are_tables(own) or not _are_tables(wagers):
        return line_of(text, path)
    number = _own_number(wagers or [], own, path[1])
    return None if number is None else line_of(text, ("wager", number, *path[2:]))


@lru_cache(maxsize=1)
def _written(text: str) -> Any:
    return tomllib.loads(text).get("wager", [])


def _own_number(merged: list[SheetData], own: list[SheetData], number: int) -> int | None:
    """Return which [[wager]] of the text a merged wager is; of several with one name, the last ones are the text's."""
    name = _key(merged[number]) if number < len(merged) else None
    alike = [index for index, wager in enumerate(merged) if _key(wager) == name]
    written = [index for index, wager in enumerate(own) if _key(wager) == name]
    place = alike.index(number) - len(alike) + len(written) if number in alike else -1
    return written[place] if place >= 0 else None
