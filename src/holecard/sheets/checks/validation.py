"""Every problem of a sheet at once, in plain English: settings that are not valid, and those that contradict others.

Contradictions can only be found in a sheet whose settings are valid. If some are not, they are left out for this (or
filled in, if they are required), and only contradictions that do not depend on them are reported.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from holecard.errors import did_you_mean, shortly
from holecard.sheets.checks.consistency import contradictions
from holecard.sheets.checks.missing_features import feature_asked_for
from holecard.sheets.checks.unknown_settings import Contradiction, UnknownSettings
from holecard.sheets.files.toml_lines import KeyPath
from holecard.sheets.schema import RuleSheet
from holecard.sheets.schema_tree import fields_of, model_at

#: Of more problems than these, only the first are sorted by line.
_MOST_SORTED = 200
#: Values in the place of wrong ones, for keys that cannot be left out.
_INSTEAD = {"pays": "1 to 1", "tax": "$1", "reading": "-", "other": "push"}


def read_problems(data: dict[str, Any]) -> tuple[RuleSheet | None, list[Contradiction]]:
    """Return the sheet that data define, or None and everything that is wrong with it."""
    try:
        sheet = RuleSheet.model_validate(data)
    except ValidationError as error:
        invalid = list(islice(_problems_of(error, data), _MOST_SORTED))
        return None, [*invalid, *_beyond(data, [path for path, _ in invalid])][:_MOST_SORTED]
    found = contradictions(sheet)[:_MOST_SORTED]
    return (None if found else sheet), found


def _beyond(data: dict[str, Any], invalid: list[KeyPath]) -> list[Contradiction]:
    """Return the contradictions that do not depend on the settings that are not valid."""
    rest = copy.deepcopy(data)
    unknown = [_without_last_number(path) for path in invalid]
    for path in unknown:
        _leave_out(rest, path)
    try:
        sheet = RuleSheet.model_validate(rest)
    except ValidationError:  # of a part that has several mistakes, the first ones hide others
        return []
    misspelled = [path[:-1] for path in unknown if len(path) > 1 and not _is_key(path)]
    return contradictions(sheet, UnknownSettings(unknown, misspelled))


def _is_key(path: KeyPath) -> bool:
    section = model_at(RuleSheet, path[:-1])
    return section is None or path[-1] in fields_of(section)


def _without_last_number(path: KeyPath) -> KeyPath:
    """Return the path of a list instead of that of its entry: without the entry, all others would be renumbered."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


def _leave_out(data: Any, path: KeyPath) -> None:
    """Remove the setting at a path, or put a valid value in its place if it is required."""
    for part in path[:-1]:
        if isinstance(data, dict) and part not in data:
            return  # a part that has been left out
        data = data[part]
    if not path or not isinstance(data, dict):
        return
    data.pop(path[-1], None)
    if (instead := _instead(path)) is not None:
        data[path[-1]] = instead


def _instead(path: KeyPath) -> str | None:
    """Return a value for a required key; None for any other key. No other name is like one that is filled in."""
    if path[-1] == "name":
        return ".".join(map(str, path))
    if path[0] == "ruling" and path[-1] == "on":
        return "-"
    return "pair" if path[-1] == "hand" and "tax" in path else _INSTEAD.get(str(path[-1]))


def _problems_of(error: ValidationError, data: dict[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield each error once, as its path in the sheet and a sentence."""
    findings = [(_path_in_sheet(finding, data), finding) for finding in error.errors()]
    reported: set[tuple[KeyPath, str]] = set()
    for path, finding in findings:
        others = [(where, other) for where, other in findings if other is not finding and where[: len(path)] == path]
        # If a value may be of two types, each reports an error; one about the value is better than one about its type.
        if finding["type"] in _KINDS and any(where != path or other["type"] not in _KINDS for where, other in others):
            continue
        kinds = [_KINDS[other["type"]] for where, other in findings if where == path and other["type"] in _KINDS]
        problem = (path, _sentence(finding, path, ", or ".join(dict.fromkeys(kinds))))
        if problem not in reported:
            reported.add(problem)
            yield problem


def _path_in_sheet(finding: ErrorDetails, data: Any) -> KeyPath:
    """Return the location without the names that pydantic gives to the branches of a union."""
    path: list[str | int] = []
    loc = finding["loc"]
    last = len(loc) - 1 if finding["type"] == "missing" else None
    for index, part in enumerate(loc):
        if isinstance(data, dict) and (part in data or index == last):
            path.append(part)
            data = data.get(part)
        elif isinstance(data, list | tuple) and isinstance(part, int) and part < len(data):
            path.append(part)
            data = data[part]
    return tuple(path)


def _sentence(finding: ErrorDetails, path: KeyPath, kinds: str) -> str:
    kind, given = finding["type"], finding["input"]
    word = str(path[-1]) if path else ""
    if kind == "extra_forbidden":
        return f"unknown key; {_suggestion(word, path)}"
    if kind == "missing":
        return "this key is required"
    if kind == "literal_error":
        expected = str(finding["ctx"]["expected"])
        choices = [choice.strip().strip("'") for choice in expected.replace(" or ", ", ").split(", ")]
        return f"{shortly(given)} is not valid; {_choice(str(given), choices)}"
    if kind == "value_error":
        return finding["msg"].removeprefix("Value error, ")
    if kind == "string_pattern_mismatch" and word == "name" and not str(given).strip():
        return f"{shortly(given)} is not valid; it must be a name that is not blank"
    if kind == "string_pattern_mismatch" and word == "name":
        return f"{shortly(given)} is not valid; write a name without a dollar sign"
    if kind == "string_pattern_mismatch":
        return f"{given!r} is not valid; {_TOTALS.get(str(path[-2]) if len(path) > 1 else '', 'see `holecard schema`')}"
    if kind in _KINDS and type(given) in (int, float) and _takes_odds(path):
        return f"{given} is a number, not odds; write '{given} to 1'"
    if kind == "too_long":
        return f"there are too many entries; at most {finding['ctx']['max_length']} are allowed"
    return f"{shortly(given)} is not valid; it must be {kinds or _requirement(finding)}"


def _takes_odds(path: KeyPath) -> bool:
    """Return whether the value at a path is odds, or a table of them."""
    keys = [part for part in path if isinstance(part, str)]
    return (
        "pays" in keys[-2:]
        or (keys[0] == "settle" and keys[-1] in ("natural", "charlie", "surrender"))
        or (len(keys) == 3 and keys[-1] != "name" and keys[1] in ("quick_pay", "companion"))
    )


def _requirement(finding: ErrorDetails) -> str:
    """Return what the value must be."""
    for limit, words in (("ge", "at least"), ("le", "at most"), ("gt", "more than"), ("lt", "less than")):
        if limit in finding.get("ctx", {}):
            return f"{words} {finding['ctx'][limit]}"
    message = finding["msg"].removeprefix("Input should be ")
    return f"{message[:1].lower()}{message[1:]}"


#: Types of errors, and what the value must be.
_KINDS = {
    "tuple_type": "a list, in square brackets",
    "dict_type": "a table, in braces",
    "model_type": "a table, in braces",
    "model_attributes_type": "a table, in braces",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "string_type": "text, in quotes",
    "string_too_short": "a name that is not empty",
}
_TOTALS = {
    "quick_pay": "write totals from 12 to 20",
    "when_dealer_has": "write final totals from 12 to 22",
}


def _choice(given: str, choices: list[str]) -> str:
    hint = did_you_mean(given, choices)
    every = ", ".join(repr(choice) for choice in choices)
    return f"{hint} It can be {every}" if hint.startswith("did") else f"it can be {every}"


def _suggestion(word: str, path: KeyPath) -> str:
    model: type[BaseModel] | None = model_at(RuleSheet, path[:-1])
    known = fields_of(model) if model else []
    section = str(path[0]) if len(path) > 1 else ""
    if section == "wager" and (limit := re.search(r"min|max", word)) and "min" in known:
        return f"did you mean {limit[0]!r}?"
    if asked := _elsewhere(word) or feature_asked_for(word, section):
        return asked
    return did_you_mean(word, known) or "remove it"


def _elsewhere(word: str) -> str:
    """Return a hint if the key belongs to another section."""
    homes = [
        f"{section}.{word}"
        for section, field in RuleSheet.model_fields.items()
        if isinstance(field.annotation, type)
        and issubclass(field.annotation, BaseModel)
        and word in fields_of(field.annotation)
    ]
    return f"it belongs to another section: {' or '.join(homes)}" if homes else ""
