"""A chart: what a player does with every total and pair against every dealer's card.

Nothing else is looked at, but for the first two cards where the chart has exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache

from holecard.charts.chart_errors import cell_problem, shape_problems
from holecard.charts.exceptions import TwoCards, exception_problems
from holecard.charts.layout import Column, Layout, Row
from holecard.charts.letters import actions_in_order, in_order
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
    """`cells[row][column]` in the layout's order. A chart with a cell the game cannot be played by cannot be made."""

    _report = "chart"

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
        """A chart written cell by cell: `cell(row, column)` says what stands there."""
        layout = game if isinstance(game, Layout) else Layout.of(game)
        return cls(layout, tuple(tuple(cell(row, column) for column in layout.columns) for row in layout.rows))

    @property
    def letters(self) -> str:
        """The letters it uses, in the order of a legend."""
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
        """What to do with a hand, in the order it is tried; the last, standing, is always allowed.

        `pair_value` is the value of two equal cards (1 is an ace), None for any other hand; `dealer_values` are the
        upcard's value, or those of both dealer cards where both are up; `first_two` are the values of a hand that is as
        it was dealt.
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
        """The first of the preferences that is legal.

        Asked before the dealer looks, only a hand whose first wish is to surrender gives up: whatever else it wishes
        for will be open to it. A chart never insures.
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
        """What `choose` says in every column; rows met before are not read again."""
        columns = range(len(self.layout.columns))
        row = self.layout.row(total, soft)
        pair = None if pair_value is None else self.layout.pair_row(pair_value)
        own = ("",) * len(columns) if pair is None else self.cells[pair]
        if pair is None and self.exceptions and first_two is not None:
            low, high = sorted(first_two)
            own = tuple(self._excepted.get((low, high, column), "") for column in columns)
        return _chosen(own, ("S",) * len(columns) if row is None else self.cells[row], legal)

    def act(self, at: State | View) -> Action:
        """What the seat that is asked does. A view must be that seat's own; doubling is for the full amount."""
        seen = at if isinstance(at, View) else view(at, at.asked.number if at.asked else 0)
        if not seen.choices:
            raise OutOfTurn("a chart decides for the seat that is asked to act on its hand, and none is")
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
        return "no insurance"
    if "no surrender" in legal:
        return "surrender" if wanted[0] == "surrender" else "no surrender"
    return next((action for action in wanted if action in legal), "stand")


@lru_cache(maxsize=1 << 14)
def _chosen(own: tuple[str, ...], by_total: tuple[str, ...], legal: tuple[str, ...]) -> tuple[Action, ...]:
    """[column] what two rows of cells say, one after the other."""
    return tuple(_first_legal(actions_in_order(*cells), legal) for cells in zip(own, by_total, strict=True))
