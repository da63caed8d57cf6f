"""Exceptions of a chart: first two cards that are played differently from other hands of their total.

    except
        T,2 v 4   H
        T,3 v 2   H

They apply only to the first two cards of a round, not after a split or with a third card. A pair that can be split has
its own row and needs no exception.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holecard.charts.chart_errors import cell_problem
from holecard.charts.layout import Layout, Row
from holecard.charts.letters import describe_cell
from holecard.deck import value_name
from holecard.errors import shortly
from holecard.hands import total_of

_VALUES = "A23456789T"


class TwoCards(NamedTuple):
    """The cell for two cards, given by value (1 is an ace), in one column of the chart."""

    low: int
    high: int
    column: int
    cell: str

    @property
    def hand(self) -> str:
        """ "T,2", "A,7"."""
        first, second = (self.low, self.high) if self.low == 1 else (self.high, self.low)
        return f"{value_name(first)},{value_name(second)}"

    def title(self, layout: Layout) -> str:
        """Return the hand and the upcard: "T,2 v 4"."""
        return f"{self.hand} v {layout.columns[self.column].name}"


def exception_problems(layout: Layout, exceptions: Sequence[TwoCards]) -> Iterator[str]:
    """Yield the problems of exceptions."""
    seen = set()
    for one in exceptions:
        if not (1 <= one.low < one.high <= 10 and 0 <= one.column < len(layout.columns)):
            yield f"{one} is not an exception; write two different values from 1 to 10, lower first, and a column"
            continue
        title = one.title(layout)
        if one[:3] in seen:
            yield f"{title}: the exception occurs twice"
        seen.add(one[:3])
        row = _row_of(layout, one)
        if row is None:
            yield f"{title}: a natural leaves nothing to decide"
        elif problem := cell_problem(one.cell, row, layout):
            yield f"{title}: {problem}"


def _row_of(layout: Layout, one: TwoCards) -> Row | None:
    total, soft = total_of((one.low, one.high))
    index = None if total == 21 else layout.row(total, soft)
    return None if index is None else layout.rows[index]


def exception_note(layout: Layout, exceptions: Sequence[TwoCards]) -> str:
    """Return all exceptions in one sentence."""
    said = "; ".join(f"{one.title(layout)} {describe_cell(one.cell)}" for one in exceptions)
    return f"Exceptions for the first two cards: {said}."


def write_exceptions(layout: Layout, exceptions: Sequence[TwoCards]) -> Iterator[str]:
    """Yield a heading and a line for each exception, as `read_exception` reads them."""
    if exceptions:
        yield "except"
        for one in exceptions:
            yield f"    {one.title(layout):<9}  {one.cell}"
        yield ""


def read_exception(layout: Layout, words: Sequence[str]) -> TwoCards | str:
    """Return an exception, or what is wrong with the line."""
    if len(words) != 4 or words[1].lower() != "v":
        return f"{shortly(' '.join(words))} is not an exception; write it like 'T,2 v 4  H'"
    hand, _, dealer, cell = (word.upper().replace("10", "T") for word in words)
    values = sorted(_VALUES.find(card) + 1 for card in hand.replace(",", ""))
    if len(values) != 2 or values[0] < 1:
        return f"{shortly(words[0])} is not a hand of two cards; write it like T,2"
    if values[0] == values[1]:
        return f"{shortly(words[0])} is a pair, which has its own row or is played as its total"
    names = [column.name.upper() for column in layout.columns]
    if dealer not in names and words[2].upper() not in names:
        return f"{shortly(words[2])} is not a column of this game's chart; the columns are {' '.join(names)}"
    column = names.index(dealer if dealer in names else words[2].upper())
    return TwoCards(values[0], values[1], column, cell)
