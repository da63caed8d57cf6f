"""A view never depends on hidden cards: the hole card, other seats' face-down cards, the undealt shoe."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import DECK, VALUES, Card
from holecard.hands import count
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import Bet, CardDealt, Deal, HoleCardShown, Move
from holecard.table.legal import legal, why_not
from holecard.table.state import State
from holecard.table.table import Table
from holecard.table.views import View, view, visible_events
from tests.random_play import play_round, sheets, steps, varied
from tests.selection import examples, one_in

seeds = st.integers(0, 2**32)
WITH_HOLE_CARD = [name for name, sheet in sheets().items() if sheet.dealer.hole_card not in ("face up", "none")]


def _natural(up: Card, hole: Card) -> bool:
    return {VALUES[up], VALUES[hole]} == {1, 10}


def _seen(state: State) -> tuple[object, ...]:
    """Everything that is visible: every seat's view and events, and the choices."""
    seats = range(state.tables.seats + 1)
    return (
        [view(state, seat) for seat in seats],
        [visible_events(state, seat) for seat in seats],
        legal(state),
        state.asked and state.asked.number,
        repr(state),
    )


def _run(sheet: RuleSheet, moves: list[Move]) -> list[State]:
    states = [start(sheet.tables)]
    for move in moves:
        states.append(advance(states[-1], move))
    return states


@pytest.mark.parametrize("name", one_in(5, WITH_HOLE_CARD))
@examples(12)
@given(seed=seeds, other=st.sampled_from(DECK))
def test_no_view_depends_on_the_hole_card_before_it_is_turned(name: str, seed: int, other: Card) -> None:
    """The same round with another hole card looks the same to every seat until the dealer turns it."""
    sheet = sheets()[name]
    played = steps(sheet.tables, seed)
    moves = [step.move for step in played]
    seats = len(played[-1].after.seats)
    falls = [index for index, move in enumerate(moves) if isinstance(move, Deal)]
    upcard, hole_at = moves[falls[seats]].card, falls[2 * seats + 1]
    hole = moves[hole_at].card
    if _natural(upcard, other) != _natural(upcard, hole):
        # Another result of the dealer's check is another round; without a check there is no difference yet.
        other = hole if VALUES[upcard] in sheet.tables.peeks_under else other
    state, twin = start(sheet.tables), start(sheet.tables)
    for index, move in enumerate(moves):
        state = advance(state, move)
        if state.hole_seen:
            break
        twin = advance(twin, Deal(other) if index == hole_at else move)
        assert _seen(twin) == _seen(state)
        for question in moves:
            assert why_not(twin, question) == why_not(state, question)
    assert state.hole_seen


@pytest.mark.parametrize("name", one_in(5, WITH_HOLE_CARD))
@given(seed=seeds)
def test_the_hole_card_is_in_no_view_until_it_is_turned(name: str, seed: int) -> None:
    """The dealer's second card is None in every view, and a turned card was announced."""
    for step in steps(sheets()[name].tables, seed, seats=1):
        state = step.after
        shown = [event for event in state.events if isinstance(event, HoleCardShown)]
        if len(state.dealer) >= 2 and not state.hole_seen:
            assert all(view(state, seat).dealer == (state.dealer[0], None) for seat in range(state.tables.seats + 1))
            assert all(view(state, seat).dealer_total is None for seat in range(state.tables.seats + 1))
            assert not shown
        if state.hole_seen and not step.before.hole_seen:
            assert [event.card for event in shown] == [state.dealer[1]]


@cache
def _face_down(name: str) -> RuleSheet:
    """The sheet dealt face down, by its deck count or by a setting."""
    sheet = sheets()[name]
    counts = sheet.shoe.face_down_with
    made = varied(name, {"decks": counts[0]} if counts else {"face_down_with": [sheet.shoe.decks]})
    assert made is not None
    assert made.tables.players_cards_down
    return made


def _with_first_two(state: State, index: int, cards: tuple[Card, Card]) -> State:
    """The same state with other face-down cards for a seat."""
    seat = state.seats[index]
    hand = seat.hands[0]
    held = (*cards[: len(hand.cards)], *hand.cards[2:])
    total, soft = count(held)
    seat = seat._replace(hands=(hand._replace(cards=held, total=total, soft=soft), *seat.hands[1:]), first_two=held[:2])
    return state._replace(seats=(*state.seats[:index], seat, *state.seats[index + 1 :]))


@pytest.mark.parametrize("name", one_in(5, sheets()))
@examples(12)
@given(seed=seeds, cards=st.tuples(st.sampled_from(DECK), st.sampled_from(DECK)))
def test_no_view_depends_on_other_seats_face_down_cards(name: str, seed: int, cards: tuple[Card, Card]) -> None:
    """Another seat's two face-down cards can be replaced by any two without a visible difference."""
    for step in steps(_face_down(name).tables, seed, seats=3):
        state = step.after
        for index, seat in enumerate(state.seats):
            hand = seat.hands[0]
            if not hand.cards or hand.status == "settled" or hand.from_split:
                continue
            twin = _with_first_two(state, index, cards)
            for other in (number for number in range(state.tables.seats + 1) if number != seat.number):
                assert view(twin, other) == view(state, other)


@pytest.mark.parametrize("name", one_in(5, sheets()))
@given(seed=seeds)
def test_events_hide_other_seats_face_down_cards(name: str, seed: int) -> None:
    """From the opening deal a seat learns its own cards and the upcard, never another seat's cards."""
    for step in steps(_face_down(name).tables, seed, seats=3):
        if step.before.phase != "dealing":
            continue
        settled = {seat.number for seat in step.after.seats if seat.hands[0].status == "settled"}
        for seat in range(step.after.tables.seats + 1):
            for event in visible_events(step.after, seat):
                if isinstance(event, CardDealt) and event.seat not in (0, seat, *settled):
                    assert event.card is None


@pytest.mark.parametrize("name", ["upcard-luck-21", "no hole card"])
@given(seed=seeds)
def test_a_table_announces_no_face_down_card(name: str, seed: int) -> None:
    """A spectator's events hide the hole card and all players' cards that are not yet settled."""
    sheet = _face_down(name)
    table = Table(sheet, seed=seed)
    for seat in (1, 2, 3):
        table.bet(sheet.main.min, seat=seat)
    table.deal()
    if table.phase == "done":
        return
    settled = {seat.number for seat in table.state.seats if seat.hands[0].status == "settled"}
    dealt = [event for event in table.events if isinstance(event, CardDealt)]
    assert len(dealt) == (7 if sheet.dealer.hole_card == "none" else 8)
    assert [event.seat for event in dealt if event.seat and event.card is not None and event.seat not in settled] == []
    assert [event.card for event in dealt if not event.seat] in ([table.state.upcard], [table.state.upcard, None])


@pytest.mark.parametrize("name", one_in(5, sheets()))
@given(seed=seeds)
def test_other_seats_cannot_distinguish_face_down_cards_of_equal_value(name: str, seed: int) -> None:
    """A whole round with a seat's cards in other suits looks the same to the others until the hand is settled."""
    sheet = _face_down(name)
    moves = [
        Bet(move.seat, move.main) if isinstance(move, Bet) else move
        for move in (step.move for step in steps(sheet.tables, seed, seats=3))
    ]
    falls = [index for index, move in enumerate(moves) if isinstance(move, Deal)]
    swapped = list(moves)
    for index in (falls[0], falls[4]):
        swapped[index] = Deal(Card(4 * (moves[index].card >> 2) + (moves[index].card + 1) % 4))
    state, twin = start(sheet.tables), start(sheet.tables)
    for move, other in zip(moves, swapped, strict=True):
        if why_not(state, move) is not None:
            break  # the round took another course without its side wagers
        state, twin = advance(state, move), advance(twin, other)
        hand = state.seats[0].hands[0]
        if hand.status == "settled" or hand.from_split:
            break
        for number in (state.seats[1:2] and state.seats[1].number, 0):
            assert view(twin, number) == view(state, number)
            assert visible_events(twin, number) == visible_events(state, number)


@pytest.mark.parametrize("name", one_in(5, sheets()))
@given(seed=seeds)
def test_views_do_not_know_the_shoe(name: str, seed: int) -> None:
    """Two tables in the same state with different shoes show the same view, and no view names undealt cards."""
    table = Table(sheets()[name], seed=seed)
    play_round(table, random.Random(seed))
    seen = [table.view(seat) for seat in range(table.tables.seats + 1)]
    table.shoe.draw(table.shoe.left)
    assert [table.view(seat) for seat in range(table.tables.seats + 1)] == seen
    lying = {card for seat in table.state.seats for hand in seat.hands for card in hand.cards} | {*table.state.dealer}
    assert {card for look in seen for card in _cards_in(look)} == lying


def _cards_in(look: View) -> set[Card]:
    """Every card anywhere in a view, at any depth."""
    found: set[Card] = set()
    todo: list[object] = [look]
    while todo:
        thing = todo.pop()
        if isinstance(thing, Card):
            found.add(thing)
        elif isinstance(thing, tuple):
            todo.extend(thing)
    return found
