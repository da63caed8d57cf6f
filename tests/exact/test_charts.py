"""EVs of charts, compared with the engine, which plays them card by card, and with each other."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

import holecard
from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Layout, Row
from holecard.charts.named_strategies import mimic_the_dealer, never_bust
from holecard.charts.text import read_chart_text, write_chart_text
from holecard.composition import full
from holecard.exact.charts.best_chart import best_chart
from holecard.exact.charts.legal_cells import legal_cells
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.solved_game import ev_by_start, main_ev, solve_game
from holecard.sheets.schema import RuleSheet
from tests.exact.chart_walk import ChartGame, walk
from tests.selection import one_in, quick

SHOE = {"A": 3, "6": 4, "9": 3, "T": 8}
COURTS = {"8": 3, "A": 2, "K": 5, "Q": 9, "T": 1}


def two_hands(game: str, **settings: object) -> RuleSheet:
    """With at most two split hands the distribution is exact; $60 splits without fractions of a cent."""
    offered = holecard.rules(game).player.split_hands
    return holecard.rules(game, split_hands=min(offered, 2), **settings, **{"main.max": "$500", "main.step": "$1"})


def agrees(sheet: RuleSheet, chart: Chart) -> None:
    slow = walk(sheet, chart, SHOE, 60)
    fast = holecard.analyze(sheet, SHOE, strategy=chart, wagers=False).main
    assert {net for net, probability in fast.distribution if probability > 1e-13} == set(slow)
    for net, probability in fast.distribution:
        assert probability == pytest.approx(float(slow.get(net, 0)), abs=1e-12), net
    assert fast.ev == pytest.approx(float(sum(net * probability for net, probability in slow.items())), abs=1e-12)


@pytest.mark.parametrize("game", quick(["classic", "double-up", "quick-pay", "face-up"]))
def test_the_best_chart_is_priced_as_the_engine_plays_it(game: str) -> None:
    sheet = two_hands(game)
    agrees(sheet, best_chart(sheet).chart)


@pytest.mark.parametrize("example", quick(["early-bird", "european", "five-card-charlie", "push-22"], "european"))
def test_so_are_the_examples(example: str) -> None:
    sheet = two_hands(example)
    agrees(sheet, best_chart(sheet).chart)


@pytest.mark.parametrize("named", [mimic_the_dealer, never_bust])
def test_so_are_named_strategies(named: object) -> None:
    assert callable(named)
    sheet = two_hands("classic", **{"player.surrender": "late"})
    agrees(sheet, named(sheet.tables))


@pytest.mark.slow
def test_a_chart_that_doubles_into_busts_is_priced_too() -> None:
    """Doubling 16 can bust, which no good chart does; splits and doubles after splits are included."""
    sheet = two_hands("classic")

    def cell(row: Row, _column: Column) -> str:
        if row.pair:
            return "P"
        return "DS" if "D" in row.letters and row.total > 12 else "H" if "H" in row.letters else "S"

    agrees(sheet, Chart.filled(sheet.tables, cell))


@pytest.mark.parametrize("game", one_in(6, holecard.games()))
def test_a_chart_costs_little_and_reads_back_to_its_price(game: str) -> None:
    sheet = holecard.rules(game)
    found = best_chart(sheet)
    assert 0 <= found.cost < 0.002
    again = read_chart_text(write_chart_text(found.chart), Layout.of(sheet.tables), "chart")
    assert main_ev(sheet, strategy=again) == found.ev
    assert found.optimum_ev == pytest.approx(main_ev(sheet), abs=1e-15)


def every_cell(row: Row) -> list[str]:
    """Every legal cell: letters in any order, ending with a final action."""
    others = [letter for letter in row.letters if letter not in "HS"]
    orders = ["".join(letters) for n in range(len(others) + 1) for letters in permutations(others, n)]
    cells = [letters + closing for letters in orders for closing in ("H", "S", "") if closing in row.letters]
    return [cell for cell in cells if cell and (row.pair or cell[-1] in "HS")] + ["-"] * bool(row.pair)


def column_values(sheet: RuleSheet, chart: Chart) -> NDArray[np.float64]:
    """[column] What the rounds in a chart's column contribute to the EV of the game."""
    played = solve_game(sheet, strategy=chart)
    found = np.zeros(len(chart.layout.columns))
    for value, shown in zip(ev_by_start(played), played.game.dealer.shown, strict=True):
        found[chart.layout.column(shown)] += value
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "settings"),
    [(game, settings) for game in holecard.games() for settings in ({}, {"decks": 1, "split_hands": 2})],
)
def test_no_single_cell_makes_the_chart_better(game: str, settings: dict[str, object]) -> None:
    """Every legal cell in every place, in the whole game."""
    sheet = holecard.rules(game, **settings)
    chart = best_chart(sheet).chart
    best = column_values(sheet, chart)
    for index, row in enumerate(chart.layout.rows):
        for other in every_cell(row):
            # Columns are independent: the row is changed in all of them, and each is compared.
            line = (other,) * len(chart.layout.columns)
            changed = Chart(chart.layout, (*chart.cells[:index], line, *chart.cells[index + 1 :]))
            worse = column_values(sheet, changed) <= best + 2e-12
            assert worse.all(), f"{row.title} {other}: {worse}"


@pytest.mark.parametrize(
    ("game", "settings", "cells"),
    one_in(
        3,
        [
            ("classic", {"decks": 1, "split_hands": 2}, {("6,6", "2"): "PS", ("6,6", "3"): "PS"}),
            ("face-up", {}, {("8,8", "7"): "PH", ("8,8", "8"): "PH"}),
            ("double-up", {}, {("18", "4"): "DUS", ("18", "5"): "DUS"}),
        ],
    ),
)
def test_a_hand_that_may_not_do_what_is_best_has_its_letters(
    game: str, settings: dict[str, object], cells: dict[tuple[str, str], str]
) -> None:
    """A pair that cannot be split again, and a split ace with one card, which may be doubled up but not doubled."""
    chart = best_chart(holecard.rules(game, **settings)).chart
    columns = [column.name for column in chart.layout.columns]
    names = {row.name: index for index, row in enumerate(chart.layout.rows)}  # hard 18 and soft 18: the latter
    assert {(row, column): chart.cells[names[row]][columns.index(column)] for row, column in cells} == cells


@pytest.mark.parametrize("up", quick([2, 3]))
def test_twelve_of_two_sixes_stands_where_a_third_is_gone(up: int) -> None:
    """Why 6,6 is PS with one deck: split sixes that pair again, by plain enumeration; any hand of 13 or more stands."""
    deck = {value: 4 if value < 10 else 16 for value in range(1, 11)}
    for value in (6, 6, 6, up):
        deck[value] -= 1
    hit = sum(
        Fraction(count, 48) * (-1 if 12 + value > 21 else stood(12 + value, (up,), {**deck, value: count - 1}))
        for value, count in deck.items()
    )
    assert stood(12, (up,), deck) > hit + Fraction(1, 100)


def stood(total: int, dealer: tuple[int, ...], left: dict[int, int]) -> Fraction:
    """Standing against a dealer who hits soft 17, from a shoe of these values."""
    hard = sum(dealer)
    soft = 1 in dealer and hard <= 11
    final = hard + 10 * soft
    if final >= 17 + soft:
        return Fraction(1 if final > 21 else (total > final) - (total < final))
    cards = sum(left.values())
    return sum(
        (
            Fraction(count, cards) * stood(total, (*dealer, value), {**left, value: count - 1})
            for value, count in left.items()
            if count
        ),
        Fraction(0),
    )


def test_a_row_has_a_cell_for_every_way_to_play_it() -> None:
    """The shortest one is used: PDH is PD where a split hand may double, and PH where it may not."""
    for settings, pairs in (({}, "- H S D P PH PS PD"), ({"double_after_split": False}, "- H S D P PH PS")):
        sheet = holecard.rules("classic", **settings)
        layout = Layout.of(sheet.tables)
        cells = dict(
            zip((row.title for row in layout.rows), legal_cells(prepared_game(sheet.tables), layout), strict=True)
        )
        assert cells["8,8"] == pairs.split()
        assert cells["A,A"] == ["-", "H", "S", "D", "P", "PS"]
        assert cells["hard 16"] == ["H", "S", "DH", "DS"]


@pytest.mark.slow
def test_a_rich_shoe_has_another_chart() -> None:
    """Without the small cards, 16 stands against a ten."""
    sheet = holecard.rules("classic", decks=1)
    rich = full(1).without("2s 2h 3s 3h 4s 4h 5s 5h 5d 6s 6h")
    layout = Layout.of(sheet.tables)
    row, column = layout.row(16, False), layout.column((10,))
    assert row is not None
    assert best_chart(sheet, rich).chart.cells[row][column] == "S"
    assert best_chart(sheet).chart.cells[row][column] == "H"


def tens_by_rank(sheet: RuleSheet, cell: str) -> Chart:
    """Hit to 14 and split everything; the cell decides for two tens of one rank."""

    def fill(row: Row, _column: Column) -> str:
        if row.pair:
            return cell if row.pair == 10 else "P"
        return "H" if row.total < 15 and "H" in row.letters else "S"

    return Chart.filled(sheet.tables, fill)


def follows_the_row_of_tens(sheet: RuleSheet, cell: str) -> None:
    """Value, deviation and distribution as the engine deals them."""
    chart = tens_by_rank(sheet, cell)
    slow = ChartGame(sheet, chart, COURTS).distribution()
    mean = sum(net * probability for net, probability in slow.items())
    deviation = sqrt(sum((net - mean) ** 2 * probability for net, probability in slow.items()))
    assert main_ev(sheet, COURTS, chart) == pytest.approx(float(mean), abs=1e-13)
    fast = holecard.analyze(sheet, COURTS, strategy=chart, wagers=False).main
    assert fast.standard_deviation == pytest.approx(deviation, abs=1e-12)
    assert {net for net, probability in fast.distribution if probability > 1e-13} >= set(slow)
    for (net, probability), error in zip(fast.distribution, fast.probability_errors, strict=True):
        assert probability == pytest.approx(float(slow.get(net, 0)), abs=error + 1e-12), net
    if sheet.player.split_hands < 3:
        assert max(fast.probability_errors) < 1e-11


@pytest.mark.parametrize("cell", quick(["P", "PH", "PS", "PDH", "-"], "PH"))
@pytest.mark.parametrize(
    ("game", "hands"),
    quick([("classic", 2), ("classic", 3), ("classic", 4), ("quick-pay", 2)], ("classic", 2)),
)
def test_split_tens_of_one_rank_keep_their_row(game: str, hands: int, cell: str) -> None:
    """Kings are split: a K,K that cannot be split again uses the T,T row, and K,Q uses hard 20."""
    follows_the_row_of_tens(holecard.rules(game, split_by="rank", split_hands=hands), cell)


@pytest.mark.parametrize("hands", quick([2, 3], 3))
@pytest.mark.parametrize(
    ("game", "settings", "cell"),
    one_in(
        2,
        [
            ("double-up", {}, "PUH"),
            ("classic", {"hole_card": "no peek", "natural_takes": "original"}, "PH"),
        ],
    ),
)
def test_tens_of_one_rank_keep_their_row_whatever_stakes_they_carry(
    game: str, settings: dict[str, object], cell: str, hands: int
) -> None:
    """Doubled up after the split; or the original hand loses to a natural that the others push."""
    sheet = holecard.rules(game, split_by="rank", split_hands=hands, **settings)
    assert prepared_game(sheet.tables).rows.split_alike is (game == "double-up")
    follows_the_row_of_tens(sheet, cell)


@pytest.mark.slow
def test_both_up_tens_of_one_rank_keep_their_row() -> None:
    """The dealer's tens may have the rank of the pair."""
    follows_the_row_of_tens(holecard.rules("face-up", split_by="rank", split_hands=3), "PH")
