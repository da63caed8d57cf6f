"""A simple chart for tests: it splits and doubles, and is quick to build."""

from __future__ import annotations

from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Row
from holecard.sheets.tables import Tables


def splitting(tables: Tables) -> Chart:
    """Split every pair, take a special action in a third of the cells, otherwise stand from hard 15 and soft 18 on."""

    def cell(row: Row, column: Column) -> str:
        if row.pair:
            return "P"
        last = "H" if row.total < (18 if row.soft else 15) else "S"
        for letter in "UDQR":
            if letter in row.letters and (row.total + column.dealer) % 3 == 0:
                return letter + last
        return last

    return Chart.filled(tables, cell)
