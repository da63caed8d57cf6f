"""`legal` lists exactly the possible actions, every other one is refused, and a refusal changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import card
from holecard.errors import IllegalMove, OutOfTurn, Refusal, WagerRefused
from holecard.money import Money, dollars, money
from holecard.table.advance import advance
from holecard.table.events import Act, Bet, Choice, Deal, Misdeal, Move, NoMoreBets, Place
from holecard.table.legal import legal, offered, why_not
from holecard.table.state import Seat, State
from holecard.table.table import Table
from holecard.table.views import view
from tests import oracle
from tests.random_play import play_round, sheets, some_amount, some_decision, some_more, steps
from tests.selection import examples, one_in

seeds = st.integers(0, 2**32)
NAMES = list(sheets())
ACTIONS = (
    "hit",
    "stand",
    "double",
    "split",
    "double up",
    "quick pay",
    "surrender",
    "no surrender",
    "insurance",
    "no insurance",
)


def _result(state: State, move: Move) -> State | Refusal:
    try:
        return advance(state, move)
    except Refusal as refusal:
        return refusal


def _amounts(choice: Choice | None) -> Iterator[Money | None]:
    yield from (None, Money.cents(0), Money.cents(1))
    if choice and choice.low is not None and choice.high is not None:
        chip = _chip(choice)
        low, high = choice.low, choice.high
        yield from (low - 1, low, high, high + 1)
        yield from (low + 1, low + chip, low + chip // 2, high - 1, max(high - chip, Money(0)))


def _chip(choice: Choice) -> Money:
    """The chip that amounts are multiples of."""
    assert choice.step is not None
    return choice.step


def _is_offered(choice: Choice | None, amount: Money | None) -> bool:
    if choice is None:
        return False
    if amount is None:
        return choice.action != "insurance"
    if choice.low is None or choice.high is None:
        return False
    return amount == choice.high or (choice.low <= amount <= choice.high and amount % _chip(choice) == 0)


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_exactly_the_legal_actions_are_taken(name: str, seed: int) -> None:
    """Each listed action is accepted, at both ends of its range; any other action or amount is refused."""
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=2)]:
        if state.asked is None or state.phase in ("after the check", "last call"):
            continue
        choices = {choice.action: choice for choice in legal(state)}
        assert all(choice.seat == state.asked.number for choice in choices.values())
        for action in ACTIONS:
            for amount in _amounts(choices.get(action)):
                outcome = _result(state, Act(state.asked.number, action, amount))
                assert isinstance(outcome, State) == _is_offered(choices.get(action), amount)
                if isinstance(outcome, State):
                    assert outcome != state
                else:
                    assert isinstance(outcome, WagerRefused if action in choices else IllegalMove)


@pytest.mark.parametrize("name", one_in(4, NAMES))
@given(seed=seeds)
def test_amounts_go_in_the_chips_of_the_table(name: str, seed: int) -> None:
    """Doubles for less and insurance are whole steps of the main wager, or of the insurance minimum."""
    sheet = sheets()[name]
    main, least = money(sheet.main.step), money(sheet.insurance.min)
    for state in [step.after for step in steps(sheet.tables, seed, seats=2)]:
        for choice in legal(state):
            if choice.low is None or choice.high is None:
                continue
            assert all(choice.allows(amount) for amount in (choice.low, choice.high))
            if choice.action == "insurance":
                assert (choice.low, choice.step) == (least, gcd(main, least))
                assert choice.low % choice.step == choice.high % choice.step == 0
            else:
                assert state.asked
                assert choice.high == state.asked.hands[state.hand].wagered
                assert (choice.low, choice.step) == (min(main, choice.high), main)


LATE = [name for name in NAMES if any(w.placed == "until the hole card is turned" for w in sheets()[name].wager)]


def _without_natural(seat: Seat) -> bool:
    return not oracle.is_natural([str(card) for card in seat.first_two])


@pytest.mark.parametrize("name", LATE)
@given(seed=seeds)
def test_late_wagers_are_open_from_the_check_to_the_turn_and_at_no_other_time(name: str, seed: int) -> None:
    """Every seat of the round without a natural may place one at any decision, and its choices say so."""
    rng = random.Random(seed)
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=3)]:
        is_open = not state.queue and state.phase in ("after the check", "acting", "last call")
        assert not (is_open and state.hole_seen)
        for seat in state.seats:
            names = {wager.name for wager in offered(state, seat.number)}
            assert {*view(state, seat.number).offered} == names
            if state.phase == "betting":
                continue
            assert not names or (is_open and _without_natural(seat))
            for wager in sheets()[name].wager:
                least = {wager.name: 2, **({wager.needs: 2} if wager.needs else {})}
                if wager.placed == "until the hole card is turned" and not (is_open and _without_natural(seat)):
                    assert why_not(state, Place(seat.number, least))
            if more := some_more(state, seat, rng):
                placed = advance(state, Place(seat.number, more))
                mine = next(after for after in placed.seats if after.number == seat.number)
                before = {side.wager: side.stake for side in seat.sides}
                now = {side.wager: side.stake for side in mine.sides}
                added = {state.tables.wagers[index].name: now[index] - before.get(index, 0) for index in now}
                assert {wager: stake for wager, stake in added.items() if stake} == more


@pytest.mark.parametrize("name", LATE)
def test_random_play_places_late_wagers_at_every_moment(name: str) -> None:
    """The cases that these tests need occur: before, on and after a seat's turn, at its last call and at another's."""
    moments: set[tuple[str, int]] = set()
    for seed in range(120):
        for before, move, _ in steps(sheets()[name].tables, seed, seats=3):
            if isinstance(move, Place) and move.sides and before.asked:
                moments.add((before.phase, (move.seat > before.asked.number) - (move.seat < before.asked.number)))
    assert moments >= {(phase, side) for phase in ("acting", "last call") for side in (-1, 0, 1)}


@pytest.mark.parametrize("name", LATE)
@given(seed=seeds)
def test_there_is_a_last_call_before_every_turn(name: str, seed: int) -> None:
    """No hole card is turned after play before every seat that can still place a wager was asked."""
    played = steps(sheets()[name].tables, seed, seats=3)
    answered = {step.move.seat for step in played if step.before.phase == "last call" and isinstance(step.move, Place)}
    turned = next(step for step in played if step.after.hole_seen and not step.before.hole_seen)
    for seat in turned.before.seats:
        if seat.number not in answered and turned.before.phase not in ("dealing", "insurance"):
            assert not offered(turned.before, seat.number)


@pytest.mark.parametrize("name", one_in(4, NAMES))
@given(seed=seeds)
def test_why_not_is_none_for_a_legal_move_and_otherwise_the_refusal(name: str, seed: int) -> None:
    """`why_not` and `advance` agree about every kind of move at every moment, and a refusal leaves the state equal."""
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=2)][::2]:
        before = (*state,)
        moves: list[Move] = [NoMoreBets(), Deal(card("As")), Misdeal(), Bet(1, 10), Bet(9, 10), Bet(1, "$0.01")]
        for seat in range(9):
            moves += [Act(seat, "hit"), Act(seat, "insurance", 1), Place(seat), Place(seat, {"Nothing": 1})]
        for move in moves:
            outcome = _result(state, move)
            reason = why_not(state, move)
            assert reason == (None if isinstance(outcome, State) else str(outcome))
            assert reason is None or len(reason) > 10
            assert (*state,) == before


@pytest.mark.parametrize("name", one_in(4, NAMES))
@given(seed=seeds)
def test_a_seat_that_is_not_asked_is_out_of_turn(name: str, seed: int) -> None:
    """While one seat decides, actions of other seats are out of turn; while a card is expected, all actions are."""
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=3)]:
        asked = state.asked and state.asked.number
        for seat in range(8):
            if seat != asked:
                assert isinstance(_result(state, Act(seat, "stand")), OutOfTurn)
                assert isinstance(_result(state, Place(seat)), OutOfTurn)
        assert isinstance(_result(state, Deal(card("As"))), State if state.queue else OutOfTurn)


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_the_options_of_a_hand_are_those_of_the_plain_rules(name: str, seed: int) -> None:
    """Hit, double, split, Double-Up, Quick Pay and surrender are legal exactly where the sheet allows them."""
    sheet = sheets()[name]
    for state in [step.after for step in steps(sheet.tables, seed)]:
        if state.asked is None or state.phase != "acting":
            continue
        hand = state.asked.hands[state.hand]
        open_to = oracle.options(
            sheet,
            [str(card) for card in hand.cards],
            hands=len(state.asked.hands),
            from_split=len(state.asked.hands) > 1,
            upcard=str(state.upcard),
        )
        assert {choice.action for choice in legal(state)} == open_to


@pytest.mark.parametrize("name", one_in(3, NAMES))
@given(seed=seeds)
def test_no_hand_with_a_decision_is_passed_over(name: str, seed: int) -> None:
    """A hand that stands without a decision could only stand, or was doubled, or is a natural."""
    sheet = sheets()[name]
    acted: set[tuple[int, int]] = set()
    played = steps(sheet.tables, seed)
    for before, move, _ in played:
        if isinstance(move, Act) and before.phase == "acting" and move.action in ("stand", "double up", "double"):
            acted.add((move.seat, before.hand))
    final = played[-1].after
    early = {r.seat for r in final.results if r.line.startswith(("surrendered", "Quick Pay"))}
    if oracle.is_natural([str(card) for card in final.dealer]):
        return  # a natural that was found ends the round before any decision
    for seat in final.seats:
        for index, hand in enumerate(seat.hands):
            cards = [str(card) for card in hand.cards]
            if (seat.number, index) in acted or seat.number in early or oracle.total(cards) > 20:
                continue
            if len(cards) >= (sheet.player.charlie or 99):
                continue
            left = oracle.options(
                sheet, cards, hands=len(seat.hands), from_split=len(seat.hands) > 1, upcard=str(final.upcard)
            )
            assert left == {"stand"}, (seat.number, index, final)


@pytest.mark.parametrize("name", one_in(4, NAMES))
@given(seed=seeds)
def test_a_refused_call_leaves_the_table_as_it_was(name: str, seed: int) -> None:
    """Refused bets, actions and wagers change neither the state nor the money nor the shoe."""
    rng = random.Random(seed)
    table = Table(sheets()[name], bankroll=1_000_000, seed=seed)
    play_round(table, rng, 1)
    table.bet(sheets()[name].main.min, seat=1)
    table.deal()
    while table.phase != "done":
        before = (table.state, table.shoe.left, table.bankroll(1), table.at_risk(1))
        for call in (
            lambda: table.bet("$10", seat=1),
            lambda: table.deal(),
            lambda: table.act("hit", seat=2),
            lambda: table.act("stand", "$1"),
            lambda: table.act("double", "$1,000,000"),
            lambda: table.place({"Nothing": "$1"}),
            lambda: table.record(),
        ):
            with pytest.raises(Refusal):
                call()
            assert (table.state, table.shoe.left, table.bankroll(1), table.at_risk(1)) == before
        decision = some_decision(table.state, rng)
        if isinstance(decision, Place):
            table.place({wager: dollars(stake) for wager, stake in decision.sides.items()}, seat=decision.seat)
        else:
            table.act(decision.action, None if decision.amount is None else dollars(decision.amount))


@pytest.mark.parametrize("name", one_in(4, NAMES))
@examples(100)
@given(seed=seeds, owned=st.integers(1, 60))
def test_a_poor_seat_is_offered_only_what_it_can_pay(name: str, seed: int, owned: int) -> None:
    """Every action listed for a seat with little money is accepted, at both ends of the range, and never overdraws."""
    sheet = sheets()[name]
    rng = random.Random(seed)
    limits, mains = sheet.tables.main, 2 if sheet.main.companion else 1
    stake = limits.low + limits.step * rng.randint(0, min(owned, (limits.high - limits.low) // limits.step))
    table = Table(sheet, bankroll=dollars(mains * stake * rng.randint(100, 250) // 100), seed=seed)
    table.bet(dollars(stake))
    table.deal()
    while table.phase != "done":
        if table.phase in ("after the check", "last call"):
            table.place()
            continue
        choice = rng.choice(table.legal())
        table.act(choice.action, None if choice.high is None else dollars(some_amount(choice, rng)))
        assert table.at_risk(1) <= table.bankroll(1)
    assert table.bankroll(1) >= 0
