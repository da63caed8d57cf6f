"""Every phrase for the dealer's final hand, over every possible final hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from holecard.errors import Unreadable
from holecard.wagers.dealer_hands import Finished, dealer_hand

HANDS = [
    Finished(total, cards, natural)
    for total, cards, natural in product(range(12, 27), range(2, 13), (False, True))
    if not natural or (total, cards) == (21, 2)
]
PHRASES: dict[str, Callable[[Finished], bool]] = {
    "18": lambda hand: hand.total == 18,
    "17-21": lambda hand: 17 <= hand.total <= 21,
    "21": lambda hand: hand.total == 21,
    "busts": lambda hand: hand.total > 21,
    "busts in 5 cards": lambda hand: hand.total > 21 and hand.cards == 5,
    "busts in 5+ cards": lambda hand: hand.total > 21 and hand.cards >= 5,
    "16 in 2 cards": lambda hand: hand.total == 16 and hand.cards == 2,
    "16 in 7+ cards": lambda hand: hand.total == 16 and hand.cards >= 7,
    "22": lambda hand: hand.total == 22,
    "natural": lambda hand: hand.natural,
    "no natural": lambda hand: not hand.natural,
    "21 in 3+ cards": lambda hand: hand.total == 21 and hand.cards >= 3,
}


@pytest.mark.parametrize("words", PHRASES)
def test_a_phrase_fits_exactly_its_hands(words: str) -> None:
    """Total, number of cards, natural or not."""
    fitting = {hand for hand in HANDS if dealer_hand(words).fits(hand)}
    assert fitting == {hand for hand in HANDS if PHRASES[words](hand)}
    assert fitting


@pytest.mark.parametrize("words", ["Busts in  5+ Cards", "busts IN 5+ cards", "busts in 5+ card"])
def test_spelling_is_forgiven_where_it_is_clear(words: str) -> None:
    """Capitals and spaces do not matter."""
    assert dealer_hand(words).fits(Finished(24, 6, natural=False))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "is not a dealer's hand"),
        ("bust", "write 'busts'"),
        ("dealer busts", "write 'busts'"),
        ("bust with 5 or more cards", "write 'busts in 5+ cards'"),
        ("3-card 16", "write '16 in 3 cards'"),
        ("17+", "write '17-21'"),
        ("19 or more", "write '19-21'"),
        ("18 or 19", "write '18-19'"),
        ("17 or 19", "one line for each"),
        ("busts in 3-4 cards", "write one line for each, such as 'busts in 3 cards'"),
        ("16 in three cards", "'16 in 3 cards'"),
        ("five card bust", "write 'busts in 5 cards'"),
        ("bust with 8 or more", "write 'busts in 8+ cards'"),
        ("busts in at least 5 cards", "write 'busts in 5+ cards'"),
        ("busts with 22", "write '22'"),
        ("no bust", "write '12-21'"),
        ("under 17", "write '12-16'"),
        ("17–21", "write '17-21'"),
        ("18 and 19", "write '18-19'"),
        ("bj", "write 'natural'"),
        ("not a natural", "write 'no natural'"),
        ("soft 17", "a line cannot ask whether the dealer's hand is hard or soft"),
        ("upcard 7", "the upcards are the wager's `upcard`"),
        ("16 in 1 card", "at least 2 cards"),
        ("18, 19", "one line for each"),
        ("17-30", "write '17-21', or 'busts'"),
        ("21-22", "write '21', or 'busts'"),
        ("23-30", "a dealer who busts has 22 to 26"),
        ("27", "write 'busts'"),
        ("7", "write a final total from 12 to 21"),
        ("11-18", "never ends below 12"),
        ("19-18", "the lower total first"),
    ],
)
def test_a_wrong_phrase_is_refused_with_the_right_ones(words: str, says: str) -> None:
    """The message shows how to write it."""
    with pytest.raises(Unreadable) as refused:
        dealer_hand(words)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("18", "the dealer ends with 18"),
        ("17-21", "the dealer ends with 17 to 21"),
        ("22", "the dealer busts with 22"),
        ("busts", "the dealer busts"),
        ("Busts in 5+ cards", "the dealer busts in 5 or more cards"),
        ("16 in 3 cards", "the dealer ends with 16 in 3 cards"),
        ("natural", "the dealer has a natural"),
        ("no natural", "the dealer has no natural"),
        ("blackjack", "the dealer has a natural"),
        ("no blackjack", "the dealer has no natural"),
    ],
)
def test_a_phrase_says_what_it_was_read_as(words: str, means: str) -> None:
    """In words that a designer can compare with the printed table."""
    assert dealer_hand(words).means == means
