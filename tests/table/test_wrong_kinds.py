"""Moves and amounts of the wrong type: a named refusal, and nothing changes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

import holecard
from holecard.deck import card
from holecard.errors import IllegalMove, OutOfTurn, RecordError, Refusal, Unreadable, WagerRefused
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from tests.scripted_rounds import play_cards


@pytest.mark.parametrize(
    "seat",
    ["1", None, 1.5, 0, 8, True],
)
def test_a_bet_of_a_seat_that_is_not_there_is_refused(seat: Any) -> None:
    """Seats are integers from 1 to the number of seats."""
    state, bet = holecard.start("match-up"), Bet(seat, "$10")
    with pytest.raises(OutOfTurn, match="does not exist; this table has seats 1 to"):
        holecard.advance(state, bet)
    assert holecard.why_not(state, bet)


@pytest.mark.parametrize("amount", [5.0, float("nan"), "ten", "-$10", True, -10, None])
def test_no_move_is_made_with_what_is_not_an_amount(amount: Any) -> None:
    """Moves read amounts when they are created, so a wrong one never reaches a round."""
    for make in (
        lambda: Bet(1, amount),
        lambda: Bet(1, "$10", {"Match Up": amount}),
        lambda: Place(1, {"Hedge 18": amount}),
        lambda: Act(1, "double", amount if amount is not None else "nothing"),
    ):
        with pytest.raises(Unreadable, match="is not an amount of money"):
            make()


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (holecard.start("match-up"), Bet(1, 10)._replace(main=10)),
        (holecard.start("match-up"), Bet(1, 10)._replace(sides={"Match Up": 5})),
        (play_cards("face-up", "6s Td 5h 9c"), Act(1, "double", 5)._replace(amount=5)),
        (play_cards("quick-pay", "Ts 8d 9h Tc"), Place(1, {"Hedge 18": 5})._replace(sides={"Hedge 18": 5})),
    ],
)
def test_a_move_with_plain_numbers_put_into_it_is_refused(state: Any, move: Any) -> None:
    """It is not known whether they are dollars or cents."""
    with pytest.raises(WagerRefused, match="was not made by calling"):
        holecard.advance(state, move)


@pytest.mark.parametrize("thing", ["As", None, 3])
def test_an_invalid_card_is_not_dealt(thing: Any) -> None:
    """Text must be read as a card first."""
    state = holecard.advance(holecard.advance(holecard.start("classic"), Bet(1, 10)), NoMoreBets())
    with pytest.raises(IllegalMove, match="is not a card"):
        holecard.advance(state, Deal(thing))
    assert holecard.advance(state, Deal(card("As"))).seats[0].hands[0].total == 11


@pytest.mark.parametrize("thing", [None, "hit", (1, "hit"), object()])
def test_an_invalid_move_is_refused(thing: Any) -> None:
    """Moves are Bet, NoMoreBets, Deal, Act and Place."""
    with pytest.raises(IllegalMove, match="is not a move"):
        holecard.advance(holecard.start("classic"), thing)


@pytest.mark.parametrize("action", ["jump", "", None, [], 5])
def test_an_invalid_action_is_refused(action: Any) -> None:
    """The message lists the valid actions."""
    with pytest.raises(IllegalMove, match="that is not an action; it can be hit, stand"):
        holecard.advance(play_cards("classic", "Ts 6d 5h Tc"), Act(1, action))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda table: table.bet(10, ["Match Up"]), "does not name side wagers"),
        (lambda table: table.bet(1.5), "is not an amount of money"),
        (lambda table: table.bet("9" * 5000), "is too large; amounts are below"),
        (lambda table: table.bet(10, seat=99), "seat 99 does not exist"),
        (lambda table: table.buy_in(5, seat=99), "seat 99 does not exist"),
        (lambda table: table.act("hit"), "no seat has a decision"),
        (lambda table: table.deal(), "nobody has bet"),
        (lambda table: table.record(), "when it is over"),
    ],
)
def test_a_table_refuses_in_words(call: Any, words: str) -> None:
    """Its accounts are unchanged."""
    table = holecard.Table("match-up", bankroll="$100", seed=1)
    with pytest.raises(Refusal, match=words):
        call(table)
    assert (table.bankroll(), table.at_risk(), table.phase) == (10_000, 0, "betting")


def test_a_round_starts_from_a_name_a_sheet_or_its_tables() -> None:
    """All three give the same table."""
    sheet = holecard.rules("double-up")
    assert holecard.start("double-up") == holecard.start(sheet) == holecard.start(sheet.tables)


JUNK: list[Any] = [
    None,
    True,
    5,
    1.5,
    "x",
    b"x",
    [],
    [1],
    (1, 2),
    {1: 2},
    {"Hedge 18": None},
    object(),
    float("nan"),
    10**400,
]


@pytest.mark.parametrize(
    "junk", JUNK, ids=lambda junk: f"{type(junk).__name__} {len(str(junk))}" if type(junk) is not object else "object"
)
def test_junk_is_refused_wherever_it_is_given(junk: Any) -> None:
    """Always a refusal, never an internal Python error; nothing else is a seat, not even True."""
    table = holecard.Table("quick-pay", seed=3, bankroll="$1000")
    table.bet("$5")
    table.deal()
    state, empty = table.state, holecard.start("quick-pay")
    calls: list[Any] = [
        lambda: holecard.advance(empty, Bet(junk, 10)) if type(junk) is not int else None,
        lambda: holecard.advance(empty, Bet(1, junk)),
        lambda: holecard.advance(empty, Bet(1, 10, junk)),
        lambda: holecard.advance(state, Place(junk, {"Hedge 18": 1})),
        lambda: holecard.advance(state, Place(1, junk)),
        lambda: holecard.advance(state, Act(junk, "stand")),
        lambda: table.bet("$5", seat=junk),
        lambda: table.place({"Hedge 18": "$1"}, seat=junk or 0),  # without a seat it is the one to act
        lambda: holecard.deck.card(junk),
        lambda: holecard.Table("classic", settings=junk),
        lambda: holecard.rules("classic", junk),
        lambda: holecard.Table(junk),
    ]
    for call in calls:
        before = table.state
        with suppress(Refusal):
            call()
        assert table.state == before or type(junk) is int
    for refused in (calls[2], calls[4], calls[8]):
        if junk not in ([], ()):  # an empty placement is a pass
            with pytest.raises(Refusal):
                refused()


@pytest.mark.parametrize("thing", [None, 5, "acting", ()])
def test_what_is_not_a_state_is_refused(thing: Any) -> None:
    """In every function that takes a state."""
    for call in (
        lambda: holecard.legal(thing),
        lambda: holecard.why_not(thing, NoMoreBets()),
        lambda: holecard.advance(thing, NoMoreBets()),
        lambda: holecard.view(thing),
    ):
        with pytest.raises(Refusal, match=r"is not a state of a round; begin with start\(game\)"):
            call()


@pytest.mark.parametrize("thing", [None, 5, b"game", []])
def test_what_is_not_a_record_is_refused(thing: Any) -> None:
    """It is neither read nor replayed."""
    with pytest.raises(RecordError, match="is not a record; give the text of one"):
        holecard.read_record(thing)
    with pytest.raises(RecordError, match="is not a record; read one with read_record"):
        holecard.replay(thing)


@pytest.mark.parametrize("seed", [[], "1", 1.5, True, b"1"])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    """Anything else would be hashed, or fail inside Python's generator."""
    with pytest.raises(Refusal, match="is not a whole number"):
        holecard.Table("classic", seed=seed)


def test_true_is_not_a_seat() -> None:
    """Although it equals 1 in Python."""
    table = holecard.Table("classic", seed=1)
    with pytest.raises(OutOfTurn, match="seat True does not exist"):
        table.bet("$10", seat=True)
