"""Totals, softness, and sets of totals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import DECK, Card, cards
from holecard.errors import Unreadable
from holecard.hands import add, count, format_total, is_natural, totals
from tests import oracle


@given(st.lists(st.sampled_from(DECK), max_size=22))
def test_a_total_is_the_best_way_to_count_the_aces(hand: list[Card]) -> None:
    """Counted card by card, a total equals the best over every ace as 1 or 11, in any order."""
    texts = [str(card) for card in hand]
    assert count(hand) == (oracle.total(texts), oracle.is_soft(texts))
    assert count(sorted(hand)) == count(sorted(hand, reverse=True))


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ((0, False), 1, (11, True)),
        ((10, False), 1, (21, True)),
        ((11, False), 1, (12, False)),
        ((11, True), 1, (12, True)),
        ((21, True), 1, (12, False)),
        ((17, True), 10, (17, False)),
        ((16, False), 10, (26, False)),
        ((16, True), 5, (21, True)),
    ],
)
def test_one_more_card(before: tuple[int, bool], value: int, after: tuple[int, bool]) -> None:
    """A soft hand that would bust becomes hard; a hard one busts."""
    assert add(*before, value) == after


@pytest.mark.parametrize(
    ("hand", "natural"), [("As Td", True), ("Kh Ad", True), ("As Ad", False), ("7s 7d 7h", False), ("As 5d 5h", False)]
)
def test_a_natural_is_an_ace_and_a_ten(hand: str, natural: bool) -> None:
    """And nothing else."""
    assert is_natural(cards(hand)) is natural


def test_how_a_dealer_calls_a_total() -> None:
    """Soft is mentioned where it matters."""
    assert format_total(17, True) == "soft 17"
    assert format_total(21, True) == "21"
    assert format_total(16, False) == "16"
    assert format_total(24, False) == "bust with 24"


@given(st.sampled_from(["any", "none", "9-11", "hard 9-11", "soft 13-18", "hard 8, 10-11, soft 19", "21"]))
def test_a_set_of_totals_holds_what_its_words_say(words: str) -> None:
    """Every total, hard and soft, compared with a plain interpretation."""
    for total in range(2, 22):
        for soft in (False, True):
            assert ((total, soft) in totals(words)) is oracle.among(words, total, soft)


@pytest.mark.parametrize("words", ["", "nine", "9 to 11", "11-9", "1", "22", "hard", "9-", "hard 9-11 soft 13"])
def test_an_invalid_set_of_totals_is_refused(words: str) -> None:
    """Also a reversed range and totals beyond 21."""
    with pytest.raises(Unreadable):
        totals(words)
