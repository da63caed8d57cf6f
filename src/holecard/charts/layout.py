"""The layout of a game's chart: its rows and columns, and the letters of each row, read from the tables alone.

Columns are the upcards 2 to 9, T and A. If both dealer cards are up, they are the dealer's two-card totals: hard 4 to
20 and soft 12 to 20 ("s17"); a natural ends the round. Rows are all totals that leave a decision: hard 4 to 20 and
soft 12 to 20 (even 2,2 and A,A are played as totals once they cannot be split), soft 21 if Double-Up is allowed on it,
which takes a split, and the pairs that can be split.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from holecard.charts.letters import in_order
from holecard.deck import VALUES, Card, value_name
from holecard.errors import ChartError
from holecard.hands import total_of
from holecard.sheets.tables import Tables

ChartBlock: TypeAlias = Literal["hard", "soft", "pairs"]
CHART_BLOCKS: tuple[ChartBlock, ...] = ("hard", "soft", "pairs")

#: Card values in the order of a chart, ace last.
_VALUES = (*range(2, 11), 1)
_HARD, _SOFT = range(4, 21), range(12, 21)


class Column(NamedTuple):
    """What the dealer shows: the value of an upcard (1 is an ace), or a two-card total if both cards are up."""

    name: str
    group: str
    dealer: int
    soft: bool


class Row(NamedTuple):
    """A total, or a pair by the value of its cards; `letters` are the actions that the game allows on it."""

    block: ChartBlock
    name: str
    total: int
    soft: bool
    pair: int | None
    letters: str

    @property
    def title(self) -> str:
        """The name in messages: "hard 11", "soft 18", "8,8"."""
        return self.name if self.pair else f"{self.block} {self.name}"


class Group(NamedTuple):
    """Adjacent columns under one heading, or adjacent rows of one block: from `first` up to `end`."""

    name: str
    first: int
    end: int


@dataclass(frozen=True)
class Layout:
    """The rows and columns of a game's chart. Games with equal layouts can share charts."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    both_up: bool
    """whether the columns are two-card totals instead of upcards"""
    pairs_by_rank: bool
    """whether K,Q is not a pair, so that the row of tens is for two cards of equal rank"""

    @classmethod
    def of(cls, tables: Tables) -> Layout:
        """Return the layout of a compiled sheet."""
        both_up = tables.hole_card == "face up"
        columns = tuple(_totals_seen() if both_up else _upcards())
        return cls(columns, tuple(_rows(tables)), both_up, tables.pairs_by_rank)

    @cached_property
    def letters(self) -> str:
        """Every letter that some row allows."""
        return in_order("".join(row.letters for row in self.rows))

    @cached_property
    def column_groups(self) -> tuple[Group, ...]:
        """Columns by what they show: upcards, or hard and soft totals."""
        return _groups([column.group for column in self.columns])

    @cached_property
    def blocks(self) -> tuple[Group, ...]:
        """Rows by block."""
        return _groups([row.block for row in self.rows])

    def column(self, dealer_values: tuple[int, ...]) -> int:
        """Return the column of the dealer's card, or cards if both are up, given by value (1 is an ace)."""
        if len(dealer_values) != (2 if self.both_up else 1):
            cards = "both dealer cards" if self.both_up else "the upcard alone"
            raise ChartError([f"this chart depends on {cards}, not on {_names(dealer_values)}"])
        index = self._columns.get(_counted(dealer_values) if self.both_up else (dealer_values[0], False))
        if index is None:
            raise ChartError([f"there is nothing to decide against a dealer's {_names(dealer_values)}"])
        return index

    def columns_of(self, starts: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        """Return the columns of several dealer's hands; the result is cached."""
        if starts not in self._columns_of:
            self._columns_of[starts] = tuple(map(self.column, starts))
        return self._columns_of[starts]

    def row(self, total: int, soft: bool) -> int | None:
        """Return the row of a total; None for 21 if it leaves nothing to decide."""
        index = self._totals.get((total, soft))
        if index is None and total != 21:
            raise ChartError([f"there is nothing to decide with a {'soft' if soft else 'hard'} {total}"])
        return index

    def pair_row(self, value: int) -> int | None:
        """Return the row of a pair; None if it cannot be split."""
        return self._pairs.get(value)

    def pair_of(self, cards: tuple[Card | None, ...]) -> int | None:
        """Return the value of two cards that are a pair with its own row; None for all others."""
        if len(cards) != 2 or cards[0] is None or cards[1] is None:
            return None
        first, second = cards[0], cards[1]
        alike = first.rank == second.rank if self.pairs_by_rank else VALUES[first] == VALUES[second]
        return VALUES[first] if alike and VALUES[first] in self._pairs else None

    @cached_property
    def _columns(self) -> dict[tuple[int, bool], int]:
        return {(column.dealer, column.soft): index for index, column in enumerate(self.columns)}

    @cached_property
    def _columns_of(self) -> dict[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        return {}

    @cached_property
    def _totals(self) -> dict[tuple[int, bool], int]:
        return {(row.total, row.soft): index for index, row in enumerate(self.rows) if row.pair is None}

    @cached_property
    def _pairs(self) -> dict[int, int]:
        return {row.pair: index for index, row in enumerate(self.rows) if row.pair is not None}


def _upcards() -> Iterator[Column]:
    for value in _VALUES:
        yield Column(value_name(value), "dealer's upcard", value, False)


def _totals_seen() -> Iterator[Column]:
    for total in _HARD:
        yield Column(str(total), "dealer's hard total", total, False)
    for total in _SOFT:
        yield Column(f"s{total}", "dealer's soft total", total, True)


def _rows(tables: Tables) -> Iterator[Row]:
    for total in _HARD:
        yield Row("hard", str(total), total, False, None, _letters(tables, total, False))
    for total in _SOFT:
        yield Row("soft", str(total), total, True, None, _letters(tables, total, True))
    if _decides_21(tables):
        yield Row("soft", "21", 21, True, None, "SU")
    for value in _VALUES if tables.split_hands > 1 else ():
        if value == 1 and tables.split_aces == "never":
            continue
        total, soft = _counted((value, value))
        letters = in_order("P" + _letters(tables, total, soft))
        yield Row("pairs", f"{value_name(value)},{value_name(value)}", total, soft, value, letters)


def _letters(tables: Tables, total: int, soft: bool) -> str:
    """Return the letters for a total below 21 with two cards and no split, which allows the most."""
    offered = {
        "D": tables.may_double[total][soft],
        "U": tables.may_double_up[total][soft],
        "Q": tables.quick_pay[total] is not None,
        "R": tables.surrenders != "none",
    }
    return in_order("HS" + "".join(letter for letter, is_open in offered.items() if is_open))


def _decides_21(tables: Tables) -> bool:
    """Return whether a two-card 21 leaves a decision: a natural does not, unless it was made by a split."""
    return tables.may_double_up[21][True] and tables.double_up_after_split and tables.split_hands > 1


@cache
def _counted(values: tuple[int, ...]) -> tuple[int, bool]:
    return total_of(values)


def _names(values: tuple[int, ...]) -> str:
    return ",".join(value_name(value) if 1 <= value <= 10 else str(value) for value in values) or "no card"


def _groups(names: list[str]) -> tuple[Group, ...]:
    found: list[Group] = []
    for name, same in groupby(names):
        first = found[-1].end if found else 0
        found.append(Group(name, first, first + len(list(same))))
    return tuple(found)
