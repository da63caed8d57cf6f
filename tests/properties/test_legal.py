"""What `legal` lists can be done, everything else is refused, and a refusal changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.cards import card
from holecard.errors import IllegalMove, OutOfTurn, Refusal, WagerRefused
from holecard.money import dollars
from holecard.table.events import Act, Bet, Choice, Deal, Misdeal, Move, NoMoreBets, Place
from holecard.table.legal import legal, why_not
from holecard.table.round import advance
from holecard.table.state import State
from holecard.table.table import Table
from tests import oracle
from tests.random_play import play_round, sheets, some_decision, steps

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


def _amounts(choice: Choice | None) -> Iterator[int | None]:
    yield from (None, -1, 0, 1)
    if choice and choice.low is not None and choice.high is not None:
        yield from (choice.low - 1, choice.low, choice.high, choice.high + 1)


def _is_offered(choice: Choice | None, amount: int | None) -> bool:
    if choice is None:
        return False
    if amount is None:
        return choice.action != "insurance"
    return choice.low is not None and choice.high is not None and choice.low <= amount <= choice.high


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds)
def test_exactly_the_legal_actions_are_taken(name: str, seed: int) -> None:
    """Each listed action advances, at both ends of its range; any other action or amount is refused."""
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=2)]:
        if state.asked is None or state.phase == "after the check":
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


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds)
def test_why_not_is_none_for_a_legal_move_and_says_what_the_refusal_says(name: str, seed: int) -> None:
    """`why_not` and `advance` agree about every kind of move at every moment, and a refusal leaves the state equal."""
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=2)][::2]:
        before = (*state,)
        moves: list[Move] = [NoMoreBets(), Deal(card("As")), Misdeal(), Bet(1, 1000), Bet(9, 1000), Bet(1, -1)]
        for seat in range(9):
            moves += [Act(seat, "hit"), Act(seat, "insurance", 100), Place(seat), Place(seat, {"Nothing": 100})]
        for move in moves:
            outcome = _result(state, move)
            reason = why_not(state, move)
            assert reason == (None if isinstance(outcome, State) else str(outcome))
            assert reason is None or len(reason) > 10
            assert (*state,) == before


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds)
def test_a_seat_that_is_not_asked_is_out_of_turn(name: str, seed: int) -> None:
    """While one seat decides, every other seat's action is out of turn; while a card is awaited, everybody's is."""
    for state in [step.after for step in steps(sheets()[name].tables, seed, seats=3)]:
        asked = state.asked and state.asked.number
        for seat in range(8):
            if seat != asked:
                assert isinstance(_result(state, Act(seat, "stand")), OutOfTurn)
                assert isinstance(_result(state, Place(seat)), OutOfTurn)
        assert isinstance(_result(state, Deal(card("As"))), State if state.queue else OutOfTurn)


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds)
def test_the_options_of_a_hand_are_those_of_the_plain_rules(name: str, seed: int) -> None:
    """Hit, double, split, Double-Up, Quick Pay and surrender are open exactly where the sheet's words open them."""
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


@pytest.mark.parametrize("name", NAMES)
@given(seed=seeds)
def test_no_hand_with_a_decision_is_passed_over(name: str, seed: int) -> None:
    """A hand that stands without having been asked had nothing but standing to choose, or was doubled or a natural."""
    sheet = sheets()[name]
    acted: set[tuple[int, int]] = set()
    played = steps(sheet.tables, seed)
    for before, move, _ in played:
        if isinstance(move, Act) and before.phase == "acting" and move.action in ("stand", "double up", "double"):
            acted.add((move.seat, before.hand))
    final = played[-1].after
    early = {r.seat for r in final.results if r.line.startswith(("surrendered", "Quick Pay"))}
    if oracle.is_natural([str(card) for card in final.dealer]):
        return  # a natural that was seen ends the round before anybody is asked
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


@pytest.mark.parametrize("name", NAMES)
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
            table.place({wager: dollars(stake) for wager, stake in decision.sides.items()})
        else:
            table.act(decision.action, None if decision.amount is None else dollars(decision.amount))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100)
@given(seed=seeds, owned=st.integers(1, 60))
def test_a_poor_seat_is_offered_only_what_it_can_pay(name: str, seed: int, owned: int) -> None:
    """Whatever a table lists for a seat with little money is taken, at both ends of the range, and never overdraws."""
    sheet = sheets()[name]
    rng = random.Random(seed)
    limits, mains = sheet.tables.main, 2 if sheet.main.companion else 1
    stake = limits.low + limits.step * rng.randint(0, min(owned, (limits.high - limits.low) // limits.step))
    table = Table(sheet, bankroll=dollars(mains * stake * rng.randint(100, 250) // 100), seed=seed)
    table.bet(dollars(stake))
    table.deal()
    while table.phase != "done":
        if table.phase == "after the check":
            table.place()
            continue
        choice = rng.choice(table.legal())
        table.act(choice.action, None if choice.high is None else dollars(rng.choice([choice.low, choice.high])))
        assert table.at_risk(1) <= table.bankroll(1)
    assert table.bankroll(1) >= 0
