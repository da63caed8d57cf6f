"""Values of a chart's cells: averages of the two-card hands of the cell, by how often they are dealt."""

from __future__ import annotations

from math import comb

import pytest

from holecard import evaluate, rules
from holecard.charts.layout import Layout
from holecard.exact.charts.cell_values import CellValues, cell_values


def cell_of(game: str, row: str, column: str) -> CellValues:
    """Return a cell by the titles of its row and column."""
    sheet = rules(game)
    layout = Layout.of(sheet.tables)
    index = next(index for index, one in enumerate(layout.rows) if one.title == row)
    return cell_values(sheet, layout)[index][next(i for i, one in enumerate(layout.columns) if one.name == column)]


def test_a_hard_total_averages_its_hands() -> None:
    """Hard 16 against a seven is T,6 and 9,7; 96·24 deals of one, and 24·23 of the other with a seven up."""
    found = cell_of("classic", "hard 16", "7")
    weights = {"T,6": 96 * 24, "9,7": 24 * 23}
    for choice in found.choices:
        evs = {hand: {one.action: one.ev for one in evaluate("classic", f"{hand} v 7").choices} for hand in weights}
        wanted = sum(weights[hand] * evs[hand][choice.action] for hand in weights) / sum(weights.values())
        assert choice.ev == pytest.approx(wanted, abs=1e-12)
    assert found.hands == ("T,6", "9,7")
    assert found.probability == pytest.approx(sum(weights.values()) * 24 / (comb(312, 2) * 310), rel=1e-9)


def test_a_pair_has_its_own_values() -> None:
    found = cell_of("classic", "8,8", "T")
    assert {one.action: one.ev for one in found.choices} == pytest.approx(
        {one.action: one.ev for one in evaluate("classic", "8,8 v T").choices}
    )
    assert found.given == evaluate("classic", "8,8 v T").given


def test_a_total_that_only_a_pair_makes_is_not_split() -> None:
    """Hard 4 is two twos that are not split."""
    found = cell_of("classic", "hard 4", "9")
    pair = {one.action: one.ev for one in evaluate("classic", "2,2 v 9").choices if one.action != "split"}
    assert {one.action: one.ev for one in found.choices} == pytest.approx(pair)


def test_the_dealers_hands_of_a_total_are_averaged() -> None:
    """Where both dealer cards are up, a hard 5 is 3,2: A,7 against it has the values of that one hand."""
    found = cell_of("face-up", "soft 18", "5")
    assert {one.action: one.ev for one in found.choices} == pytest.approx(
        {one.action: one.ev for one in evaluate("face-up", "A,7 v 3,2").choices}
    )


def test_a_soft_21_was_made_by_a_split() -> None:
    """Double-Up on a split ace and ten is the only decision with 21."""
    found = cell_of("double-up", "soft 21", "6")
    assert {one.action for one in found.choices} == {"stand", "double up"}
    assert found.hands == ("A,T after a split",)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["classic", "quick-pay", "face-up", "european", "early-bird"])
def test_every_cell_that_can_be_reached_has_values(game: str) -> None:
    """Every row of a chart has an action and its value in every column."""
    sheet = rules(game)
    for row in cell_values(sheet, Layout.of(sheet.tables)):
        assert all(cell.choices for cell in row)
