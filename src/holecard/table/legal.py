"""Which moves are legal: `legal` lists choices, `why_not` explains a refusal, `refusal` is what `advance` raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holecard.deck import VALUES, Card, value_name
from holecard.errors import IllegalMove, OutOfTurn, Refusal, WagerRefused, did_you_mean, shortly
from holecard.money import NO_MONEY, Money, dollars, net_win
from holecard.sheets.tables import Tables
from holecard.table.actions import reason
from holecard.table.events import Act, Action, Bet, Choice, Deal, Misdeal, Move, NoMoreBets, Place, Sides
from holecard.table.late_wagers import ASKING, main_wager, open_wagers, placeable
from holecard.table.round import Round, until_turned
from holecard.table.state import Hand, Seat, State, check_state
from holecard.wagers.pay_table import Limits, SideWager, format_upcards


def legal(state: State) -> tuple[Choice, ...]:
    """Return the choices of the seat that is asked; none while the table takes bets, awaits a card or is done.

    A seat that is asked for wagers answers with `Place`, which has no list of choices: see `offered`.
    """
    check_state(state)
    seat = state.asked
    if seat is None:
        return ()
    if state.phase == "insurance":
        insure, refuse = insurance_choice(state.tables, seat), Choice(seat.number, Action.NO_INSURANCE)
        return (insure, refuse) if insure else (refuse,)
    if state.phase == "early surrender":
        return (Choice(seat.number, Action.SURRENDER), Choice(seat.number, Action.NO_SURRENDER))
    if state.phase in ASKING:
        return ()
    hand = seat.hands[state.hand]
    return tuple(Choice(seat.number, action, *_amounts(state.tables, hand, action)) for action in state.options)


def offered(state: State, seat: int | None = None) -> tuple[SideWager, ...]:
    """Return the side wagers on which `seat` may stake something now, its turn or not; without a seat, any seat's."""
    if state.phase == "betting":
        now = set(state.tables.early_wagers)
    else:
        asked = [index for index, player in enumerate(state.seats) if seat in (None, player.number)]
        now = {wager for index in asked for wager in open_wagers(state, index)}
    return tuple(state.tables.wagers[index] for index in sorted(now))


def why_not(state: State, move: Move) -> str | None:
    """Return why a move is refused, or None if it is legal."""
    check_state(state)
    refused = refusal(state, move)
    return None if refused is None else str(refused)


def refusal(state: State, move: Move) -> Refusal | None:
    """Return the refusal of a move, or None if it is legal."""
    refuse = _REFUSE.get(type(move))
    if refuse is None:
        return IllegalMove(f"{shortly(move)} is not a move; make a Bet, NoMoreBets, Deal, Act or Place")
    return refuse(state, move)


def _refuse_misdeal(state: State, _move: Misdeal) -> Refusal | None:
    return None if state.queue else OutOfTurn("a misdeal can only be called while a card is awaited")


def _refuse_card(state: State, move: Deal) -> Refusal | None:
    if not state.queue:
        return OutOfTurn(f"the round is not waiting for a card: {_awaited(state)}")
    if not isinstance(move.card, Card):
        return IllegalMove(f"{move.card!r} is not a card; write Deal(card('As')) with holecard.deck.card")
    return None


# Bets


def _refuse_bet(state: State, bet: Bet) -> Refusal | None:
    tables = state.tables
    if state.phase != "betting":
        return OutOfTurn(f"bets are closed: {_awaited(state)}")
    if refused := _refuse_seat(tables, bet.seat):
        return refused
    if type(bet.main) is not Money or type(bet.sides) is not Sides:
        return WagerRefused(f"{shortly(bet)} was not made by calling Bet(seat, main, sides)")
    if not tables.main.allows(bet.main):
        name = tables.stakes[0]
        alone = "side wagers need a main wager; " if bet.main == 0 and bet.sides else ""
        return WagerRefused(f"{alone}{name}: {dollars(bet.main)} is outside the limits; it must be {tables.main}")
    return _refuse_sides(state, bet.sides, bet.main, tables.early_wagers, {})


def is_seat(seat: object) -> bool:
    """Return whether this is a whole number; True and False are not seats."""
    return type(seat) is int


def check_seat(tables: Tables, seat: object) -> None:
    """Refuse a seat that the table does not have."""
    if refused := _refuse_seat(tables, seat):
        raise refused


def _refuse_seat(tables: Tables, seat: object) -> OutOfTurn | None:
    if type(seat) is int and 1 <= seat <= tables.seats:
        return None
    return OutOfTurn(f"seat {shortly(seat)} does not exist; this table has seats 1 to {tables.seats}")


def _refuse_sides(
    state: State, sides: Sides, main: Money, offered: tuple[int, ...], before: Mapping[str, Money]
) -> Refusal | None:
    """Check stakes by name, on top of those placed `before`: the sums must be within the limits."""
    if not sides:
        return None
    tables = state.tables
    names = {tables.wagers[index].name.lower(): index for index in offered}
    placed = {name.lower() for name, stake in (*before.items(), *sides.items()) if stake}
    if len({name.lower() for name in sides}) < len(sides):
        return WagerRefused(f"the same wager is named twice: {', '.join(sides)}")
    for name, stake in sides.items():
        index = names.get(name.lower())
        if index is None:
            return WagerRefused(f"no wager called {shortly(name)} can be placed now; {_when(state, name, offered)}")
        wager = tables.wagers[index]
        already = before.get(wager.name, NO_MONEY)
        if stake and (refused := _refuse_sum(wager, stake, already, main)):
            return refused
        if stake and wager.needs and wager.needs.lower() not in placed:
            return WagerRefused(f"{wager.name} can only be placed together with {wager.needs}")
    return None


def _refuse_sum(wager: SideWager, stake: Money, already: Money, main: Money) -> Refusal | None:
    """Check a stake together with what is on the wager already."""
    added = f"{wager.name}: {dollars(stake)}" + (f" on top of {dollars(already)}" if already else "")
    must = "together they must" if already else "it must"
    if not wager.limits.allows(already + stake):
        return WagerRefused(f"{added} is outside the limits; {must} be {wager.limits}")
    if wager.at_most_main and already + stake > main:
        can = "together they can" if already else "it can"
        return WagerRefused(f"{added} is more than the main wager; {can} be at most {dollars(main)}")
    return None


def _when(state: State, name: str, offered: tuple[int, ...]) -> str:
    """Return when a wager of the game is placed, or which wager may have been meant."""
    tables = state.tables
    wager = next((wager for wager in tables.wagers if wager.name.lower() == name.lower()), None)
    if wager is None:
        return did_you_mean(name, [tables.wagers[index].name for index in offered]) or (
            "there are others later in the round" if tables.wagers else "this game has none"
        )
    if not wager.after_check:
        return f"{wager.name} is placed before the deal"
    if state.dealer and (why := _with_upcard(wager, VALUES[state.upcard])):
        return why
    until = "until the hole card is turned" if wager.until_turned else "before anybody acts"
    return f"{wager.name} is placed after the check, {until}"


def _with_upcard(wager: SideWager, upcard: int) -> str:
    """Return with which upcards a wager is offered, where this is not one of them."""
    if upcard in wager.offered_upcards:
        return ""
    if not wager.offered_upcards:
        return f"{wager.name} is never offered: no line can pay"
    offered = format_upcards(wager.offered_upcards)
    return f"{wager.name} is offered only with {offered} up, not with {value_name(upcard)}"


def refuse_close(table: Round | State, _move: NoMoreBets) -> Refusal | None:
    """Return why the betting cannot be closed now, or None if it can."""
    if table.phase != "betting":
        return OutOfTurn(f"bets are closed already: {_awaited(table)}")
    return None if table.seats else OutOfTurn("nobody has bet; at least one seat must bet before the deal")


# Decisions


def _refuse_act(state: State, act: Act) -> Refusal | None:
    if refused := _refuse_turn(state, act.seat):
        return refused
    if act.action in state.options and act.amount is None:
        return None
    if state.phase in ASKING:
        return OutOfTurn(f"seat {act.seat} is asked for wagers ({state.phase}); place some or pass")
    for choice in legal(state):
        if choice.action == act.action:
            return _refuse_amount(choice, act)
    offered = ", ".join(choice.action for choice in legal(state))
    return IllegalMove(f"{act.action}: {reason(state, act.action)}; seat {act.seat} can: {offered}")


def _refuse_turn(state: State, seat: int) -> Refusal | None:
    asked = state.asked
    if asked is None:
        return OutOfTurn(_awaited(state))
    if not _is(asked, seat):
        return OutOfTurn(f"it is seat {asked.number}'s turn, not seat {shortly(seat)}'s")
    return None


def _is(seat: Seat, number: object) -> bool:
    return is_seat(number) and seat.number == number


def _refuse_amount(choice: Choice, act: Act) -> Refusal | None:
    if act.amount is None:
        return WagerRefused("insurance: give an amount") if choice.action == "insurance" else None
    if type(act.amount) is not Money:
        return WagerRefused(f"{shortly(act)} was not made by calling Act(seat, action, amount)")
    if choice.low is None or choice.high is None:
        return WagerRefused(f"{act.action}: the amount is fixed by the wager; do not give one")
    if not choice.allows(act.amount):
        return WagerRefused(
            f"{act.action}: {dollars(act.amount)} is outside the limits; it must be {format_range(choice)}"
        )
    return None


def format_range(choice: Choice) -> str:
    """Return what an action can be taken for: "$1 to $7 in steps of $1"."""
    assert choice.low is not None
    assert choice.high is not None
    assert choice.step is not None
    limits = str(Limits(choice.low, choice.high, choice.step))
    odd = choice.high % choice.step and choice.low < choice.high
    return f"{limits}, or the full {dollars(choice.high)}" if odd else limits


def _refuse_place(state: State, place: Place) -> Refusal | None:
    if state.queue:
        return OutOfTurn(_awaited(state))
    if type(place.sides) is not Sides:
        return WagerRefused(f"{shortly(place)} was not made by calling Place(seat, sides)")
    tables = state.tables
    index = next((index for index, seat in enumerate(state.seats) if _is(seat, place.seat)), None)
    answers = state.phase in ASKING and index == state.turn
    if not answers and (refused := _refuse_unasked(state, place, index)):
        return refused
    if not place.sides:
        return None
    assert index is not None
    seat = state.seats[index]
    before = {tables.wagers[side.wager].name: side.stake for side in seat.sides}
    return _refuse_sides(state, place.sides, main_wager(seat), placeable(state, index), before)


def _refuse_unasked(state: State, place: Place, index: int | None) -> Refusal | None:
    """Check wagers of a seat that is not asked: only those open until the hole card is turned may be placed."""
    if not state.tables.late_wagers or not until_turned(state):
        return _refuse_turn(state, place.seat) or OutOfTurn(f"wagers cannot be placed now: {_awaited(state)}")
    if index is None:
        return OutOfTurn(f"seat {place.seat} is not in this round")
    if not any(place.sides.values()):
        return OutOfTurn(f"seat {place.seat} is not asked for wagers now, so it cannot pass; name the wagers to place")
    if state.seats[index].hands[0].natural:
        return OutOfTurn(f"seat {place.seat} has a natural; wagers after the check are for seats without one")
    return None


def insurance_choice(tables: Tables, seat: Seat) -> Choice | None:
    """Return what a seat may insure for: whole chips up to its share of the main wager; None if that is too little."""
    share, step = tables.insurance_share, tables.insurance_step
    most = net_win(main_wager(seat), share)
    most -= most % step
    return (
        Choice(seat.number, Action.INSURANCE, tables.insurance_low, most, step)
        if tables.insurance_low <= most
        else None
    )


def _amounts(tables: Tables, hand: Hand, action: str) -> tuple[Money, Money, Money] | tuple[()]:
    """Return the least, most and step of a double for less; other actions have no amount to choose."""
    if action == "double" and tables.double_for_less:
        return min(tables.main.step, hand.wagered), hand.wagered, tables.main.step
    return ()


def _awaited(table: Round | State) -> str:
    if table.queue:
        return "a card has to be dealt first"
    if table.phase == "betting":
        return "the table is taking bets"
    if table.phase == "done":
        return "the round is over"
    return f"seat {table.seats[table.turn].number} has to decide ({table.phase})"


_REFUSE: dict[type, Callable[[State, Any], Refusal | None]] = {
    Act: _refuse_act,
    Bet: _refuse_bet,
    NoMoreBets: refuse_close,
    Place: _refuse_place,
    Deal: _refuse_card,
    Misdeal: _refuse_misdeal,
}
