"""A sweep: a grid of games and settings, simulated; one line for each.

Nothing here depends on how long it took or where it ran: equal sweeps print the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import holecard
from holecard.errors import plural
from holecard.report.document import Block, Document, Facts, Heading, Paragraph, table
from holecard.report.grids import game_cell, grid_columns, key_heading
from holecard.report.numbers import UNKNOWN, confidence, decimals, known, signed
from holecard.report.sheet import sheet_identity
from holecard.report.simulated.estimates import counts_data, estimate_data
from holecard.simulation.statistics.estimates import sd_se
from holecard.simulation.sweep import Sweep, SweepPoint

_GAME_WIDTH, _KEY_WIDTH, _GAP = 20, 20, 2
_EXACT_PLACES = 7


def summary(found: Sweep) -> str:
    """Return a line such as `Sweep(classic, 4 points by decks, 10,000,000 rounds each)`."""
    games, keys = ", ".join(found.grid.games), ", ".join(found.grid.keys)
    by = f" by {keys[:60]}" if keys else ""
    points, rounds = plural(len(found.points), "point"), plural(found.rounds, "round")
    return f"Sweep({games[:60]}, {points}{by}, {rounds} each)"


# For programs


def data(found: Sweep) -> dict[str, Any]:
    """Return the data of `holecard sweep --json`."""
    return {
        "version": holecard.__version__,
        "games": list(found.grid.games),
        "vary": {axis.key: list(axis.labels) for axis in found.grid.axes},
        "settings": dict(found.grid.settings),
        "strategy": found.strategy,
        "seed": found.seed,
        "rounds": found.rounds,
        "points": len(found.grid.points),
        "complete": found.complete,
        "grid": [_point(found, point) for point in found.points],
    }


def _point(found: Sweep, point: SweepPoint) -> dict[str, Any]:
    main = point.exact
    return {
        "game": point.game,
        "vary": _vary(found, point),
        "sheet": sheet_identity(point.sampled.rules),
        "decks": point.sampled.rules.shoe.decks,
        "procedure": point.sampled.procedure,
        "rounds": point.sampled.rounds,
        **estimate_data(point.sampled.main.estimate),
        "counts": counts_data(point.sampled.main.histogram),
        "exact": None
        if main is None
        else {"ev": main.ev, "error_bound": main.error_bound, "standard_deviation": main.standard_deviation},
        "z": point.z,
    }


def rows(found: Sweep) -> list[dict[str, Any]]:
    """Return one row for each point."""
    return [
        {
            "game": point.game,
            **grid_columns(point.varied),
            **estimate_data(point.sampled.main.estimate),
            "rounds": point.sampled.rounds,
            "exact": None if point.exact is None else point.exact.ev,
            "z": point.z,
        }
        for point in found.points
    ]


def _vary(found: Sweep, point: SweepPoint) -> dict[str, str]:
    return dict(zip(found.grid.keys, point.labels, strict=True))


# For people


def document(found: Sweep) -> Document:
    """Return a line for each point; columns that do not fit continue in a second table."""
    names = ", ".join(dict.fromkeys(point.rules.name for point in found.grid.points))
    return Document(f"{names}: sweep", tuple(_blocks(found, names)))


def _blocks(found: Sweep, names: str) -> Iterator[Block]:
    yield Heading(names, level=1)
    lines = (
        ("dealt", "a fresh shoe for every round"),
        ("settings", ", ".join(f"{key} = {value}" for key, value in found.grid.settings.items())),
        ("strategy", found.strategy),
        ("rounds", f"{found.rounds:,} for each line, seed {found.seed}"),
        ("EV", "of the main wager, per unit of initial stake"),
    )
    yield Facts(tuple(line for line in lines if line[1]))
    if not found.points:
        yield Paragraph("No line was finished.")
        return
    names_of = _names(found)
    headings, *cells = zip(*names_of, *_figures(found), strict=True)
    yield table(headings, cells, gap=_GAP, repeat=len(names_of))


def _names(found: Sweep) -> list[list[str]]:
    """Return the columns that name the point, each with its heading first."""
    games = ["game", *(game_cell(point.game, _GAME_WIDTH) for point in found.points)]
    keys = found.grid.keys
    headings = [key_heading(key, keys, _KEY_WIDTH) for key in keys]
    return [games, *(list(column) for column in zip(headings, *(p.labels for p in found.points), strict=True))]


def _figures(found: Sweep) -> list[list[str]]:
    """Return the columns of numbers, each with its heading first."""
    level = confidence(found.points[0].sampled.main.level)
    headings = ["EV", "standard\nerror", f"{level}\nmargin", "exact", "z", "standard\ndeviation"]
    columns = [list(column) for column in zip(headings, *map(_cells, found.points), strict=True)]
    return [column for column in columns if found.exact or column[0] not in ("exact", "z")]


def _cells(point: SweepPoint) -> list[str]:
    """Return the cells of a line; a mean has as many digits as its standard error supports."""
    seat = point.sampled.main
    mean, places = seat.estimate, decimals(seat.estimate.standard_error)
    return [
        signed(mean.ev, places),
        known(mean.standard_error, places),
        known(mean.high - mean.ev, places),
        UNKNOWN if point.exact is None else signed(point.exact.ev, max(places, _EXACT_PLACES)),
        UNKNOWN if point.z is None else f"{point.z:+.2f}",
        known(mean.standard_deviation, decimals(sd_se(seat.histogram))),
    ]
