"""Bets that the rules forbid and the table must refuse.

A side wager without the wager it needs, or above the main wager where that is its limit, and any wager outside its
limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from holecard.errors import Refusal
from holecard.money import dollars
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.table import Table
from holecard.wagers.pay_table import Limits, SideWager


class _Forbidden(NamedTuple):
    """A bet before the deal, and the rule it breaks."""

    main: int
    sides: dict[str, int]
    rule: str


def wrongly_accepted(sheet: RuleSheet, main: int) -> Iterator[str]:
    """Yield the forbidden bets that the table accepts, as text; side wagers go with this main wager, in cents."""
    for bet in _forbidden(sheet.tables, main):
        try:
            Table(sheet).bet(dollars(bet.main), {name: dollars(stake) for name, stake in bet.sides.items()})
        except Refusal:
            continue
        placed = {sheet.tables.stakes[0]: bet.main, **bet.sides}
        bets = ", ".join(f"{name} {dollars(stake)}" for name, stake in placed.items())
        yield f"the table accepts {bets}; by the rules {bet.rule}"


def _forbidden(tables: Tables, main: int) -> Iterator[_Forbidden]:
    for stake in _outside(tables.main):
        yield _Forbidden(stake, {}, f"{tables.stakes[0]} is {tables.main}")
    by_name = {wager.name: wager for wager in tables.wagers}
    for wager in (tables.wagers[index] for index in tables.early_wagers):
        needed = _needed(by_name, wager)
        if wager.needs is not None:
            yield _Forbidden(main, {wager.name: wager.limits.low}, f"{wager.name} needs {wager.needs}")
        for stake in _outside(wager.limits):
            yield _Forbidden(main, {**needed, wager.name: stake}, f"{wager.name} is {wager.limits}")
        limits = wager.limits
        above = next((stake for stake in range(limits.low, limits.high + 1, limits.step) if stake > main), None)
        if wager.at_most_main and above is not None:
            yield _Forbidden(main, {**needed, wager.name: above}, f"{wager.name} is at most the main wager")


def _outside(limits: Limits) -> Iterator[int]:
    yield limits.high + limits.step
    if limits.low > limits.step:
        yield limits.low - limits.step


def _needed(by_name: dict[str, SideWager], wager: SideWager) -> dict[str, int]:
    """Return the wagers that must be placed with it, at their minimum."""
    found: dict[str, int] = {}
    name = wager.needs
    while name is not None and name not in found:
        found[name] = by_name[name].limits.low
        name = by_name[name].needs
    return found
