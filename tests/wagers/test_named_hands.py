"""Every word for a hand against a predicate written again from the cards' text, over every deal it can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement, product

import pytest

from holecard.cards import DECK, Card, cards
from holecard.errors import Unreadable
from holecard.wagers.named_hands import named_hand
from tests.oracle import is_soft, points, total

Texts = tuple[str, ...]
ORDER = "A23456789TJQK"
PAIRS = list(combinations_with_replacement(DECK, 2))
TRIPLES = list(combinations_with_replacement(DECK, 3))
#: A sixth of all fours: enough to meet every kind many times.
FOURS = list(combinations_with_replacement(DECK, 4))[::6]


def one_suit(hand: Texts) -> bool:
    return all(card[1] == hand[0][1] for card in hand)


def most_alike(hand: Texts) -> int:
    return max(Counter(card[0] for card in hand).values())


def in_a_row(hand: Texts) -> bool:
    """Some run of the ranks A23…K or 23…KA holds exactly these, each once."""
    ranks = "".join(sorted((card[0] for card in hand), key=ORDER.index))
    high = "".join(sorted((card[0] for card in hand), key=(ORDER[1:] + "A").index))
    return ranks in ORDER or high in ORDER[1:] + "A"


def two_pairs(hand: Texts) -> bool:
    return sorted(Counter(card[0] for card in hand).values()) == [2, 2]


TWO: dict[str, Callable[[Texts], bool]] = {
    "any": lambda _: True,
    "suited": one_suit,
    "unsuited": lambda hand: not one_suit(hand),
    "one colour": lambda hand: (hand[0][1] in "hd") == (hand[1][1] in "hd"),
    "pair": lambda hand: hand[0][0] == hand[1][0],
    "suited pair": lambda hand: hand[0] == hand[1],
    "pair of aces": lambda hand: hand[0][0] == hand[1][0] == "A",
    "pair of tens": lambda hand: hand[0][0] == hand[1][0] == "T",
    "suited pair of kings": lambda hand: hand[0] == hand[1] and hand[0][0] == "K",
    "natural": lambda hand: {points(hand[0]), points(hand[1])} == {1, 10},
    "suited natural": lambda hand: {points(card) for card in hand} == {1, 10} and one_suit(hand),
    "As Js": lambda hand: sorted(hand) == ["As", "Js"],
    "As As": lambda hand: hand == ("As", "As"),
    "3 and 8": lambda hand: sorted(card[0] for card in hand) == ["3", "8"],
    "suited 3 and 8": lambda hand: sorted(card[0] for card in hand) == ["3", "8"] and one_suit(hand),
    "K and Q": lambda hand: {card[0] for card in hand} == {"K", "Q"},
    "10 and A": lambda hand: {card[0] for card in hand} == {"T", "A"},
    "20": lambda hand: total(list(hand)) == 20,
    "18-20": lambda hand: 18 <= total(list(hand)) <= 20,
    "hard 9-11": lambda hand: 9 <= total(list(hand)) <= 11 and not is_soft(list(hand)),
    "hard 11": lambda hand: total(list(hand)) == 11 and not is_soft(list(hand)),
    "soft 19": lambda hand: total(list(hand)) == 19 and is_soft(list(hand)),
    "suited hard 11": lambda hand: one_suit(hand) and total(list(hand)) == 11 and not is_soft(list(hand)),
}
THREE: dict[str, Callable[[Texts], bool]] = {
    "straight": in_a_row,
    "flush": one_suit,
    "straight flush": lambda hand: one_suit(hand) and in_a_row(hand),
    "trips": lambda hand: most_alike(hand) == 3,
    "three of a kind": lambda hand: most_alike(hand) == 3,
    "suited trips": lambda hand: most_alike(hand) == 3 and one_suit(hand),
    "pair": lambda hand: most_alike(hand) >= 2,
    "one colour": lambda hand: len({card[1] in "hd" for card in hand}) == 1,
    "21": lambda hand: total(list(hand)) == 21,
    "7 and 7 and 7": lambda hand: [card[0] for card in hand] == ["7", "7", "7"],
    "6h 7h 8h": lambda hand: sorted(hand) == ["6h", "7h", "8h"],
    "pair of queens": lambda hand: sum(card[0] == "Q" for card in hand) >= 2,
}
FOUR: dict[str, Callable[[Texts], bool]] = {
    "straight": in_a_row,
    "flush": one_suit,
    "straight flush": lambda hand: one_suit(hand) and in_a_row(hand),
    "four of a kind": lambda hand: most_alike(hand) == 4,
    "three of a kind": lambda hand: most_alike(hand) >= 3,
    "two pair": two_pairs,
    "pair": lambda hand: most_alike(hand) >= 2,
}
CASES = [
    *((words, PAIRS, holds) for words, holds in TWO.items()),
    *((words, TRIPLES, holds) for words, holds in THREE.items()),
    *((words, FOURS, holds) for words, holds in FOUR.items()),
]


@pytest.mark.parametrize(("words", "deals", "holds"), CASES, ids=[f"{words} of {len(d[0])}" for words, d, _ in CASES])
def test_a_phrase_fits_exactly_its_hands(
    words: str, deals: list[tuple[Card, ...]], holds: Callable[[Texts], bool]
) -> None:
    """Every deal, in whichever order the cards lie."""
    hand = named_hand(words, len(deals[0]))
    fitting = 0
    for deal in deals:
        expected = holds(tuple(map(str, deal)))
        fitting += expected
        assert hand.fits(deal) is expected, deal
        assert hand.fits(deal[::-1]) is expected, deal
    assert fitting > 0


@pytest.mark.parametrize(("number", "suited"), list(product((0, 1, 2), (True, False))))
def test_matches_with_the_upcard(number: int, suited: bool) -> None:
    """Exactly so many of the player's two cards have the upcard's rank, in its suit or in another."""
    words = f"{number} {'suited' if suited else 'unsuited'} match{'' if number == 1 else 'es'}"
    hand = named_hand(words, 3)
    upcard = cards("7h")[0]
    for first, second in PAIRS:
        found = sum(str(card)[0] == "7" and (str(card)[1] == "h") == suited for card in (first, second))
        assert hand.fits((first, second, upcard)) is (found == number)
        assert hand.fits((second, first, upcard)) is (found == number)


@pytest.mark.parametrize(
    ("hand", "fits"),
    [("As 2h 3d", True), ("Qs Kh Ad", True), ("Ks Ah 2d", False), ("9s Th Jd", True), ("2s 2h 3d", False)],
)
def test_an_ace_is_high_or_low_but_never_in_the_middle(hand: str, fits: bool) -> None:
    """A-2-3 and Q-K-A are straights, K-A-2 is not."""
    assert named_hand("straight", 3).fits(cards(hand)) is fits


@pytest.mark.parametrize(
    ("words", "looks_at", "says"),
    [
        ("", 2, "a line needs a hand"),
        ("suitd pair", 2, "did you mean 'suited'?"),
        ("pear", 2, "did you mean 'pair'?"),
        ("straightflush", 3, "did you mean 'straight flush'?"),
        ("straight", 2, "needs at least 3 cards"),
        ("two pair", 3, "needs at least 4 cards"),
        ("four of a kind", 3, "needs at least 4 cards"),
        ("2 suited matches", 2, "needs at least 3 cards"),
        ("As Js", 3, "names 2 cards, but this wager looks at 3"),
        ("3 and 8", 3, "names 2 cards, but this wager looks at 3"),
        ("6h 7h 8h", 2, "names 3 cards, but this wager looks at 2"),
        ("hard 22", 2, "totals run from 2 to 21"),
        ("pair of eggs", 2, "'of' is no word for a hand"),
        ("3 unsuited matches", 3, "is no word for a hand"),
        ("suited royal", 2, "'royal' is no word for a hand"),
    ],
)
def test_a_wrong_phrase_is_refused_with_a_helpful_message(words: str, looks_at: int, says: str) -> None:
    """What is wrong, and what would be right."""
    with pytest.raises(Unreadable) as refused:
        named_hand(words, looks_at)
    assert says in str(refused.value)
