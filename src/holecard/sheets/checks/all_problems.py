"""Every problem of a sheet at once: single settings that are not valid, and settings that contradict each other.

Contradictions can only be found in a sheet whose settings are valid. If some are not, they are left out for this, and
only contradictions that do not depend on them are reported.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import islice
from typing import Any

from pydantic import ValidationError

from holecard.sheets.checks.consistency import Contradiction, contradictions, wrong_values
from holecard.sheets.checks.validation import problems_of
from holecard.sheets.files.toml_lines import KeyPath
from holecard.sheets.schema import RuleSheet

#: Of more problems than these, only the first are sorted by line.
_MOST_SORTED = 200
#: Values in the place of wrong ones, for keys that cannot be left out.
_INSTEAD = {"pays": "1 to 1", "tax": "$1"}
#: Sections on which no other one depends.
_ALONE = ("about", "ruling", "source", "table", "wager")


def read_problems(data: dict[str, Any]) -> tuple[RuleSheet | None, list[Contradiction]]:
    """Return the sheet that data define, or None and everything that is wrong with it."""
    try:
        sheet = RuleSheet.model_validate(data)
    except ValidationError as error:
        invalid = list(islice(problems_of(error, data), _MOST_SORTED))
        return None, [*invalid, *_beyond(data, [path for path, _ in invalid])][:_MOST_SORTED]
    found = contradictions(sheet)[:_MOST_SORTED]
    return (None if found else sheet), found


def _beyond(data: dict[str, Any], invalid: list[KeyPath]) -> list[Contradiction]:
    """Return the contradictions that do not depend on the settings that are not valid."""
    rest = copy.deepcopy(data)
    for path in invalid:
        _leave_out(rest, path)
    try:
        sheet = RuleSheet.model_validate(rest)
    except ValidationError:  # a key that is required
        return []
    independent = all(path[:1] and path[0] in _ALONE for path in invalid)
    found = contradictions(sheet) if independent else wrong_values(sheet)
    return [(path, what) for path, what in found if not _overlaps(path, invalid)]


def _leave_out(data: Any, path: KeyPath) -> None:
    """Remove the setting at a path, or put a valid value in its place if it is required or stands in a list."""
    for part in path[:-1]:
        data = data[part]
    if path and path[-1] in _INSTEAD:
        data[path[-1]] = _INSTEAD[str(path[-1])]
    elif path and isinstance(data, dict):
        data.pop(path[-1], None)


def _overlaps(path: KeyPath, others: Iterable[KeyPath]) -> bool:
    return any(path[: len(other)] == other or other[: len(path)] == path for other in others)
