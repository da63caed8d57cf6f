"""What a sweep found: a table for people, JSON and CSV for programs. Keys and columns are promised in docs/sweep.md.

Nothing here depends on how long it took or who played: equal sweeps print the same.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from holecard.cli.commands.simulate import say_strategy
from holecard.cli.commands.vary import Varied
from holecard.cli.printing.format import INDENT, exact_decimal, facts, grid, say, signed, title
from holecard.cli.printing.show import as_json, console
from holecard.cli.printing.show_simulation import UNKNOWN, decimals
from holecard.simulation.statistics.estimates import finite, sd_se

if TYPE_CHECKING:
    from holecard.simulation.sweep import Planned, SweepPoint

_GAME_WIDTH, _GAP = 20, 2
_EXACT_PLACES = 7
_NUMBERS = ("mean", "se", "low", "high", "sd")


@dataclass(frozen=True)
class Swept:
    """What was asked for, as it was written, and the points that are finished."""

    games: tuple[str, ...]
    varied: tuple[Varied, ...]
    settings: Mapping[str, object]
    strategy: str
    rounds: int
    seed: int
    exact: bool
    points: Sequence[Planned]
    done: Sequence[SweepPoint]

    @property
    def complete(self) -> bool:
        return len(self.done) == len(self.points)

    @property
    def words(self) -> list[str]:
        return [varying.word for varying in self.varied]

    @property
    def labelled(self) -> list[tuple[SweepPoint, tuple[str, ...]]]:
        """What is finished, each with its values as written."""
        combinations = list(itertools.product(*([label for label, _ in varying.values] for varying in self.varied)))
        return list(zip(self.done, combinations * len(self.games), strict=False))

    @property
    def followed(self) -> str:
        """The strategy in words."""
        name = self.done[0].sampled.main.strategy if self.done else self.strategy
        return say_strategy(self.strategy, self.points[0].strategy, name)


# For people


def show_table(swept: Swept) -> None:
    """A line for each point; columns that find no room continue in a second grid."""
    out = console()
    title(out, ", ".join(dict.fromkeys(point.rules.name for point in swept.points)))
    lines = [
        ("dealt", "a fresh shoe for every round"),
        ("settings", ", ".join(f"{word} = {value}" for word, value in swept.settings.items())),
        ("strategy", swept.followed),
        ("rounds", f"{swept.rounds:,} for each line, seed {swept.seed}"),
        ("mean", "net result of the main wager, per unit of initial stake"),
    ]
    facts(out, [(name, words) for name, words in lines if words])
    if not swept.done:
        say(out, "No line was finished.", "")
        return
    for columns in _in_width(out.width, _names(swept), _figures(swept)):
        headers, *rows = zip(*columns, strict=True)
        grid(out, headers, rows, gap=_GAP)


def _names(swept: Swept) -> list[list[str]]:
    """Columns that say which point it is, each with its heading first."""
    games = ["game", *("\n".join(textwrap.wrap(point.game, _GAME_WIDTH)) for point in swept.done)]
    values = zip(*(labels for _, labels in swept.labelled), strict=True)
    return [games, *([_heading(word, swept.words), *column] for word, column in zip(swept.words, values, strict=True))]


def _heading(word: str, words: Sequence[str]) -> str:
    """The last part of a word where that tells it from the others."""
    last = word.rpartition(".")[2]
    return last if [other.rpartition(".")[2] for other in words].count(last) == 1 else word.replace(".", ".\n")


def _figures(swept: Swept) -> list[list[str]]:
    """Columns of numbers, each with its heading first."""
    level = f"{100 * swept.done[0].sampled.main.level:.6g}%"
    headings = ["mean", "standard\nerror", f"{level}\n±", "exact", "z", "sd"]
    columns = [list(column) for column in zip(headings, *map(_cells, swept.done), strict=True)]
    return [column for column in columns if swept.exact or column[0] not in ("exact", "z")]


def _cells(point: SweepPoint) -> list[str]:
    """A mean has as many digits as its error leaves meaning to."""
    seat = point.sampled.main
    found, places = seat.estimate, decimals(seat.estimate.se)
    return [
        signed(found.mean, places),
        _known(found.se, places),
        _known(found.high - found.mean, places),
        UNKNOWN if point.exact is None else signed(point.exact.ev, max(places, _EXACT_PLACES)),
        UNKNOWN if point.z is None else f"{point.z:+.2f}",
        _known(found.sd, decimals(sd_se(seat.histogram))),
    ]


def _known(number: float, places: int) -> str:
    return f"{number:.{places}f}" if math.isfinite(number) else UNKNOWN


def _in_width(width: int, names: list[list[str]], figures: list[list[str]]) -> Iterator[list[list[str]]]:
    """As many figures beside the names as there is room for, at least one; then the next."""
    room = left = width - INDENT - sum(map(_wide, names)) + _GAP
    shown: list[list[str]] = []
    for column in figures:
        if shown and _wide(column) > left:
            yield [*names, *shown]
            shown, left = [], room
        shown.append(column)
        left -= _wide(column)
    yield [*names, *shown]


def _wide(column: Sequence[str]) -> int:
    return max(len(line) for cell in column for line in cell.split("\n")) + _GAP


# For programs


def show_json(swept: Swept) -> None:
    """Everything, with all counts."""
    as_json(
        {
            "games": list(swept.games),
            "vary": {varying.word: [label for label, _ in varying.values] for varying in swept.varied},
            "settings": dict(swept.settings),
            "strategy": swept.followed,
            "seed": swept.seed,
            "rounds": swept.rounds,
            "points": len(swept.points),
            "complete": swept.complete,
            "grid": [_data(point, dict(zip(swept.words, labels, strict=True))) for point, labels in swept.labelled],
        }
    )


def _data(point: SweepPoint, vary: dict[str, str]) -> dict[str, Any]:
    main = point.exact
    return {
        "game": point.game,
        "vary": vary,
        "decks": point.sampled.rules.shoe.decks,
        "procedure": point.sampled.procedure,
        "rounds": point.sampled.rounds,
        **_numbers(point),
        "histogram": {exact_decimal(net): count for net, count in point.sampled.main.histogram.items()},
        "exact": None
        if main is None
        else {"ev": main.ev, "error_bound": main.error_bound, "sd": main.standard_deviation},
        "z": point.z,
    }


def show_csv(swept: Swept) -> None:
    """A line for each point; numbers in full, and nothing where nothing is known."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game", *swept.words, *_NUMBERS, "rounds", "exact", "z"])
    for point, labels in swept.labelled:
        exact = None if point.exact is None else point.exact.ev
        writer.writerow([point.game, *labels, *_numbers(point).values(), point.sampled.rounds, exact, point.z])
    typer.echo(out.getvalue(), nl=False)


def _numbers(point: SweepPoint) -> dict[str, float | None]:
    found = point.sampled.main.estimate
    numbers = (found.mean, found.se, found.low, found.high, found.sd)
    return dict(zip(_NUMBERS, map(finite, numbers), strict=True))
