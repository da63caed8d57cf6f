"""Index plays: where the exact EVs of two actions cross, and what a file of them says."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from holecard.advantage.count_spread import count_spread
from holecard.advantage.expected_shoe import expected_cards, solve_expected
from holecard.advantage.index_search import IndexPlays, index_plays
from holecard.advantage.index_values import ReadingValues, solved_counts
from holecard.charts.named_strategies import NAMED
from holecard.counts import count_of, count_player_text, read_count_player
from holecard.counts.index_plays import cell_of
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.sheets.read import rules


@cache
def found() -> IndexPlays:
    return index_plays(rules("classic"), count_of("hi-lo"), cut=75)


def test_two_actions_are_worth_the_same_at_the_critical_count() -> None:
    """Two tens against a six: solved again from the shoe in which the count, after these cards, is the critical one."""
    sheet, play = rules("classic"), next(one for one in found().plays if one.play.title == "T,T v 6")
    unseen = 312 - found().depth
    # The player sees two tens and a six: a sum of tags of -1, and three cards fewer.
    before = play.critical / 52 * (unseen - 3) + 1
    solved = solve_expected(sheet, expected_cards(count_of("hi-lo"), unseen, before / unseen))
    tens = next(initial for initial, _ in solved.decisions if initial.low == initial.high == 10)
    six = solved.game.dealer.shown.index((6,))
    gain = tens.actions["split"][six] - tens.actions["stand"][six]
    step = solve_expected(sheet, expected_cards(count_of("hi-lo"), unseen, (before + unseen / 52) / unseen))
    tens = next(initial for initial, _ in step.decisions if initial.low == initial.high == 10)
    slope = tens.actions["split"][six] - tens.actions["stand"][six] - gain
    assert slope > 0
    assert abs(gain / slope) < 0.02, "the critical count is off by this much"


def test_the_insurance_index_is_where_a_third_of_the_hole_cards_are_tens() -> None:
    """For a hand of no tags: 2 to 1 pays from one third on, given the cards that the player sees."""
    play = next(one for one in found().plays if one.play.hand == "insurance")
    unseen, count = 312 - found().depth, count_of("hi-lo")
    before = play.critical / 52 * (unseen - 3) + 1
    cards = expected_cards(count, unseen, before / unseen)
    # The average hand has 3/13 of a ten per card, more than 2/13 of one as an ace is out: the index is near.
    assert 3 * (cards[36:].sum() - 2 * 4 / 13) / (unseen - 3) - 1 == pytest.approx(0, abs=0.01)
    assert play.play.index == 3


def test_gains_are_ranked_and_positive() -> None:
    gains = [play.spread_gain for play in found().plays]
    assert all(one >= other > 0 for one, other in pairwise(gains))


def test_the_values_of_all_readings_are_the_value_of_the_cell() -> None:
    """Hands are divided among readings; their sum is the average over the counts before the round."""
    sheet = rules("classic")
    chart = cached_best_chart(sheet).chart
    spread = count_spread(count_of("hi-lo"), 6, 75)
    solved = solved_counts(sheet, spread, chart, 75)
    values = ReadingValues(solved, chart, np.full(spread.probability.size, 3.0))
    row = next(number for number, row in enumerate(chart.layout.rows) if row.title == "hard 16")
    column = next(number for number, column in enumerate(chart.layout.columns) if column.name == "T")
    flat, bets = values.of_cell(row, "S")
    starts = values.columns == column
    evs = np.array([weights.ev(chart.layout.rows[row], "S", starts) for weights in solved.weights])
    assert flat[:, column].sum() == pytest.approx(float(spread.probability @ solved.at_points(evs)), rel=1e-9)
    assert bets == pytest.approx(3 * flat)


def test_the_file_of_the_plays_reads_back() -> None:
    """Bets, plays and the cut card, for a count of its own and for one that comes with Holecard."""
    sheet = rules("classic")
    player = found().player(20)
    text = count_player_text(player)
    read = read_count_player(text)
    assert (read.count, read.ramp, read.plays, read.cut) == (player.count, player.ramp, player.plays, player.cut)
    read.check(sheet)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["double-up", "quick-pay", "face-up"])
def test_every_play_is_one_that_the_game_allows(game: str) -> None:
    """Games with other actions, other ends and both dealer cards up; no play repeats what its chart says."""
    sheet = rules(game)
    chart = NAMED["never bust"](sheet.tables) if game == "face-up" else None
    plays = index_plays(sheet, count_of("hi-lo"), cut=75, chart=chart)
    assert len(plays.plays) > 5
    plays.player().check(sheet)
    for one in plays.plays:
        if one.play.upcard:
            place = cell_of(plays.chart.layout, one.play)
            assert not isinstance(place, str)
            assert one.instead_of == plays.chart.cells[place[0]][place[1]]


@pytest.mark.slow
def test_a_pair_that_is_played_as_its_total_surrenders_with_it() -> None:
    """Early surrender of 16 against a ten holds for two eights, too: no play says what the chart does anyway."""
    sheet = rules("early-bird")
    plays = index_plays(sheet, count_of("hi-lo"), cut=75).plays
    assert not [one for one in plays if (one.play.title, one.play.action) == ("8,8 v T", "surrender")]
    assert [one for one in plays if one.play.action == "surrender"]
