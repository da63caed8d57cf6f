"""Results and money as lines: what each wager of a round won and why, bankrolls, and the shoe."""

from __future__ import annotations

from rich.text import Text

from holecard.cli.play.account import Account
from holecard.cli.play.screen.hands import money_style
from holecard.cli.play.screen.table_view import TableView
from holecard.errors import plural
from holecard.money import Money, dollars, signed_dollars, sum_of
from holecard.report.house_tables import FOOTNOTE, any_marked, mark
from holecard.sheets.tables import Tables
from holecard.table.events import Result
from holecard.table.table import Table


def result_lines(view: TableView, table: Table) -> list[Text]:
    """Return every wager of the finished round, with the rule or pay line that settled it."""
    results = sorted(table.results, key=lambda result: (result.seat, result.hand == 0, result.hand))
    several = len(table.state.seats) > 1
    rows = []
    for number, result in enumerate(results):
        first = not number or results[number - 1].seat != result.seat
        seat = [Text(f"Seat {result.seat}" if first else "")] if several else []
        rows.append([*seat, *_cells(result, results, table.tables)])
    lines = view.columns(rows, right=(2, 3) if several else (1, 2))
    return lines + _footnote(view, table)


def settled_lines(view: TableView, table: Table) -> list[Text]:
    """Return the wagers that are settled so far: with the reason if there is one seat, in brief if there are more."""
    if len(table.state.seats) > 1:
        return brief_lines(view, table)
    lines = [
        line
        for result in table.results
        for line in view.wrap(Text.assemble(_briefly(result, table), (f"  {result.line}", "dim")))
    ]
    return lines + _footnote(view, table)


def brief_lines(view: TableView, table: Table) -> list[Text]:
    """Return the net result of every settled wager, in one line for each seat."""
    lines: list[Text] = []
    for seat in table.state.seats:
        of_seat = [_briefly(result, table) for result in table.results if result.seat == seat.number]
        if of_seat:
            lines += view.wrap(Text(f"Seat {seat.number}: ").append_text(Text(", ").join(of_seat)))
    return lines + _footnote(view, table)


def _briefly(result: Result, table: Table) -> Text:
    return Text.assemble(f"{result.wager}{mark(result.wager, table.tables)} ", format_net(result.net))


def _footnote(view: TableView, table: Table) -> list[Text]:
    marked = any_marked((result.wager for result in table.results), table.tables)
    return view.wrap(FOOTNOTE, "dim") if marked else []


def _cells(result: Result, results: list[Result], tables: Tables) -> tuple[Text, Text, Text, Text]:
    split = any(other.seat == result.seat and other.hand > 1 for other in results)
    hand = f", hand {result.hand}" if split and result.hand else ""
    name = f"{result.wager}{hand}{mark(result.wager, tables)}"
    return Text(name), Text(dollars(result.stake)), format_net(result.net), Text(result.line, "dim")


def format_net(amount: Money) -> Text:
    """Return a net result with its sign and color."""
    return Text(signed_dollars(amount), f"bold {money_style(amount)}")


def round_net(table: Table) -> Money:
    """Return what all seats together won or lost in this round."""
    return sum_of(result.net for result in table.results)


def running_lines(view: TableView, table: Table, account: Account) -> list[Text]:
    """Return the round's net and the account so far."""
    lines = view.wrap(
        Text.assemble(
            ("This round ", "bold"),
            format_net(round_net(table)),
            f"   Total after {plural(account.rounds, 'round')}: ",
            format_net(account.net),
            "   " if account.seats == 1 else "\n",
            ("Bankroll ", "bold"),
            format_bankrolls(account),
        )
    )
    if account.rounds > 1:
        so_far = [
            f"{name}{mark(name, table.tables)} {signed_dollars(entry.net)}" for name, entry in account.wagers.items()
        ]
        lines += view.wrap(f"So far: {', '.join(so_far)}", "dim")
        if any_marked(account.wagers, table.tables) and not _footnote(view, table):
            lines += view.wrap(FOOTNOTE, "dim")
    return lines


def format_bankrolls(account: Account) -> str:
    """Return the bankroll of the only seat, or of each."""
    if account.seats == 1:
        return dollars(account.owns(1))
    return ", ".join(f"seat {seat} {dollars(account.owns(seat))}" for seat in range(1, account.seats + 1))


def format_status(table: Table, seat: int, dot: str, *, several: bool) -> str:
    """Return a seat's bankroll, what it has at risk on the table, and the state of the shoe."""
    bankroll = f"bankroll {table.bankroll(seat)}"
    at_risk = 0 if table.phase == "done" else table.at_risk(seat)
    on_table = f", {dollars(at_risk)} at risk" if at_risk else ""
    whose = f"Seat {seat}: {bankroll}" if several else bankroll.capitalize()
    return f"{whose}{on_table} {dot} {format_shoe(table)}"


def format_shoe(table: Table) -> str:
    """Return how many cards are left in the shoe, and when it is shuffled."""
    shoe, settings = table.shoe, table.rules.shoe
    size = settings.decks * 52
    if settings.procedure != "cut card":
        return f"{size} cards, " + (
            "shuffled before each round" if "fresh" in settings.procedure else "shuffled by machine"
        )
    if shoe.past_cut_card:
        return f"{shoe.left} of {size} cards left, shuffled before the next round"
    cut = size - size * settings.cut_card // 100
    return f"{shoe.left} of {size} cards left, shuffle at {cut}"
