"""Read counts and counters from small TOML files, and find the counts that come with Holecard.

A file holds a count (its tags), or a player: the name of a count, bets, plays, side counts and the table.

    count = "hi-lo"

    [bets]
    "below 1" = 1
    "1 to 3" = 4
    "4 and above" = 12

    [plays]
    insurance = "take at 3"
    "16 v T" = "stand at 0"

    [table]
    seats = 3
    seat = 2
    cut = 75
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, cast

from holecard.counts.count import (
    COUNT_KINDS,
    COUNT_ROUNDINGS,
    PER_CARDS,
    Count,
    CountKind,
    CountRounding,
    is_points,
    not_for,
)
from holecard.counts.count_player import (
    TABLE_LIMITS,
    CountFile,
    CountPlayer,
    WagerRamp,
    leaves_early,
    no_side_count,
    setting_problem,
)
from holecard.counts.index_plays import IndexPlay, read_index_plays, written_twice
from holecard.counts.ramp import FLAT, Ramp, read_ramp
from holecard.counts.tag_words import fraction_of, read_tags
from holecard.errors import CountError, Problem, Unreadable, did_you_mean, shortly
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.files.toml_data import NotToml, read_toml
from holecard.sheets.files.toml_lines import KeyPath, line_of

CountLike: TypeAlias = str | PathLike[str] | Count
CountPlayerLike: TypeAlias = str | PathLike[str] | Count | CountPlayer

_CATALOG = resources.files("holecard") / "counts" / "catalog"
#: In the order in which people learn them.
_KNOWN = ("hi-lo", "hi-opt i", "hi-opt ii", "ko", "zen", "halves")
_COUNT_KEYS = ("name", "tags", "kind", "per", "centered", "start", "pivot", "rounding")
#: Settings of one kind of count, which the other kind would ignore.
_KEYS_OF_KIND = {"true": ("per", "centered"), "running": ("start", "pivot")}
_PLAYER_KEYS = ("count", "bets", "plays", "wagers", "side", "table")


def known_counts() -> tuple[str, ...]:
    """Return the names of the counts that come with Holecard."""
    return _KNOWN


def count_of(given: CountLike) -> Count:
    """Return a count by name, or from a file; of a player's file, its main count."""
    return given if isinstance(given, Count) else count_player_of(given).count


def count_player_of(given: CountPlayerLike) -> CountPlayer:
    """Return a player from a file; a count alone is a player who bets one unit each round by the chart."""
    if isinstance(given, CountPlayer):
        return given
    if isinstance(given, Count):
        return CountPlayer(given)
    if not isinstance(given, str | PathLike):
        raise CountError(shortly(given), [Problem("", "give the name of a count, a file, or a Count")])
    name = _folded(str(given))
    if name in _KNOWN:
        return CountPlayer(_known(name))
    if not Path(given).is_file():
        raise CountError(str(given), [Problem("", f"no count or file has this name; {did_you_mean(name, _KNOWN)}")])
    try:
        return read_count_player(read_text_file(Path(given)), str(given))
    except Unreadable as refused:
        raise CountError(str(given), [Problem("", str(refused))]) from None


def read_count_player(text: str, name: str = "the count") -> CountPlayer:
    """Return the player that a text defines; a `CountError` names every line that is wrong."""
    file = CountFile(name, text)
    try:
        data = read_toml(text)
    except NotToml as refused:
        raise CountError(name, [Problem("", refused.what, refused.line)]) from None
    reading = _Reading(file)
    player = reading.player(data)
    if reading.problems:
        raise CountError(name, reading.problems)
    return player


@lru_cache
def _known(name: str) -> Count:
    text = (_CATALOG / f"{name.replace(' ', '-')}.toml").read_text(encoding="utf-8")
    return read_count_player(text, name).count


def _folded(text: str) -> str:
    """Return the name of a known count in its own spelling: "Hi-Opt-II" is "hi-opt ii"."""
    plain = "".join(letter for letter in text.lower() if letter.isalnum())
    return next((name for name in _KNOWN if name.replace("-", "").replace(" ", "") == plain), text)


class _Reading:
    """One reading of a file, which collects its problems."""

    def __init__(self, file: CountFile) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def refuse(self, path: KeyPath, what: str) -> None:
        self.problems.append(self.file.problem(path, what))

    def player(self, data: Mapping[str, Any]) -> CountPlayer:
        """Return the player; what is wrong is left out and noted."""
        is_count = "tags" in data
        self._known_keys(data, (*_COUNT_KEYS, *_PLAYER_KEYS[1:]) if is_count else _PLAYER_KEYS, ())
        count = self._count(data, (), self.file.name) if is_count else self._main_count(data.get("count"))
        side = self._side_counts(data.get("side", {}))
        plays = self._plays(data.get("plays", {}))
        wagers = self._wagers(data.get("wagers", {}))
        table = self._table(data.get("table", {}))
        return CountPlayer(
            count=count,
            ramp=self._ramp(data["bets"], ("bets",)) if "bets" in data else FLAT,
            plays=tuple(replace(play, count=self._side_name(play.count, side, _path(play))) for play in plays),
            side_counts=tuple(side.values()),
            wagers=tuple(
                replace(one, count=self._side_name(one.count, side, ("wagers", one.wager, "count"))) for one in wagers
            ),
            enter=table.get("enter"),
            leave=table.get("leave"),
            seats=table.get("seats"),
            seat=table.get("seat", 1),
            cut=table.get("cut"),
            file=self.file,
        )

    def _main_count(self, given: object) -> Count:
        if isinstance(given, Mapping):
            return self._count(given, ("count",), self.file.name)
        if not isinstance(given, str):
            known = ", ".join(repr(name) for name in _KNOWN)
            self.refuse(("count",), f"write the name of a count ({known}), or its tags in a table [count.tags]")
            return _known("hi-lo")
        name = _folded(given)
        if name not in _KNOWN:
            self.refuse(("count",), f"no count has the name {given!r}; {did_you_mean(given, _KNOWN)}")
            return _known("hi-lo")
        return _known(name)

    def _count(self, data: Mapping[str, Any], path: KeyPath, name: str) -> Count:
        if path:
            self._known_keys(data, _COUNT_KEYS, path)
        tags, wrong = read_tags(data.get("tags"))
        self._all((*path, "tags"), wrong)
        name = str(data.get("name", name))
        kind = self._word(data, "kind", path, COUNT_KINDS)
        other = next(name for name in COUNT_KINDS if name != kind)
        foreign = [key for key in _KEYS_OF_KIND[other] if key in data]
        data = {key: value for key, value in data.items() if key not in foreign}
        self._all(path, [(key, not_for(key, kind)) for key in foreign])
        per = PER_CARDS[self._word(data, "per", path, tuple(PER_CARDS))]
        start, pivot = (self._number(data, key, path) for key in ("start", "pivot"))
        rounding = self._word(data, "rounding", path, COUNT_ROUNDINGS)
        if not wrong:
            try:
                count = Count(name, tags, cast(CountKind, kind), per, start, pivot, cast(CountRounding, rounding))
            except CountError as refused:
                self._all(path, [(problem.where, problem.what) for problem in refused.problems])
            else:
                self._check_balance(count, data, path)
                return count
        return replace(_known("hi-lo"), name=name)

    def _check_balance(self, count: Count, data: Mapping[str, Any], path: KeyPath) -> None:
        """Refuse unbalanced tags that do not say how they are used."""
        centered = self._flag(data, "centered", path)
        if not count.balanced and count.kind == "running" and "start" not in data:
            at = f"start = {-count.imbalance}"
            self.refuse((*path, "tags"), f"the tags of a deck sum to {count.imbalance}: add '{at}', per deck")
        elif not count.balanced and count.kind == "true" and not centered:
            self.refuse(
                (*path, "tags"),
                f'the tags of a deck sum to {count.imbalance}, not 0: change them, write kind = "running" with a '
                "start, or write centered = true for a true count of the excess over the average",
            )

    def _side_counts(self, given: object) -> dict[str, Count]:
        """Return the side counts by their sections' keys."""
        if not isinstance(given, Mapping):
            self.refuse(("side",), "write each side count in its own section, as in [side.aces]")
            return {}
        found: dict[str, Count] = {}
        for key, data in given.items():
            if not isinstance(data, Mapping):
                self.refuse(("side", key), f"write the tags of this count in a section [side.{key}.tags]")
                continue
            count = self._count(data, ("side", key), key)
            known = {name.lower() for other, one in found.items() for name in (other, one.name)}
            if taken := known & {key.lower(), count.name.lower()}:
                self.refuse(("side", key), f"another side count has the name {min(taken)!r}, too; change one of them")
            else:
                found[key] = count
        return found

    def _side_name(self, asked: str | None, side: Mapping[str, Count], path: KeyPath) -> str | None:
        """Return the name of the side count that a play or a wager means by its key or its name, in any capitals."""
        if asked is None:
            return None
        for key, count in side.items():
            if asked.strip().lower() in (key.lower(), count.name.lower()):
                return count.name
        what = no_side_count(asked, [count.name for count in side.values()])
        self.refuse(path, what.replace("add it to the side counts", "add a section [side.NAME]"))
        return None

    def _plays(self, given: object) -> tuple[IndexPlay, ...]:
        plays, wrong = read_index_plays(given)
        self._all(("plays",), wrong)
        for key, other in written_twice(plays).items():
            line = line_of(self.file.text, ("plays", other))
            at = f"also as {other!r}" + (f" in line {line}" if line else "")
            self.refuse(("plays", key), f"this hand is written twice, {at}; write its plays in one line")
        return plays

    def _ramp(self, given: object, path: KeyPath) -> Ramp:
        ramp, wrong = read_ramp(given)
        self._all(path, wrong)
        return ramp or FLAT

    def _wagers(self, given: object) -> tuple[WagerRamp, ...]:
        if not isinstance(given, Mapping):
            self.refuse(("wagers",), "write side wagers and their bets by count")
            return ()
        found = []
        for name, bets in given.items():
            rest = dict(bets) if isinstance(bets, Mapping) else bets
            count = rest.pop("count", None) if isinstance(rest, dict) else None
            if not isinstance(count, str | None):
                self.refuse(("wagers", name, "count"), f"{shortly(count)} is not the name of a side count")
                count = None
            found.append(WagerRamp(name, self._ramp(rest, ("wagers", name)), count))
        return tuple(found)

    def _table(self, given: object) -> dict[str, int]:
        if not isinstance(given, Mapping):
            self.refuse(("table",), "write seats, seat, cut, enter and leave in a section [table]")
            return {}
        self._known_keys(given, tuple(TABLE_LIMITS), ("table",))
        found: dict[str, int] = {}
        for key in TABLE_LIMITS:
            if (value := given.get(key)) is None:
                continue
            if what := setting_problem(key, value):
                self.refuse(("table", key), what)
            else:
                found[key] = value
        if "enter" in found and "leave" in found and found["leave"] > found["enter"]:
            self.refuse(("table", "leave"), leaves_early(found["enter"], found.pop("leave")))
        return found

    def _known_keys(self, data: Mapping[str, Any], known: tuple[str, ...], path: KeyPath) -> None:
        for key in data:
            if key not in known:
                self.refuse((*path, key), f"unknown setting; {did_you_mean(key, known)}")

    def _all(self, path: KeyPath, problems: list[tuple[str, str]]) -> None:
        for key, what in problems:
            self.refuse((*path, key) if key else path, what)

    def _word(self, data: Mapping[str, Any], key: str, path: KeyPath, words: tuple[str, ...]) -> str:
        given = data.get(key, words[0])
        if given not in words:
            self.refuse((*path, key), f"{shortly(given)} is not valid; {did_you_mean(str(given), words)}")
            return words[0]
        return str(given)

    def _flag(self, data: Mapping[str, Any], key: str, path: KeyPath) -> bool:
        given = data.get(key, False)
        if not isinstance(given, bool):
            self.refuse((*path, key), f"{shortly(given)} is not valid; write true or false")
        return bool(given)

    def _number(self, data: Mapping[str, Any], key: str, path: KeyPath) -> Fraction:
        given = data.get(key, 0)
        points = fraction_of(given)
        if points is None or not is_points(points):
            self.refuse((*path, key), f"{shortly(given)} is not a number of points; write one such as -4 or '1/3'")
            return Fraction(0)
        return points


def _path(play: IndexPlay) -> KeyPath:
    return ("plays", play.written or play.title)
