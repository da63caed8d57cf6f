"""Words of placards for a hand are refused with the words of a sheet, or with what no line can say."""

from __future__ import annotations

import re

import pytest

from holecard.errors import LIMITS_PAGE, Unreadable
from holecard.wagers.named_hands import named_hand


@pytest.mark.parametrize(
    ("words", "looks_at", "write"),
    [
        ("3 of a kind", 3, ["three of a kind"]),
        ("suited 3 of a kind", 3, ["suited three of a kind"]),
        ("2 of a kind", 2, ["pair"]),
        ("4 of a kind", 4, ["four of a kind"]),
        ("2 pair", 4, ["two pair"]),
        ("2 matches", 3, ["2 suited matches", "2 unsuited matches", "1 suited match and 1 unsuited match"]),
        ("1 match", 3, ["1 suited match", "1 unsuited match"]),
        ("8 to 10", 2, ["total 8-10"]),
        ("9 through 11", 2, ["9-11"]),
        ("suited 18 to 20", 3, ["suited 18-20"]),
        ("three sevens", 3, ["7 and 7 and 7"]),
        ("2 aces", 2, ["A and A", "pair of aces"]),
        ("2 aces", 3, ["pair of aces"]),
        ("K-Q suited", 3, ["K and Q and Q suited"]),
        ("6, 7, 8", 3, ["6 and 7 and 8", "total 6-8"]),
        ("7, 7, 7", 3, ["7 and 7 and 7"]),
        ("14+", 2, ["14-21"]),
        ("hard 14+", 2, ["hard 14-21"]),
        ("14 or more", 2, ["14-21"]),
        ("at least 19", 3, ["19-21"]),
        ("over 13", 2, ["14-21"]),
        ("21+", 3, ["21"]),
        ("8 or less", 2, ["total 2-8"]),
        ("soft 17 or less", 2, ["soft 2-17"]),
        ("under 13", 2, ["2-12"]),
        ("player pair", 2, ["pair"]),
        ("triple 7s", 3, ["7 and 7 and 7"]),
        ("pair of 7s", 3, ["pair of sevens"]),
        ("same color", 3, ["one color"]),
        ("colored pair", 2, ["one color pair"]),
        ("exactly 13", 2, ["total 13"]),
        ("sum 19", 2, ["total 19"]),
        ("total of 13", 3, ["total 13"]),
        ("perfect pair", 2, ["suited pair"]),
        ("mixed pair", 2, ["pair", "one color pair"]),
        ("same suit", 2, ["suited"]),
        ("offsuit pair", 2, ["unsuited pair"]),
        ("suited match", 3, ["1 suited match", "2 suited matches"]),
        ("two suited matches", 3, ["2 suited matches"]),
        ("two queens of hearts", 2, ["Qh Qh"]),
        ("ace of spades and jack of spades", 2, ["As Js"]),
        ("ace and king", 2, ["A and K"]),
        ("suited ace king", 2, ["suited A and K"]),
        ("mini royal", 3, ["suited Q and K and A"]),
        ("any other suited pair", 2, ["suited pair"]),
        ("triple sevens suited", 3, ["7 and 7 and 7 suited"]),
        ("triple 7", 3, ["7 and 7 and 7"]),
        ("triple 7s of hearts", 3, ["7h 7h 7h"]),
        ("pair of 7", 2, ["pair of sevens"]),
        ("suited aces", 2, ["suited pair of aces"]),
        ("sevens", 3, ["pair of sevens", "7 and 7 and 7"]),
        ("no match", 3, ["0 suited matches and 0 unsuited matches"]),
        ("one suited and one unsuited match", 3, ["1 suited match and 1 unsuited match"]),
        ("14+ suited", 2, ["14-21 suited"]),
        ("14+ hard", 2, ["hard 14-21"]),
        ("14 plus", 2, ["14-21"]),
        ("≥14", 2, ["14-21"]),
        (">14", 2, ["15-21"]),
        ("12–14", 2, ["12-14"]),
        ("between 12 and 14", 2, ["12-14"]),
        ("hard total 11", 2, ["hard 11"]),
        ("soft eighteen", 2, ["soft 18"]),
        ("3-of-a-kind", 3, ["three of a kind"]),
        ("straight-flush", 3, ["straight flush"]),
        ("same-color pair", 3, ["one color pair"]),
        ("black jack", 2, ["natural"]),
        ("one pair", 2, ["pair"]),
        ("3 card straight", 3, ["straight"]),
        ("two card 21", 2, ["21"]),
        ("players pair", 2, ["pair"]),
        ("perfect pairs", 2, ["suited pair"]),
        ("both same suit", 2, ["suited"]),
        ("all three suited", 3, ["suited"]),
        ("off suit pair", 2, ["unsuited pair"]),
        ("a king and an ace", 2, ["K and A"]),
        ("ace, king", 2, ["A and K"]),
        ("Q♥ Q♥", 2, ["Qh Qh"]),
        ("king and queen of hearts", 2, ["Kh Qh"]),
        ("ace of spades, jack of spades", 2, ["As Js"]),
        ("suited 6, 7, 8", 3, ["suited 6 and 7 and 8"]),
        ("3,8 suited", 2, ["3 and 8 suited"]),
    ],
)
def test_words_of_placards_are_refused_with_those_of_a_sheet(words: str, looks_at: int, write: list[str]) -> None:
    """All suggestions are valid."""
    with pytest.raises(Unreadable) as refused:
        named_hand(words, looks_at)
    offered = str(refused.value).partition("write ")[2]
    assert [one for one in re.findall(r"'([^']+)'", offered) if one in write] == write
    for one in write:
        named_hand(one, looks_at)


def test_words_that_are_left_out_are_not_offered_alone() -> None:
    """ "triple sevens suited" is not just "suited"."""
    with pytest.raises(Unreadable) as refused:
        named_hand("triple sevens suited", 3)
    assert str(refused.value).endswith("write '7 and 7 and 7 suited'")


def test_a_refusal_repeats_a_phrase_only_where_it_is_about_a_part_of_it() -> None:
    with pytest.raises(Unreadable, match=r"^'14\+' is not written like this"):
        named_hand("14+", 2)
    with pytest.raises(Unreadable, match=r"^'suited 14\+': '14\+' is not written like this"):
        named_hand("suited 14+", 2)


@pytest.mark.parametrize(
    ("words", "looks_at", "says"),
    [
        ("upcard 7", 2, 'set with `upcard = "7"`, odds that depend on it with `pays = { 7 = "5 to 1" }`'),
        ("dealer bust", 2, 'the dealer\'s finished hand is written apart; write `dealer = "busts"`'),
        ("dealer busts in five cards", 2, 'write `dealer = "busts in 5 cards"`'),
        ("dealer 7", 3, 'the dealer\'s finished hand is written apart, as in `dealer = "18"`'),
        ("bust", 2, 'the dealer\'s finished hand is written apart, as in `dealer = "busts"`'),
        ("up card 7", 3, 'set with `upcard = "7"`'),
        ("player natural", 3, "for the player's two alone set `on = \"two cards\"`, and write 'natural'"),
        ("3-card flush", 2, "for 3 cards set `on = \"two cards and upcard\"`, and write 'flush'"),
        ("seven card 21", 2, "a line cannot ask how many cards the player draws"),
        ("Qh", 2, "names all the cards that the wager looks at ('Qh Qh'); it cannot ask for one of them"),
        ("6, 7, 8", 2, "write 'total 6-8' for any of these totals; as ranks it names 3 cards"),
        ("player pair", 3, "for the player's two alone set `on = \"two cards\"`, and write 'pair'"),
        ("triple 7s", 2, "'7 and 7 and 7' names 3 cards, but this wager looks at 2"),
        ("triple 7s", 4, "'7 and 7 and 7' names 3 cards, but this wager looks at 4"),
        ("suited match", 2, 'needs at least 3 cards, but this wager looks at 2; set `on = "two cards and upcard"`'),
        ("queen of hearts", 2, "names all the cards that the wager looks at ('Qh Qh'); it cannot ask for one of them"),
        ("an ace", 2, "it cannot ask for one of them"),
        ("in diamonds", 2, "a line cannot ask for one suit"),
        ("red pair", 2, "a line cannot ask for red or for black"),
        ("no pair", 2, "a line cannot say what a hand is not"),
        ("21 in 5 cards", 2, "a line cannot ask how many cards the player draws"),
        ("anything else", 2, "write 'any' as the last line"),
        ("all other", 3, "write 'any' as the last line"),
        ("any other hands", 2, "write 'any' as the last line"),
        ("pair or better", 2, "a line names one hand; write one line for each hand, the highest first"),
        ("face cards", 2, "face cards are three; write one line for each hand"),
        ("two picture cards", 2, "face cards are three; write one line for each hand"),
    ],
)
def test_what_a_line_cannot_say_is_refused_with_what_comes_nearest(words: str, looks_at: int, says: str) -> None:
    """Never with a word that only has some letters in common."""
    with pytest.raises(Unreadable) as refused:
        named_hand(words, looks_at)
    assert says in str(refused.value)
    assert "did you mean" not in str(refused.value)


@pytest.mark.parametrize("words", ["queen of hearts", "in diamonds", "red pair", "no pair", "21 in 5 cards"])
def test_what_no_line_can_say_is_refused_with_the_page_about_limits(words: str) -> None:
    with pytest.raises(Unreadable, match=f"; see {re.escape(LIMITS_PAGE)}$"):
        named_hand(words, 2)
