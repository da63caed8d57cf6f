"""Every phrase for a hand, compared with a second predicate on the text of the cards, over every deal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement, islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.deck import DECK, Card, cards
from holecard.errors import Unreadable
from holecard.wagers.named_hands import named_hand
from tests.oracle import is_soft, points, total
from tests.selection import one_in

Texts = tuple[str, ...]
ORDER = "A23456789TJQK"
PAIRS = list(combinations_with_replacement(DECK, 2))
TRIPLES = list(combinations_with_replacement(DECK, 3))
#: One in 17 of all fours, and one in 3 of those of one suit: enough to have every kind several times.
FOURS = [
    *islice(combinations_with_replacement(DECK, 4), 0, None, 17),
    *(four for suit in range(4) for four in list(combinations(DECK[suit::4], 4))[::3]),
]


def one_suit(hand: Texts) -> bool:
    return all(card[1] == hand[0][1] for card in hand)


def most_alike(hand: Texts) -> int:
    return max(Counter(card[0] for card in hand).values())


def in_a_row(hand: Texts) -> bool:
    """Whether these are consecutive ranks of A23…K or 23…KA, each once."""
    ranks = "".join(sorted((card[0] for card in hand), key=ORDER.index))
    high = "".join(sorted((card[0] for card in hand), key=(ORDER[1:] + "A").index))
    return ranks in ORDER or high in ORDER[1:] + "A"


def two_pairs(hand: Texts) -> bool:
    return sorted(Counter(card[0] for card in hand).values()) == [2, 2]


TWO: dict[str, Callable[[Texts], bool]] = {
    "any": lambda _: True,
    "suited": one_suit,
    "unsuited": lambda hand: not one_suit(hand),
    "one color": lambda hand: (hand[0][1] in "hd") == (hand[1][1] in "hd"),
    "one colour": lambda hand: (hand[0][1] in "hd") == (hand[1][1] in "hd"),
    "pair": lambda hand: hand[0][0] == hand[1][0],
    "suited pair": lambda hand: hand[0] == hand[1],
    "pair of aces": lambda hand: hand[0][0] == hand[1][0] == "A",
    "pair of tens": lambda hand: hand[0][0] == hand[1][0] == "T",
    "suited pair of kings": lambda hand: hand[0] == hand[1] and hand[0][0] == "K",
    "natural": lambda hand: {points(hand[0]), points(hand[1])} == {1, 10},
    "blackjack": lambda hand: {points(hand[0]), points(hand[1])} == {1, 10},
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
    "total 3-8": lambda hand: 3 <= total(list(hand)) <= 8,
    "suited total 10": lambda hand: one_suit(hand) and total(list(hand)) == 10,
    "9-11": lambda hand: 9 <= total(list(hand)) <= 11,
    "3 and 8 suited": lambda hand: sorted(card[0] for card in hand) == ["3", "8"] and one_suit(hand),
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
    "one color": lambda hand: len({card[1] in "hd" for card in hand}) == 1,
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


@pytest.mark.parametrize(
    ("words", "deals", "holds"), one_in(5, CASES), ids=[f"{words} of {len(d[0])}" for words, d, _ in CASES]
)
def test_a_phrase_fits_exactly_its_hands(
    words: str, deals: list[tuple[Card, ...]], holds: Callable[[Texts], bool]
) -> None:
    """Every deal, in any order of the cards."""
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
    """Exactly this many of the player's two cards have the upcard's rank, in its suit or in another."""
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
        ("pairs", 2, "did you mean 'pair'?"),
        ("straightflush", 3, "did you mean 'straight flush'?"),
        ("straight", 2, "needs at least 3 cards"),
        ("two pair", 3, "needs at least 4 cards"),
        ("four of a kind", 3, "needs at least 4 cards"),
        ("2 suited matches", 2, "needs at least 3 cards"),
        ("As Js", 3, "names 2 cards, but this wager looks at 3"),
        ("3 and 8", 3, "names 2 cards, but this wager looks at 3"),
        ("6h 7h 8h", 2, "names 3 cards, but this wager looks at 2"),
        ("hard 22", 2, "totals run from 2 to 21"),
        ("pair of eggs", 2, "'of' is not a word for a hand"),
        ("3 unsuited matches", 3, "is not a word for a hand"),
        ("suited royal", 2, "'royal' is not a word for a hand"),
    ],
)
def test_a_wrong_phrase_is_refused_with_a_helpful_message(words: str, looks_at: int, says: str) -> None:
    """It says what is wrong and what is valid."""
    with pytest.raises(Unreadable) as refused:
        named_hand(words, looks_at)
    assert says in str(refused.value)


# Ambiguous phrases


@pytest.mark.parametrize(
    ("words", "looks_at", "by_rank", "by_total"),
    [
        ("3-8 suited", 2, "3 and 8 suited", "total 3-8 suited"),
        ("suited 3-8", 2, "suited 3 and 8", "suited total 3-8"),
        ("suited 3 8", 2, "suited 3 and 8", "suited total 3-8"),
        ("3/8", 2, "3 and 8", "total 3-8"),
        ("3 & 8", 2, "3 and 8", "total 3-8"),
        ("7 7 7", 3, "7 and 7 and 7", "total 7"),
        ("suited 7-7-7", 3, "suited 7 and 7 and 7", "suited total 7"),
        ("9", 2, "9 and 9", "total 9"),
        ("suited 10", 2, "suited 10 and 10", "suited total 10"),
        ("3-8", 3, "3 and 8 and 8", "total 3-8"),
        ("pair 7", 2, "pair of sevens", "pair total 7"),
        ("suited pair 10", 3, "suited pair of tens", "suited pair total 10"),
        ("2-10", 2, "2 and 10", "total 2-10"),
    ],
)
def test_numbers_that_may_be_ranks_or_totals_are_refused_with_both_spellings(
    words: str, looks_at: int, by_rank: str, by_total: str
) -> None:
    """ "3-8 suited" on a printed table means a three and an eight; both suggested spellings are valid."""
    with pytest.raises(Unreadable, match="can mean ranks or a total") as refused:
        named_hand(words, looks_at)
    assert repr(by_rank) in str(refused.value)
    assert repr(by_total) in str(refused.value)
    assert named_hand(by_rank, looks_at).means != named_hand(by_total, looks_at).means


@pytest.mark.parametrize(
    ("words", "looks_at", "write"),
    [
        ("777", 3, "7 and 7 and 7"),
        ("77 suited", 2, "7 and 7 suited"),
        ("K-Q suited", 2, "K and Q suited"),
        ("AJ", 2, "A and J"),
        ("suited A K", 2, "suited A and K"),
        ("20 19", 2, "19-20"),
        ("hard 9 10", 2, "hard 9-10"),
        ("hard 9, 10, 11", 2, "hard 9-11"),
        ("9, 10", 2, "total 9-10"),
        ("18, 19, 20", 2, "18-20"),
        ("As, Js", 2, "As Js"),
        ("suited, pair", 2, "suited pair"),
        ("1 suited match, 1 unsuited match", 3, "1 suited match and 1 unsuited match"),
    ],
)
def test_what_is_written_unclearly_is_refused_with_a_spelling_that_can_be_read(
    words: str, looks_at: int, write: str
) -> None:
    """Ranks without "and", several totals, and commas, which mean "or" elsewhere in a sheet."""
    with pytest.raises(Unreadable) as refused:
        named_hand(words, looks_at)
    assert repr(write) in str(refused.value)
    named_hand(write, looks_at)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("suited pair, natural", "one line for each hand if any of them pays"),
        ("natural or 20", "one line for each hand"),
        ("pair and natural", "'and' stands only between ranks"),
        ("20 suited 19", "names two totals"),
        ("hard 12 suited 20", "names two totals"),
        ("1", "totals run from 2 to 21"),
        ("99", "no hand totals 99"),
        ("250", "totals run from 2 to 21"),
        ("hard", "did you mean 'hard 9-11'?"),
    ],
)
def test_a_line_names_one_hand(words: str, says: str) -> None:
    """Two hands with the same odds need two lines."""
    with pytest.raises(Unreadable) as refused:
        named_hand(words, 2)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("words", "looks_at", "means"),
    [
        ("suited 3 and 8", 2, "all of one suit, and exactly the ranks 3 8"),
        ("Js As", 2, "exactly the cards As Js"),
        ("18-20", 2, "a total from 18 to 20, hard or soft"),
        ("hard 9-11", 2, "a hard total from 9 to 11"),
        ("soft 18", 2, "a soft total of 18"),
        ("pair of aces", 2, "both cards are aces"),
        ("pair of aces", 3, "at least two cards are aces"),
        ("pair", 3, "at least two cards of one rank"),
        ("straight flush", 3, "ranks in a row, an ace high or low, and all of one suit"),
        ("1 suited match", 3, "exactly one of your two cards has the upcard's rank and suit"),
        ("2 unsuited matches", 3, "both of your cards have the upcard's rank in another suit"),
    ],
)
def test_a_phrase_says_what_it_was_read_as(words: str, looks_at: int, means: str) -> None:
    """In words that a designer can compare with the printed table."""
    assert named_hand(words, looks_at).means == means


@pytest.mark.parametrize("looks_at", [3, 4])
@pytest.mark.parametrize("words", ["natural", "suited blackjack"])
def test_a_natural_has_two_cards(words: str, looks_at: int) -> None:
    """No three or four cards make one, so that the line could never pay."""
    says = f'has two cards, but this wager looks at {looks_at}; set `on = "two cards"`'
    with pytest.raises(Unreadable, match=re.escape(says)):
        named_hand(words, looks_at)


@pytest.mark.parametrize("words", ["natural natural", "suited suited", "natural blackjack", "pair suited pair"])
def test_no_word_is_said_twice(words: str) -> None:
    """Neither is another word for the same."""
    with pytest.raises(Unreadable, match=r"twice; leave '.*' out"):
        named_hand(words, 2)


@pytest.mark.parametrize(
    "words", ["8 or 9", "suited 8 or 9", "pair 7 or 8", "hard 8 or 9", "20 or 21", "pair or suited"]
)
def test_or_takes_one_line_for_each_hand(words: str) -> None:
    with pytest.raises(Unreadable, match="a line names one hand; write one line for each hand, with the same odds"):
        named_hand(words, 2)


WORDS = [
    "2",
    "3",
    "8",
    "10",
    "20",
    "k",
    "suited",
    "pair",
    "of",
    "a",
    "kind",
    "or",
    "and",
    "to",
    "aces",
    "match",
    "hard",
]
WORDS += ["color", "mixed", "same", "+", "more", "less", "at", "least", "queen", "queens", "hearts", "player", "no"]
WORDS += ["hard", "9-11", "3-8", "777", "as", "matches", "straight", "suits", ",", "AJ", "two"]
EXAMPLES = ["hard 9-11", "3 and 8", "suited pair", "and", "or", "soft 18", "total 9-11"]


@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), looks_at=st.sampled_from([2, 3, 4]))
def test_every_spelling_that_a_refusal_offers_can_be_read(words: list[str], looks_at: int) -> None:
    """For every phrase, except for examples and single words."""
    phrase = " ".join(words)
    try:
        named_hand(phrase, looks_at)
    except Unreadable as refused:
        for offered in re.findall(r"'([^']+)'", str(refused).partition("write ")[2]):
            if offered not in EXAMPLES:
                named_hand(offered, looks_at)


def test_two_kinds_of_match_are_joined_by_and() -> None:
    """One card of the upcard's suit and one of another."""
    hand = named_hand("1 suited match and 1 unsuited match", 3)
    assert hand.fits(cards("7h 7s 7h"))
    assert not hand.fits(cards("7h 7h 7h"))
    assert not hand.fits(cards("7h 8s 7h"))
