"""The settings of a sheet, read a second time from its text: what it extends, what it changes, and the defaults.

A sheet made without a text (from data) is read from its fields. The defaults are repeated here: they are rules, too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

from holecard.errors import Refusal
from holecard.sheets.schema import RuleSheet

SheetWords: TypeAlias = dict[str, Any]

SECTION_DEFAULTS: SheetWords = {
    "table": {"seats": 7, "bonuses_from": "left", "cloth": "green"},
    "shoe": {
        "decks": 6,
        "decks_offered": [],
        "procedure": "cut card",
        "cut_card": 75,
        "burn": 1,
        "face_down_with": [],
    },
    "dealer": {
        "soft_17": "hit",
        "soft": "stand on 18",
        "ends_on": [],
        "hole_card": "peek",
        "natural_takes": "all",
    },
    "main": {"name": "Bet", "min": "$5", "max": "$500", "step": "$1", "companion": None},
    "player": {
        "double": "any",
        "double_cards": "first two",
        "double_after_split": True,
        "double_stake": "equal",
        "split_hands": 4,
        "split_by": "value",
        "split_aces": "once",
        "split_aces_get": "one card",
        "double_up": "none",
        "double_up_after_split": True,
        "surrender": "none",
        "quick_pay": {},
        "charlie": None,
    },
    "insurance": {"pays": "2 to 1", "min": "$1", "most": "half"},
    "settle": {
        "natural": "3 to 2",
        "two_naturals": "push",
        "natural_v_21": "win",
        "ties": "push",
        "double_up_ties": "lose",
        "twenty_one": "compare",
        "charlie": "1 to 1",
        "surrender": "lose half",
        "when_dealer_has": {},
        "rounding": "down",
    },
    "wager": [],
}
COMPANION_DEFAULTS: SheetWords = {
    "name": "",
    "natural": "push",
    "dealer_natural": "push",
    "two_naturals": "push",
    "surrender": "lose",
    "quick_pay": "push",
}
WAGER_DEFAULTS: SheetWords = {
    "name": "",
    "on": "two cards",
    "placed": "before the deal",
    "settled": "when decided",
    "upcard": "any",
    "min": "$1",
    "max": "$100",
    "step": "$1",
    "at_most": "the maximum",
    "needs": None,
    "stake": "wager",
    "tax": [],
    "tax_upcard": "any",
    "lines": [],
    "tables": {},
    "table": "",
    "table_from": "printed",
}
#: Keys of a sheet that are not rules.
_ABOUT = ("name", "about", "source", "extends", "without", "ruling")
#: Tables that a sheet replaces as a whole.
_WHOLE = ("when_dealer_has", "quick_pay")


def plain_sheet(sheet: RuleSheet) -> SheetWords:
    """Return every setting of the sheet by section and key, in the words of its text, with the defaults filled in."""
    text, folder, settings = sheet.written
    if text:
        words = _extended(tomllib.loads(text), folder)
        for path, value in settings:
            _set(words, path.split("."), deepcopy(value))
    else:
        words = sheet.model_dump(mode="json", by_alias=True)
    found = _filled(SECTION_DEFAULTS, {key: value for key, value in words.items() if key not in _ABOUT}, "")
    if found["main"]["companion"] == "none":
        found["main"]["companion"] = None
    if found["main"]["companion"] is not None:
        found["main"]["companion"] = _filled(COMPANION_DEFAULTS, found["main"]["companion"], "main.companion.")
    found["wager"] = [_filled(WAGER_DEFAULTS, wager, f"wager.{wager.get('name')}.") for wager in found["wager"]]
    return found


def _filled(defaults: SheetWords, words: SheetWords, where: str) -> SheetWords:
    """Return the words with the defaults for whatever they leave out; a key without a default is not known here."""
    for key in words:
        if key not in defaults:
            raise Refusal(f"the second reading of the sheet does not know the setting {where}{key}")
    found = {**defaults, **words}
    for key in SECTION_DEFAULTS.keys() & found.keys() - {"wager"} if defaults is SECTION_DEFAULTS else ():
        found[key] = _filled(SECTION_DEFAULTS[key], words.get(key, {}), f"{key}.")
    return found


def _extended(own: SheetWords, folder: Path | None) -> SheetWords:
    """Return the words of a sheet on top of those of the sheet it extends."""
    if "extends" not in own:
        return own
    text, its_folder = _parent(str(own["extends"]), folder)
    base = _extended(tomllib.loads(text), its_folder)
    wagers = [dict(wager) for wager in base.pop("wager", [])]
    left_out = own.get("without", [])
    if left_out == "all":
        wagers = []
    else:
        wagers = [wager for wager in wagers if wager["name"].lower() not in [str(name).lower() for name in left_out]]
    by_name = {wager["name"].lower(): wager for wager in wagers}
    for wager in own.get("wager", []):
        before = by_name.get(wager["name"].lower())
        if before is None:
            wagers.append(wager)
            continue
        if "lines" in wager:
            for key in ("tables", "table"):
                before.pop(key, None)
        if "tables" in wager:
            before.pop("lines", None)
        _lay_over(before, wager)
    _lay_over(base, {key: value for key, value in own.items() if key != "wager"})
    return {**base, "wager": wagers}


def _parent(name: str, folder: Path | None) -> tuple[str, Path | None]:
    """Return the text of a sheet and the folder of those that it extends: a game, a file in the folder, or a title."""
    games = dict(_games())
    if name in games:
        return games[name], None
    path = (folder or Path()) / name
    if path.is_file():
        return path.read_text(encoding="utf-8-sig"), path.parent
    for game, text in games.items():
        if _folded(name) in (_folded(game), _folded(tomllib.loads(text)["name"])):
            return text, None
    raise Refusal(f"the second reading of the sheet finds no sheet {name!r}")


def _games() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every sheet that comes with Holecard."""
    catalog = resources.files("holecard") / "catalog"
    for folder in (catalog, catalog / "examples"):
        for file in folder.iterdir():
            if file.name.endswith(".toml"):
                yield file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")


def _folded(title: str) -> str:
    return "-".join(title.lower().replace("_", " ").replace("-", " ").split())


def _lay_over(below: SheetWords, above: Mapping[str, Any]) -> None:
    """Change the words below, section by section and key by key."""
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict) and key not in _WHOLE:
            below[key] = dict(below[key])
            _lay_over(below[key], value)
        else:
            below[key] = value


def _set(words: Any, path: list[str], value: object) -> None:
    """Set one key; an entry of a list is found by its name, which may contain dots, or by its number."""
    if path[0] in _ABOUT:
        return
    while len(path) > 1:
        if isinstance(words, list):
            words, path = _entry(words, path)
        else:
            words, path = words.setdefault(path[0], {}), path[1:]
    words[path[0]] = value
    if "name" in words and path[0] in ("lines", "tables"):
        for other in ("tables", "table") if path[0] == "lines" else ("lines",):
            words.pop(other, None)


def _entry(entries: list[SheetWords], path: list[str]) -> tuple[SheetWords, list[str]]:
    for end in range(len(path), 0, -1):
        name = ".".join(path[:end]).lower()
        for number, entry in enumerate(entries):
            if str(entry.get("name")).lower() == name or str(number) == name:
                return entry, path[end:]
    raise Refusal(f"the second reading of the sheet finds no {path[0]}")
