"""Charts for other programs: a table of cells, and JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from holecard.charts.caption import Caption, legend, reading_notes
from holecard.charts.chart import Chart


def to_csv(chart: Chart) -> str:
    """A line for each row: its name ("hard 11", "soft 18", "8,8") and its cells; the first line names the columns.

    Hands with exceptions ("T,2") come last, their cells empty where they go by their total.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["hand", *(column.name for column in chart.layout.columns)])
    for row, cells in zip(chart.layout.rows, chart.cells, strict=True):
        writer.writerow([row.title, *cells])
    for hand in dict.fromkeys(one.hand for one in chart.exceptions):
        cells_of = {one.column: one.cell for one in chart.exceptions if one.hand == hand}
        writer.writerow([hand, *(cells_of.get(column, "") for column in range(len(chart.layout.columns)))])
    return out.getvalue()


def chart_data(chart: Chart, caption: Caption) -> dict[str, Any]:
    """`{"game", "name", "decks", "settings", "columns", "rows": [{"hand", "cells"}], "exceptions", "legend", "notes"}`.

    `cells` are {column: cell}; columns and rows come in the order of the chart; `legend` says what each letter and the
    dash stand for; `settings` are the words of the sheet that were set otherwise; `exceptions` are
    `[{"hand", "dealer", "cell"}]`, for the first two cards.
    """
    layout = chart.layout
    names = [column.name for column in layout.columns]
    return {
        "game": caption.game,
        "name": caption.name,
        "decks": caption.decks,
        "settings": dict(caption.settings),
        "columns": names,
        "rows": [
            {"hand": row.title, "cells": dict(zip(names, cells, strict=True))}
            for row, cells in zip(layout.rows, chart.cells, strict=True)
        ],
        "exceptions": [{"hand": one.hand, "dealer": names[one.column], "cell": one.cell} for one in chart.exceptions],
        "legend": dict(legend(layout, layout.letters)),
        "notes": [*reading_notes(chart), *caption.notes],
    }


def to_json(chart: Chart, caption: Caption) -> str:
    """`chart_data` as JSON."""
    return json.dumps(chart_data(chart, caption), indent=2, ensure_ascii=False) + "\n"
