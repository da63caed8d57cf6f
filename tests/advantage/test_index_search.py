"""Index plays: where the exact EVs of two actions cross, and what a file of them says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb

import numpy as np
import pytest

from holecard.advantage.index_plays.count_distribution import (
    count_distribution,
    count_readings,
    excess_without,
    total_density,
)
from holecard.advantage.index_plays.expected_shoe import expected_cards, solve_expected
from holecard.advantage.index_plays.index_search import IndexPlays, _chart_evs, index_plays
from holecard.advantage.index_plays.index_values import ReadingValues, solved_counts
from holecard.charts.named_strategies import NAMED
from holecard.counts import IndexPlay, count_of, count_player_text, read_count_player
from holecard.counts.index_plays import cell_of
from holecard.exact.charts.cell_weights import cell_weights
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.solved_game import game_ev, main_ev
from holecard.sheets.read import rules
from holecard.simulation.plays.shoe_sample import sample_shoes
from tests.selection import quick

#: A hand, the upcard, the cell with a play and the chart's, and the index with one deck.
PLAYS = (("16", "T", "SH", 1), ("12", "3", "SH", 3), ("9", "7", "DH", 3))


@cache
def found() -> IndexPlays:
    return index_plays(rules("classic"), count_of("hi-lo"), cut=75)


@pytest.mark.slow
def test_two_actions_are_worth_the_same_where_a_play_is_even() -> None:
    """Two tens against a six: solved again from a full shoe with the shares that this count leads to expect."""
    play = next(one for one in found().plays if one.play.title == "T,T v 6")
    seen = found().cards_seen
    # The player sees two tens and a six: a sum of tags of -1. In a shoe without them, the mean tag is 1/309.
    total = play.even_at / 52 * (312 - seen - 3) + 1
    excess = (total - seen / 309) / (312 - seen - 3)

    def gain(excess: float) -> float:
        solved = solve_expected(rules("classic"), expected_cards(count_of("hi-lo"), 312, excess))
        tens = next(initial for initial, _ in solved.decisions if initial.low == initial.high == 10)
        six = solved.game.dealer.shown.index((6,))
        return float(tens.actions["split"][six] - tens.actions["stand"][six])

    slope = gain(excess + 1 / 52) - gain(excess)
    assert slope > 0
    assert abs(gain(excess) / slope) < 0.02, "the count at which both are worth the same is off by this much"


def exact_insurance_index(decks: int, seen: int) -> float:
    """Return the hi-lo count, with an ace and two more cards seen, at which a third of the hole cards are tens.

    All choices of the cards seen are counted: `low` of small cards, `high` of tens and aces, the rest in between.
    """
    cards, small, middle, tens = seen + 2, 20 * decks, 12 * decks, 16 * decks
    ways, evs = Counter[int](), Counter[int]()
    for low in range(min(small, cards) + 1):
        for between in range(min(middle, cards - low) + 1):
            high = cards - low - between
            number = comb(small, low) * comb(middle, between) * comb(20 * decks - 1, high)
            left = tens - Fraction(high * tens, 20 * decks - 1)
            ways[low - high - 1] += number
            evs[low - high - 1] += number * (3 * left / (52 * decks - cards - 1) - 1)
    points = [
        (52 * total / (52 * decks - cards - 1), float(evs[total] / ways[total]))
        for total in sorted(ways)
        if ways[total]
    ]
    (a, ev), (b, more) = next(pair for pair in pairwise(points) if pair[0][1] < 0 <= pair[1][1])
    return a - ev * (b - a) / (more - ev)


@pytest.mark.slow
@pytest.mark.parametrize(("decks", "cut", "margin"), [(1, 60, 0.1), (2, 75, 0.03), (6, 75, 0.02)])
def test_the_insurance_index_is_where_a_third_of_the_hole_cards_are_tens(decks: int, cut: int, margin: float) -> None:
    """Against every choice of the cards seen; with few decks, whole sums of tags are far apart."""
    plays = found() if decks == 6 else index_plays(rules("classic", decks=decks), count_of("hi-lo"), cut=cut)
    play = next(one for one in plays.plays if one.play.hand == "insurance")
    assert play.even_at == pytest.approx(exact_insurance_index(decks, round(plays.cards_seen)), abs=margin)
    assert play.play.index == {1: 2, 2: 2, 6: 3}[decks]


@pytest.mark.slow
def test_gains_are_ranked_and_positive() -> None:
    gains = [play.spread_gain for play in found().plays]
    assert all(one >= other > 0 for one, other in pairwise(gains))


@pytest.mark.parametrize(("decks", "margin"), quick([(6, 0.006), (1, 0.06)]))
def test_hands_of_all_readings_together_are_those_of_a_full_shoe(decks: int, margin: float) -> None:
    """Before a round, the cards left are a random part of the shoe: over all counts, every action is worth as much."""
    sheet = rules("classic", decks=decks)
    chart = cached_best_chart(sheet).chart
    distribution = count_distribution(count_of("hi-lo"), decks, 60)
    solved = solved_counts(sheet, distribution, chart, 60)
    values = ReadingValues(solved, chart, np.full(distribution.probability.size, 3.0))
    for hand, upcard, cells in (("16", "T", "SH"), ("9", "7", "DH"), ("T,T", "6", "PS"), ("8,8", "T", "PSH")):
        place = cell_of(chart.layout, IndexPlay(hand, upcard, "stand", 0))
        assert not isinstance(place, str)
        row, column = place
        for cell in cells:
            flat, bets = values.of_cell(row, cell)
            expected = solved.full.ev(chart.layout.rows[row], cell, values.columns == column)
            assert flat[:, column].sum() == pytest.approx(expected, rel=margin), (hand, upcard, cell)
            assert bets == pytest.approx(3 * flat)


@pytest.mark.slow
def test_the_large_bet_begins_where_the_chart_gains() -> None:
    """A game in which best play for the cards left gains at a lower count than its chart does."""
    sheet = rules("five-card-charlie")
    plays = index_plays(sheet, count_of("hi-lo"), cut=75)
    assert plays.large_bet_from is not None
    evs = [
        game_ev(solve_expected(sheet, expected_cards(count_of("hi-lo"), 312, reading / 52), plays.chart))
        for reading in (plays.large_bet_from - 1, plays.large_bet_from + 1)
    ]
    assert evs[0] < 0 < evs[1]


@pytest.mark.slow
def test_running_counts_say_where_plays_are_even() -> None:
    """KO's readings lie far from zero."""
    plays = index_plays(rules("classic"), count_of("ko"), cut=75).plays
    assert all(one.even_at is not None for one in plays[:18])


@pytest.mark.slow
@pytest.mark.parametrize("cut", [12, 100])
def test_the_shallowest_and_the_deepest_cut_card_have_plays(cut: int) -> None:
    """One deck: with hands that take its last cards, and with a cut card after the first round."""
    plays = index_plays(rules("classic", decks=1), count_of("hi-lo"), cut=cut)
    assert plays.plays
    assert all(np.isfinite(one.spread_gain) for one in plays.plays)


@pytest.mark.slow
def test_the_chart_is_worth_as_much_at_every_depth() -> None:
    """Over the counts of a depth, a round is one from the full deck; a neutral count is worth more than that."""
    sheet = rules("classic", decks=1)
    chart = cached_best_chart(sheet).chart
    met = count_distribution(count_of("hi-lo"), 1, 75)
    evs = _chart_evs(met, solved_counts(sheet, met, chart, 75))
    full = main_ev(sheet, None, chart)
    for cards in np.unique(met.seen):
        here = met.seen == cards
        assert np.average(evs[here], weights=met.probability[here]) == pytest.approx(full, abs=5e-5)
    assert (evs[(met.total == 0) & (met.seen > 20)] > full + 5e-4).all()


def test_hands_that_leave_no_card_are_not_dealt() -> None:
    """With 46 of 52 cards seen, a hand of five and the upcard leave none for the dealer; one card less does."""
    six, five = (total_density(count_of("hi-lo"), 1, np.zeros(1), 46.0, np.zeros(1), np.full(1, n)) for n in (6.0, 5.0))
    assert six[0] == 0 < five[0]
    assert np.isfinite(excess_without(count_of("hi-lo"), 1, np.zeros(1), 46.0, np.zeros(1), np.full(1, 6.0)))


@pytest.mark.slow
def test_gains_are_those_of_dealt_shoes() -> None:
    """Hands of sampled shoes solved exactly, one deck: what an action gains from its index on, and loses below it."""
    sheet, count = rules("classic", decks=1), count_of("hi-lo")
    chart = cached_best_chart(sheet).chart
    distribution = count_distribution(count, 1, 60)
    values = ReadingValues(solved_counts(sheet, distribution, chart, 60), chart, np.ones(distribution.probability.size))
    sample = sample_shoes(sheet, shoes=300, cut=60, seed=3, every=2)
    tags = np.array(count.tags, np.float64)
    by_value = np.append(tags[:36:4], -1.0)
    dealt = np.zeros((len(PLAYS), 2, len(sample)))
    rows = [cell_of(chart.layout, IndexPlay(hand, upcard, "stand", 0)) for hand, upcard, _, _ in PLAYS]
    for number, left in enumerate(sample.cards.astype(np.float64)):
        weights = cell_weights(solve_expected(sheet, left))
        hands_of = weights.game.hands
        for place, part, (_, upcard, cells, index) in zip(rows, dealt, PLAYS, strict=True):
            assert not isinstance(place, str)
            value = 10 if upcard == "T" else int(upcard)
            only = np.array([shown == (value,) for shown in weights.game.dealer.shown])
            for sign, cell in zip((1, -1), cells, strict=True):
                for hands, frequency, evs in weights.by_hand(chart.layout.rows[place[0]], cell, only):
                    total = hands_of.cards[hands] @ by_value + by_value[value - 1] - left @ tags
                    seen = 52 - left.sum() + hands_of.size[hands] + 1
                    above = count_readings(count, 1, total, seen) >= index
                    gain = sign * np.nan_to_num(frequency * evs)[:, 0]
                    part[:, number] += gain[above].sum(), gain[~above].sum()
    for place, part, (_, _, cells, index) in zip(rows, dealt, PLAYS, strict=True):
        assert not isinstance(place, str)
        one, other = (values.of_cell(place[0], cell)[0][:, place[1]] for cell in cells)
        gains, turn = one - other, index - values.lowest
        for found, exact in zip((gains[turn:].sum(), gains[:turn].sum()), part, strict=True):
            error = exact.std() / np.sqrt(exact.size)
            assert found == pytest.approx(exact.mean(), abs=0.1 * abs(exact.mean()) + 4 * error)
            assert error < 0.15 * abs(exact.mean())


@pytest.mark.slow
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
