"""Wagers that favor the player, so that a sheet's designer is warned of them.

A wager favors the player where its expected net win is above zero: over all deals, or with one upcard where it is
placed once the upcard is seen. What the player knows beyond that, such as the cards held, is left to `evaluate`; only
insurance is checked hand by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from holecard.composition import full
from holecard.deck import value_name
from holecard.exact.results import Analysis, InsuranceResult, MainGame, WagerResult
from holecard.exact.wagers.odd_payouts import odd_payouts
from holecard.exact.wagers.wager_values import insurance, wager_result
from holecard.sheets.checks.dead_lines import PayTable, pay_tables
from holecard.sheets.schema import RuleSheet

_MAIN = "The main wager"


@dataclass(frozen=True, slots=True)
class FavorableWager:
    """A wager with an expected net win above zero."""

    wager: str
    when: str
    """The upcard or cards for which this holds, where it does not hold always: "with 8 up"."""
    ev: float
    """per unit staked, or dollars per round where payouts are fixed amounts"""
    in_dollars: bool = False

    def __str__(self) -> str:
        when = f" {self.when}" if self.when else ""
        gain = f"${self.ev:.4g} per round" if self.in_dollars else f"house edge {-self.ev:.4%}"
        return f"{self.wager} favors the player{when}: {gain}"


def favorable_wagers(found: Analysis) -> tuple[FavorableWager, ...]:
    """Return everything in an analysis that favors the player, the main wager first."""
    side = (one for wager in found.wagers for one in _wager(wager, wager.name))
    return (*_main(found.main), *_insurance(found.insurance), *side)


def checked_wagers(sheet: RuleSheet) -> tuple[tuple[FavorableWager, ...], tuple[str, ...]]:
    """Return what favors the player among insurance and side wagers, and odd payouts of side wagers, from full shoes.

    Every pay table that a house may choose is tried, with the rules under which it is in force if it is chosen by
    decks or by decks and soft 17. The main wager is not computed.
    """
    favors = [*_insurance(insurance(sheet.tables, full(sheet.shoe.decks)))]
    odd: list[str] = []
    for wager in sheet.wager:
        for table in pay_tables(sheet, wager):
            if table.verb != "pay" or not table.wager.offered_upcards:
                continue
            name = _table_name(sheet, table, several=len(wager.tables) > 1)
            found = wager_result(table.tables, table.wager, full(table.decks))
            favors += _wager(found, name)
            odd += odd_payouts(name, table.wager, found, table.decks)
    return tuple(favors), tuple(odd)


def _table_name(sheet: RuleSheet, table: PayTable, *, several: bool) -> str:
    name = table.wager.name
    key = table.where.removeprefix(f"wager.{name}.").removeprefix("tables.")
    if not several:
        return name
    return (
        f"{name} (table {key})" if table.decks == sheet.shoe.decks else f"{name} (table {key}, {_decks(table.decks)})"
    )


def _decks(number: int) -> str:
    return "1 deck" if number == 1 else f"{number} decks"


def _main(main: MainGame) -> Iterator[FavorableWager]:
    if main.ev > main.error_bound:
        yield FavorableWager(_MAIN, "", main.ev)


def _wager(found: WagerResult, name: str) -> Iterator[FavorableWager]:
    in_dollars = "dollars" in found.unit
    if found.exact > 0:
        yield FavorableWager(name, "", found.ev, in_dollars)
    for upcard, value in sorted(found.by_upcard, key=lambda cell: (cell[0] == 1, cell[0])):
        if value > 0:
            yield FavorableWager(name, f"with {value_name(upcard)} up", float(value), in_dollars)


def _insurance(found: InsuranceResult | None) -> Iterator[FavorableWager]:
    if found is None:
        return
    if found.overall > 0:
        yield FavorableWager("Insurance", "", float(found.overall))
        return
    for hand, value in found.by_hand:
        if value > 0:
            yield FavorableWager("Insurance", f"holding {','.join(map(value_name, hand))}", float(value))
