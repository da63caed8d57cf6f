"""Bets and counts of a player that a game's table does not take, or that no shoe comes to."""

from __future__ import annotations

import pytest

import holecard
from holecard.counts import read_count_player
from tests.counts.test_count_player import problem_of

FORTUNE, LUCK = '[wagers."Taxpayer\'s Fortune"]\n', '[wagers."Upcard Luck"]\n'
OFTEN, SELDOM = '"below 1" = {}\n"1 and above" = {}\n', "[side.aces]\ntags = { A = 1, 2 = -1 }\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LUCK + OFTEN.format(1, 50), "may be at most the main wager, not 50 units with a main bet of 4; bet less"),
        (LUCK + OFTEN.format(2, 4), "not 2 units with a main bet of 1"),
        (LUCK + 'count = "aces"\n' + OFTEN.format(1, 4) + SELDOM, "not 4 units with a main bet of 1"),
        (LUCK + OFTEN.format(0, 1) + FORTUNE + OFTEN.format(1, 0), "needs Upcard Luck; bet 0 on Taxpayer's Fortune"),
        (LUCK + OFTEN.format(0, 1), "needs Upcard Luck; bet 0 on Taxpayer's Fortune"),
        (LUCK + OFTEN.format(0, 1) + FORTUNE + 'count = "aces"\n' + OFTEN.format(0, 1) + SELDOM, "needs Upcard Luck"),
    ],
)
def test_side_bets_that_the_table_would_not_take_are_refused(text: str, words: str) -> None:
    line, what = problem_of(f'count = "hi-lo"\n[bets]\n{OFTEN.format(1, 4)}{text}', holecard.rules("upcard-luck-21"))
    assert words in what
    assert line is not None


@pytest.mark.parametrize(
    "text",
    [
        LUCK + OFTEN.format(0, 4) + FORTUNE + OFTEN.format(0, 1),
        LUCK + OFTEN.format(1, 1) + FORTUNE + OFTEN.format(1, 0),
        FORTUNE + OFTEN.format(0, 1),
    ],
)
def test_side_bets_that_the_table_takes_are_not_refused(text: str) -> None:
    """A bet on a side wager counts only in rounds with a main bet."""
    player = read_count_player(f'count = "hi-lo"\n[bets]\n{OFTEN.format(1, 4)}{text}')
    player.check(holecard.rules("upcard-luck-21"))
    wong = read_count_player(f'count = "hi-lo"\n[bets]\n{OFTEN.format(0, 4)}{LUCK}{OFTEN.format(2, 2)}')
    wong.check(holecard.rules("upcard-luck-21"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[table]\nenter = 999", 3),
        ('[plays]\n"16 v T" = "stand at -900"', 3),
        ('[bets]\n"below 500" = 1\n"500 and above" = 2', 2),
    ],
)
def test_counts_that_never_come_are_refused_with_their_line(text: str, line: int) -> None:
    found, what = problem_of(f'count = "hi-lo"\n{text}')
    assert "no true count comes near" in what
    assert found == line


def test_plays_by_many_counts_are_refused_before_their_charts_are_made() -> None:
    sides = "".join(f"[side.s{n}]\ntags = {{ {n} = 1, A = -1 }}\n" for n in (2, 3, 4))
    plays = "".join(f'"{12 + place} v {n + 5}" = "hit at {place} of s{n}"\n' for n in (2, 3, 4) for place in range(5))
    line, what = problem_of(f'count = "hi-lo"\n[plays]\n"16 v T" = "hit at 0"\n{plays}{sides}')
    assert "the indices of 4 counts make 432 charts, more than 400; use fewer" in what
    assert line == 2
