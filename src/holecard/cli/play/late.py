"""Wagers placed after the check: when the seat is asked for them, and on a key while it plays its hand."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from holecard.cli.play.explain import say_limits, say_odds
from holecard.cli.play.prompts import ENTER, Prompts
from holecard.cli.play.table_view import WARNING, say_upcard
from holecard.errors import Refusal
from holecard.money import dollars
from holecard.table.events import Place
from holecard.table.legal import offered, why_not
from holecard.table.table import Table
from holecard.wagers.pay_table import HOUSE_TABLE, Limits, SideWager

#: The key that opens the wagers while a hand is played.
LATE_KEY = "b"


def open_to(table: Table, seat: int) -> list[SideWager]:
    """The wagers a seat may place or raise now, as far as it can pay for the least stake."""
    owned = table.bankroll(seat)
    free = None if owned is None else owned - table.at_risk(seat)
    wagers = offered(table.state, seat)
    return [wager for wager in wagers if free is None or _more(table, seat, wager).low <= free]


def offer(table: Table, seat: int) -> str:
    """ "[b]et Hedge": the key and what it opens; empty where there is nothing to place."""
    wagers = open_to(table, seat)
    if not wagers:
        return ""
    first, *others = [wager.name.split() for wager in wagers]
    shared = [word for place, word in enumerate(first) if all(name[place : place + 1] == [word] for name in others)]
    return f"[{LATE_KEY}]et {' '.join(shared) or 'on the side'}"


def late_stakes(table: Table, seat: int) -> dict[str, int]:
    """What a seat has staked after the check in this round, by name."""
    tables = table.tables
    mine = [side for player in table.state.seats if player.number == seat for side in player.sides]
    return {tables.wagers[side.wager].name: side.stake for side in mine if side.wager in tables.check_wagers}


def ask_late(prompts: Prompts, table: Table, last: Mapping[str, int]) -> None:
    """The seat is asked for wagers: it places some, or passes."""
    seat = table.asked
    assert seat is not None
    if not open_to(table, seat):
        table.place(seat=seat)
        return
    if table.phase == "last call":
        prompts.felt.say("Last call: the hole card is turned next.", "bold")
    _show_odds(prompts, table, seat)
    again = {} if late_stakes(table, seat) else last
    while True:
        pressed = prompts.key(_question(table, seat, again))
        if pressed in (ENTER, "n"):
            wanted: dict[str, int] = {}
        elif pressed == "a" and again:
            wanted = dict(again)
        elif pressed == LATE_KEY:
            wanted = _ask_each(prompts, table, seat, again)
        elif pressed == "?" and prompts.help:
            prompts.help()
            continue
        else:
            prompts.refused("Press Enter to place none, or b to bet on one or more of them.")
            continue
        try:
            _place(table, seat, wanted)
        except Refusal as refused:
            prompts.refused(str(refused))
        else:
            return


def ask_unasked(prompts: Prompts, table: Table, last: Mapping[str, int]) -> list[Text]:
    """The seat whose turn it is wants to place wagers; what there is to say when they are not taken."""
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


def _place(table: Table, seat: int, wanted: Mapping[str, int]) -> None:
    table.place({name: dollars(stake) for name, stake in wanted.items()}, seat=seat)


def _question(table: Table, seat: int, last: Mapping[str, int]) -> Text:
    none = "no more" if late_stakes(table, seat) else "none"
    again = f"  [a]gain {', '.join(f'{name} {dollars(stake)}' for name, stake in last.items())}" if last else ""
    return Text(f"Seat {seat}  [Enter] {none}  [{LATE_KEY}]et on some{again}  [?] help  [q]uit", "bold")


def _show_odds(prompts: Prompts, table: Table, seat: int) -> None:
    upcard = table.view().dealer[0]
    assert upcard is not None
    wagers = open_to(table, seat)
    offers = ", ".join(f"{wager.name} pays {say_odds(wager, upcard.value)}" for wager in wagers)
    house = "" if all(wager.printed for wager in wagers) else f" ({HOUSE_TABLE})"
    prompts.felt.say(f"The dealer shows {say_upcard(table.view())}. {offers}{house}.")


def _ask_each(prompts: Prompts, table: Table, seat: int, last: Mapping[str, int]) -> dict[str, int]:
    upcard = table.view().dealer[0]
    assert upcard is not None
    chosen: dict[str, int] = {}
    placed = late_stakes(table, seat)
    for wager in sorted(open_to(table, seat), key=lambda wager: wager.needs is not None):
        if wager.needs and wager.needs not in placed | chosen:
            continue

        def refuse(amount: int, name: str = wager.name) -> str | None:
            return why_not(table.state, Place(seat, {**chosen, name: amount})) if amount else None

        more = f" more on {dollars(placed[wager.name])}" if wager.name in placed else ""
        limits = say_limits(_more(table, seat, wager))
        question = f"{wager.name} pays {say_odds(wager, upcard.value)} ({limits}{more}, 0 for none)"
        if stake := prompts.money(question, last.get(wager.name, 0), refuse):
            chosen[wager.name] = stake
    return chosen


def _more(table: Table, seat: int, wager: SideWager) -> Limits:
    """What a seat may add to a wager."""
    limits, before = wager.limits, late_stakes(table, seat).get(wager.name, 0)
    main = next(player.hands[0].stakes[0] for player in table.state.seats if player.number == seat)
    most = min(limits.high, main) if wager.at_most_main else limits.high
    return Limits(limits.step if before else limits.low, most - before, limits.step)
