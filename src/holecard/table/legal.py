"""What may happen next: `legal` lists it, `why_not` explains a no, `refusal` is the exception `advance` raises."""

from __future__ import annotations

from collections.abc import Mapping

from holecard.cards import Card
from holecard.errors import IllegalMove, OutOfTurn, Refusal, WagerRefused, did_you_mean
from holecard.money import dollars
from holecard.sheets.tables import Tables
from holecard.table.events import Act, Bet, Choice, Deal, Misdeal, Move, NoMoreBets, Place
from holecard.table.state import Hand, Seat, SideStake, State
from holecard.table.why_not import reason
from holecard.wagers.pay_table import Limits, SideWager


def legal(state: State) -> tuple[Choice, ...]:
    """The choices of the seat that is asked; empty while bets are taken, a card is awaited or all is done.

    After the check a seat answers with `Place`, which has no list of choices: see `offered`.
    """
    seat = state.asked
    if seat is None:
        return ()
    if state.phase == "insurance":
        low, high = insurance_range(state.tables, seat)
        refuse = Choice(seat.number, "no insurance")
        return (Choice(seat.number, "insurance", low, high), refuse) if low <= high else (refuse,)
    if state.phase == "early surrender":
        return (Choice(seat.number, "surrender"), Choice(seat.number, "no surrender"))
    if state.phase == "after the check":
        return ()
    hand = seat.hands[state.hand]
    return tuple(Choice(seat.number, action, *_amounts(state.tables, hand, action)) for action in state.options)


def offered(state: State) -> tuple[SideWager, ...]:
    """The side wagers that may be placed now: before the deal, or by the seat asked after the check."""
    if state.phase == "betting":
        now = state.tables.early_wagers
    else:
        now = state.tables.check_wagers if state.phase == "after the check" else ()
    return tuple(state.tables.wagers[index] for index in now)


def why_not(state: State, move: Move) -> str | None:
    """Why a move is refused, or None when it is legal."""
    refused = refusal(state, move)
    return None if refused is None else str(refused)


def refusal(state: State, move: Move) -> Refusal | None:
    """The refusal a move would meet."""
    if isinstance(move, Act):
        return _refuse_act(state, move)
    if isinstance(move, Deal):
        return _refuse_card(state, move)
    if isinstance(move, Misdeal):
        return None if state.queue else OutOfTurn("a misdeal can only be called while a card is awaited")
    if state.queue:
        return OutOfTurn("a card has to fall first")
    if isinstance(move, Bet):
        return _refuse_bet(state, move)
    if isinstance(move, NoMoreBets):
        return _refuse_close(state)
    if isinstance(move, Place):
        return _refuse_place(state, move)
    return IllegalMove(f"{move!r} is no move; make a Bet, NoMoreBets, Deal, Act or Place")


def _refuse_card(state: State, move: Deal) -> Refusal | None:
    if not state.queue:
        return OutOfTurn(f"no card is awaited now: {_awaited(state)}")
    if not isinstance(move.card, Card):
        return IllegalMove(f"{move.card!r} is no card; write Deal(card('As')) with holecard.cards.card")
    return None


# Bets


def _refuse_bet(state: State, bet: Bet) -> Refusal | None:
    tables = state.tables
    if state.phase != "betting":
        return OutOfTurn(f"bets are closed: {_awaited(state)}")
    if not isinstance(bet.seat, int) or not 1 <= bet.seat <= tables.seats:
        return OutOfTurn(f"there is no seat {bet.seat}; this table has seats 1 to {tables.seats}")
    if refused := _refuse_stakes({tables.stakes[0]: bet.main, **bet.sides}):
        return refused
    if not tables.main.allows(bet.main):
        name = tables.stakes[0]
        alone = "side wagers need a main wager; " if bet.main == 0 and bet.sides else ""
        return WagerRefused(f"{alone}{name}: {dollars(bet.main)} is outside the limits; it must be {tables.main}")
    return _refuse_sides(tables, bet.sides, bet.main, tables.early_wagers)


def _refuse_stakes(stakes: Mapping[str, object]) -> Refusal | None:
    for name, stake in stakes.items():
        if type(stake) is not int or stake < 0:
            return WagerRefused(f"{name}: {stake!r} is no stake; write whole cents")
    return None


def _refuse_sides(tables: Tables, sides: Mapping[str, int], main: int, offered: tuple[int, ...]) -> Refusal | None:
    if not sides:
        return None
    names = {tables.wagers[index].name.lower(): index for index in offered}
    placed = {name.lower() for name, stake in sides.items() if stake}
    if len({name.lower() for name in sides}) < len(sides):
        return WagerRefused(f"the same wager is named twice: {', '.join(sides)}")
    for name, stake in sides.items():
        index = names.get(name.lower())
        if index is None:
            hint = did_you_mean(name, [tables.wagers[i].name for i in offered]) or "this game has none"
            return WagerRefused(f"no wager called {name!r} can be placed now; {hint}")
        wager = tables.wagers[index]
        if stake and not wager.limits.allows(stake):
            return WagerRefused(f"{wager.name}: {dollars(stake)} is outside the limits; it must be {wager.limits}")
        if wager.at_most_main and stake > main:
            return WagerRefused(
                f"{wager.name}: {dollars(stake)} is more than the main wager; it can be at most {dollars(main)}"
            )
        if stake and wager.needs and wager.needs.lower() not in placed:
            return WagerRefused(f"{wager.name} can only be placed together with {wager.needs}")
    return None


def side_stakes(tables: Tables, sides: Mapping[str, int]) -> tuple[SideStake, ...]:
    """The placed wagers in the order of the sheet."""
    if not sides:
        return ()
    by_name = {name.lower(): stake for name, stake in sides.items() if stake}
    return tuple(
        SideStake(index, by_name[wager.name.lower()])
        for index, wager in enumerate(tables.wagers)
        if wager.name.lower() in by_name
    )


def _refuse_close(state: State) -> Refusal | None:
    if state.phase != "betting":
        return OutOfTurn(f"bets are closed already: {_awaited(state)}")
    return None if state.seats else OutOfTurn("nobody has bet; at least one seat must, before cards are dealt")


# Decisions


def _refuse_act(state: State, act: Act) -> Refusal | None:
    if refused := _refuse_turn(state, act.seat):
        return refused
    if act.action in state.options and act.amount is None:
        return None
    if state.phase == "after the check":
        return OutOfTurn(f"seat {act.seat} is asked for wagers after the check; place some or pass")
    for choice in legal(state):
        if choice.action == act.action:
            return _refuse_amount(choice, act)
    offered = ", ".join(choice.action for choice in legal(state))
    return IllegalMove(f"{act.action}: {reason(state, act.action)}; seat {act.seat} can: {offered}")


def _refuse_turn(state: State, seat: int) -> Refusal | None:
    asked = state.asked
    if asked is None:
        return OutOfTurn(_awaited(state))
    if asked.number != seat:
        return OutOfTurn(f"it is seat {asked.number}'s turn, not seat {seat}'s")
    return None


def _refuse_amount(choice: Choice, act: Act) -> Refusal | None:
    if act.amount is None:
        return WagerRefused("insurance: say how much") if choice.action == "insurance" else None
    if refused := _refuse_stakes({act.action: act.amount}):
        return refused
    if choice.low is None or choice.high is None:
        return WagerRefused(f"{act.action}: the amount is fixed by the wager; do not give one")
    if not choice.low <= act.amount <= choice.high:
        between = str(Limits(choice.low, choice.high, 1))
        return WagerRefused(f"{act.action}: {dollars(act.amount)} is outside the limits; it must be {between}")
    return None


def _refuse_place(state: State, place: Place) -> Refusal | None:
    if refused := _refuse_turn(state, place.seat):
        return refused
    if state.phase != "after the check":
        return OutOfTurn(f"no wagers are placed now: {_awaited(state)}")
    if refused := _refuse_stakes(place.sides):
        return refused
    main = state.seats[state.turn].hands[0].stakes[0]
    return _refuse_sides(state.tables, place.sides, main, state.tables.check_wagers)


def insurance_range(tables: Tables, seat: Seat) -> tuple[int, int]:
    """Least and most insurance of a seat, in cents."""
    share = tables.insurance_share
    return tables.insurance_low, seat.hands[0].stakes[0] * share.numerator // share.denominator


def _amounts(tables: Tables, hand: Hand, action: str) -> tuple[int | None, int | None]:
    """Only a double for less has an amount to choose."""
    if action == "double" and tables.double_for_less:
        return 1, hand.wagered
    return None, None


def _awaited(state: State) -> str:
    if state.queue:
        return "a card has to fall first"
    if state.phase == "betting":
        return "the table is taking bets"
    if state.phase == "done":
        return "the round is over"
    asked = state.asked
    assert asked is not None
    return f"seat {asked.number} has to decide ({state.phase})"
