"""Money in print: what each wager of a round won and why, the running account, the closing account."""

from __future__ import annotations

from rich.table import Table as Columns
from rich.text import Text

from holecard.cli.account import Account
from holecard.cli.felt import Felt, money_style
from holecard.money import dollars, signed
from holecard.rules.tables import Tables
from holecard.table.events import Result
from holecard.table.table import Table

HOUSE_TABLE = "house table, not printed on the sheet"


def show_results(felt: Felt, table: Table) -> None:
    """Every wager of the finished round, with the rule or line that settled it."""
    results = sorted(table.results, key=lambda result: (result.seat, result.hand == 0, result.hand))
    several = len(table.state.seats) > 1
    rows = _columns(several)
    for number, result in enumerate(results):
        first = not number or results[number - 1].seat != result.seat
        seat = [f"Seat {result.seat}" if first else ""] if several else []
        rows.add_row(*seat, *_cells(result, results, table.tables))
    felt.console.print(rows)
    if any(marked(result.wager, table.tables) for result in results):
        felt.say(f"* {HOUSE_TABLE}", "dim")


def _columns(several: bool) -> Columns:
    rows = Columns(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    if several:
        rows.add_column(no_wrap=True)
    rows.add_column(no_wrap=True)
    rows.add_column(no_wrap=True, justify="right")
    rows.add_column(no_wrap=True, justify="right")
    rows.add_column(style="dim")
    return rows


def _cells(result: Result, results: list[Result], tables: Tables) -> tuple[str, str, Text, str]:
    split = any(other.seat == result.seat and other.hand > 1 for other in results)
    hand = f", hand {result.hand}" if split and result.hand else ""
    star = "*" if marked(result.wager, tables) else ""
    net = Text(signed(result.net), f"bold {money_style(result.net)}")
    return f"{result.wager}{hand}{star}", dollars(result.stake), net, result.line


def marked(wager: str, tables: Tables) -> bool:
    """The wager is paid by a house table, which must be said wherever it shows."""
    index = tables.wager_index(wager)
    return index is not None and not tables.wagers[index].printed


def show_running(felt: Felt, table: Table, account: Account) -> None:
    """The round's net and the account so far, in a few lines."""
    net = sum(result.net for result in table.results)
    felt.say(
        Text.assemble(
            ("This round ", "bold"),
            (signed(net), f"bold {money_style(net)}"),
            f"   Bankroll {say_bankrolls(account)}",
            f"   Rounds {account.rounds}, in all ",
            (signed(account.net), money_style(account.net)),
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
    rows = Columns(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    rows.add_column("wager")
    for heading in ("settled", "staked", "won or lost"):
        rows.add_column(heading, justify="right", no_wrap=True)
    for name, entry in account.wagers.items():
        rows.add_row(name, str(entry.settled), dollars(entry.staked), Text(signed(entry.net), money_style(entry.net)))
    rows.add_row("in all", "", "", Text(signed(account.net), f"bold {money_style(account.net)}"))
    felt.console.print(rows)
    felt.say(f"Bankroll {say_bankrolls(account)}", "bold")


def show_unfinished(felt: Felt, table: Table) -> None:
    """A round that was left: it does not count, and its money goes back."""
    on_table = sum(table.at_risk(seat.number) for seat in table.state.seats)
    if table.phase == "done" or not table.state.seats:
        return
    undone = sum(result.net for result in table.results)
    settled = f" What was settled in it ({signed(undone)}) is undone." if table.results else ""
    felt.say(f"The round was not finished and does not count: {dollars(on_table)} on the table goes back.{settled}")
