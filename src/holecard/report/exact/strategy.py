"""The best chart: in words what it gives up, as text that reads back, as rows, as a drawing and as data."""

from __future__ import annotations

from typing import Any

from holecard.charts.caption import Caption, caption
from holecard.charts.text import write_chart_text
from holecard.exact.charts.best_chart import BestChart
from holecard.report.chart_page import to_page
from holecard.report.chart_svg import chart_to_svg
from holecard.report.document import Document
from holecard.report.exact import chart
from holecard.report.numbers import bound, percent
from holecard.report.sheet import identity, origin, settings


def summary(found: BestChart) -> str:
    """Return a line such as `BestChart(classic: house edge 0.6154%, 0.0028% over composition-dependent play)`."""
    cost = f"{_small(found.cost)} over composition-dependent play"
    return f"BestChart({origin(found.rules)}: house edge {percent(found.house_edge)}, {cost})"


def caption_of(found: BestChart) -> Caption:
    """Return the words around the chart."""
    return caption(found.rules, notes(found))


def notes(found: BestChart) -> list[str]:
    """Return the chart's EV, how much it gives up, and the convention of splits."""
    gives = "this chart with its exceptions gives up" if found.chart.exceptions else "playing by totals gives up"
    return [
        f"EV {percent(found.ev)} of the initial stake. Composition-dependent play has {percent(found.optimum_ev)}: "
        f"{gives} {_small(found.cost)}. The chart's EV is exact to within {bound(found.error_bound)}.",
        *([] if found.plain_ev is None else [_gain(found, found.plain_ev)]),
        f"Splits: {found.convention}.",
        found.searched,
    ]


def _small(value: float) -> str:
    """Return the number with more digits where the usual ones would all be zero."""
    return percent(value) if not 0 < value < 5e-6 else percent(value, 7)


def _gain(found: BestChart, plain_ev: float) -> str:
    if not found.chart.exceptions:
        return "No two-card hand is better played against its total's row."
    return (
        f"Without exceptions the best chart has {percent(plain_ev)}: "
        f"rows and exceptions together gain {_small(found.ev - plain_ev)}."
    )


def text(found: BestChart) -> str:
    """Return the chart as text that `--strategy FILE` reads back."""
    return write_chart_text(found.chart, caption_of(found))


def document(found: BestChart) -> Document:
    """Return the chart as it is shown in a terminal or a notebook."""
    return chart.chart_document(found.chart, caption_of(found))


def svg(found: BestChart) -> str:
    """Return the chart as a drawing."""
    return chart_to_svg(found.chart, caption_of(found))


def page(found: BestChart) -> str:
    """Return the chart as a page of tables."""
    return to_page(found.chart, caption_of(found))


def rows(found: BestChart) -> list[dict[str, Any]]:
    """Return one row for each hand, with a column for each dealer's card."""
    return chart.rows(found.chart)


def data(found: BestChart) -> dict[str, Any]:
    """Return the data of `holecard strategy --format json`."""
    cells = chart.data(found.chart)
    return {
        **identity(found.rules),
        "name": found.rules.name,
        "decks": found.rules.shoe.decks,
        "settings": settings(found.rules),
        "ev": found.ev,
        "house_edge": found.house_edge,
        "error_bound": found.error_bound,
        "optimum_ev": found.optimum_ev,
        "cost": found.cost,
        "plain_ev": found.plain_ev,
        "convention": found.convention,
        **cells,
        "notes": [*cells["notes"], *notes(found)],
    }
