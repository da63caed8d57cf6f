"""Money in print: what each wager of a round won and why, the running account, the closing account."""

from __future__ import annotations

from rich.text import Text

from holecard.cli.play.account import Account
from holecard.cli.play.table_view import Felt, money_style
from holecard.money import dollars, signed
from holecard.report.house_tables import FOOTNOTE, any_marked, mark
from holecard.sheets.tables import Tables
from holecard.table.events import Result
from holecard.table.table import Table


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
    return Text.assemble(f"{result.wager}{mark(result.wager, table.tables)} ", _net(result.net))


def _show_mark(felt: Felt, table: Table) -> None:
    if any_marked((result.wager for result in table.results), table.tables):
        felt.say(FOOTNOTE, "dim")


def _cells(result: Result, results: list[Result], tables: Tables) -> tuple[Text, Text, Text, Text]:
    split = any(other.seat == result.seat and other.hand > 1 for other in results)
    hand = f", hand {result.hand}" if split and result.hand else ""
    name = f"{result.wager}{hand}{mark(result.wager, tables)}"
    return Text(name), Text(dollars(result.stake)), _net(result.net), Text(result.line, "dim")


def _net(amount: int) -> Text:
    return Text(signed(amount), f"bold {money_style(amount)}")


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
        so_far = [f"{name}{mark(name, table.tables)} {signed(entry.net)}" for name, entry in account.wagers.items()]
        felt.say(f"So far: {', '.join(so_far)}", "dim")
        explained = any_marked((result.wager for result in table.results), table.tables)
        if any_marked(account.wagers, table.tables) and not explained:
            felt.say(FOOTNOTE, "dim")


def say_bankrolls(account: Account) -> str:
    """Of the only seat, or of each."""
    if account.seats == 1:
        return dollars(account.owns(1))
    return ", ".join(f"seat {seat} {dollars(account.owns(seat))}" for seat in range(1, account.seats + 1))


def show_closing(felt: Felt, account: Account, tables: Tables) -> None:
    """What the sitting came to."""
    if not account.rounds:
        felt.say(f"No round was finished. Bankroll {say_bankrolls(account)}.")
        return
    rounds = "1 round" if account.rounds == 1 else f"{account.rounds} rounds"
    felt.say(f"Closing account after {rounds}", "bold")
    rows = [[Text(heading, "dim") for heading in ("wager", "settled", "staked", "won or lost")]]
    for name, entry in account.wagers.items():
        shown = f"{name}{mark(name, tables)}"
        rows.append([Text(shown), Text(str(entry.settled)), Text(dollars(entry.staked)), _net(entry.net)])
    rows.append([Text("in all"), Text(), Text(), _net(account.net)])
    felt.columns(rows, right=(1, 2, 3))
    if any_marked(account.wagers, tables):
        felt.say(FOOTNOTE, "dim")
    felt.say(f"Bankroll {say_bankrolls(account)}", "bold")


def show_unfinished(felt: Felt, table: Table) -> None:
    """A round that was left: it does not count, and its money goes back."""
    on_table = sum(table.at_risk(seat.number) for seat in table.state.seats)
    if table.phase == "done" or not table.state.seats:
        return
    undone = sum(result.net for result in table.results)
    settled = f" What was settled in it ({signed(undone)}) is undone." if table.results else ""
    felt.say(f"The round was not finished and does not count: {dollars(on_table)} on the table goes back.{settled}")
