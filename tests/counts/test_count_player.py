"""Players who count: bets by count, index plays, the table, and what a game refuses."""

from __future__ import annotations

from fractions import Fraction

import pytest

import holecard
from holecard.charts.named_strategies import never_bust
from holecard.counts import CountPlayer, count_of, count_player_of, read_count_player
from holecard.errors import CountError

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
        ('"below 1" = 1\n"2 and above" = 4', 4, "no bet for the count 1"),
        ('"below 1" = 1\n"1 to 3" = 2\n"3 and above" = 4', 5, "overlap"),
        ('1 = 1\n"2 and above" = 4', 3, "no bet for counts below 1"),
        ('"below 1" = 1\n1 = 4', 4, "no bet for counts above 1"),
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
        ('[wagers.Pairs]\ncount = 5\n"below 4" = 0\n"4 and above" = 1', 3, "5 is not the name of a side count"),
        ("[table]\nseats = 2\nseat = 3", 4, "no seat 3"),
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
    text = 'count = "hi-lo"\n[plays]\n"16 v T" = "stand at 2 of aces"\n[side.Aces]\npivot = 0\ntags = { A = -1 }'
    player = read_count_player(text)
    assert player.plays[0].count == player.side_counts[0].name == "Aces"


def test_two_side_counts_with_one_name_are_refused() -> None:
    aces = "pivot = 0\ntags = { A = -1 }"
    text = f'count = "hi-lo"\n[side.aces]\n{aces}\n[side.b]\nname = "ACES"\n{aces}'
    assert problem_of(text) == (5, "another side count has the name 'aces', too; change one of them")
