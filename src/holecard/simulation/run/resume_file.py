"""The resume file: what a run has played so far, on disk.

It is readable JSON: a description of the run, the units played, and their tally. It is replaced atomically, so a run
killed at any moment leaves the state of some chunk boundary; resuming plays exactly the missing units. A file of
another run, or one that was changed, is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holecard.atomic_file import write_atomically
from holecard.errors import Refusal, Unreadable, shortly
from holecard.sheets.files.text_file import read_bytes
from holecard.simulation.run.tally import Played, Range, Tally, Units

FORMAT = 1
#: A run with seven seats and many wagers saves less than a megabyte.
_MOST_BYTES = 64_000_000
_KIND = "resume file of a simulation"
#: A killed run loses at most this many seconds.
_SAVE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Saved:
    """The state of a run, and which run it is."""

    fingerprint: str
    """Equal for two runs exactly if the same units give the same tally."""
    about: Mapping[str, Any]
    """A description for people: the game, the strategy, the seed. Plain JSON values."""
    played: Played

    @classmethod
    def read(cls, path: str | os.PathLike[str], fingerprint: str, about: Mapping[str, Any] | None = None) -> Saved:
        """Read a resume file; refuse it unless it is intact and belongs to the run with this fingerprint.

        `about` describes that run, so that a refusal can say where the two differ.
        """
        data = _whole(Path(path))
        if data["fingerprint"] != fingerprint:
            raise Refusal(f"{path} belongs to another run: {_differences(data['about'], about)}")
        try:
            return cls(fingerprint, data["about"], Played(_units(data["units"]), _tally(data["tally"])))
        except Refusal as wrong:
            raise Refusal(f"{path} cannot be resumed: {wrong}") from None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, or replace it as a whole."""
        try:
            # Keep a symbolic link pointing to its file.
            write_atomically(path, _text(self._data()))
        except OSError as error:
            raise Refusal(f"the resume file {path} cannot be written: {error.strerror or error}") from None

    def _data(self) -> dict[str, Any]:
        tally = self.played.tally
        data = {
            "holecard": _KIND,
            "format": FORMAT,
            "about": _plain(self.about),
            "fingerprint": self.fingerprint,
            "units": [list(units) for units in self.played.units.ranges],
            "tally": None if tally is None else tally.to_data(),
        }
        return {**data, "checksum": _checksum(data)}


class Progress:
    """The state of a run in progress: reports each new chunk, and saves from time to time."""

    def __init__(
        self,
        played: Played,
        on_progress: Callable[[Played], None] | None,
        save: Callable[[Played], None] | None,
    ) -> None:
        self.played = played
        self._saved = played
        self._on_progress = on_progress
        self._save = save
        self._save_again = Every(_SAVE_SECONDS)

    def enter(self, first: int, units: int, tally: Tally) -> None:
        # Replace units and tally in one step, so that an interrupt cannot separate them.
        self.played = self.played.plus(first, units, tally)
        if self._save_again.is_due():
            self.save()
        if self._on_progress is not None:
            self._on_progress(self.played)

    def save(self) -> None:
        """Save what has not been saved yet."""
        if self._save is not None and self.played is not self._saved:
            self._save(self.played)
            self._saved = self.played


class Every:
    """A timer that is due at once, and again after every `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._next = float("-inf")

    def is_due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._seconds
        return True


def _whole(path: Path) -> dict[str, Any]:
    """Return the data of an intact resume file."""
    data = _json(path)
    if not isinstance(data, dict) or data.get("holecard") != _KIND:
        raise Refusal(f"{path} is not a resume file; name a file that a run with --resume wrote, or a new one")
    if data.get("format") != FORMAT:
        written = shortly(data.get("format"))
        raise Refusal(f"{path} has format {written}, but this version of holecard reads format {FORMAT}")
    checksum = data.pop("checksum", None)
    if checksum != _checksum(data) or not data.keys() >= {"about", "fingerprint", "units", "tally"}:
        raise Refusal(f"{path} was changed or damaged: its checksum does not match; start a new file")
    return data


def _json(path: Path) -> Any:
    if not path.exists():
        raise Refusal(f"the resume file {path} does not exist")
    try:
        return json.loads(read_bytes(path, _MOST_BYTES))
    except Unreadable as refused:
        raise Refusal(f"the resume file {path} {refused}") from None
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{path} is not a resume file, or is damaged: {error}; start a new file") from None


def _differences(theirs: Any, ours: Mapping[str, Any] | None) -> str:
    """Describe where two runs differ."""
    if ours is None or not isinstance(theirs, dict):
        return f"it was written by {shortly(theirs)}"
    ours = _plain(ours)
    words = [
        f"{word}: {shortly(theirs.get(word))} there, {shortly(ours.get(word))} here"
        for word in {**ours, **theirs}
        if theirs.get(word) != ours.get(word)
    ]
    if not words:
        return "the names are the same, but the rules, the strategy or the deal have changed since"
    return "; ".join(words)


def _units(data: object) -> Units:
    ranges = data if isinstance(data, list) else [data]
    return Units.of(_range(given) for given in ranges)


def _range(given: object) -> Range:
    match given:
        case [int(first), int(end)]:
            return first, end
    raise Refusal(f"units must be written as [first, end], not {shortly(given)}")


def _tally(data: object) -> Tally | None:
    return None if data is None else Tally.from_data(data)


def _plain(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data as JSON gives it back: tuples as lists, keys as text."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(about)))
    return plain


def _checksum(data: Mapping[str, Any]) -> str:
    """Return a checksum of the data, independent of layout."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def _text(data: Mapping[str, Any]) -> str:
    """Return JSON with one line per entry and per count."""
    entries = [f"  {json.dumps(key)}: {_value(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _value(value: Any) -> str:
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    entries = [f"    {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}" for key, entry in value.items()]
    return "{\n" + ",\n".join(entries) + "\n  }"
