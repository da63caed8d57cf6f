"""A strategy chart: what a player does with every total and pair against every dealer's card.

It depends on nothing else, except on the first two cards if the chart has exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache

from holecard.charts.chart_errors import cell_problem, shape_problems
from holecard.charts.layout import Column, Layout, Row
from holecard.charts.letters import actions_in_order, in_order
from holecard.charts.two_card_exceptions import TwoCards, exception_problems
from holecard.deck import VALUES
from holecard.errors import ChartError, OutOfTurn
from holecard.presentation import Drawn
from holecard.sheets.tables import Tables
from holecard.table.events import Action
from holecard.table.state import State
from holecard.table.views import View, counted, view

Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, repr=False)
class Chart(Drawn):
    """`cells[row][column]` in the layout's order. The constructor refuses cells that the game does not allow."""

    _report = "exact.chart"

    layout: Layout
    cells: Cells
    exceptions: tuple[TwoCards, ...] = ()

    def __post_init__(self) -> None:
        problems = [*shape_problems(self.layout, self.cells)] or [
            f"{row.title} v {column.name}: {problem}"
            for row, cells in zip(self.layout.rows, self.cells, strict=True)
            for column, cell in zip(self.layout.columns, cells, strict=True)
            if (problem := cell_problem(cell, row, self.layout))
        ]
        problems += exception_problems(self.layout, self.exceptions)
        if problems:
            raise ChartError(problems)

    @classmethod
    def filled(cls, game: Tables | Layout, cell: Callable[[Row, Column], str]) -> Chart:
        """Return the chart with `cell(row, column)` in each cell."""
        layout = game if isinstance(game, Layout) else Layout.of(game)
        return cls(layout, tuple(tuple(cell(row, column) for column in layout.columns) for row in layout.rows))

    @property
    def letters(self) -> str:
        """The letters that the chart uses, in the order of a legend."""
        cells = [*(cell for row in self.cells for cell in row), *(one.cell for one in self.exceptions)]
        return in_order(letter for cell in cells for letter in cell)

    def preferences(
        self,
        total: int,
        soft: bool,
        pair_value: int | None,
        dealer_values: tuple[int, ...],
        first_two: tuple[int, int] | None = None,
    ) -> tuple[Action, ...]:
        """Return the actions for a hand in the order in which they are tried; the last, standing, is always allowed.

        `pair_value` is the value of two equal cards (1 is an ace), None for any other hand; `dealer_values` are the
        values of the upcard, or of both dealer cards if both are up; `first_two` are the values of the first two cards,
        if the hand has no others and was not split.
        """
        layout = self.layout
        column = layout.column(dealer_values)
        row = layout.row(total, soft)
        pair = None if pair_value is None else layout.pair_row(pair_value)
        by_total = "S" if row is None else self.cells[row][column]
        if pair is not None:
            return actions_in_order(self.cells[pair][column], by_total)
        if self.exceptions and first_two is not None:
            return actions_in_order(self._excepted.get((min(first_two), max(first_two), column), ""), by_total)
        return actions_in_order(by_total)

    @cached_property
    def _excepted(self) -> dict[tuple[int, int, int], str]:
        return {(one.low, one.high, one.column): one.cell for one in self.exceptions}

    def choose(
        self,
        total: int,
        soft: bool,
        pair_value: int | None,
        dealer_values: tuple[int, ...],
        legal: Collection[str],
        first_two: tuple[int, int] | None = None,
    ) -> Action:
        """Return the first of the preferences that is legal.

        Before the dealer checks for a natural, a hand surrenders only if that is its first preference, because the
        others will be legal later. A chart never takes insurance.
        """
        return _first_legal(self.preferences(total, soft, pair_value, dealer_values, first_two), legal)

    def choose_by_column(
        self,
        total: int,
        soft: bool,
        pair_value: int | None,
        legal: tuple[str, ...],
        first_two: tuple[int, int] | None = None,
    ) -> tuple[Action, ...]:
        """Return what `choose` returns in every column; the result is cached for equal rows."""
        columns = range(len(self.layout.columns))
        row = self.layout.row(total, soft)
        pair = None if pair_value is None else self.layout.pair_row(pair_value)
        own = ("",) * len(columns) if pair is None else self.cells[pair]
        if pair is None and self.exceptions and first_two is not None:
            low, high = sorted(first_two)
            own = tuple(self._excepted.get((low, high, column), "") for column in columns)
        return _chosen(own, ("S",) * len(columns) if row is None else self.cells[row], legal)

    def act(self, at: State | View) -> Action:
        """Return the action of the seat whose turn it is. A view must be that seat's own; doubles are full."""
        seen = at if isinstance(at, View) else view(at, at.asked.number if at.asked else 0)
        if not seen.choices:
            raise OutOfTurn("no seat is to act on a hand, so a chart has nothing to decide")
        seat = next(seat for seat in seen.seats if seat.number == seen.seat)
        cards = seat.hands[(seen.hand or 1) - 1].cards
        dealer = tuple(VALUES[card] for card in seen.dealer if card is not None)
        legal = [choice.action for choice in seen.choices]
        first_two = None
        if len(seat.hands) == 1 and len(cards) == 2 and cards[0] is not None and cards[1] is not None:
            first_two = VALUES[cards[0]], VALUES[cards[1]]
        return self.choose(*counted(cards), self.layout.pair_of(cards), dealer, legal, first_two)


def _first_legal(wanted: tuple[Action, ...], legal: Collection[str]) -> Action:
    if "no insurance" in legal:
        return Action.NO_INSURANCE
    if "no surrender" in legal:
        return Action.SURRENDER if wanted[0] == Action.SURRENDER else Action.NO_SURRENDER
    return next((action for action in wanted if action in legal), Action.STAND)


@lru_cache(maxsize=1 << 14)
def _chosen(own: tuple[str, ...], by_total: tuple[str, ...], legal: tuple[str, ...]) -> tuple[Action, ...]:
    """Return [column] the action of two rows of cells, the first row tried first."""
    return tuple(_first_legal(actions_in_order(*cells), legal) for cells in zip(own, by_total, strict=True))
