"""Players who count: bets by count, index plays, the table, and what a game refuses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import holecard
from holecard.charts.named_strategies import never_bust
from holecard.charts.two_card_exceptions import TwoCards
from holecard.counts import CountPlayer, IndexPlay, Ramp, WagerRamp, count_of, count_player_of, read_count_player
from holecard.counts.index_plays import with_play
from holecard.errors import CountError
from holecard.exact.charts.chart_cache import cached_best_chart

CARD = """
count = "hi-lo"

[bets]
"below 1" = 1
1 = 2
"2 to 3" = 4.5
"4 and above" = 12

[plays]
insurance = "take at 3"
"16 v T" = "stand at 0"
"12 v 4" = "hit below 0"
"10,10 v 5" = "split at 5"
"A,7 v 2" = "double at 1"

[table]
seats = 3
seat = 2
"""


def problem_of(text: str, sheet: holecard.RuleSheet | None = None) -> tuple[int | None, str]:
    """Return the line and the text of the only problem."""
    with pytest.raises(CountError) as refused:
        read_count_player(text).check(sheet or holecard.rules("classic"))
    (problem,) = refused.value.problems
    return problem.line, problem.what


def test_a_ramp_bets_by_count() -> None:
    ramp = read_count_player(CARD).ramp
    assert [ramp.bet(count) for count in (-9, 0, 1, 2, 3, 4, 20)] == [1, 1, 2, 4.5, 4.5, 12, 12]


def test_a_count_alone_bets_one_unit() -> None:
    assert count_player_of("zen") == CountPlayer(count_of("zen"))
    assert count_player_of("zen").ramp.bet(7) == Fraction(1)


@pytest.mark.parametrize(
    ("bets", "line", "words"),
    [
        ('"below 1" = 1\n"2 and above" = 4', 4, "no bet for count 1,"),
        ('"below 1" = 1\n"1 to 3" = 2\n"3 and above" = 4', 5, "overlap"),
        ('1 = 1\n"2 and above" = 4', 3, "no bet for counts below 1"),
        ('"below 1" = 1\n1 = 4', 4, "no bet for counts above 1; write '2 and above' = 4"),
        ('"below 1" = 1\n"4 and above" = 4', 4, "no bet for counts 1 to 3, between"),
        ('"below 1" = 1\n"1 and above" = -4', 4, "is not a bet"),
        ('"under 1" = 1\n"1 and above" = 4', 3, "is not a count"),
        ('"below 1" = 1\n"3 to 1" = 2\n"4 and above" = 4', 4, "from high to low"),
    ],
)
def test_a_ramp_without_a_bet_for_each_count_is_refused(bets: str, line: int, words: str) -> None:
    found, what = problem_of(f'count = "hi-lo"\n[bets]\n{bets}')
    assert words in what
    assert found == line


def test_plays_change_the_chart_between_their_indexes() -> None:
    """Below 0, at 0, at 1 and at 5: four charts, which differ only in the cells of the plays."""
    sheet, player = holecard.rules("classic"), read_count_player(CARD)
    player.check(sheet)
    charts = player.charts(never_bust(sheet.tables))
    assert player.thresholds(0) == (0, 1, 5)

    def cells(row: str, column: str) -> list[str]:
        layout = charts[0].layout
        rows = [f"{row.block} {row.name}" for row in layout.rows]
        columns = [column.name for column in layout.columns]
        return [chart.cells[rows.index(row)][columns.index(column)] for chart in charts]

    # Never-bust stands on every hard 12 or more, and never doubles or splits.
    assert cells("hard 16", "T") == ["S", "S", "S", "S"]
    assert cells("hard 12", "4") == ["H", "S", "S", "S"]
    assert cells("soft 18", "2") == ["S", "S", "DS", "DS"]
    assert cells("pairs T,T", "5") == ["-", "-", "-", "P"]
    assert cells("hard 15", "T") == ["S"] * 4


def test_a_side_count_decides_a_play() -> None:
    """Two thresholds of two counts make four charts, the side count fastest."""
    text = """
        count = "hi-lo"
        [plays]
        "16 v T" = "hit below 0"
        "15 v T" = "hit at 2 of aces"
        [side.aces]
        kind = "running"
        start = 4
        tags = { A = -1 }
    """
    sheet, player = holecard.rules("classic"), read_count_player(text)
    charts = player.charts(never_bust(sheet.tables))
    rows = [f"{row.block} {row.name}" for row in charts[0].layout.rows]
    ten = [column.name for column in charts[0].layout.columns].index("T")
    seen = [(chart.cells[rows.index("hard 16")][ten], chart.cells[rows.index("hard 15")][ten]) for chart in charts]
    assert seen == [("H", "S"), ("H", "H"), ("S", "S"), ("S", "H")]
    assert player.side_counts[0].reading(-20, 100, 6) == 4


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ('[plays]\n"16 v T" = "surrender at 0"', 3, "surrender, which this game does not offer"),
        ('[plays]\n"16 v T" = "split at 0"', 3, "only for pairs"),
        ('[plays]\n"22 v T" = "stand at 0"', 3, "not a hand"),
        ('[plays]\n"T,6 v T" = "stand at 0"', 3, "not a hand"),
        ('[plays]\n"16 v 11" = "stand at 0"', 3, "is not a dealer's card"),
        ('[plays]\n"16 v T" = "stand at 0"\n"10,10 v s17" = "split at 0"', 4, "is not a dealer's card"),
        ('[plays]\n"16 on T" = "stand at 0"', 3, "not a hand"),
        ('[plays]\n"16 v T" = "stand"', 3, "is not a play"),
        ('[plays]\n"16 v T" = "stnd at 0"', 3, "did you mean 'stand'?"),
        ('[plays]\n"16 v T" = "stand at 0 of aces"', 3, "no side count 'aces'"),
        ('[plays]\ninsurance = "stand at 3"', 3, "unknown action"),
        ('[wagers.Pairs]\n"below 4" = 0\n"4 and above" = 1', 2, "has no side wager of this name"),
        ("[table]\nseats = 8", 3, "this table has 1 to 7"),
        ('[plays]\n"16 v T" = "stand at 0"\n"16 vs 10" = "hit below 0"', 4, "written twice, also as '16 v T'"),
        ('[plays]\n"16 v T" = "stand at 0"\n"16 v T" = "hit below 0"', 4, "written twice"),
        (
            '[plays]\n"16 v T" = "stand at 0"\n"hard 16 v 10" = "hit below 0"',
            4,
            "this hand is written twice, also as '16 v T' in line 3; write its plays in one line",
        ),
        ('[plays]\n"A,7 v 2" = "double at 1"\n\n"soft 18 v 2" = "hit below 0"', 5, "also as 'A,7 v 2' in line 3"),
        ('[plays]\n"7,A v 2" = "double at 1"\n"A,7 v 2" = "double at 1"', 4, "also as '7,A v 2' in line 3"),
        ('[plays]\n"10,10 v 5" = "split at 5"\n"t,t v 5" = "split at 6"', 4, "also as '10,10 v 5' in line 3"),
        ('[plays]\n"hard A,7 v 2" = "stand at 0"', 3, "not a hand"),
        ('[wagers.Pairs]\ncount = 5\n"below 4" = 0\n"4 and above" = 1', 3, "5 is not the name of a side count"),
        ("[table]\nseats = 2\nseat = 3", 4, "seat 3 does not exist at a table with 2 seats; write 1 to 2"),
        ("[table]\ncut = 101", 3, "write 1 to 100 percent of the shoe"),
        ("[table]\nenter = 1\nleave = 2", 4, "leaves below 2, but sits down at 1"),
    ],
)
def test_what_a_game_cannot_do_is_refused_with_its_line(lines: str, line: int, words: str) -> None:
    found, what = problem_of(f'count = "hi-lo"\n{lines}', holecard.rules("classic"))
    assert words in what
    assert found == line


def test_insurance_that_is_not_offered_is_refused() -> None:
    sheet = holecard.rules("classic", {"insurance.pays": "none"})
    found, what = problem_of('count = "hi-lo"\n[plays]\ninsurance = "take at 3"', sheet)
    assert (found, what) == (3, f"{sheet.name} offers no insurance")


@pytest.mark.parametrize("used", ["Aces", "aces", "Big", "big"])
def test_a_side_count_is_used_by_its_section_or_its_name_in_any_capitals(used: str) -> None:
    """A play and a wager mean the same count, whichever name they use."""
    text = f"""
        count = "hi-lo"
        [plays]
        "16 v T" = "stand at 2 of {used}"
        [wagers.Pairs]
        count = "{used}"
        "below 4" = 0
        "4 and above" = 1
        [side.Aces]
        name = "Big"
        kind = "running"
        start = 4
        tags = {{ A = -1 }}
    """
    player = read_count_player(text)
    assert player.side_counts[0].name == "Big"
    assert player.thresholds(1) == (2,)
    assert player.number_of(player.wagers[0].count) == player.number_of(used if "ig" in used else "Big") == 1


def test_a_side_count_without_a_name_has_that_of_its_section() -> None:
    text = 'count = "hi-lo"\n[plays]\n"16 v T" = "stand at 2 of aces"\n[side.Aces]\ncentered = true\ntags = { A = -1 }'
    player = read_count_player(text)
    assert player.plays[0].count == player.side_counts[0].name == "Aces"


def test_two_side_counts_with_one_name_are_refused() -> None:
    aces = "centered = true\ntags = { A = -1 }"
    text = f'count = "hi-lo"\n[side.aces]\n{aces}\n[side.b]\nname = "ACES"\n{aces}'
    assert problem_of(text) == (5, "another side count has the name 'aces', too; change one of them")


@pytest.mark.parametrize("plays", ["stand at 4, hit below 0", "stand at 0, hit at 0", "hit below 2, stand at 0"])
def test_one_line_can_have_several_plays(plays: str) -> None:
    """Where two of them apply, the later is on top of the earlier."""
    player = read_count_player(f'count = "hi-lo"\n[plays]\n"16 v T" = "{plays}"')
    player.check(holecard.rules("classic"))
    assert [f"{play.action} {'below' if play.below else 'at'} {play.index}" for play in player.plays] == plays.split(
        ", "
    )


def test_a_pair_and_its_total_are_two_hands() -> None:
    text = 'count = "hi-lo"\n[plays]\n"16 v T" = "stand at 0"\n"8,8 v T" = "stand at 6"'
    assert [play.hand for play in read_count_player(text).plays] == ["16", "8,8"]


@pytest.mark.parametrize(
    ("cell", "hand", "action", "below", "expected"),
    [
        # Below an index, doing what the cell does without surrender means not to surrender.
        ("RH", "15", "hit", True, "H"),
        ("RS", "17", "stand", True, "S"),
        # At an index, surrender stays: the usual list has "stand at 0" for 16 v T, which the best chart surrenders.
        ("RS", "16", "stand", False, "RS"),
        ("RH", "15", "hit", False, "RH"),
        # Another end is for hands that cannot be surrendered.
        ("RH", "16", "stand", False, "RS"),
        ("RH", "16", "stand", True, "RS"),
        ("RS", "16", "hit", True, "RH"),
        ("RDH", "11", "hit", True, "RH"),
        # A pair has only two cards, so it can always be surrendered unless it was split.
        ("RP", "8,8", "hit", True, "H"),
        ("RP", "8,8", "stand", False, "S"),
        ("R", "7,7", "hit", True, "H"),
        ("RH", "7,7", "stand", False, "S"),
        # All others are tried before surrender.
        ("RP", "8,8", "split", True, "PR"),
        ("RH", "11", "double", False, "DRH"),
        # Surrender comes first wherever it is the play.
        ("H", "15", "surrender", False, "RH"),
        ("S", "15", "surrender", False, "RS"),
        ("-", "8,8", "surrender", False, "R"),
        ("P", "8,8", "surrender", False, "RP"),
        ("RH", "15", "surrender", False, "RH"),
        # Without surrender.
        ("H", "16", "stand", False, "S"),
        ("DH", "11", "hit", True, "H"),
        ("-", "T,T", "split", False, "P"),
    ],
)
def test_plays_in_cells_that_surrender(cell: str, hand: str, action: str, below: bool, expected: str) -> None:
    assert with_play(cell, IndexPlay(hand, "T", action, 0, below)) == expected


def test_a_surrender_is_taken_back_and_other_plays_stay() -> None:
    """Hit below 0, surrender from 0 on, and from 4 on stand where surrender is not possible: the cards of players."""
    sheet = holecard.rules("last-chance")
    text = """
        count = "hi-lo"
        [plays]
        "14 v T" = "surrender at 3"
        "15 v T" = "hit below 0, stand at 4"
        "16 v T" = "stand at 0"
    """
    player = read_count_player(text)
    player.check(sheet)
    charts = player.charts(cached_best_chart(sheet).chart)
    rows, columns = [row.title for row in charts[0].layout.rows], [one.name for one in charts[0].layout.columns]
    found = {
        total: [chart.cells[rows.index(f"hard {total}")][columns.index("T")] for chart in charts]
        for total in (14, 15, 16)
    }
    assert player.thresholds(0) == (0, 3, 4)
    assert found == {14: ["H", "H", "RH", "RH"], 15: ["H", "RH", "RH", "RS"], 16: ["RS", "RS", "RS", "RS"]}


# Values from Python


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"action": "fly"}, "unknown action 'fly'; it can be 'hit', 'stand'"),
        ({"action": "take"}, "unknown action 'take'"),
        ({"action": None}, "unknown action None"),
        ({"hand": "insurance", "upcard": ""}, "unknown action 'stand'; it can be 'take'"),
        ({"hand": "insurance", "action": "take"}, "or 'insurance' and ''"),
        ({"upcard": ""}, "give a hand and the dealer's card"),
        ({"hand": 16}, "give a hand and the dealer's card, for example '16' and 'T'"),
        ({"index": 0.5}, "0.5 is not an index; give a whole number"),
        ({"index": True}, "True is not an index"),
        ({"index": 10**5}, "100000 is not an index"),
        ({"count": 3}, "3 is not the name of a side count"),
    ],
)
def test_impossible_plays_are_refused_when_they_are_made(values: dict[str, Any], words: str) -> None:
    with pytest.raises(CountError) as refused:
        IndexPlay(**{"hand": "16", "upcard": "T", "action": "stand", "index": 0, **values})
    assert words in str(refused.value)


@pytest.mark.parametrize("hand", ["A,7", "7,a", "soft 18", "Soft A,7"])
def test_a_hand_has_one_name(hand: str) -> None:
    assert IndexPlay(hand, "10", "stand", 0) == IndexPlay("soft 18", "T", "stand", 0)


@pytest.mark.parametrize(
    ("starts", "bets", "words"),
    [
        ((4, 1), (1, 2, 3), r"(4, 1) must ascend; give each count once, the lowest first"),
        ((1, 1), (1, 2, 3), "must ascend"),
        ((1.5,), (1, 2), "1.5 is not a count"),
        ((1,), (1, -2), "-2 is not a bet; give units from 0 to 10,000"),
        ((1,), (1, 10**5), "100000 is not a bet"),
        ((1,), (1, 0.5), "0.5 is not a bet; give units from 0 to 10,000, for example 2 or Fraction(1, 2)"),
        ((1,), (1,), "1 bets for 1 starts; give 2"),
        ((), (), "0 bets for 0 starts; give 1"),
    ],
)
def test_impossible_ramps_are_refused_when_they_are_made(starts: Any, bets: Any, words: str) -> None:
    with pytest.raises(CountError) as refused:
        Ramp(starts, bets)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"seat": 0}, "table.seat: 0 is not valid; write 1 to 99"),
        ({"seat": None}, "table.seat: None is not valid"),
        ({"seats": 0}, "table.seats: 0 is not valid"),
        ({"cut": 101}, "write 1 to 100 percent of the shoe"),
        ({"enter": 1.5}, "table.enter: 1.5 is not valid"),
        ({"enter": 1, "leave": 2}, "leaves below 2, but sits down at 1; use 1 or less"),
        ({"plays": (IndexPlay("16", "T", "stand", 0, count="none"),)}, "plays.16 v T: there is no side count 'none'"),
        ({"wagers": (WagerRamp("Pairs", Ramp(), "aces"),)}, "wagers.Pairs: there is no side count 'aces'; add it"),
        ({"side_counts": (count_of("zen"), count_of("zen"))}, "two side counts have the name 'zen'"),
    ],
)
def test_impossible_players_are_refused_when_they_are_made(values: dict[str, Any], words: str) -> None:
    with pytest.raises(CountError) as refused:
        CountPlayer(count_of("hi-lo"), **values)
    assert words in str(refused.value)


def test_a_play_for_a_total_changes_the_exceptions_of_its_hands() -> None:
    """Ten-six against a ten is an exception of the chart; the play for 16 holds for it as for other sixteens."""
    sheet = holecard.rules("lone-deck")
    chart = never_bust(sheet.tables)
    ten = [column.name for column in chart.layout.columns].index("T")
    chart = replace(chart, exceptions=(TwoCards(6, 10, ten, "H"), TwoCards(5, 10, ten, "H")))
    player = read_count_player('count = "hi-lo"\n[plays]\n"16 v T" = "stand at 2"')
    below, above = player.charts(chart)
    assert [one.cell for one in below.exceptions] == ["H", "H"]
    assert [one.cell for one in above.exceptions] == ["S", "H"]
    assert above.choose(16, False, None, (10,), ("hit", "stand"), (6, 10)) == "stand"
