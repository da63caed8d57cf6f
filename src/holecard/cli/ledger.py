"""Money in print: what each wager of a round won and why, the running account, the closing account."""

from __future__ import annotations

from rich.text import Text

from holecard.cli.account import Account
from holecard.cli.felt import Felt, money_style
from holecard.money import dollars, signed
from holecard.sheets.tables import Tables
from holecard.table.events import Result
from holecard.table.table import Table
from holecard.wagers.pay_table import HOUSE_TABLE


def show_results(felt: Felt, table: Table) -> None:
    """Every wager of the finished round, with the rule or line that settled it."""
    results = sorted(table.results, key=lambda result: (result.seat, result.hand == 0, result.hand))
    several = len(table.state.seats) > 1
    rows = []
    for number, result in enumerate(results):
        first = not number or results[number - 1].seat != result.seat
        seat = [Text(f"Seat {result.seat}" if first else "")] if several else []
        rows.append([*seat, *_cells(result, results, table.tables)])
    felt.columns(rows, right=(2, 3) if several else (1, 2))
    _show_mark(felt, table)


def show_settled(felt: Felt, table: Table) -> None:
    """Wagers settled while the round goes on: with the reason at a single seat, in brief at several."""
    if len(table.state.seats) == 1:
        for result in table.results:
            felt.say(Text.assemble(_briefly(result, table), (f"  {result.line}", "dim")))
    else:
        for seat in table.state.seats:
            of_seat = [_briefly(result, table) for result in table.results if result.seat == seat.number]
            if of_seat:
                felt.say(Text(f"Seat {seat.number}: ").append_text(Text(", ").join(of_seat)))
    _show_mark(felt, table)


def _briefly(result: Result, table: Table) -> Text:
    return Text.assemble(f"{result.wager}{_star(result.wager, table.tables)} ", _net(result.net))


def _show_mark(felt: Felt, table: Table) -> None:
    if any(_star(result.wager, table.tables) for result in table.results):
        felt.say(f"* {HOUSE_TABLE}", "dim")


def _cells(result: Result, results: list[Result], tables: Tables) -> tuple[Text, Text, Text, Text]:
    split = any(other.seat == result.seat and other.hand > 1 for other in results)
    hand = f", hand {result.hand}" if split and result.hand else ""
    name = f"{result.wager}{hand}{_star(result.wager, tables)}"
    return Text(name), Text(dollars(result.stake)), _net(result.net), Text(result.line, "dim")


def _net(amount: int) -> Text:
    return Text(signed(amount), f"bold {money_style(amount)}")


def _star(wager: str, tables: Tables) -> str:
    """A mark where the wager is paid by a house table, which must be said wherever it shows."""
    index = tables.wager_index(wager)
    return "" if index is None or tables.wagers[index].printed else "*"


def show_running(felt: Felt, table: Table, account: Account) -> None:
    """The round's net and the account so far, in a few lines."""
    net = sum(result.net for result in table.results)
    rounds = "1 round" if account.rounds == 1 else f"{account.rounds} rounds"
    felt.say(
        Text.assemble(
            ("This round ", "bold"),
            _net(net),
            f"   After {rounds} ",
            _net(account.net),
            "   " if account.seats == 1 else "\n",
            ("Bankroll ", "bold"),
            say_bankrolls(account),
        )
    )
    if account.rounds > 1:
        felt.say("So far: " + ", ".join(f"{name} {signed(entry.net)}" for name, entry in account.wagers.items()), "dim")


def say_bankrolls(account: Account) -> str:
    """Of the only seat, or of each."""
    if account.seats == 1:
        return dollars(account.owns(1))
    return ", ".join(f"seat {seat} {dollars(account.owns(seat))}" for seat in range(1, account.seats + 1))


def show_closing(felt: Felt, account: Account) -> None:
    """What the sitting came to."""
    if not account.rounds:
        felt.say(f"No round was finished. Bankroll {say_bankrolls(account)}.")
        return
    rounds = "1 round" if account.rounds == 1 else f"{account.rounds} rounds"
    felt.say(f"Closing account after {rounds}", "bold")
    rows = [[Text(heading, "dim") for heading in ("wager", "settled", "staked", "won or lost")]]
    for name, entry in account.wagers.items():
        rows.append([Text(name), Text(str(entry.settled)), Text(dollars(entry.staked)), _net(entry.net)])
    rows.append([Text("in all"), Text(), Text(), _net(account.net)])
    felt.columns(rows, right=(1, 2, 3))
    felt.say(f"Bankroll {say_bankrolls(account)}", "bold")


def show_unfinished(felt: Felt, table: Table) -> None:
    """A round that was left: it does not count, and its money goes back."""
    on_table = sum(table.at_risk(seat.number) for seat in table.state.seats)
    if table.phase == "done" or not table.state.seats:
        return
    undone = sum(result.net for result in table.results)
    settled = f" What was settled in it ({signed(undone)}) is undone." if table.results else ""
    felt.say(f"The round was not finished and does not count: {dollars(on_table)} on the table goes back.{settled}")
