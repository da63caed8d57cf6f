"""Taking bets: the main wager and the side wagers of a seat, before the deal.

Every answer is put to the table's own `why_not`, so the limits are the sheet's and so are the words of a refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from holecard.cli.play.explain import say_limits
from holecard.cli.play.prompts import Prompts
from holecard.errors import Refusal
from holecard.money import dollars
from holecard.sheets.tables import Tables
from holecard.table.advance import start
from holecard.table.events import NOTHING, Bet
from holecard.table.legal import why_not
from holecard.table.table import Table
from holecard.wagers.pay_table import SideWager


class Stakes(NamedTuple):
    """What a seat bet, in cents: to bet the same again."""

    main: int
    sides: Mapping[str, int] = NOTHING


def least(tables: Tables) -> int:
    """What the smallest main wager takes, its companion included."""
    return _with_companion(tables, tables.main.low)


def _with_companion(tables: Tables, main: int) -> int:
    return main * 2 if tables.has_companion else main


def put_down(table: Table, seat: int, stakes: Stakes) -> None:
    """Bet; the table may refuse."""
    table.bet(dollars(stakes.main), {name: dollars(stake) for name, stake in stakes.sides.items()}, seat=seat)


def ask_bet(prompts: Prompts, table: Table, seat: int, last: Stakes | None, *, several: bool) -> Stakes | None:
    """Ask for a seat's wagers until the table takes them; None: the seat sits this round out."""
    while True:
        main = _ask_main(prompts, table, seat, last, several)
        if not main:
            return None
        stakes = Stakes(main, _ask_sides(prompts, table, seat, main, last.sides if last else NOTHING, several))
        try:
            put_down(table, seat, stakes)
        except Refusal as refused:
            prompts.refused(str(refused))
        else:
            return stakes


def _ask_main(prompts: Prompts, table: Table, seat: int, last: Stakes | None, several: bool) -> int:
    tables = table.tables
    empty = start(tables)
    name = " and ".join(filter(None, tables.stakes[:2])) + (" each" if tables.has_companion else "")
    sit_out = ", 0 sits out" if several else ""

    def refuse(amount: int) -> str | None:
        return None if several and not amount else why_not(empty, Bet(seat, amount))

    default = last.main if last and _can_pay(table, seat, last.main) else tables.main.low
    return prompts.money(f"{_whose(seat, several)}{name} ({say_limits(tables.main)}{sit_out})", default, refuse)


def _can_pay(table: Table, seat: int, main: int) -> bool:
    owned = table.bankroll(seat)
    return owned is None or _with_companion(table.tables, main) <= owned


def _ask_sides(
    prompts: Prompts, table: Table, seat: int, main: int, last: Mapping[str, int], several: bool
) -> dict[str, int]:
    empty = start(table.tables)
    chosen: dict[str, int] = {}
    wagers = [table.tables.wagers[index] for index in table.tables.early_wagers]
    for wager in sorted(wagers, key=lambda wager: wager.needs is not None):
        if wager.needs and not chosen.get(wager.needs):
            continue

        def refuse(amount: int, name: str = wager.name) -> str | None:
            return why_not(empty, Bet(seat, main, {**chosen, name: amount}))

        stake = prompts.money(_whose(seat, several) + _side_question(wager, main), _default(wager, main, last), refuse)
        if stake:
            chosen[wager.name] = stake
    return chosen


def _whose(seat: int, several: bool) -> str:
    return f"Seat {seat}  " if several else ""


def _side_question(wager: SideWager, main: int) -> str:
    limits = say_limits(wager.limits, main if wager.at_most_main else None)
    token = ", a token that stays yours" if wager.token else ""
    return f"{wager.name} ({limits}{token}, 0 for none)"


def _default(wager: SideWager, main: int, last: Mapping[str, int]) -> int:
    stake = last.get(wager.name, 0)
    return min(stake, main) if wager.at_most_main else stake
