"""Counts: tags, balance, running and true counts, and files that define them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from holecard.counts import Count, count_of, known_counts, read_count_player
from holecard.counts.count import count_by_rank
from holecard.deck import card
from holecard.errors import CountError


def tags(**by_card: float) -> str:
    """Return the lines of a [tags] section."""
    return "[tags]\n" + "\n".join(f"{key} = {value}" for key, value in by_card.items())


def test_the_known_counts_have_the_tags_that_their_users_know() -> None:
    """Ace first, then 2 to 9, then one tag for all tens."""
    shown = {
        "hi-lo": "-1 1 1 1 1 1 0 0 0 -1",
        "hi-opt i": "0 0 1 1 1 1 0 0 0 -1",
        "hi-opt ii": "0 1 1 2 2 1 1 0 0 -2",
        "ko": "-1 1 1 1 1 1 1 0 0 -1",
        "zen": "-1 1 1 2 2 2 1 0 0 -2",
        "halves": "-1 1/2 1 1 3/2 1 1/2 0 -1/2 -1",
    }
    assert tuple(shown) == known_counts()
    for name, line in shown.items():
        by_rank = count_of(name).by_rank
        assert by_rank is not None
        assert " ".join(map(str, by_rank[:10])) == line
        assert len(set(by_rank[9:])) == 1


def test_only_ko_is_unbalanced() -> None:
    assert [name for name in known_counts() if not count_of(name).balanced] == ["ko"]


@pytest.mark.parametrize("name", ["Hi-Lo", "hilo", "HI LO"])
def test_a_name_may_be_spelled_in_several_ways(name: str) -> None:
    assert count_of(name) is count_of("hi-lo")


def test_a_true_count_is_rounded_down() -> None:
    """Five over five decks and a half is less than one; minus one over six decks is below zero."""
    hi_lo = count_of("hi-lo")
    assert hi_lo.reading(5, 26, 6) == 0
    assert hi_lo.reading(6, 0, 6) == 1
    assert hi_lo.reading(-1, 1, 6) == -1


@pytest.mark.parametrize(("rounding", "expected"), [("down", -2), ("toward zero", -1), ("nearest", -1)])
def test_a_file_chooses_how_a_true_count_is_rounded(rounding: str, expected: int) -> None:
    """Seven small cards missing from six decks are -7/5 with five decks left: -1.4."""
    count = Count("own", count_of("hi-lo").tags, rounding=rounding)  # type: ignore[arg-type]
    assert count.reading(-7, 52, 6) == expected


def test_half_decks_double_a_count() -> None:
    text = 'per = "half deck"\n' + '[tags]\n"2-6" = 1\nT = -1\nA = -1'
    count = read_count_player(text).count
    assert count.per == 26
    assert count.value(10, 52, 6) == 10 * Fraction(26, 260)


def test_ko_starts_at_four_minus_four_for_each_deck_and_ends_at_four() -> None:
    ko = count_of("ko")
    assert ko.reading(0, 0, 6) == -20
    assert ko.reading(4 * 6, 312, 6) == 4


def test_an_unbalanced_true_count_is_zero_on_average() -> None:
    """Half the shoe with half of all tags seen says nothing about the other half."""
    text = "centered = true\n" + '[tags]\n"2-7" = 1\nT = -1\nA = -1'
    assert read_count_player(text).count.value(2 * 6, 156, 6) == 0


def test_tags_by_suit_and_color() -> None:
    """The narrower of two tags counts, and T means all tens unless a face card has its own."""
    text = '[tags]\n"red 7" = 1\n7 = 0\nAh = 3\nA = -1\n"2-6" = 1\n"9-T" = -1\nK = -2\nothers = 0'
    count = read_count_player('kind = "running"\nstart = 0\n' + text).count
    wanted = {"7h": 1, "7s": 0, "Ah": 3, "Ad": -1, "2c": 1, "8c": 0, "9c": -1, "Tc": -1, "Qc": 0, "Kc": -2}
    assert {name: count.tags[card(name)] for name in wanted} == wanted
    assert count.by_rank is None


def test_a_color_alone_means_all_its_cards() -> None:
    """Narrower tags come first: a suit before a color."""
    count = read_count_player("[tags]\nRed = 1\nblack = -1\ns = -2\nc = 0").count
    wanted = {"7h": 1, "Kd": 1, "7s": -2, "Ac": 0}
    assert {name: count.tags[card(name)] for name in wanted} == wanted


BALANCED = '[tags]\n"2-6" = 1\nT = -1\nA = -1'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[tags]\n"2-6" = 1\nT = -1', 1, "sum to 4, not 0"),
        ('kind = "running"\n[tags]\n"2-7" = 1\nT = -1\nA = -1', 2, "add 'start = -4', per deck"),
        (tags(X=1), 2, "'X' is not a card"),
        (tags(blue=1), 2, "suits ('h'), 'red', 'black'"),
        ('centered = true\n[tags]\n"2-9" = 1\nT = 1\nA = 1', 2, "all tags are equal"),
        ('kind = "running"\nstart = 0\n[tags]\nothers = 2', 3, "all tags are equal"),
        (tags(A=1e9), 2, "is not a tag"),
        (tags(A=0.3333), 2, "whole or a fraction with a denominator of up to 20, such as 0.5 or '1/3'"),
        ('[tags]\nA = "1/21"', 2, "'1/21' is not a tag"),
        (
            'centered = true\n[tags]\nA = "1/19"\n2 = "1/17"\n3 = "1/16"\n4 = "1/13"\n5 = "1/11"\n6 = 2',
            2,
            "the common denominator of all tags, 739,024, is too large",
        ),
        (
            'kind = "running"\nstart = -4\npivot = "a third"\n[tags]\nA = 1',
            3,
            "is not a number of points; write one such as -4 or '1/3'",
        ),
        ("pivot = 4\n" + BALANCED, 1, 'pivot is for running counts; remove it, or write kind = "running"'),
        ("start = 0\n" + BALANCED, 1, "start is for running counts"),
        ('kind = "running"\nper = "deck"\n' + BALANCED, 2, 'per is for true counts; remove it, or write kind = "true"'),
        ('kind = "running"\ncentered = true\n' + BALANCED, 2, "centered is for true counts"),
        ('centered = "yes"\n' + BALANCED, 1, "'yes' is not valid; write true or false"),
        ("[tags]\nA = true", 2, "is not a tag"),
        ('[tags]\n"2-3" = 1\n"3-4" = 2', 3, "3s already has the tag 1 from '2-3'"),
        ("[tags]\nA = 0", 1, "all tags are 0"),
        ('kind = "fast"\n[tags]\n"2-6" = 1\nT = -1\nA = -1', 1, "'fast' is not valid"),
        ('size = 1\n[tags]\n"2-6" = 1\nT = -1\nA = -1', 1, "unknown setting"),
        ('count = "hi-low"', 1, "did you mean 'hi-lo'?"),
        ("count = ", 1, "not TOML"),
        ("", None, "write the name of a count"),
    ],
)
def test_refusals_name_the_line(text: str, line: int | None, words: str) -> None:
    with pytest.raises(CountError) as refused:
        read_count_player(text)
    (problem,) = refused.value.problems
    assert words in problem.what
    assert problem.line == line


def test_problems_are_listed_by_line() -> None:
    bets, plays = '[bets]\n"below 1" = 1\n"3 and above" = 2\n', '[plays]\n"16 v T" = "fly at 0"\n'
    text = f'count = "hi-low"\n{plays}[table]\ncut = 200\n{bets}'
    with pytest.raises(CountError) as refused:
        read_count_player(text)
    lines = [problem.line or 0 for problem in refused.value.problems]
    assert len(set(lines)) == 4
    assert lines == sorted(lines)


def test_an_unknown_file_is_refused() -> None:
    with pytest.raises(CountError, match="no count or file has this name; did you mean 'zen'"):
        count_of("zenn")


def test_a_count_by_rank_has_the_same_tag_for_all_suits() -> None:
    hi_lo = count_by_rank("mine", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1))
    assert hi_lo.tags == count_of("hi-lo").tags


HI_LO = count_of("hi-lo").tags


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (
            {"tags": HI_LO[:10]},
            "give a tuple with a tag for each of the 52 cards; `count_by_rank` takes one for each rank",
        ),
        ({"tags": (Fraction(0),) * 52}, "all tags are 0"),
        ({"tags": (Fraction(1),) * 52}, "all tags are equal"),
        ({"tags": (0.5, *HI_LO[1:])}, "0.5 is not a tag; give a number from -100 to 100"),
        ({"tags": (101, *HI_LO[1:])}, "101 is not a tag"),
        ({"kind": "fast"}, "'fast' is not valid; it can be 'true', 'running'"),
        ({"rounding": "up"}, "'up' is not valid; it can be 'down', 'toward zero', 'nearest'"),
        ({"per": 0}, "0 is not a number of cards; give 52 for decks or 26 for half decks"),
        ({"start": 0.5}, "start: 0.5 is not a number of points"),
        ({"pivot": 2000}, "pivot: 2000 is not a number of points"),
        ({"start": 1}, 'start is for running counts; remove it, or write kind = "running"'),
        ({"kind": "running", "per": 26}, 'per is for true counts; remove it, or write kind = "true"'),
    ],
)
def test_impossible_counts_are_refused_when_they_are_made(values: dict[str, Any], words: str) -> None:
    with pytest.raises(CountError) as refused:
        Count(**{"name": "mine", "tags": HI_LO, **values})
    assert "the count 'mine'" in str(refused.value)
    assert words in str(refused.value)
