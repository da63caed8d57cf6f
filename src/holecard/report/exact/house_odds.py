"""House odds: pay tables by upcard as lines of a sheet, with their figures as comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from holecard.deck import value_name
from holecard.errors import plural
from holecard.exact.wagers.house_odds import HouseOdds, HouseOddsTable, UpcardOdds
from holecard.exact.wagers.odds_target import OddsTarget
from holecard.odds import spell
from holecard.report.document import Document, Verbatim
from holecard.report.numbers import cards_text, percent
from holecard.report.sheet import identity, origin, settings
from holecard.sheets.descriptions.phrases import on_soft_17
from holecard.sheets.wager_schema import BY_DECKS, BY_DECKS_AND_SOFT_17

_WIDTH = 9


def summary(found: HouseOdds) -> str:
    """Return a line such as `HouseOdds(quick-pay, 12 tables: house edge 4.5% to 5.4%)`."""
    edges = [table.edge for table in found.tables]
    between = f"house edge {percent(min(edges), 2)} to {percent(max(edges), 2)}"
    return f"HouseOdds({origin(found.rules)}, {plural(len(edges), 'table')}: {between})"


def document(found: HouseOdds) -> Document:
    """Return the lines of the sheet."""
    return Document(f"{found.rules.name}: house odds", (Verbatim(text(found)),))


def text(found: HouseOdds) -> str:
    """Return TOML that can be pasted into a sheet."""
    return "".join(f"{line}\n" for line in _toml(found))


def _toml(found: HouseOdds) -> Iterator[str]:
    rules, target = found.rules, found.target
    yield f"# House odds for {rules.name}. Target: an edge of {_short(target.edge)}"
    limits = f"within {_short(target.within)}, and odds in steps of {target.step}"
    yield f"# over all upcards, {limits}. Computed exactly, given"
    yield "# that neither the player nor the dealer has a natural (blackjack). Best EV: that of a player"
    yield "# who knows the first two cards, with the best two there are."
    for (wager, chosen), tables in groupby(found.tables, key=lambda table: (table.wager, table.chosen)):
        yield from (
            "",
            "[[wager]]",
            f"name       = {_quoted(wager)}",
            'table_from = "house"',
            f"table      = {_quoted(chosen if chosen == BY_DECKS_AND_SOFT_17 else BY_DECKS)}",
        )
        yield from ("", "[wager.tables]")
        for table in tables:
            yield from _table(table, target)


def _table(table: HouseOddsTable, target: OddsTarget) -> Iterator[str]:
    cells, best = _in_order(table), table.best
    figures = f"house edge {percent(table.edge)} over all upcards; best EV {percent(best.best_ev)}, {_spot(best)}"
    yield f"# {plural(table.decks, 'deck')}, dealer {on_soft_17(table.soft_17)}: {figures}"
    if abs(table.edge - target.edge) > target.within:
        yield f"# The target, {_short(target.edge)} within {_short(target.within)}, is out of reach."
    yield _comment("upcard", (value_name(cell.upcard) for cell in cells))
    yield _comment("house edge", (percent(cell.edge, 2) for cell in cells))
    yield _comment("best EV", (percent(cell.best_ev, 2) for cell in cells))
    yield _comment("with", (cards_text(cell.best_cards) for cell in cells))
    yield pay_line(table)


def pay_line(table: HouseOddsTable) -> str:
    """Return one table as a sheet writes it, on one line."""
    pays = ", ".join(f'{value_name(cell.upcard)} = "{spell(cell.odds)}"' for cell in _in_order(table))
    name = table.name if table.name.isdecimal() else _quoted(table.name)
    return f"{name} = [{{ dealer = {_quoted(table.dealer)}, pays = {{ {pays} }} }}]"


def _in_order(table: HouseOddsTable) -> list[UpcardOdds]:
    return sorted(table.cells, key=lambda cell: (cell.upcard == 1, cell.upcard))


def _comment(name: str, words: Iterable[str]) -> str:
    return f"#   {name:<10}" + "".join(f"{word:>{_WIDTH}}" for word in words)


def _spot(cell: UpcardOdds) -> str:
    return f"{cards_text(cell.best_cards)} v {value_name(cell.upcard)}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _short(share: Fraction) -> str:
    return f"{float(100 * share):g}%"


def data(found: HouseOdds) -> dict[str, Any]:
    """Return the data of `holecard house-odds --json`; probabilities and EVs also as exact fractions."""
    return {
        **identity(found.rules),
        "settings": settings(found.rules),
        "edge": float(found.target.edge),
        "within": float(found.target.within),
        "step": str(found.target.step),
        "tables": [
            {
                "wager": table.wager,
                "dealer": table.dealer,
                "table": table.name,
                "decks": table.decks,
                "soft_17": table.soft_17,
                "house_edge": _number(table.edge),
                "best": {"spot": _spot(table.best), **_number(table.best.best_ev)},
                "upcards": {value_name(cell.upcard): _cell(cell) for cell in table.cells},
            }
            for table in found.tables
        ],
    }


def rows(found: HouseOdds) -> list[dict[str, Any]]:
    """Return one row for each upcard of each table."""
    return [
        {
            "wager": table.wager,
            "dealer": table.dealer,
            "decks": table.decks,
            "soft_17": table.soft_17,
            "upcard": value_name(cell.upcard),
            "pays": spell(cell.odds),
            "probability": float(cell.probability),
            "house_edge": float(cell.edge),
            "best_ev": float(cell.best_ev),
            "best_cards": cards_text(cell.best_cards),
        }
        for table in found.tables
        for cell in _in_order(table)
    ]


def _cell(cell: UpcardOdds) -> dict[str, Any]:
    return {
        "pays": spell(cell.odds),
        "probability": _number(cell.probability),
        "house_edge": _number(cell.edge),
        "best_cards": cards_text(cell.best_cards),
        "best_ev": _number(cell.best_ev),
    }


def _number(value: Fraction) -> dict[str, Any]:
    return {"value": float(value), "exact": str(value)}
