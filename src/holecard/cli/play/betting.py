"""Bets before the deal: asks a seat for its main wager and side wagers.

The table's `why_not` checks every answer, so the limits and the messages are those of the rule sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from holecard.cli.play.explain import format_conditions, format_limits
from holecard.cli.play.prompts import Prompts
from holecard.cli.play.results import format_status
from holecard.errors import Refusal
from holecard.money import NO_MONEY, Money
from holecard.sheets.tables import Tables
from holecard.table.advance import start
from holecard.table.events import NOTHING, Bet
from holecard.table.legal import why_not
from holecard.table.table import Table
from holecard.wagers.pay_table import SideWager


class SeatBet(NamedTuple):
    """A seat's wagers before the deal, kept to bet the same again."""

    main: Money
    sides: Mapping[str, Money] = NOTHING


def smallest_wager(tables: Tables) -> Money:
    """Return the smallest main wager, with its companion."""
    return _with_companion(tables, tables.main.low)


def _with_companion(tables: Tables, main: Money) -> Money:
    return main * 2 if tables.has_companion else main


def put_down(table: Table, seat: int, stakes: SeatBet) -> None:
    """Place the bet; the table can refuse it."""
    table.bet(stakes.main, stakes.sides, seat=seat)


def ask_bet(prompts: Prompts, table: Table, seat: int, last: SeatBet | None, *, several: bool) -> SeatBet | None:
    """Return a seat's wagers once the table accepts them; None if the seat sits this round out."""
    dot = prompts.view.signs.dot
    prompts.view.say(format_status(table, seat, dot, several=several), "dim")
    while True:
        main = _ask_main(prompts, table, seat, last, several)
        if not main:
            return None
        stakes = SeatBet(main, _ask_sides(prompts, table, seat, main, last.sides if last else NOTHING, several))
        try:
            put_down(table, seat, stakes)
        except Refusal as refused:
            prompts.refused(str(refused))
        else:
            return stakes


def _ask_main(prompts: Prompts, table: Table, seat: int, last: SeatBet | None, several: bool) -> Money:
    tables = table.tables
    empty = start(tables)
    name = " and ".join(filter(None, tables.stakes[:2])) + (" each" if tables.has_companion else "")
    sit_out = ", 0 sits out" if several else ""

    def refuse(amount: Money) -> str | None:
        return None if several and not amount else why_not(empty, Bet(seat, amount))

    default = last.main if last and _can_pay(table, seat, last.main) else tables.main.low
    return prompts.money(f"{_whose(seat, several)}{name} ({format_limits(tables.main)}{sit_out})", default, refuse)


def _can_pay(table: Table, seat: int, main: Money) -> bool:
    owned = table.bankroll(seat)
    return owned is None or _with_companion(table.tables, main) <= owned


def _ask_sides(
    prompts: Prompts, table: Table, seat: int, main: Money, last: Mapping[str, Money], several: bool
) -> dict[str, Money]:
    empty = start(table.tables)
    chosen: dict[str, Money] = {}
    wagers = [table.tables.wagers[index] for index in table.tables.early_wagers]
    for wager in sorted(wagers, key=lambda wager: wager.needs is not None):
        if wager.needs and not chosen.get(wager.needs):
            continue

        def refuse(amount: Money, name: str = wager.name) -> str | None:
            return why_not(empty, Bet(seat, main, {**chosen, name: amount}))

        stake = prompts.money(_whose(seat, several) + _side_question(wager, main), _default(wager, main, last), refuse)
        if stake:
            chosen[wager.name] = stake
    return chosen


def _whose(seat: int, several: bool) -> str:
    return f"Seat {seat}  " if several else ""


def _side_question(wager: SideWager, main: Money) -> str:
    limits = format_limits(wager.limits, main if wager.at_most_main else None)
    return f"{wager.name} ({limits}{format_conditions(wager)}, 0 for none)"


def _default(wager: SideWager, main: Money, last: Mapping[str, Money]) -> Money:
    stake = last.get(wager.name, NO_MONEY)
    return min(stake, main) if wager.at_most_main else stake
