"""Combinations are integers, equal to the counts from dealing every single card."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

import holecard
from holecard.composition import Composition, full
from holecard.deck import DECK, Card
from holecard.exact.results import WagerResult
from holecard.exact.wagers.wager_values import wager_results
from holecard.kernels.exact import combinations as kernels
from holecard.payoffs import card_counts
from holecard.payoffs.card_counts import CardCounts, ways_by_seat, ways_by_set
from holecard.payoffs.made_hands import CardQuery, depends_on_suits
from holecard.sheets.read import rules
from holecard.wagers.named_hands import _PLAIN, named_hand
from tests.selection import quick

ALIKE = (0,) * 10
BY_VALUE = tuple(range(1, 11))
#: A phrase for each kind of term that is not plain.
PHRASES = [*_PLAIN, "pair of aces", "pair of jacks", "hard 9-11", "soft 12-20", "18-20", "suited 20", "unsuited pair"]
NAMING = {2: ["As Js", "3 and 8", "Qh Qh"], 3: ["7 and 7 and 7", "6s 7s 8s"], 4: ["2 and 2 and 3 and 3", "As Ah Ad Ac"]}
MATCHES = [f"{number} {suits} matches" for number in (0, 1, 2) for suits in ("suited", "unsuited")]
MATCHES += ["1 suited match and 1 unsuited match", "1 suited match pair"]


def readable(size: int) -> list[str]:
    """Return the phrases for a wager that looks at this many cards; a natural has two."""
    other = () if size == 2 else ("natural", "blackjack")
    plain = [word for word in PHRASES if _PLAIN.get(word, (None, 2))[1] <= size and word not in other]
    return plain + NAMING[size]


def some_cards(seed: int, number: int, *suits: int) -> list[Card]:
    """Cards with some ranks and cards repeated, so that they include pairs, flushes and straights."""
    probability = random.Random(seed)
    ranks = probability.sample(range(13), 5)
    return [DECK[4 * probability.choice(ranks) + probability.choice(suits or (0, 1, 2, 3))] for _ in range(number)]


def counts(held: list[Card]) -> CardCounts:
    return CardCounts(tuple(held.count(card) for card in DECK))


@pytest.mark.parametrize("size", quick([2, 3, 4], 2, 3))
def test_every_word_is_counted_as_it_reads(size: int) -> None:
    """One set may represent many equivalent sets: terms for ranks, suits, colors and single cards."""
    words = readable(size)
    look = CardQuery(size, tuple(words), (), ALIKE)
    fits = [named_hand(word, size).fits for word in words]
    for seed in range(6):
        held = some_cards(seed, 14, *((0, 3) if seed == 4 else (1, 2) if seed == 5 else ()))
        expected: Counter[int] = Counter()
        for dealt in combinations(held, size):
            expected[sum(fit(dealt) << bit for bit, fit in enumerate(fits))] += 1
        found = {made: ways for (made, _), ways in ways_by_set(look, counts(held)).items() if ways}
        assert found == expected


def test_matches_depend_on_which_cards_are_the_players() -> None:
    """The player's two cards in any order with every upcard."""
    look = CardQuery(3, (*MATCHES, "flush"), ("suited",), BY_VALUE)
    hands = [named_hand(word, 3).fits for word in look.hands]
    for seed in range(6):
        held = some_cards(seed, 12)
        expected: Counter[tuple[int, tuple[int, ...], tuple[int, ...]]] = Counter()
        for own in combinations(range(12), 2):
            for upcard in set(range(12)) - set(own):
                dealt = tuple(held[place] for place in (*own, upcard))
                made = sum(fit(dealt) << bit for bit, fit in enumerate(hands))
                made += named_hand("suited", 2).fits(dealt[:2]) << len(hands)
                values = tuple(card.value for card in dealt)
                expected[made, tuple(sorted(values[:2])), values[2:]] += 1
        assert {deal: ways for deal, ways in ways_by_seat(look, counts(held)).items() if ways} == expected


@pytest.mark.parametrize("size", [2, 3, 4])
def test_any_card_may_be_dealt_to_any_position(size: int) -> None:
    """If no line depends on who holds which card, any card of a set may be the upcard and any other the hole card."""
    look = CardQuery(size, ("suited", "pair"), (), BY_VALUE)
    held = some_cards(7, 9)
    expected: Counter[tuple[int, tuple[int, ...], tuple[int, ...]]] = Counter()
    for own in combinations(range(9), 2):
        for dealers in _orders([place for place in range(9) if place not in own], size - 2):
            dealt = tuple(held[place] for place in (*own, *dealers))
            made = named_hand("suited", size).fits(dealt) + 2 * named_hand("pair", size).fits(dealt)
            values = tuple(card.value for card in dealt)
            expected[made, tuple(sorted(values[:2])), values[2:]] += 1
    assert {deal: ways for deal, ways in ways_by_seat(look, counts(held)).items() if ways} == expected


def _orders(places: list[int], number: int) -> list[tuple[int, ...]]:
    if number == 0:
        return [()]
    return [(*rest, place) for rest in _orders(places, number - 1) for place in places if place not in rest]


@pytest.mark.slow
def test_which_terms_depend_on_suits() -> None:
    """A hand depends on suits if some permutation of them changes whether it matches."""
    for size in (2, 3, 4):
        for word in readable(size):
            fits = named_hand(word, size).fits
            minds = any(
                fits(dealt) != fits(tuple(DECK[4 * card.rank + suit] for card, suit in zip(dealt, suits, strict=True)))
                for dealt, suits in _renamed(size, word)
            )
            assert minds == depends_on_suits(word), word


def _renamed(size: int, word: str) -> list[tuple[tuple[Card, ...], tuple[int, ...]]]:
    """Hands of one suit, and those that a phrase names, each with other suits substituted."""
    probability = random.Random(size)
    named = [DECK[4 * rank] for rank in (0, 10)] if word == "As Js" else []
    named = [DECK[4 * 11 + 1]] * 2 if word == "Qh Qh" else named
    named = [DECK[4 * rank] for rank in (5, 6, 7)] if word == "6s 7s 8s" else named
    named = list(DECK[:4]) if word == "As Ah Ad Ac" else named
    hands = [tuple(named)] if named else []
    hands += [tuple(DECK[4 * probability.randrange(13)] for _ in range(size)) for _ in range(3_000)]
    return [(hand, tuple(probability.choice((0, 1, 2, 3)) for _ in hand)) for hand in hands for _ in range(2)]


# The kernels


def test_compiled_and_uncompiled_kernels_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared with the plain functions, which also count shoes too large for 64 bits."""
    left = tuple(number % 5 for number in range(52))
    looks = [CardQuery(size, ("suited", "pair"), (), BY_VALUE) for size in (2, 3, 4)]
    compiled = [ways_by_set(look, CardCounts(left)) for look in looks]
    seated = ways_by_seat(CardQuery(3, ("1 suited match",), (), ALIKE), CardCounts(left))
    monkeypatch.setattr(card_counts, "COUNTABLE", 0)
    assert [ways_by_set(look, CardCounts(left)) for look in looks] == compiled
    assert ways_by_seat(CardQuery(3, ("1 suited match",), (), ALIKE), CardCounts(left)) == seated


def test_the_hole_card_is_counted_too() -> None:
    """The kernel for four seats, with a category for each card: every card is equally often the hole card."""
    types = 52
    category = [hole for _ in range(types * (types + 1) // 2 * types) for hole in range(types)]
    left = [2] * types
    ways = [0] * types
    plain = getattr(kernels.count_seated, "py_func", kernels.count_seated)
    plain(left, 2, category, ways)
    assert ways == [comb(104, 2) * 102 * 101 // types] * types
    assert left == [2] * types


def test_a_shoe_of_a_million_decks() -> None:
    """Integers of any length: 52 million cards make more sets of four than 64 bits hold."""
    many = 1_000_000
    (_, bonus) = wager_results(rules("face-up").tables, Composition((4 * many,) * 13, (many,) * 52))
    assert bonus.combinations == comb(52 * many, 4) > 2**63
    by_line = {line.line: line.combinations for line in bonus.lines}
    assert by_line["four of a kind"] == 13 * comb(4 * many, 4)
    assert by_line["straight flush"] == 11 * 4 * many**4


def test_eight_decks_and_the_edge_of_64_bits() -> None:
    """The largest shoe that is counted in 64 bits is still counted correctly."""
    look = CardQuery(4, ("pair",), (), ALIKE)
    for cards in (416, card_counts.COUNTABLE):
        left = tuple(cards // 52 + (card < cards % 52) for card in range(52))
        assert sum(ways_by_set(look, CardCounts(left)).values()) == comb(cards, 4)


# The unit of counting


def result(game: str, name: str, decks: int) -> WagerResult:
    tables = rules(game).tables
    return next(found for found in wager_results(tables, full(decks)) if found.name == name)


@pytest.mark.parametrize(
    ("game", "name", "decks", "counted", "every"),
    [
        ("face-up", "2-Card Bonus", 6, "the player's two cards", comb(312, 2)),
        ("match-up", "3 Card Bonus", 6, "three cards, in any seats", 5_013_320),
        ("face-up", "4-Card Bonus", 6, "four cards, in any seats", comb(312, 4)),
        ("match-up", "Match Up", 4, "the player's two cards and the upcard", 208 * 21_321),
        ("upcard-luck-21", "Upcard Luck", 8, "the player's two cards and the upcard", comb(416, 2) * 414),
    ],
)
def test_what_one_combination_is(game: str, name: str, decks: int, counted: str, every: int) -> None:
    """A set of cards if no line depends on who holds which; otherwise the player's two, unordered, and the dealer's."""
    found = result(game, name, decks)
    assert (found.counted, found.combinations) == (counted, every)


def test_ways_with_the_dealers_hand_are_in_lowest_terms() -> None:
    """Their greatest common divisor is one."""
    for name in holecard.games():
        for found in wager_results(rules(name).tables, full(2)):
            if "lowest" in found.counted:
                ways = [line.combinations for line in (*found.lines, *found.taxes)]
                assert not any(all(way % prime == 0 for way in ways) for prime in (2, 3, 5, 7, 11, 13, 17))
