"""Grids of settings: games and values in all combinations, for `analyze --vary`, `compare` and `sweep`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from holecard.errors import Problem, Refusal, SheetError, shortly
from holecard.presentation import Brief
from holecard.sheets.descriptions.phrases import plain_value
from holecard.sheets.override import full_path, parse_setting
from holecard.sheets.read import MOST_PROBLEMS, RulesLike, rules
from holecard.sheets.schema import RuleSheet

MOST_POINTS = 10_000
_QUOTES, _OPEN, _CLOSED = "\"'", "[{", "]}"


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting, and the values it takes in turn, as read and as written."""

    key: str
    values: tuple[object, ...]
    labels: tuple[str, ...]


#: Axes as a program writes them, {"decks": [1, 2]}, or as a person does, ["decks=1,2"].
Vary: TypeAlias = Mapping[str, Sequence[object]] | Iterable[str | Axis]


@dataclass(frozen=True, slots=True, repr=False)
class GridPoint(Brief):
    """One game of a grid."""

    game: str
    """as it was named; a sheet by its own name, or by its settings if it came with some"""
    settings: Mapping[str, object] = field(hash=False)
    """the varied settings of this point"""
    labels: tuple[str, ...]
    """the same, as written"""
    rules: RuleSheet
    own: str = ""
    """the settings that the sheet came with and that the grid does not change, in words"""


@dataclass(frozen=True, slots=True, repr=False)
class Grid(Brief):
    """Every game with every combination of values; the last axis changes fastest."""

    games: tuple[str, ...]
    settings: Mapping[str, object] = field(hash=False)
    """settings of every point"""
    axes: tuple[Axis, ...]
    points: tuple[GridPoint, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The varied settings."""
        return tuple(axis.key for axis in self.axes)


def grid(
    games: RulesLike | Sequence[RulesLike], vary: Vary | None = None, settings: Mapping[str, object] | None = None
) -> Grid:
    """Read every sheet of a grid; `settings` hold at every point."""
    if not isinstance(games, RulesLike | Iterable):
        raise Refusal(f"{shortly(games)} is not a game or a list of games; write a name, or several in brackets")
    listed = [games] if isinstance(games, RulesLike) else list(games)
    axes, fixed = read_axes({} if vary is None else vary), _fixed(settings)
    for game in listed:
        _refuse_clashes(_name(game), fixed, axes)
    size = len(listed) * math.prod(len(axis.values) for axis in axes)
    if not 1 <= size <= MOST_POINTS:
        raise Refusal(f"a grid of {size:,} games is too large or empty; it can have 1 to {MOST_POINTS:,}")
    changed = {_path(key) for key in (*fixed, *(axis.key for axis in axes))}
    own = [_own_settings(game, changed) for game in listed]
    labels = [_label(game, words) for game, words in zip(listed, own, strict=True)]
    names = _numbered(labels)
    try:
        points = tuple(
            point
            for game, name, words in zip(listed, names, own, strict=True)
            for point in _points(game, name, words, fixed, axes)
        )
    except SheetError as error:
        raise _with_other_values(error, listed, fixed, axes) from None
    _refuse_same_games(labels, points[:: size // len(listed)])
    return Grid(names, fixed, axes, points)


def _fixed(settings: object) -> dict[str, object]:
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise Refusal(f"settings: {shortly(settings)} is not a mapping; write them as in {{'decks': 6}}")
    return dict(settings)


def _points(
    game: RulesLike, name: str, own: str, fixed: Mapping[str, object], axes: Sequence[Axis]
) -> Iterator[GridPoint]:
    keys = [axis.key for axis in axes]
    labels = itertools.product(*(axis.labels for axis in axes))
    for values, written in zip(itertools.product(*(axis.values for axis in axes)), labels, strict=True):
        changes = dict(zip(keys, values, strict=True))
        yield GridPoint(name, changes, written, rules(game, {**fixed, **changes}), own)


def _with_other_values(
    first: SheetError, games: Sequence[RulesLike], fixed: Mapping[str, object], axes: Sequence[Axis]
) -> SheetError:
    """Return the error with those of all values, each with the first values of the other settings."""
    problems = dict.fromkeys(first.problems)
    start = {axis.key: axis.values[0] for axis in axes}
    for game, axis in itertools.product(games, axes):
        for value in axis.values:
            try:
                rules(game, {**fixed, **start, axis.key: value})
            except SheetError as error:
                problems |= dict.fromkeys(error.problems if error.sheet == first.sheet else ())
            if len(problems) > MOST_PROBLEMS:
                return first
    return SheetError(first.sheet, problems)


def _name(game: RulesLike) -> str:
    return game.name if isinstance(game, RuleSheet) else str(game)


def _path(key: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in full_path(key))


def _own_settings(game: RulesLike, changed: set[tuple[str, ...]]) -> str:
    """Return the settings that a sheet came with, without those that the grid changes."""
    if not isinstance(game, RuleSheet):
        return ""
    kept = {key: value for key, value in game.origin[1].items() if _path(key) not in changed}
    return ", ".join(f"{key} = {plain_value(value)}" for key, value in kept.items())


def _label(game: RulesLike, own: str) -> str:
    if not isinstance(game, RuleSheet) or not own:
        return _name(game)
    return f"{game.origin[0] or game.name}, {own}"


def _numbered(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels; different sheets with the same one are numbered."""
    return tuple(
        f"{label} ({labels[: place + 1].count(label)})" if labels.count(label) > 1 else label
        for place, label in enumerate(labels)
    )


def _refuse_same_games(labels: Sequence[str], first_points: Sequence[GridPoint]) -> None:
    """Refuse a game that, as the grid changes it, is the same as another one."""
    seen: dict[RuleSheet, str] = {}
    for label, point in zip(labels, first_points, strict=True):
        earlier = seen.get(point.rules)
        if earlier is not None:
            same = f"{label} is named twice" if earlier == label else f"{earlier} and {label} are the same game"
            raise Refusal(f"{same}; name each game once")
        seen[point.rules] = label


# Axes


def read_axes(vary: Vary) -> tuple[Axis, ...]:
    """Return the axes of a grid."""
    if isinstance(vary, Mapping):
        return tuple(_axis(key, values) for key, values in vary.items())
    if isinstance(vary, str):
        vary = (vary,)
    listed = list(vary) if isinstance(vary, Iterable) else [vary]
    for one in listed:
        if not isinstance(one, str | Axis):
            raise Refusal(f"{shortly(vary)} is not a grid of settings; write {{'decks': [6, 8]}} or 'decks=6,8'")
    return tuple(one if isinstance(one, Axis) else read_axis(one) for one in listed)


def _axis(key: str, values: Sequence[object]) -> Axis:
    if isinstance(values, str) or not isinstance(values, Iterable) or not list(values):
        raise Refusal(f"{key}: {shortly(values)} is not a list of values; write them as in [6, 8]")
    return Axis(key, tuple(values), tuple(map(str, values)))


def read_axis(text: str) -> Axis:
    """Read "decks=1,2,6,8" as a setting and its values; a value in quotes or brackets may contain commas.

    >>> read_axis("dealer.soft_17=hit,stand").values
    ('hit', 'stand')
    >>> read_axis('player.double="9,10,11",any').values
    ('9,10,11', 'any')
    """
    key, equals, written = text.partition("=")
    labels = [label.strip() for label in split_values(written)]
    if not equals or not key.strip() or not all(labels):
        raise Refusal(f"--vary {text!r}: write a setting and its values with commas between, as in decks=1,2,6,8")
    if len(set(labels)) < len(labels):
        raise Refusal(f"--vary {text!r}: a value is given twice; give each once")
    values = tuple(parse_setting(f"{key}={label}")[1] for label in labels)
    return Axis(key.strip(), values, tuple(map(_unquoted, labels)))


def split_values(text: str) -> list[str]:
    """Return the parts between commas, except commas in quotes or brackets."""
    parts, quote, depth = [""], "", 0
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in _QUOTES and (not parts[-1].strip() or depth):
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSED:
            depth -= 1
        if letter == "," and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    if quote or depth:
        raise Refusal(f"--vary …={text}: a quote or bracket is not closed; close it, or put the value in quotes")
    return parts


def _unquoted(label: str) -> str:
    return label[1:-1] if len(label) > 1 and label[0] in _QUOTES and label[0] == label[-1] else label


def _refuse_clashes(game: str, fixed: Mapping[str, object], axes: Sequence[Axis]) -> None:
    """Refuse a setting that is given twice: it would be open which value counts."""
    taken: dict[tuple[str, ...], str] = {}
    problems: list[Problem] = []
    for key in (*fixed, *(axis.key for axis in axes)):
        try:
            path = _path(key)
        except SheetError as error:
            problems += error.problems
            continue
        if path in taken:
            same = "this setting is given twice" if taken[path] == key else f"{taken[path]} is the same setting"
            problems.append(Problem(key, f"{same}; give it once"))
        taken[path] = key
    if problems:
        raise SheetError(game, problems)
