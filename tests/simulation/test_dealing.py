"""The generator gives the published words, and every order of the cards is equally likely."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest

from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import BLOCKS, FIRST, HAVE, _draw_two, begin, begin_whole_shoe, dealt_size, nth_card
from holecard.simulation.statistics.chi_square import pooled

#: Known outputs of Philox4x32-10, from the authors' Random123 library: counter, key, words.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_known_answers(counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]) -> None:
    assert tuple(int(word) for word in philox(*map(np.uint64, counter), *map(np.uint64, key))) == words


def _deal(number: int, cards: int, n: int, key: int = 3) -> list[int]:
    dealt = np.zeros(FIRST + cards + 8, np.uint16)
    begin(dealt)
    return [nth_card(np.uint64(number), np.uint64(key), cards, 0, dealt, i) for i in range(n)]


@pytest.mark.parametrize("cards", [52, 312, 416])
def test_no_card_is_dealt_twice_and_none_is_left_out(cards: int) -> None:
    for number in range(20):
        assert sorted(_deal(number, cards, cards)) == list(range(cards))


def test_every_order_is_equally_likely() -> None:
    """All 60 ways to deal three of five cards; the third uses another word than the first two."""
    seen = Counter(tuple(_deal(number, 5, 3)) for number in range(60_000))
    probabilities = dict.fromkeys(range(60), 1 / 60)
    orders = {order: place for place, order in enumerate(permutations(range(5), 3))}
    fit = pooled({orders[order]: count for order, count in seen.items()}, probabilities)
    assert fit.p > 1e-3


@pytest.mark.parametrize("left", [2, 7, 312, 50_000, 65_535])
def test_of_all_words_each_pair_has_as_many(left: int) -> None:
    """The words for a pair are consecutive: 2^32 // pairs of them, and at most one that is skipped."""
    pairs = left * (left - 1)
    for pair in {0, 1, pairs // 3, pairs - 2, pairs - 1}:
        first, end = -(-(pair << 32) // pairs), -(-((pair + 1) << 32) // pairs)
        tried = range(first, end) if end - first < 50_000 else (*range(first, first + 50), *range(end - 50, end))
        drawn = [_drawn(word, left) for word in tried]
        assert drawn.count(()) == end - first - 2**32 // pairs
        one, two = divmod(pair, left - 1)
        assert set(drawn) - {()} == {(one, 0 if two + 1 == one else two + 1)}


def _drawn(word: int, left: int) -> tuple[int, ...]:
    """The first two cards of a shoe, or none if the word is skipped."""
    dealt = np.zeros(FIRST + left, np.uint16)
    begin_whole_shoe(dealt, left)
    _draw_two(np.uint64(word), left, 1, dealt)
    return tuple(dealt[FIRST : FIRST + dealt[HAVE]].tolist())


def test_a_fresh_shoe_is_dealt_as_one_that_is_dealt_down() -> None:
    """Although its cards are never stored."""
    for cards, number in product((5, 52, 312), range(30)):
        dealt = np.zeros(dealt_size(cards, 1), np.uint16)
        begin_whole_shoe(dealt, cards)
        down = [nth_card(np.uint64(number), np.uint64(3), cards, 1, dealt, n) for n in range(cards)]
        assert _deal(number, cards, cards) == down


def test_shoes_and_keys_differ() -> None:
    deals = {tuple(_deal(number, 312, 6, key)) for number in (0, 1, 2**32, 2**40 + 1) for key in (0, 1, 2**32)}
    assert len(deals) == 12


def test_a_block_is_drawn_only_when_it_is_needed() -> None:
    dealt = np.zeros(FIRST + 320, np.uint16)
    begin(dealt)
    for n in range(8):
        nth_card(np.uint64(1), np.uint64(1), 312, 0, dealt, n)
        assert dealt[BLOCKS] == 1
    assert dealt[HAVE] == 8
    nth_card(np.uint64(1), np.uint64(1), 312, 0, dealt, 8)
    assert dealt[BLOCKS] == 2


def test_a_table_that_needs_more_cards_than_there_are_opens_another_shoe() -> None:
    for dealt_down in (0, 1):
        dealt = np.zeros(dealt_size(20, 2), np.uint16)
        begin_whole_shoe(dealt, 20)
        cards = [nth_card(np.uint64(1), np.uint64(1), 20, dealt_down, dealt, n) for n in range(60)]
        assert sorted(cards[:20]) == sorted(cards[20:40]) == sorted(cards[40:]) == list(range(20))
