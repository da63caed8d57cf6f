"""`holecard house-odds`: pay tables by upcard for wagers on the dealer's final hand, ready to paste into a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.cli.arguments import Game, Json, Settings, sheet
from holecard.cli.printing.format import percent, say_cards
from holecard.cli.printing.show import as_json
from holecard.deck import value_name
from holecard.errors import Unreadable
from holecard.odds import spell

if TYPE_CHECKING:
    from holecard.exact.wagers.house_odds import HouseOddsTable, OddsTarget, UpcardOdds
    from holecard.sheets.schema import RuleSheet

_MOST_DECKS = 16
_WIDTH = 9


def house_odds(
    game: Game,
    settings: Settings = None,
    edge: Annotated[str, typer.Option(metavar="PERCENT", help="The house edge wanted over all upcards.")] = "5%",
    within: Annotated[str, typer.Option(metavar="PERCENT", help="How far from it the edge may lie.")] = "0.75%",
    decks: Annotated[
        str | None, typer.Option(metavar="N,N,…", help="Numbers of decks.", show_default="those the sheet offers")
    ] = None,
    step: Annotated[str, typer.Option(metavar="ODDS", help="Odds are multiples of this: 1/2, 1, 0.1.")] = "1/2",
    json: Json = False,
) -> None:
    """Make house odds by upcard for wagers on the dealer's final hand, placed after the check.

    No odds favor a player who knows his first two cards and the upcard, whatever the cards are. Within that limit the
    odds of each upcard come as near as they can to the edge, and so does the edge over all upcards. Everything is
    computed exactly. The output is TOML, with the figures as comments: paste it into a sheet in place of the wager's
    lines.

    \b
    Examples:
      holecard house-odds GAME
      holecard house-odds GAME --decks 4 --edge 6%
      holecard house-odds GAME --set soft_17=stand --step 1/10 --json
    """
    rules = sheet(game, settings)
    from holecard.exact.wagers.house_odds import (  # numba loads here, and only where it is needed
        OddsTarget,
        house_odds_tables,
    )

    aim = OddsTarget(_share(edge, "--edge"), _share(within, "--within"), _step(step))
    found = house_odds_tables(rules.tables, _decks(decks, rules), aim)
    if json:
        as_json(house_odds_data(game, rules, aim, found))
    else:
        typer.echo("\n".join(toml(rules, aim, found)))


# What is asked


def _share(text: str, option: str) -> Fraction:
    """ "5%" or "0.05"."""
    match = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,9})?)\s*(%?)\s*", text)
    if not match:
        raise Unreadable(f"{option} {text!r} is not a percentage; write 5% or 0.05")
    return Fraction(match[1]) / (100 if match[2] else 1)


def _step(text: str) -> Fraction:
    if not re.fullmatch(r"\d{1,3}(?:\.\d{1,4}|/\d{1,4})?", text.strip()) or re.search(r"/0+$", text.strip()):
        raise Unreadable(f"--step {text!r} is not a step of odds; write 1/2, 1 or 0.1")
    return Fraction(text.strip())


def _decks(text: str | None, rules: RuleSheet) -> tuple[int, ...]:
    if text is None:
        return rules.shoe.decks_offered or (rules.shoe.decks,)
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not words or not all(re.fullmatch(r"\d{1,3}", word) and 1 <= int(word) <= _MOST_DECKS for word in words):
        raise Unreadable(f"--decks {text!r}: write numbers of decks from 1 to {_MOST_DECKS}, such as 1,2,6,8")
    return tuple(dict.fromkeys(map(int, words)))


# What is printed


def toml(rules: RuleSheet, aim: OddsTarget, found: Iterable[HouseOddsTable]) -> Iterator[str]:
    """The wagers with their tables by decks, as lines of a sheet."""
    draws = "hits" if rules.dealer.soft_17 == "hit" else "stands on"
    yield f"# House odds for {rules.name}, dealer {draws} soft 17. Wanted: an edge of {_short(aim.edge)}"
    yield f"# over all upcards, within {_short(aim.within)}, and odds in steps of {aim.step}. Computed exactly, given"
    yield "# that neither the player nor the dealer has a natural. Best EV: that of a player who knows"
    yield "# his first two cards, with the best two there are."
    for wager, tables in groupby(found, key=lambda table: table.wager):
        yield from (
            "",
            "[[wager]]",
            f"name       = {_quoted(wager)}",
            'table_from = "house"',
            'table      = "by decks"',
        )
        yield from ("", "[wager.tables]")
        for table in tables:
            yield from _table(table)


def _table(table: HouseOddsTable) -> Iterator[str]:
    cells = sorted(table.cells, key=lambda cell: (cell.upcard == 1, cell.upcard))
    best = table.best
    decks = f"{table.decks} {'deck' if table.decks == 1 else 'decks'}"
    figures = f"house edge {percent(table.edge)} over all upcards; best EV {percent(best.best_ev)}, {_spot(best)}"
    yield f"# {decks}: {figures}"
    yield _comment("upcard", (value_name(cell.upcard) for cell in cells))
    yield _comment("house edge", (percent(cell.edge, 2) for cell in cells))
    yield _comment("best EV", (percent(cell.best_ev, 2) for cell in cells))
    yield _comment("with", (say_cards(cell.best_cards) for cell in cells))
    yield pay_line(table)


def pay_line(table: HouseOddsTable) -> str:
    """One table as a sheet says it, on one line."""
    cells = sorted(table.cells, key=lambda cell: (cell.upcard == 1, cell.upcard))
    pays = ", ".join(f'{value_name(cell.upcard)} = "{spell(cell.odds)}"' for cell in cells)
    return f"{table.decks} = [{{ dealer = {_quoted(table.dealer)}, pays = {{ {pays} }} }}]"


def _comment(name: str, words: Iterable[str]) -> str:
    return f"#   {name:<10}" + "".join(f"{word:>{_WIDTH}}" for word in words)


def _spot(cell: UpcardOdds) -> str:
    return f"{say_cards(cell.best_cards)} v {value_name(cell.upcard)}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _short(share: Fraction) -> str:
    return f"{float(100 * share):g}%"


def house_odds_data(game: str, rules: RuleSheet, aim: OddsTarget, found: Iterable[HouseOddsTable]) -> dict[str, Any]:
    """Everything for programs; probabilities and EVs also as exact fractions."""
    return {
        "game": game,
        "settings": dict(rules.origin[1]),
        "edge": float(aim.edge),
        "within": float(aim.within),
        "step": str(aim.step),
        "tables": [
            {
                "wager": table.wager,
                "dealer": table.dealer,
                "decks": table.decks,
                "house_edge": _number(table.edge),
                "best": {"spot": _spot(table.best), **_number(table.best.best_ev)},
                "upcards": {value_name(cell.upcard): _cell(cell) for cell in table.cells},
            }
            for table in found
        ],
    }


def _cell(cell: UpcardOdds) -> dict[str, Any]:
    return {
        "pays": spell(cell.odds),
        "probability": _number(cell.probability),
        "house_edge": _number(cell.edge),
        "best_cards": say_cards(cell.best_cards),
        "best_ev": _number(cell.best_ev),
    }


def _number(value: Fraction) -> dict[str, Any]:
    return {"value": float(value), "exact": str(value)}
