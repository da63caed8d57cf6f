"""The EV of every action in each cell of a chart, averaged over the two-card hands that belong to the cell.

A row of totals stands for longer hands, too, whose EVs differ by a little: their cards are out of the shoe. A total
that only a pair makes, such as hard 4, has the values of that pair when it is not split. A soft 21 that leaves a
decision was made by a split.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holecard.charts.layout import Layout, Row
from holecard.deck import value_name
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.evaluate import evaluate
from holecard.exact.main.initial_hands import best_first
from holecard.exact.results import ActionEV, StartingHand
from holecard.hands import total_of
from holecard.sheets.schema import RuleSheet
from holecard.table.notation.spot import Spot

#: Where the dealer's hands of a cell are many, these are named.
_NAMED = 6


class CellValues(NamedTuple):
    """The actions of a cell, best first, per unit of initial stake, and the hands that they are averaged over."""

    choices: tuple[ActionEV, ...]
    hands: tuple[str, ...]
    """the player's hands, such as "T,6" and "9,7", the most frequent first"""
    probability: float
    """how often such a hand is dealt and decided on"""
    given: str = ""
    """what the EVs are conditioned on"""


def cell_values(sheet: RuleSheet, layout: Layout) -> tuple[tuple[CellValues, ...], ...]:
    """Return [row][column] the values of a chart's cells; from full decks."""
    hands: dict[tuple[int, int], list[StartingHand]] = {}
    pairs_as_totals: dict[tuple[int, int], list[StartingHand]] = {}
    for hand in analyze(sheet, wagers=False).hands:
        column = layout.column(hand.dealer)
        total = layout.row(*total_of(hand.player))
        pair = layout.pair_row(hand.player[0]) if hand.is_pair else None
        if pair is not None:
            hands.setdefault((pair, column), []).append(hand)
        if total is not None:
            (hands if pair is None else pairs_as_totals).setdefault((total, column), []).append(hand)
    return tuple(
        tuple(
            _average(hands.get((index, column)) or pairs_as_totals.get((index, column)) or [], row)
            or _after_split(sheet, layout, row, column)
            for column in range(len(layout.columns))
        )
        for index, row in enumerate(layout.rows)
    )


def _average(hands: Sequence[StartingHand], row: Row) -> CellValues | None:
    """Return the values of a cell, weighted by how often each hand is dealt; None without a hand."""
    sums: dict[str, float] = {}
    weight_of: dict[str, float] = {}
    by_hand: dict[str, float] = {}
    for hand in hands:
        by_hand[_name(hand)] = by_hand.get(_name(hand), 0.0) + hand.probability
        for choice in hand.choices:
            if choice.action != "split" or row.pair is not None:
                sums[choice.action] = sums.get(choice.action, 0.0) + hand.probability * choice.ev
                weight_of[choice.action] = weight_of.get(choice.action, 0.0) + hand.probability
    if not sums:
        return None
    choices = best_first([ActionEV(action, ev / weight_of[action]) for action, ev in sums.items()])
    return CellValues(choices, _frequent(by_hand), sum(by_hand.values()), hands[0].given)


def _frequent(by_hand: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(by_hand, key=lambda name: (-by_hand[name], name))[:_NAMED])


def _name(hand: StartingHand) -> str:
    return hand.spot.partition(" v ")[0]


def _after_split(sheet: RuleSheet, layout: Layout, row: Row, column: int) -> CellValues:
    """Return the values of a soft 21 that a split made; those of a cell that no hand can reach are empty."""
    shown = layout.columns[column]
    if row.total != 21 or layout.both_up:
        return CellValues((), (), 0.0)
    try:
        found = evaluate(sheet, Spot(("A", "T"), (value_name(shown.dealer),), after_split=True))
    except Refusal:  # aces cannot be split
        return CellValues((), (), 0.0)
    return CellValues(found.choices, ("A,T after a split",), 0.0, found.given)
