"""What an action takes from a player's free money, and what a player can pay: one rule for tables, server and coach."""

from __future__ import annotations

from collections.abc import Iterable

from holecard.money import NO_MONEY, Money, sum_of
from holecard.table.events import Act, Choice
from holecard.table.state import Seat, State


def price(state: State, act: Act) -> Money:
    """Return the money that an action of the hand asked adds to the table; without an amount, of the full action."""
    if act.action == "insurance":
        return act.amount or NO_MONEY
    if act.action in ("double", "split", "double up"):
        return act.amount or state.seats[state.turn].hands[state.hand].wagered
    return NO_MONEY


def lowest_price(state: State, choice: Choice) -> Money:
    """Return the least that a choice takes: with its lowest amount, where it has one."""
    return price(state, Act(choice.seat, choice.action, choice.low))


def within_means(state: State, choices: Iterable[Choice], free: Money) -> tuple[Choice, ...]:
    """Return the choices that this much free money pays for, their highest amounts limited to it."""
    payable = (choice for choice in choices if lowest_price(state, choice) <= free)
    return tuple(limited for choice in payable if (limited := choice.within(free)))


def unsettled(seat: Seat) -> Money:
    """Return what a seat has on the table."""
    hands = sum_of(hand.wagered for hand in seat.hands if hand.status != "settled")
    return hands + sum_of(side.stake for side in seat.sides if side.open) + seat.insurance


def used(state: State, seats: Iterable[int]) -> Money:
    """Return what seats of one player have taken from free money since before their bets: stakes and net losses.

    It is negative where they have won more than that. In one round, free money and this have the same sum in every
    state, so what was free at one moment tells what was free at each other one.
    """
    mine = set(seats)
    stakes = NO_MONEY if state.phase == "done" else sum_of(unsettled(one) for one in state.seats if one.number in mine)
    return stakes - sum_of(result.net for result in state.results if result.seat in mine)


def free_before(state: State, act: Act, seats: Iterable[int], later: State, free_later: Money) -> Money:
    """Return a player's free money before an action, from what it was in a later state of the round.

    The seats are the player's. Money that came from elsewhere or went there between the two states is not known here;
    but what was paid could be paid.
    """
    mine = tuple(seats)
    return max(free_later + used(later, mine) - used(state, mine), price(state, act))
