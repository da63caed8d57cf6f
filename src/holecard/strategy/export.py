"""Charts for other programs: a table of cells, and JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from holecard.strategy.caption import Caption, legend, reading_notes
from holecard.strategy.chart import Chart


def to_csv(chart: Chart) -> str:
    """A line for each row: its name ("hard 11", "soft 18", "8,8") and its cells; the first line names the columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["hand", *(column.name for column in chart.layout.columns)])
    for row, cells in zip(chart.layout.rows, chart.cells, strict=True):
        writer.writerow([row.title, *cells])
    return out.getvalue()


def chart_data(chart: Chart, caption: Caption) -> dict[str, Any]:
    """`{"game", "name", "decks", "settings", "columns", "rows": [{"hand", "cells"}], "legend", "notes"}`.

    `cells` are {column: cell}; columns and rows come in the order of the chart; `legend` says what each letter and the
    dash stand for; `settings` are the words of the sheet that were set otherwise.
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
        "legend": dict(legend(layout, layout.letters)),
        "notes": [*reading_notes(chart), *caption.notes],
    }


def to_json(chart: Chart, caption: Caption) -> str:
    """`chart_data` as JSON."""
    return json.dumps(chart_data(chart, caption), indent=2, ensure_ascii=False) + "\n"
