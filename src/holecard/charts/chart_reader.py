"""Read a chart line by line, and collect everything that is wrong with it."""

from __future__ import annotations

from holecard.charts.chart import Chart
from holecard.charts.chart_errors import cell_problem
from holecard.charts.layout import Column, Layout, Row
from holecard.charts.two_card_exceptions import TwoCards, exception_problems, read_exception
from holecard.deck import value_name
from holecard.errors import ChartError, shortly

#: Headings of the blocks.
_BLOCKS = {"hard": "hard", "soft": "soft", "pairs": "pairs", "pair": "pairs"}
_EXCEPT = ("except", "exceptions")


class ChartReader:
    """Parses a chart: call `line` for each line, then `chart` for the chart or the error."""

    def __init__(self, layout: Layout, origin: str) -> None:
        self.layout = layout
        self.origin = origin
        self.problems: list[str] = []
        self.found: dict[tuple[Row, Column], str] = {}
        self.first_line: dict[Row, int] = {}
        self.headed: dict[str, set[Column]] = {}
        self.exceptions: list[TwoCards] = []
        self.block = ""
        self.columns: list[Column | None] = []

    def line(self, number: int, words: list[str]) -> None:
        """Parse a heading, or a row of the current block."""
        first = words[0].lower().rstrip(":")
        block = _BLOCKS.get(first)
        if first in _EXCEPT and len(words) == 1:
            self.block = first
        elif block:
            self._heading(number, block, words[1:])
        elif not self.block:
            self._problem(number, f"{shortly(words[0])} is before any heading; begin with 'hard' and its columns")
        elif self.block in _EXCEPT:
            self._exception(number, words)
        else:
            self._row(number, words[0], words[1:])

    def chart(self) -> Chart:
        """Return the chart, or raise an error that lists everything that is wrong or missing."""
        for block in self.layout.blocks:
            self._find_missing(block.name)
        if self.problems:
            raise ChartError(self.problems)
        layout = self.layout
        cells = tuple(tuple(self.found[row, column] for column in layout.columns) for row in layout.rows)
        return Chart(layout, cells, tuple(self.exceptions))

    # Headings

    def _heading(self, number: int, block: str, names: list[str]) -> None:
        self.block = block
        if not self._rows():
            self._problem(number, f"{block}: a chart of this game has no such block; remove it")
        self.columns = [self._column(number, name) for name in names]
        known = [column for column in self.columns if column]
        for name in sorted({column.name for column in known if known.count(column) > 1}):
            self._problem(number, f"{block}: the column {name} occurs twice")
        if not names:
            self._problem(number, f"{block}: name the columns on the same line: {self._column_names()}")
        self.headed.setdefault(block, set()).update(known)

    def _column(self, number: int, name: str) -> Column | None:
        wanted = name.upper()
        found = next((column for column in self.layout.columns if wanted in _column_spellings(column)), None)
        if found is None:
            hint = f"the columns are {self._column_names()}"
            self._problem(number, f"{self.block}: {shortly(name)} is not a column of this game's chart; {hint}")
        return found

    def _column_names(self) -> str:
        return " ".join(column.name for column in self.layout.columns)

    # Rows

    def _row(self, number: int, name: str, cells: list[str]) -> None:
        row = self._row_called(number, name)
        if row is None:
            return
        first = self.first_line.setdefault(row, number)
        if any((row, column) in self.found for column in self.columns if column):
            self._problem(number, f"{row.title}: the row occurs twice, first in line {first}")
            return
        if len(cells) > len(self.columns):
            self._problem(number, f"{row.title}: there are {len(cells)} cells under {len(self.columns)} columns")
        for column, cell in zip(self.columns, cells, strict=False):
            if column is not None:
                self._cell(number, row, column, cell.upper())

    def _rows(self) -> list[Row]:
        return [row for row in self.layout.rows if row.block == self.block]

    def _row_called(self, number: int, name: str) -> Row | None:
        wanted = name.upper().rstrip(":")
        rows = self._rows()
        found = next((row for row in rows if wanted in _row_spellings(row)), None)
        if found is None and rows:
            hint = f"the rows are {' '.join(row.name for row in rows)}"
            self._problem(number, f"{self.block}: {shortly(name)} is not a row of this game's chart; {hint}")
        return found

    def _cell(self, number: int, row: Row, column: Column, cell: str) -> None:
        self.found[row, column] = cell
        if problem := cell_problem(cell, row, self.layout):
            self._problem(number, f"{row.title} v {column.name}: {problem}")

    # Exceptions

    def _exception(self, number: int, words: list[str]) -> None:
        read = read_exception(self.layout, words)
        if isinstance(read, str):
            self._problem(number, read)
            return
        for problem in exception_problems(self.layout, [*self.exceptions, read]):
            self._problem(number, problem)
            return
        self.exceptions.append(read)

    # Problems

    def _problem(self, number: int | None, what: str) -> None:
        at = f", line {number}" if number else ""
        self.problems.append(f"{self.origin}{at}: {what}")

    def _find_missing(self, block: str) -> None:
        """Report a missing block, column, row or cell, each once."""
        headed = self.headed.get(block)
        if headed is None:
            self._problem(None, f"the block {block!r} is missing")
            return
        for column in self.layout.columns:
            if headed and column not in headed:
                self._problem(None, f"{block}: the column {column.name} is missing")
        for row in self.layout.rows:
            if row.block == block:
                self._find_missing_cells(row, headed)

    def _find_missing_cells(self, row: Row, headed: set[Column]) -> None:
        if row not in self.first_line:
            self._problem(None, f"{row.title}: the row is missing")
            return
        for column in self.layout.columns:
            if column in headed and (row, column) not in self.found:
                self._problem(self.first_line[row], f"{row.title} v {column.name}: the cell is missing")


def _column_spellings(column: Column) -> set[str]:
    return {column.name.upper(), "10" if column.name == "T" else ""}


def _row_spellings(row: Row) -> set[str]:
    """Return all spellings of a row: its name, "A,7" for soft 18, "10,10" or "TT" for T,T."""
    if row.pair:
        return {row.name, row.name.replace(",", ""), row.name.replace("T", "10")}
    if row.soft:
        other = value_name(row.total - 11)
        return {row.name, f"S{row.name}", f"A,{other}", f"A{other}"}
    return {row.name}
