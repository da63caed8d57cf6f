"""Wagers placed after the dealer has checked for blackjack: when a seat is asked, or with a key during its turn."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from holecard.cli.play.coaching import HINT_KEY, TerminalCoach
from holecard.cli.play.explain import format_limits, format_odds, placard
from holecard.cli.play.prompts import ENTER, Prompts
from holecard.cli.play.screen.hands import format_upcard
from holecard.cli.play.screen.table_view import WARNING
from holecard.errors import Refusal
from holecard.money import NO_MONEY, Money, dollars
from holecard.table.events import Place
from holecard.table.legal import offered, why_not
from holecard.table.table import Table
from holecard.wagers.pay_table import HOUSE_TABLE, Limits, SideWager

#: The key that asks for these wagers while a hand is played.
LATE_KEY = "b"


def open_to(table: Table, seat: int) -> list[SideWager]:
    """Return the wagers that a seat can place or raise now and has the money for."""
    owned = table.bankroll(seat)
    free = None if owned is None else owned - table.at_risk(seat)
    wagers = offered(table.state, seat)
    return [wager for wager in wagers if free is None or _more(table, seat, wager).low <= free]


def offer(table: Table, seat: int) -> str:
    """Return the key and what it places, such as "[b]et Hedge, seat 1"; empty if there is nothing to place."""
    wagers = open_to(table, seat)
    if not wagers:
        return ""
    first, *others = [wager.name.split() for wager in wagers]
    shared = [word for place, word in enumerate(first) if all(name[place : place + 1] == [word] for name in others)]
    whose = f", seat {seat}" if len(table.state.seats) > 1 else ""
    return f"[{LATE_KEY}]et {' '.join(shared) or 'on the side'}{whose}"


def late_stakes(table: Table, seat: int) -> dict[str, Money]:
    """Return what a seat has staked after the check in this round, by wager."""
    tables = table.tables
    mine = [side for player in table.state.seats if player.number == seat for side in player.sides]
    return {tables.wagers[side.wager].name: side.stake for side in mine if side.wager in tables.check_wagers}


def ask_late(
    prompts: Prompts, table: Table, last: Mapping[str, Money], coach: TerminalCoach | None = None
) -> list[Text]:
    """Ask the seat for wagers, or for none; return help or a message if it has not decided yet."""
    seat = table.asked
    assert seat is not None
    if not open_to(table, seat):
        table.place(seat=seat)
        return []
    if table.phase == "last call":
        prompts.view.say("Last call: the hole card is turned next.", "bold")
    _show_odds(prompts, table, seat)
    open_now = {wager.name for wager in open_to(table, seat)}
    again = {} if late_stakes(table, seat) else {name: stake for name, stake in last.items() if name in open_now}
    pressed = prompts.key(_question(table, seat, again, has_coach=coach is not None))
    if pressed == HINT_KEY and coach is not None:
        return coach.hint()
    if pressed == "?":
        return [Text(placard(wager)) for wager in open_to(table, seat)]
    if pressed in (ENTER, "n"):
        wanted: dict[str, Money] = {}
    elif pressed == "a" and again:
        wanted = dict(again)
    elif pressed == LATE_KEY:
        wanted = _ask_each(prompts, table, seat, again)
    else:
        return [Text("Press Enter to place none, or b to bet on one or more of them.", WARNING)]
    try:
        _place(table, seat, wanted)
    except Refusal as refused:
        return [Text(str(refused), WARNING)]
    return []


def ask_during_turn(prompts: Prompts, table: Table, last: Mapping[str, Money]) -> list[Text]:
    """Ask the seat whose turn it is which wagers to place; return a message if the table refuses them."""
    seat = table.asked
    assert seat is not None
    _show_odds(prompts, table, seat)
    wanted = _ask_each(prompts, table, seat, {} if late_stakes(table, seat) else last)
    try:
        if wanted:
            _place(table, seat, wanted)
    except Refusal as refused:
        return [Text(str(refused), WARNING)]
    return []


def _place(table: Table, seat: int, wanted: Mapping[str, Money]) -> None:
    table.place(wanted, seat=seat)


def _question(table: Table, seat: int, last: Mapping[str, Money], *, has_coach: bool) -> Text:
    none = "no more" if late_stakes(table, seat) else "none"
    again = f"  [a]gain {', '.join(f'{name} {dollars(stake)}' for name, stake in last.items())}" if last else ""
    hint = f"  [{HINT_KEY}] hint" if has_coach else ""
    return Text(f"Seat {seat}  [Enter] {none}  [{LATE_KEY}]et on some{again}{hint}  [?] help  [q]uit", "bold")


def _show_odds(prompts: Prompts, table: Table, seat: int) -> None:
    upcard = table.view().dealer[0]
    assert upcard is not None
    wagers = open_to(table, seat)
    offers = ", ".join(f"{wager.name} pays {format_odds(wager, upcard.value)}" for wager in wagers)
    house = "" if all(wager.printed for wager in wagers) else f" ({HOUSE_TABLE})"
    prompts.view.say(f"The dealer shows {format_upcard(table.view())}. {offers}{house}.")


def _ask_each(prompts: Prompts, table: Table, seat: int, last: Mapping[str, Money]) -> dict[str, Money]:
    upcard = table.view().dealer[0]
    assert upcard is not None
    chosen: dict[str, Money] = {}
    placed = late_stakes(table, seat)
    for wager in sorted(open_to(table, seat), key=lambda wager: wager.needs is not None):
        if wager.needs and wager.needs not in placed | chosen:
            continue

        def refuse(amount: Money, name: str = wager.name) -> str | None:
            return why_not(table.state, Place(seat, {**chosen, name: amount})) if amount else None

        more = f" more on {dollars(placed[wager.name])}" if wager.name in placed else ""
        limits = format_limits(_more(table, seat, wager))
        question = f"{wager.name} pays {format_odds(wager, upcard.value)} ({limits}{more}, 0 for none)"
        if stake := prompts.money(question, last.get(wager.name, NO_MONEY), refuse):
            chosen[wager.name] = stake
    return chosen


def _more(table: Table, seat: int, wager: SideWager) -> Limits:
    """Return the limits of what a seat can add to a wager."""
    limits, before = wager.limits, late_stakes(table, seat).get(wager.name, NO_MONEY)
    main = next(player.hands[0].stakes[0] for player in table.state.seats if player.number == seat)
    most = min(limits.high, main) if wager.at_most_main else limits.high
    return Limits(limits.step if before else limits.low, most - before, limits.step)
