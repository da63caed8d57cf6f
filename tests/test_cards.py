"""Cards read and print as "As", "Td"."""

from __future__ import annotations

import pytest

from holecard.deck import DECK, RANKS, SUIT_SIGNS, Card, card, cards, value_name, value_of
from holecard.errors import Unreadable


def test_a_deck_has_52_different_cards() -> None:
    """Thirteen ranks in four suits, each printed differently."""
    assert len({str(one) for one in DECK}) == 52
    assert [str(one) for one in DECK[:5]] == ["As", "Ah", "Ad", "Ac", "2s"]
    assert str(DECK[-1]) == "Kc"


@pytest.mark.parametrize("index", [-1, 52])
def test_there_is_no_other_card(index: int) -> None:
    """A number beyond the deck is refused."""
    with pytest.raises(Unreadable, match="is not a card"):
        Card(index)


@pytest.mark.parametrize("one", DECK, ids=str)
def test_a_cards_text_reads_back(one: Card) -> None:
    """In any spelling: plain, with a suit symbol, in capitals, with spaces."""
    assert card(str(one)) is one
    assert card(RANKS[one.rank] + SUIT_SIGNS[one.suit]) is one
    assert card(f" {str(one).upper()} ") is one
    assert card(str(one).lower()) is one
    assert card(str(one).replace("T", "10")) is one
    assert 4 * one.rank + one.suit == one


@pytest.mark.parametrize(
    ("text", "value", "red"), [("As", 1, False), ("2h", 2, True), ("9d", 9, True), ("Tc", 10, False), ("Kh", 10, True)]
)
def test_value_and_color(text: str, value: int, red: bool) -> None:
    """An ace is 1, face cards are 10; hearts and diamonds are red."""
    assert card(text).value == value
    assert card(text).is_red is red


def test_ten_value_cards_are_of_different_ranks() -> None:
    """T, J, Q and K share a value, not a rank."""
    tens = cards("Ts Js Qs Ks")
    assert {one.value for one in tens} == {10}
    assert len({one.rank for one in tens}) == 4


@pytest.mark.parametrize("text", ["As Td 7c", "As,Td,7c", "As | Td ; 7c", "[As] [Td] [7c]", " As  Td\n7c "])
def test_several_cards_in_any_punctuation(text: str) -> None:
    """Separators do not matter."""
    assert [str(one) for one in cards(text)] == ["As", "Td", "7c"]


def test_cards_given_as_cards_are_taken_as_they_are() -> None:
    """And an empty text gives an empty list."""
    assert cards(iter(DECK[:3])) == DECK[:3]
    assert cards("") == ()


@pytest.mark.parametrize("text", ["", "A", "1s", "Ax", "11s", "AsTd", "sA", "A s"])
def test_an_invalid_card_is_refused(text: str) -> None:
    """The message shows how to write one."""
    with pytest.raises(Unreadable, match="such as 'As' or 'Td'"):
        card(text)


@pytest.mark.parametrize(
    ("text", "value"), [("A", 1), ("a", 1), ("5", 5), ("10", 10), ("T", 10), ("K", 10), ("Kd", 10)]
)
def test_the_value_of_a_rank_or_a_card(text: str, value: int) -> None:
    """A rank alone is enough."""
    assert value_of(text) == value


def test_values_by_name() -> None:
    """From A to T, and back."""
    assert "".join(map(value_name, range(1, 11))) == "A23456789T"
    assert [value_of(value_name(value)) for value in range(1, 11)] == list(range(1, 11))
