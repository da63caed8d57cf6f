"""Published numbers of combinations, counted again with the lines of the shipped pay tables.

Cards are counted by kind with their multiplicity: two of n equal cards can be chosen in n(n-1)/2 ways.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import comb, prod

from holecard.deck import DECK, Card
from holecard.sheets.read import rules
from holecard.wagers.pay_table import SideWager


def _ways(cards: tuple[Card, ...], decks: int, seen_cards: tuple[Card, ...] = ()) -> int:
    """The number of ways to draw these cards, in any order, from the shoe without the removed cards."""
    return prod(comb(decks - seen_cards.count(card), number) for card, number in Counter(cards).items())


def _wager(game: str, name: str, **settings: object) -> SideWager:
    return next(wager for wager in rules(game, settings).tables.wagers if wager.name == name)


def _name(wager: SideWager, cards: tuple[Card, ...]) -> str:
    line = wager.decided_line(cards)
    return line.name if line else "nothing"


def test_upcard_luck_with_eight_decks() -> None:
    """12,288 / 774,144 / 2,042,912 / 3,817,472 / 29,089,664 of 35,736,480: the printed analysis of the wager."""
    wager = _wager("upcard-luck-21", "Upcard Luck", decks=8)
    counts: Counter[str] = Counter()
    for two in combinations_with_replacement(DECK, 2):
        ways = _ways(two, 8)
        for upcard in DECK:
            counts[_name(wager, (*two, upcard))] += ways * (8 - two.count(upcard))
    elevens = counts["suited 3 and 8"] + counts["suited hard 11"] + counts["hard 9-11"]
    assert counts["As Js"] == 12_288
    assert counts["natural"] == 774_144
    assert elevens == 2_042_912
    assert counts["18-20"] == 3_817_472
    assert counts["nothing"] == 29_089_664
    assert counts.total() == 35_736_480 == comb(416, 2) * 414


def test_three_card_bonus_with_six_decks() -> None:
    """10,368 / 26,312 / 155,520 / 292,896 of 5,013,320: the published counts of 21+3, suited trips paid as trips."""
    wager = _wager("match-up", "3 Card Bonus")
    counts: Counter[str] = Counter()
    for three in combinations_with_replacement(DECK, 3):
        counts[_name(wager, three)] += _ways(three, 6)
    assert counts["straight flush"] == 10_368
    assert counts["trips"] == 26_312
    assert counts["straight"] == 155_520
    assert counts["flush"] == 292_896
    assert counts.total() == 5_013_320 == comb(312, 3)


def test_match_up_with_four_decks() -> None:
    """3 / 36 / 576 / 66 / 2,304 / 18,336 of 21,321 for any upcard: the published counts of Match the Dealer."""
    wager = _wager("match-up", "Match Up", decks=4)
    for upcard in (DECK[0], DECK[29], DECK[51]):
        counts: Counter[str] = Counter()
        for two in combinations_with_replacement(DECK, 2):
            counts[_name(wager, (*two, upcard))] += _ways(two, 4, (upcard,))
        assert counts["2 suited matches"] == 3
        assert counts["1 suited match, 1 unsuited match"] == 36
        assert counts["1 suited match"] == 576
        assert counts["2 unsuited matches"] == 66
        assert counts["1 unsuited match"] == 2_304
        assert counts["nothing"] == 18_336
        assert counts.total() == 21_321 == comb(207, 2)


def test_two_card_bonus_with_six_decks() -> None:
    """A suited pair: 52 x C(6,2); another pair: 13 x (C(24,2) - 4 x C(6,2)); the nearly perfect ones by hand."""
    wager = _wager("face-up", "2-Card Bonus")
    counts: Counter[str] = Counter()
    for two in combinations_with_replacement(DECK, 2):
        counts[_name(wager, (*two, DECK[0]))] += _ways(two, 6)
    assert counts["As As"] == comb(6, 2)
    assert counts["suited pair of aces"] == 3 * comb(6, 2)
    assert counts["suited pair"] == 48 * comb(6, 2)
    assert counts["pair of aces"] == comb(24, 2) - 4 * comb(6, 2)
    assert counts["pair"] == 12 * (comb(24, 2) - 4 * comb(6, 2))
    assert counts["suited K and Q"] == 4 * 36
    assert counts["suited natural"] == 4 * 4 * 36
    assert counts.total() == comb(312, 2)
