"""A chart alone, without a game: as text that reads back, as rows, as a drawing and as data."""

from __future__ import annotations

from functools import partial
from typing import Any

from holecard.charts.caption import Caption, legend, reading_notes
from holecard.charts.chart import Chart
from holecard.charts.text import write_chart_text
from holecard.report.chart_lines import chart_lines
from holecard.report.chart_page import to_page
from holecard.report.chart_svg import chart_to_svg
from holecard.report.document import Document, Figure

_TITLE = "Strategy"


def summary(chart: Chart) -> str:
    """Return a line such as `Chart(39 hands v 10 upcards, 2 exceptions)`."""
    layout = chart.layout
    against = "dealer's hands" if layout.both_up else "upcards"
    excepted = f", {len(chart.exceptions)} exceptions" if chart.exceptions else ""
    return f"Chart({len(layout.rows)} hands v {len(layout.columns)} {against}{excepted})"


def text(chart: Chart) -> str:
    """Return the chart as text that reads back."""
    return write_chart_text(chart)


def document(chart: Chart) -> Document:
    """Return the chart as it is shown in a terminal or a notebook."""
    return chart_document(chart, _caption())


def chart_document(chart: Chart, caption: Caption) -> Document:
    """Return a chart with its caption."""
    figure = Figure(chart_to_svg(chart, caption), partial(chart_lines, chart, caption))
    return Document(f"{caption.name}: strategy", (figure,))


def svg(chart: Chart) -> str:
    """Return the chart as a drawing."""
    return chart_to_svg(chart, _caption())


def page(chart: Chart) -> str:
    """Return the chart as a page of tables."""
    return to_page(chart, _caption())


def _caption() -> Caption:
    return Caption("", _TITLE, 0)


def rows(chart: Chart) -> list[dict[str, Any]]:
    """Return one row for each hand, with a column for each dealer's card.

    Hands with exceptions ("T,2") come last; a cell without an exception is empty, and the row of the total applies.
    """
    names = [column.name for column in chart.layout.columns]
    lines: list[dict[str, Any]] = [
        {"hand": row.title, **dict(zip(names, cells, strict=True))}
        for row, cells in zip(chart.layout.rows, chart.cells, strict=True)
    ]
    for hand in dict.fromkeys(one.hand for one in chart.exceptions):
        cells_of = {one.column: one.cell for one in chart.exceptions if one.hand == hand}
        lines.append({"hand": hand, **{name: cells_of.get(index, "") for index, name in enumerate(names)}})
    return lines


def data(chart: Chart) -> dict[str, Any]:
    """Return the columns and rows in the order of the chart, exceptions, the legend, and how to read a cell."""
    layout = chart.layout
    names = [column.name for column in layout.columns]
    return {
        "columns": names,
        "rows": [
            {"hand": row.title, "cells": dict(zip(names, cells, strict=True))}
            for row, cells in zip(layout.rows, chart.cells, strict=True)
        ],
        "exceptions": [{"hand": one.hand, "dealer": names[one.column], "cell": one.cell} for one in chart.exceptions],
        "legend": dict(legend(layout, layout.letters)),
        "notes": reading_notes(chart),
    }
