"""Games of a grid of settings side by side: the house edge of every wager."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import holecard
from holecard.errors import plural
from holecard.exact.compare import ComparedGame, RuleComparison
from holecard.report.document import QUIET, Block, Document, Heading, Paragraph, table
from holecard.report.exact.analysis_data import exact_ev
from holecard.report.exact.side_wagers import in_dollars
from holecard.report.grids import game_cell, grid_columns, key_heading
from holecard.report.house_tables import FOOTNOTE, MARK
from holecard.report.numbers import UNKNOWN, bound, percent, precise_dollars
from holecard.report.sheet import settings, sheet_identity, shoe_data
from holecard.sheets.grid import GridPoint

_EDGE_WIDTH, _GAME_WIDTH, _GAP = 12, 20, 3


def summary(found: RuleComparison) -> str:
    """Return a line such as `RuleComparison(classic, 4 games by decks, soft_17: house edge 0.0165% to 0.6154%)`."""
    edges = [game.house_edge for game in found.games]
    between = " to ".join(dict.fromkeys((percent(min(edges)), percent(max(edges))))) if edges else ""
    edge = f": house edge {between}" if edges else ""
    keys = ", ".join(found.grid.keys)
    shown = keys if len(keys) <= 60 else f"{keys[:57]}..."
    by = f" by {shown}" if keys else ""
    return f"RuleComparison({', '.join(found.grid.games)[:40]}, {plural(len(edges), 'game')}{by}{edge})"


def data(found: RuleComparison) -> dict[str, Any]:
    """Return the data of `holecard analyze --vary --json`."""
    return {
        "version": holecard.__version__,
        "game": found.grid.games[0] if len(found.grid.games) == 1 else None,
        "convention": found.convention,
        "settings": dict(found.grid.settings),
        "complete": found.complete,
        "grid": [_game(point, game) for point, game in _pairs(found)],
        "strategy": found.strategy,
        "games": list(found.grid.games),
    }


def _pairs(found: RuleComparison) -> list[tuple[GridPoint, ComparedGame]]:
    """Return the finished games of the grid, each with its place there: its own name and settings."""
    return list(zip(found.grid.points, found.games, strict=False))


def _game(point: GridPoint, game: ComparedGame) -> dict[str, Any]:
    return {
        "vary": dict(zip(point.settings, game.labels, strict=True)),
        "sheet": sheet_identity(game.rules),
        "decks": game.rules.shoe.decks,
        "main": {"ev": game.ev, "house_edge": game.house_edge, "error_bound": game.error_bound},
        "wagers": {
            wager.name: {
                **exact_ev(wager.exact),
                "house_edge": -wager.ev,
                "unit": wager.unit,
                "printed": wager.printed,
            }
            for wager in game.wagers
        },
        "shoe": shoe_data(game.shoe),
        "skipped": dict(game.skipped),
        "game": point.game,
        "settings": settings(game.rules),
    }


def rows(found: RuleComparison) -> list[dict[str, Any]]:
    """Return one row for each game: its settings, the main wager's numbers, and the EV of each side wager."""
    return [
        {
            "game": point.game,
            **grid_columns(point.settings),
            "ev": game.ev,
            "house_edge": game.house_edge,
            "error_bound": game.error_bound,
            **{f"{wager.name} ev": wager.ev for wager in game.wagers},
        }
        for point, game in _pairs(found)
    ]


def document(found: RuleComparison) -> Document:
    """Return a row for each game; many side wagers continue in a second table."""
    names = ", ".join(dict.fromkeys(point.rules.name for point in found.grid.points))
    if len(found.grid.games) == 1 and (own := found.grid.points[0].own):
        names = f"{names}, {own}"  # of several games, each row says its own
    return Document(f"{names}: comparison", tuple(_blocks(found, names)))


def _blocks(found: RuleComparison, name: str) -> Iterator[Block]:
    fixed = "".join(f", {key} = {value}" for key, value in found.grid.settings.items())
    dealt = f"{found.dealt[0].upper()}{found.dealt[1:]}"
    yield Heading(
        f"{name}{fixed}",
        "House edge per unit of initial stake (main wager) or per unit staked (side wagers). Dollar amounts are the "
        f"house's win per round. {dealt}. Strategy: {found.strategy}. Splits: {found.convention}.{_error(found)}",
        level=1,
    )
    names = _names(found)
    headings, *lines = zip(*names, *_edges(found), strict=True)
    yield table(headings, lines, gap=_GAP, repeat=len(names))
    if any(not wager.printed for game in found.games for wager in game.wagers):
        yield Paragraph(FOOTNOTE, QUIET)
    for wager, reason in dict.fromkeys(skipped for game in found.games for skipped in game.skipped):
        yield Heading(wager, f"Not computed: {reason}.")


def _error(found: RuleComparison) -> str:
    """Return the largest error of the main wager's edges."""
    if not found.games:
        return ""
    return f" The main wager's edges are exact to within {bound(max(game.error_bound for game in found.games))}."


def _names(found: RuleComparison) -> list[list[str]]:
    """Return the columns that name a game, each with its heading first: its name if there are several, and settings."""
    keys = found.grid.keys
    headings = [key_heading(key, keys, _EDGE_WIDTH) for key in keys]
    columns = [list(column) for column in zip(headings, *(game.labels for game in found.games), strict=True)]
    if len(found.grid.games) == 1:
        return columns
    names = [game_cell(point.game, _GAME_WIDTH) for point, _ in _pairs(found)]
    return [["game", *names], *columns]


def _edges(found: RuleComparison) -> Iterator[list[str]]:
    """Yield the columns of edges, each with its heading first and as wide as any."""
    yield ["house edge".rjust(_EDGE_WIDTH), *(percent(game.house_edge, 5) for game in found.games)]
    house = {wager.name for game in found.games for wager in game.wagers if not wager.printed}
    for name in dict.fromkeys(wager.name for game in found.games for wager in game.wagers):
        starred = f"{name}{MARK}" if name in house else name
        heading = "\n".join(line.rjust(_EDGE_WIDTH) for line in textwrap.wrap(starred, _EDGE_WIDTH))
        yield [heading, *(_edge(game, name) for game in found.games)]


def _edge(game: ComparedGame, name: str) -> str:
    wager = next((wager for wager in game.wagers if wager.name == name), None)
    if wager is None:
        return UNKNOWN
    return precise_dollars(-wager.exact, 5) if in_dollars(wager) else percent(-wager.exact, 5)
