"""A round as a state machine: `advance(state, move)` gives the next state.

    betting → dealing → (bonuses) → insurance → early surrender → (check) → after the check → acting → dealer → done

Phases in brackets need nobody and run by themselves. A card falling is a move from outside, so the same
machine is dealt by a shoe, enumerated by a test and dictated by a record. A move that is not legal raises
its refusal and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from holecard.cards import VALUES, Card
from holecard.hands import add, count, is_natural
from holecard.rules.tables import DOUBLE, DOUBLE_UP, SPLIT, Tables
from holecard.table.events import (
    Act,
    Bet,
    CardDealt,
    Checked,
    Deal,
    Event,
    HoleCardShown,
    Misdeal,
    Move,
    NoMoreBets,
    Place,
    Result,
)
from holecard.table.legal import refusal, side_stakes
from holecard.table.options import options
from holecard.table.settling import (
    cards_seen,
    hand_back,
    insurance_result,
    opening_stakes,
    pay_hand,
    pay_row,
    settle_all,
    settle_decided,
)
from holecard.table.state import DEALER, Hand, Phase, Seat, State, with_hand, with_seat


def start(tables: Tables) -> State:
    """An empty table waiting for bets."""
    return State(tables)


def advance(state: State, move: Move) -> State:
    """The next state; its `events` say what this move brought about."""
    refused = refusal(state, move)
    if refused is not None:
        raise refused
    return apply(state._replace(events=()) if state.events else state, move)


def apply(state: State, move: Move) -> State:
    """`advance` for a move already known to be legal."""
    if isinstance(move, Deal):
        return cards_fall(state, (move.card,))
    if isinstance(move, Act):
        return _act(state, move)
    if isinstance(move, Bet):
        return _bet(state, move)
    if isinstance(move, Place):
        return _place(state, move)
    if isinstance(move, NoMoreBets):
        return _begin(state)
    assert isinstance(move, Misdeal)
    return hand_back(state)


# Betting and dealing


def _bet(state: State, bet: Bet) -> State:
    stakes = opening_stakes(state.tables, bet.main)
    seat = Seat(bet.seat, (Hand((), 0, False, stakes),), side_stakes(state.tables, bet.sides))
    if not state.seats:
        return state._replace(seats=(seat,))
    others = [other for other in state.seats if other.number != bet.seat]
    return state._replace(seats=tuple(sorted([*others, seat], key=lambda s: s.number)))


def _begin(state: State) -> State:
    players = tuple(range(len(state.seats)))
    second = () if state.tables.hole_card == "none" else (DEALER,)
    return state._replace(phase="dealing", queue=(*players, DEALER, *players, *second))


def cards_fall(state: State, cards: Sequence[Card]) -> State:
    """Cards fall to those in the queue, in order; at most as many as are awaited."""
    if state.phase == "dealing":
        state = _deal_out(state, cards)
        return state if state.queue else _after_deal(state)
    (card,) = cards
    if state.phase == "acting":
        return _after_card(_players_card(state, card))
    return _dealer_plays(_dealers_card(state, card))


def _deal_out(state: State, cards: Sequence[Card]) -> State:
    """The opening deal, as far as the cards go."""
    dealt: list[list[Card]] = [[] for _ in state.seats]
    dealer = list(state.dealer)
    events: list[Event] = list(state.events)
    for who, card in zip(state.queue, cards, strict=False):
        if who == DEALER:
            hidden = bool(dealer) and state.tables.hole_card != "face up"
            dealer.append(card)
            events.append(CardDealt(0, 0, card, hidden))
        else:
            dealt[who].append(card)
            events.append(CardDealt(state.seats[who].number, 1, card))
    total, soft = count(dealer)
    return state._replace(
        seats=tuple(_dealt_to(seat, new) if new else seat for seat, new in zip(state.seats, dealt, strict=True)),
        dealer=tuple(dealer),
        dealer_total=total,
        dealer_soft=soft,
        hole_seen=len(dealer) == 2 and state.tables.hole_card == "face up",
        queue=state.queue[len(cards) :],
        events=tuple(events),
    )


def _dealt_to(seat: Seat, new: list[Card]) -> Seat:
    cards = (*seat.first_two, *new)
    total, soft = count(cards)
    return Seat(seat.number, (Hand(cards, total, soft, seat.hands[0].stakes),), seat.sides, 0, cards)


def _dealers_card(state: State, card: Card) -> State:
    """A card the dealer draws; without a hole card the second one comes only now."""
    total, soft = add(state.dealer_total, state.dealer_soft, VALUES[card])
    return state._replace(
        dealer=(*state.dealer, card),
        dealer_total=total,
        dealer_soft=soft,
        hole_seen=True,
        queue=(),
        events=(*state.events, CardDealt(0, 0, card)),
    )


def _players_card(state: State, card: Card) -> State:
    seat = state.seats[state.turn]
    hand = seat.hands[state.hand]
    total, soft = add(hand.total, hand.soft, VALUES[card])
    hand = hand._replace(cards=(*hand.cards, card), total=total, soft=soft)
    return state._replace(
        seats=with_seat(state, state.turn, with_hand(seat, state.hand, hand)),
        queue=(),
        events=(*state.events, CardDealt(seat.number, state.hand + 1, card)),
    )


# Between the deal and the first decision


def _after_deal(state: State) -> State:
    if any(seat.sides for seat in state.seats):
        state = _settle_bonuses(state)
    if state.tables.insurance is not None and VALUES[state.dealer[0]] == 1:
        return _ask(state, "insurance", 0)
    return _early_surrender(state)


def _settle_bonuses(state: State) -> State:
    order = range(len(state.seats))
    for index in reversed(order) if state.tables.bonuses_from_right else order:
        seat, results = settle_decided(state, state.seats[index])
        state = _with_results(state, index, seat, results)
    return state


def _early_surrender(state: State) -> State:
    if state.tables.surrenders == "early" and state.dealers_natural_possible:
        return _ask(state, "early surrender", 0)
    return _check(state)


def _check(state: State) -> State:
    """The dealer looks for a natural where the sheet says so, and naturals that need not wait are paid."""
    tables = state.tables
    upcard = VALUES[state.dealer[0]]
    looks = upcard in tables.peeks_under or (state.hole_seen and upcard in (1, 10))
    if looks:
        natural = is_natural(state.dealer[:2])
        state = state._replace(checked=True, events=(*state.events, Checked(natural)))
        if natural:
            return settle_all(_show_hole_card(state))
        state = _take_insurance(state)
    for index, seat in enumerate(state.seats):
        if seat.hands[0].natural and seat.hands[0].status == "playing":
            state = _natural(state, index)
    return _after_check(state)


def _take_insurance(state: State) -> State:
    for index, seat in enumerate(state.seats):
        if seat.insurance:
            lost = insurance_result(state.tables, seat, dealers_natural=False)
            state = _with_results(state, index, seat._replace(insurance=0), [lost])
    return state


def _natural(state: State, index: int) -> State:
    seat = state.seats[index]
    if state.tables.natural_is_final and not state.dealers_natural_possible:
        return _settle_hand(state, index, 0, pay_hand(state.tables, seat, 0, 17))
    return _stand(state, index, 0)


def _after_check(state: State) -> State:
    if state.tables.check_wagers:
        return _ask(state, "after the check", 0)
    return _next_hand(state, 0, 0)


def _ask(state: State, phase: Phase, first: int) -> State:
    """Ask the seats one by one, from `first`; when none is left the round goes on."""
    for index in range(first, len(state.seats)):
        if _is_asked(phase, state.seats[index]):
            return state._replace(phase=phase, turn=index, hand=0)
    if phase == "insurance":
        return _early_surrender(state)
    if phase == "early surrender":
        return _check(state)
    return _next_hand(state, 0, 0)


def _is_asked(phase: Phase, seat: Seat) -> bool:
    """Everybody may insure; only a hand still to be played may be surrendered or hedged."""
    hand = seat.hands[0]
    return phase == "insurance" or (hand.status == "playing" and not hand.natural)


def _place(state: State, move: Place) -> State:
    seat = state.seats[state.turn]
    seat = seat._replace(sides=(*seat.sides, *side_stakes(state.tables, move.sides)))
    state = state._replace(seats=with_seat(state, state.turn, seat))
    return _ask(state, "after the check", state.turn + 1)


# Players act


def _act(state: State, act: Act) -> State:
    if state.phase == "insurance":
        seat = state.seats[state.turn]
        if act.action == "insurance":
            seat = seat._replace(insurance=act.amount or 0)
        return _ask(state._replace(seats=with_seat(state, state.turn, seat)), "insurance", state.turn + 1)
    if state.phase == "early surrender":
        if act.action == "surrender":
            state = _surrender(state)
        return _ask(state, "early surrender", state.turn + 1)
    return _ACTIONS[act.action](state, act)


def _hit(state: State, _act: Act) -> State:
    return state._replace(queue=(state.turn,))


def _stand_pat(state: State, _act: Act) -> State:
    return _next_hand(_stand(state, state.turn, state.hand), state.turn, state.hand + 1)


def _double(state: State, act: Act) -> State:
    hand = state.seats[state.turn].hands[state.hand]
    hand = hand._replace(stakes=_add_stake(hand, DOUBLE, act.amount or hand.wagered), doubled=True)
    return _with_current_hand(state, hand)._replace(queue=(state.turn,))


def _double_up(state: State, _act: Act) -> State:
    hand = state.seats[state.turn].hands[state.hand]
    hand = hand._replace(stakes=_add_stake(hand, DOUBLE_UP, hand.wagered), status="standing")
    return _next_hand(_with_current_hand(state, hand), state.turn, state.hand + 1)


def _split(state: State, _act: Act) -> State:
    """The second card moves to a hand of its own, with an equal wager; each gets its card when its turn comes."""
    hand = state.seats[state.turn].hands[state.hand]
    first, second = hand.cards
    kept = _one_card(first, hand.stakes)
    moved = _one_card(second, _stake_of(SPLIT, hand.wagered))
    return _with_current_hand(state, kept, moved)._replace(queue=(state.turn,))


def _quick_pay(state: State, _act: Act) -> State:
    seat = state.seats[state.turn]
    row = state.tables.quick_pay[seat.hands[0].total]
    assert row is not None
    state = _settle_hand(state, state.turn, 0, pay_row(state.tables, seat, 0, row))
    return _next_hand(state, state.turn + 1, 0)


def _surrender_hand(state: State, _act: Act) -> State:
    return _next_hand(_surrender(state), state.turn + 1, 0)


_ACTIONS = {
    "hit": _hit,
    "stand": _stand_pat,
    "double": _double,
    "double up": _double_up,
    "split": _split,
    "quick pay": _quick_pay,
    "surrender": _surrender_hand,
}


def _surrender(state: State) -> State:
    seat = state.seats[state.turn]
    return _settle_hand(state, state.turn, 0, pay_row(state.tables, seat, 0, state.tables.surrender))


def _after_card(state: State) -> State:
    """A player's hand has one more card: it may be over."""
    hand = state.seats[state.turn].hands[state.hand]
    if hand.total > 21:
        state = _settle_now(state, dealer=17)
    elif len(hand.cards) >= state.tables.charlie:
        wins_now = state.tables.charlie_is_final and not state.dealers_natural_possible
        state = _settle_now(state, dealer=17) if wins_now else _stand(state, state.turn, state.hand)
    elif hand.doubled:
        state = _stand(state, state.turn, state.hand)
    return _next_hand(state, state.turn, state.hand)


def _next_hand(state: State, first_seat: int, first_hand: int) -> State:
    """The next hand, from this one on, with something to decide or a card to come; else the dealer plays."""
    for index in range(first_seat, len(state.seats)):
        hands = state.seats[index].hands
        for number in range(first_hand if index == first_seat else 0, len(hands)):
            hand = hands[number]
            if hand.status != "playing":
                continue
            if len(hand.cards) == 1:
                return state._replace(phase="acting", turn=index, hand=number, queue=(index,))
            choices = options(state, state.seats[index], hand)
            if choices != ("stand",):
                return state._replace(phase="acting", turn=index, hand=number, options=choices)
            state = _stand(state, index, number)
    return _dealer_plays(state)


# The dealer


def _dealer_plays(state: State) -> State:
    if not state.hole_seen and len(state.dealer) > 1:
        state = _show_hole_card(state)
    if _needs_dealers_hand(state):
        no_second_card = len(state.dealer) == 1
        total = state.dealer_total
        if no_second_card or (total < 22 and state.tables.dealer_draws[total][state.dealer_soft]):
            return state._replace(phase="dealer", queue=(DEALER,), options=())
    return settle_all(state)


def _needs_dealers_hand(state: State) -> bool:
    """Some hand waits for the dealer, or some wager can still be won by the dealer's finished hand."""
    for seat in state.seats:
        if seat.insurance:
            return True
        for hand in seat.hands:
            if hand.status != "settled":
                return True
        for side in seat.sides:
            if side.open and _hopes_for_dealer(state, seat, side.wager):
                return True
    return False


def _hopes_for_dealer(state: State, seat: Seat, wager: int) -> bool:
    seen = cards_seen(state, seat)
    return any(line.dealer for line in state.tables.wagers[wager].hopes(seen))


def _show_hole_card(state: State) -> State:
    if state.hole_seen:
        return state
    return state._replace(hole_seen=True, events=(*state.events, HoleCardShown(state.dealer[1])))


# Small steps


def _stand(state: State, index: int, number: int) -> State:
    seat = state.seats[index]
    hand = seat.hands[number]._replace(status="standing")
    return state._replace(seats=with_seat(state, index, with_hand(seat, number, hand)))


def _settle_now(state: State, dealer: int) -> State:
    """The current hand is over whatever the dealer has; `dealer` is any class it does not depend on."""
    seat = state.seats[state.turn]
    return _settle_hand(state, state.turn, state.hand, pay_hand(state.tables, seat, state.hand, dealer))


def _settle_hand(state: State, index: int, number: int, results: Sequence[Result]) -> State:
    seat = state.seats[index]
    hand = seat.hands[number]._replace(status="settled")
    return _with_results(state, index, with_hand(seat, number, hand), results)


def _with_results(state: State, index: int, seat: Seat, results: Sequence[Result]) -> State:
    return state._replace(
        seats=with_seat(state, index, seat),
        results=(*state.results, *results),
        events=(*state.events, *results),
    )


def _with_current_hand(state: State, *hands: Hand) -> State:
    seat = with_hand(state.seats[state.turn], state.hand, *hands)
    return state._replace(seats=with_seat(state, state.turn, seat))


def _add_stake(hand: Hand, kind: int, amount: int) -> tuple[int, ...]:
    return tuple(stake + amount if k == kind else stake for k, stake in enumerate(hand.stakes))


def _stake_of(kind: int, amount: int) -> tuple[int, ...]:
    return tuple(amount if k == kind else 0 for k in range(5))


def _one_card(card: Card, stakes: tuple[int, ...]) -> Hand:
    total, soft = add(0, False, VALUES[card])
    return Hand((card,), total, soft, stakes, from_split=True)
