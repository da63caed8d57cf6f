"""Moves and amounts of the wrong kind: a named refusal, and everything stays as it was."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

import holecard
from holecard.deck import card
from holecard.errors import IllegalMove, OutOfTurn, Refusal, WagerRefused
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from tests.dictate import dictate


@pytest.mark.parametrize(
    "bet",
    [
        Bet("1", 1000),  # type: ignore[arg-type]
        Bet(None, 1000),  # type: ignore[arg-type]
        Bet(1.5, 1000),  # type: ignore[arg-type]
        Bet(0, 1000),
        Bet(8, 1000),
        Bet(1, 500.0),  # type: ignore[arg-type]
        Bet(1, float("nan")),  # type: ignore[arg-type]
        Bet(1, "10"),  # type: ignore[arg-type]
        Bet(1, True),
        Bet(1, -1000),
        Bet(1, 1000, {"Match Up": 1.0}),  # type: ignore[dict-item]
        Bet(1, 1000, {"Match Up": -100}),
    ],
)
def test_a_bet_of_the_wrong_kind_is_refused(bet: Bet) -> None:
    """Seats are whole numbers, stakes whole cents."""
    state = holecard.start("match-up")
    with pytest.raises((OutOfTurn, WagerRefused)):
        holecard.advance(state, bet)
    assert holecard.why_not(state, bet)


@pytest.mark.parametrize("thing", ["As", None, 3])
def test_what_is_no_card_does_not_fall(thing: Any) -> None:
    """Text has to be read as a card first."""
    state = holecard.advance(holecard.advance(holecard.start("classic"), Bet(1, 1000)), NoMoreBets())
    with pytest.raises(IllegalMove, match="is not a card"):
        holecard.advance(state, Deal(thing))
    assert holecard.advance(state, Deal(card("As"))).seats[0].hands[0].total == 11


@pytest.mark.parametrize("thing", [None, "hit", (1, "hit"), object()])
def test_what_is_no_move_is_refused(thing: Any) -> None:
    """Moves are Bet, NoMoreBets, Deal, Act and Place."""
    with pytest.raises(IllegalMove, match="is no move"):
        holecard.advance(holecard.start("classic"), thing)


@pytest.mark.parametrize("action", ["jump", "", None, [], 5])
def test_what_is_no_action_is_refused(action: Any) -> None:
    """The refusal lists the ones there are."""
    with pytest.raises(IllegalMove, match="that is no action; it can be hit, stand"):
        holecard.advance(dictate("classic", "Ts 6d 5h Tc"), Act(1, action))


@pytest.mark.parametrize("amount", [1.5, "3", -1, True])
def test_an_amount_of_the_wrong_kind_is_refused(amount: Any) -> None:
    """Doubling for less takes whole cents."""
    with pytest.raises(WagerRefused, match="whole cents"):
        holecard.advance(dictate("face-up", "6s Td 5h 9c"), Act(1, "double", amount))


def test_wagers_after_the_check_take_whole_cents() -> None:
    """Like those before the deal."""
    with pytest.raises(WagerRefused, match="whole cents"):
        holecard.advance(dictate("quick-pay", "Ts 8d 9h Tc"), Place(1, {"Hedge 18": 5.0}))  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda table: table.bet(10, ["Match Up"]), "does not name side wagers"),
        (lambda table: table.bet(1.5), "is no amount of money"),
        (lambda table: table.bet("9" * 5000), "is no amount of money"),
        (lambda table: table.bet(10, seat=99), "there is no seat 99"),
        (lambda table: table.buy_in(5, seat=99), "there is no seat 99"),
        (lambda table: table.act("hit"), "nobody is asked"),
        (lambda table: table.deal(), "nobody has bet"),
        (lambda table: table.record(), "when it is over"),
    ],
)
def test_a_table_refuses_in_words(call: Any, words: str) -> None:
    """And its accounts stay as they were."""
    table = holecard.Table("match-up", bankroll="$100", seed=1)
    with pytest.raises(Refusal, match=words):
        call(table)
    assert (table.bankroll(), table.at_risk(), table.phase) == (10_000, 0, "betting")


def test_a_round_starts_from_a_name_a_sheet_or_its_tables() -> None:
    """All three are the same table."""
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
    """A refusal each time, never an error of Python's own; no junk is a seat, not even True."""
    table = holecard.Table("quick-pay", seed=3, bankroll="$1000")
    table.bet("$5")
    table.deal()
    state, empty = table.state, holecard.start("quick-pay")
    calls: list[Any] = [
        lambda: holecard.advance(empty, Bet(junk, 1000)) if type(junk) is not int else None,
        lambda: holecard.advance(empty, Bet(1, junk)),
        lambda: holecard.advance(empty, Bet(1, 1000, junk)),
        lambda: holecard.advance(state, Place(junk, {"Hedge 18": 100})),
        lambda: holecard.advance(state, Place(1, junk)),
        lambda: holecard.advance(state, Act(junk, "stand")),
        lambda: table.bet("$5", seat=junk),
        lambda: table.place({"Hedge 18": "$1"}, seat=junk or 0),  # without a seat it is the one that is asked
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
        if junk not in ([], ()):  # nothing placed is a way to pass
            with pytest.raises(Refusal):
                refused()


@pytest.mark.parametrize("seed", [[], "1", 1.5, True, b"1"])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    """Anything else would be hashed, or fail inside Python's generator."""
    with pytest.raises(Refusal, match="is not a whole number"):
        holecard.Table("classic", seed=seed)


def test_true_is_not_a_seat() -> None:
    """Though Python counts it as 1."""
    table = holecard.Table("classic", seed=1)
    with pytest.raises(OutOfTurn, match="there is no seat True"):
        table.bet("$10", seat=True)
