"""Read counts and count players from small TOML files, and find the counts that come with Holecard.

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

from holecard.counts.count import COUNT_KINDS, COUNT_ROUNDINGS, PER_CARDS, Count, CountKind, CountRounding
from holecard.counts.count_player import CountFile, CountPlayer, WagerRamp
from holecard.counts.index_plays import IndexPlay, read_index_plays
from holecard.counts.ramp import FLAT, Ramp, read_ramp
from holecard.counts.tag_words import read_tags
from holecard.errors import CountError, Problem, Unreadable, did_you_mean, shortly
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.files.toml_data import NotToml, read_toml
from holecard.sheets.files.toml_lines import KeyPath

CountLike: TypeAlias = str | PathLike[str] | Count
CountPlayerLike: TypeAlias = str | PathLike[str] | Count | CountPlayer

_CATALOG = resources.files("holecard") / "counts" / "catalog"
#: In the order in which people learn them.
_KNOWN = ("hi-lo", "hi-opt i", "hi-opt ii", "ko", "zen", "halves")
_COUNT_KEYS = ("name", "tags", "kind", "per", "start", "pivot", "rounding")
_PLAYER_KEYS = ("count", "bets", "plays", "wagers", "side", "table")
_TABLE_KEYS = {"seats": (1, 99), "seat": (1, 99), "cut": (1, 100), "enter": (-999, 999), "leave": (-999, 999)}


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
        plays, wrong = read_index_plays(data.get("plays", {}))
        self._all(("plays",), wrong)
        wagers = self._wagers(data.get("wagers", {}))
        table = self._table(data.get("table", {}))
        player = CountPlayer(
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
        if player.enter is not None and player.leave is not None and player.leave > player.enter:
            self.refuse(("table", "leave"), f"leaves below {player.leave}, but sits down at {player.enter}")
        return player

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
        kind = self._word(data, "kind", path, COUNT_KINDS)
        count = Count(
            name=str(data.get("name", name)),
            tags=tags,
            kind=cast(CountKind, kind),
            per=PER_CARDS[self._word(data, "per", path, tuple(PER_CARDS))],
            start=self._number(data, "start", path),
            pivot=self._number(data, "pivot", path),
            rounding=cast(CountRounding, self._word(data, "rounding", path, COUNT_ROUNDINGS)),
        )
        if tags and not wrong:
            self._check_balance(count, data, path)
        return count

    def _check_balance(self, count: Count, data: Mapping[str, Any], path: KeyPath) -> None:
        """Refuse unbalanced tags that do not say how they are used, and counts that count nothing."""
        if not any(count.tags):
            self.refuse((*path, "tags"), "all tags are 0")
        elif len(set(count.tags)) == 1:
            self.refuse((*path, "tags"), "all tags are equal, which says nothing about the cards left; change some")
        elif not count.balanced and count.kind == "running" and "start" not in data:
            at = f"start = {-count.imbalance}"
            self.refuse((*path, "tags"), f"the tags of a deck sum to {count.imbalance}: add '{at}', per deck")
        elif not count.balanced and count.kind == "true" and "pivot" not in data:
            self.refuse(
                (*path, "tags"),
                f'the tags of a deck sum to {count.imbalance}, not 0: change them, write kind = "running" with a '
                "start, or write pivot = 0 for a true count of the excess over the average",
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
            found[key] = count
        return found

    def _side_name(self, asked: str | None, side: Mapping[str, Count], path: KeyPath) -> str | None:
        """Return the name of the side count that a play or a wager means by its key or its name, in any capitals."""
        if asked is None:
            return None
        for key, count in side.items():
            if asked.strip().lower() in (key.lower(), count.name.lower()):
                return count.name
        hint = did_you_mean(asked, [count.name for count in side.values()]) or "add a section [side.NAME]"
        self.refuse(path, f"there is no side count {asked!r}; {hint}")
        return None

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
        self._known_keys(given, tuple(_TABLE_KEYS), ("table",))
        found = {}
        for key, (low, high) in _TABLE_KEYS.items():
            value = given.get(key)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high
            ):
                percent = " percent of the shoe" if key == "cut" else ""
                self.refuse(("table", key), f"{shortly(value)} is not valid; write {low} to {high}{percent}")
            elif value is not None:
                found[key] = value
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

    def _number(self, data: Mapping[str, Any], key: str, path: KeyPath) -> Fraction:
        given = data.get(key, 0)
        if isinstance(given, bool) or not isinstance(given, int | float) or abs(given) > 1000:
            self.refuse((*path, key), f"{shortly(given)} is not a number of points, for example -4")
            return Fraction(0)
        return Fraction(str(given))


def _path(play: IndexPlay) -> KeyPath:
    return ("plays", play.written or play.title)
