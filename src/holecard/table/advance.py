"""A round as a state machine: `advance(state, move)` returns the next state.

    betting → dealing → (bonuses) → insurance → early surrender → (check) → after the check → acting → last call
    → dealer → done

Phases in brackets ask no seat and run automatically. Any seat may place wagers that are open until the hole card is
turned while somebody is asked, from the check to the last call. Dealing a card is a move from outside, so a shoe, a
test that enumerates cards and a record drive the same machine. A move that is not legal raises its refusal and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from holecard.deck import VALUES, Card
from holecard.hands import add, count, is_natural
from holecard.money import NO_MONEY
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.tables import ANY_DEALER, Tables
from holecard.table.dealer import dealers_card, show_hole_card
from holecard.table.events import Act, Bet, CardDealt, Checked, Deal, Misdeal, Move, NoMoreBets, Place
from holecard.table.late_wagers import ASKING, last_call, side_stakes, with_more
from holecard.table.legal import refusal
from holecard.table.player import act, after_card, next_hand, surrender_hand
from holecard.table.round import Round, offered_now
from holecard.table.settling import (
    insurance_result,
    opening_stakes,
    pay_hand,
    refund,
    settle_all,
    settle_decided,
)
from holecard.table.state import DEALER, Hand, Phase, Seat, State, check_state, deal_order


def start(game: Tables | RulesLike) -> State:
    """Return an empty table that waits for bets."""
    return State(game if isinstance(game, Tables) else rules(game).tables)


def advance(state: State, move: Move) -> State:
    """Return the next state; its `events` say what the move caused."""
    check_state(state)
    refused = refusal(state, move)
    if refused is not None:
        raise refused
    round_ = Round(state)
    apply(round_, move)
    return round_.freeze()


def apply(round_: Round, move: Move) -> None:
    """Make a legal move, and everything that follows from it automatically."""
    _APPLY[type(move)](round_, move)


def deal_cards(round_: Round, cards: Sequence[Card]) -> None:
    """Deal cards to those in the queue, in order; at most as many as are awaited."""
    if round_.phase == "dealing":
        _deal_out(round_, cards)
        if not round_.queue:
            _after_deal(round_)
        return
    (card,) = cards
    round_.queue = ()
    if round_.phase == "acting":
        after_card(round_, card)
    else:
        dealers_card(round_, card)


# Betting and dealing


def _bet(round_: Round, bet: Bet) -> None:
    stakes = opening_stakes(round_.tables, bet.main)
    seat = Seat(bet.seat, (Hand((), 0, False, stakes),), side_stakes(round_.tables, bet.sides))
    others = [other for other in round_.seats if other.number != bet.seat]
    round_.seats = sorted([*others, seat], key=lambda s: s.number) if others else [seat]


def _begin(round_: Round, _move: NoMoreBets) -> None:
    round_.phase = "dealing"
    round_.queue = deal_order(round_.tables, len(round_.seats))


def _deal_out(round_: Round, cards: Sequence[Card]) -> None:
    """Deal the first cards, as far as they go."""
    seats = round_.seats
    dealt: list[list[Card]] = [[] for _ in range(len(seats) + 1)]
    for who, card in zip(round_.queue, cards, strict=False):
        dealt[who].append(card)
    if round_.tells:
        _tell_deal(round_, cards)
    dealers = dealt.pop()  # DEALER is the last index
    if dealers:
        _dealers_first(round_, dealers)
    for index, new in enumerate(dealt):
        if new:
            seats[index] = _with_first_cards(seats[index], new)
    round_.queue = round_.queue[len(cards) :]


def _tell_deal(round_: Round, cards: Sequence[Card]) -> None:
    tell, seats, tables = round_.events.append, round_.seats, round_.tables
    hole_hidden, is_hole = tables.hole_card != "face up", bool(round_.dealer)
    for who, card in zip(round_.queue, cards, strict=False):
        if who == DEALER:
            tell(CardDealt(0, 0, card, is_hole and hole_hidden))
            is_hole = True
        else:
            tell(CardDealt(seats[who].number, 1, card, tables.players_cards_down))


def _dealers_first(round_: Round, cards: list[Card]) -> None:
    """Deal the upcard, the hole card, or both."""
    total, soft = round_.dealer_total, round_.dealer_soft
    for card in cards:
        total, soft = add(total, soft, VALUES[card])
    round_.dealer = (*round_.dealer, *cards)
    round_.dealer_total, round_.dealer_soft = total, soft
    round_.hole_seen = len(round_.dealer) > 1 and round_.tables.hole_card == "face up"


def _with_first_cards(seat: Seat, new: list[Card]) -> Seat:
    cards = (*seat.first_two, *new)
    total, soft = count(cards)
    return Seat(seat.number, (Hand(cards, total, soft, seat.hands[0].stakes),), seat.sides, NO_MONEY, cards)


# Between the deal and the first decision


def _after_deal(round_: Round) -> None:
    order = range(len(round_.seats))
    for index in reversed(order) if round_.tables.bonuses_from_right else order:
        if round_.seats[index].sides:
            settle_decided(round_, index)
    if round_.tables.insurance is not None and VALUES[round_.dealer[0]] == 1:
        _ask(round_, "insurance", 0)
    else:
        _early_surrender(round_)


def _early_surrender(round_: Round) -> None:
    if VALUES[round_.dealer[0]] in round_.tables.early_surrender_upcards:
        _ask(round_, "early surrender", 0)
    else:
        _check(round_)


def _check(round_: Round) -> None:
    """Check for a dealer's natural where the sheet says so, and pay players' naturals that need not wait."""
    upcard = VALUES[round_.dealer[0]]
    if upcard in round_.tables.peeks_under:
        natural = is_natural(round_.dealer)
        round_.checked = True
        if round_.tells:
            round_.events.append(Checked(natural))
        if natural:
            show_hole_card(round_)
            settle_all(round_)
            return
        _take_insurance(round_)
    for index, seat in enumerate(round_.seats):
        if seat.hands[0].natural and seat.hands[0].status == "playing":
            _natural(round_, index, seat)
    if offered_now(round_, round_.tables.check_wagers) != offered_now(round_, round_.tables.late_wagers):
        _ask(round_, "after the check", 0)
    else:
        next_hand(round_, 0, 0)


def _take_insurance(round_: Round) -> None:
    for index, seat in enumerate(round_.seats):
        if seat.insurance:
            round_.pay([insurance_result(round_.tables, seat, dealers_natural=False)])
            round_.seats[index] = seat._replace(insurance=NO_MONEY)


def _natural(round_: Round, index: int, seat: Seat) -> None:
    """Pay a player's natural now if no dealer's hand can change what it is paid."""
    paid_now = round_.tables.natural_is_final and not round_.natural_possible
    if paid_now:
        round_.pay(pay_hand(round_.tables, seat, 0, ANY_DEALER))
    round_.mark(index, 0, "settled" if paid_now else "standing")


def _ask(round_: Round, phase: Phase, first: int) -> None:
    """Ask the seats one by one, from `first`; after the last one the round continues."""
    for index in range(first, len(round_.seats)):
        if _is_asked(phase, round_.seats[index]):
            round_.phase, round_.turn, round_.hand = phase, index, 0
            return
    if phase == "insurance":
        _early_surrender(round_)
    elif phase == "early surrender":
        _check(round_)
    else:
        next_hand(round_, 0, 0)


def _is_asked(phase: Phase, seat: Seat) -> bool:
    """Return whether a seat is asked: every seat may insure, but only a hand in play may be surrendered or hedged."""
    hand = seat.hands[0]
    return phase == "insurance" or (hand.status == "playing" and not hand.natural)


def _decide(round_: Round, move: Act) -> None:
    if round_.phase == "acting":
        act(round_, move)
        return
    if move.action == "insurance":
        seat = round_.seats[round_.turn]
        round_.seats[round_.turn] = seat._replace(insurance=move.amount or NO_MONEY)
    elif move.action == "surrender":
        surrender_hand(round_)
    _ask(round_, round_.phase, round_.turn + 1)


def _place(round_: Round, move: Place) -> None:
    """Add the stakes; where the seat was asked for them, this was its answer."""
    index = next(index for index, seat in enumerate(round_.seats) if seat.number == move.seat)
    round_.seats[index] = with_more(round_.seats[index], side_stakes(round_.tables, move.sides))
    if round_.phase not in ASKING or index != round_.turn:
        return
    if round_.phase == "last call":
        last_call(round_, index + 1)
    else:
        _ask(round_, "after the check", index + 1)


def _deal(round_: Round, move: Deal) -> None:
    deal_cards(round_, (move.card,))


def _misdeal(round_: Round, _move: Misdeal) -> None:
    refund(round_)


_APPLY: dict[type, Callable[[Round, Any], None]] = {
    Act: _decide,
    Deal: _deal,
    Bet: _bet,
    Place: _place,
    NoMoreBets: _begin,
    Misdeal: _misdeal,
}
