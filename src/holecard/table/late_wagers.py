"""Wagers placed after the check: which seat may place which of them now, and how stakes add up.

The table asks for some of them once, before anybody acts. Others are open until the dealer turns the hole card: any
seat without a natural may place them whenever the round waits for a decision, and there is a last call at the end.
A wager that no line can pay with the upcard is not offered. None of this depends on the hole card.
"""

from __future__ import annotations

from collections.abc import Mapping

from holecard.money import NO_MONEY, Money, sum_of
from holecard.sheets.tables import BET, Tables
from holecard.table.dealer import play_out
from holecard.table.round import Round, offered_now, until_turned
from holecard.table.state import Seat, SideStake, State

#: Phases in which the asked seat answers with the wagers it places, or passes.
ASKING = frozenset({"after the check", "last call"})


def placeable(table: Round | State, index: int) -> tuple[int, ...]:
    """Return the wagers that a seat may place at this point of the round, as indices in the tables."""
    seat, tables = table.seats[index], table.tables
    if table.queue or not until_turned(table) or seat.hands[0].natural:
        return ()
    is_asked = table.phase == "after the check" and table.turn == index
    return offered_now(table, tables.check_wagers if is_asked else tables.late_wagers)


def open_wagers(table: Round | State, index: int) -> tuple[int, ...]:
    """Return the placeable wagers on which the seat can still stake something within the limits."""
    seat = table.seats[index]
    now = placeable(table, index)
    return tuple([wager for wager in now if _has_room(table.tables, seat, wager, now)])


def staked(seat: Seat, wager: int) -> Money:
    """Return the seat's stake on a side wager."""
    return sum_of([side.stake for side in seat.sides if side.wager == wager]) if seat.sides else NO_MONEY


def main_wager(seat: Seat) -> Money:
    """Return the seat's main wager; doubles and splits do not change it."""
    return seat.hands[0].stakes[BET]


def _has_room(tables: Tables, seat: Seat, wager: int, now: tuple[int, ...]) -> bool:
    """Return whether a larger stake is within the limits, and the wager it needs is placed or can be placed too."""
    if not _may_grow(tables, seat, wager):
        return False
    needs = tables.wagers[wager].needs
    needed = None if needs is None else tables.wager_index(needs)
    return needed is None or bool(staked(seat, needed)) or (needed in now and _may_grow(tables, seat, needed))


def _may_grow(tables: Tables, seat: Seat, wager: int) -> bool:
    terms = tables.wagers[wager]
    before = staked(seat, wager)
    least = before + terms.limits.step if before else terms.limits.low
    return least <= (min(terms.limits.high, main_wager(seat)) if terms.at_most_main else terms.limits.high)


def side_stakes(tables: Tables, sides: Mapping[str, Money]) -> tuple[SideStake, ...]:
    """Return the placed wagers in the order of the sheet."""
    if not sides:
        return ()
    by_name = {name.lower(): stake for name, stake in sides.items() if stake}
    return tuple(
        SideStake(index, by_name[wager.name.lower()])
        for index, wager in enumerate(tables.wagers)
        if wager.name.lower() in by_name
    )


def with_more(seat: Seat, more: tuple[SideStake, ...]) -> Seat:
    """Return the seat with these stakes added to those it has; each wager is settled as one stake."""
    if not more:
        return seat
    added = {side.wager: side.stake for side in more}
    raised = [side._replace(stake=side.stake + added.pop(side.wager, 0)) for side in seat.sides]
    new = [side for side in more if side.wager in added]
    return seat._replace(sides=tuple(sorted([*raised, *new], key=lambda side: side.wager)))


def last_call(round_: Round, first: int = 0) -> None:
    """Ask the seats, from `first`, for wagers before the hole card is turned; after the last one the dealer plays."""
    if round_.tables.late_wagers:
        round_.phase = "last call"
        for index in range(first, len(round_.seats)):
            if open_wagers(round_, index):
                round_.turn, round_.hand = index, 0
                return
    play_out(round_)
