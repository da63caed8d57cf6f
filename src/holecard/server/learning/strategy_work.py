"""What a worker process computes for a strategy page: the best chart, and the values of its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holecard import report
from holecard.charts.caption import legend, reading_notes
from holecard.charts.letters import describe_cell
from holecard.exact.best_strategy import strategy
from holecard.exact.charts.best_chart import BestChart
from holecard.exact.charts.cell_values import CellValues, cell_values
from holecard.report.chart_svg import BLOCK_TITLES
from holecard.report.exact.strategy import caption_of, notes
from holecard.report.palette import DARK, css_class
from holecard.sheets.schema import RuleSheet

_CENTS = 100


@dataclass(frozen=True, slots=True)
class StrategyWork:
    """A chart as data for the page, as text that reads back, and as a drawing."""

    data: dict[str, Any]
    text: str
    svg: str


def strategy_work(sheet: RuleSheet, exceptions: bool) -> StrategyWork:
    """Return the best chart of a game with the value of each action in each cell."""
    found = strategy(sheet, exceptions=exceptions)
    return StrategyWork(_data(sheet, found), report.text(found), report.svg(found))


def _data(sheet: RuleSheet, found: BestChart) -> dict[str, Any]:
    chart, layout = found.chart, found.chart.layout
    values = cell_values(sheet, layout)
    return {
        "title": sheet.name,
        "subtitle": caption_of(found).subtitle,
        "house_edge": found.house_edge,
        "optimum_edge": -found.optimum_ev,
        "columns": [column.name for column in layout.columns],
        "given": [next((one.given for one in column if one.given), "") for column in zip(*values, strict=True)],
        "column_groups": [{"name": group.name, "columns": group.end - group.first} for group in layout.column_groups],
        "blocks": [
            {
                "block": block.name,
                "title": BLOCK_TITLES[block.name],
                "rows": [
                    {
                        "name": layout.rows[index].name,
                        "title": layout.rows[index].title,
                        "cells": [
                            _cell(cell, value) for cell, value in zip(chart.cells[index], values[index], strict=True)
                        ],
                    }
                    for index in range(block.first, block.end)
                ],
            }
            for block in layout.blocks
        ],
        "exceptions": [
            {"hand": one.title(layout), "cell": one.cell, "words": describe_cell(one.cell)} for one in chart.exceptions
        ],
        "legend": [
            {
                "sign": sign,
                "kind": css_class(sign),
                "words": words,
                "ground": DARK.cells[sign].ground,
                "ink": DARK.cells[sign].ink,
            }
            for sign, words in legend(layout, chart.letters)
        ],
        "notes": [*reading_notes(chart), *notes(found)],
    }


def _cell(cell: str, value: CellValues) -> dict[str, Any]:
    return {
        "cell": cell,
        "kind": css_class(cell),
        "words": describe_cell(cell),
        "actions": [{"action": choice.action, "cents": _CENTS * choice.ev} for choice in value.choices],
        "hands": list(value.hands),
    }
