"""Strategy charts: the best chart of a game with the value of every action, and as a file."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from holecard.server.errors import Unavailable
from holecard.server.web.chosen_sheet import ChosenSheet
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN, refusals

router = APIRouter(prefix="/api/v1/games/{name}", tags=["learning"], responses=SIGNED_IN)

#: Seconds that an answer waits for a chart before it says that the chart is being computed.
_PATIENCE = 1.0
#: Seconds that a download waits.
_LONG_PATIENCE = 120.0


class _Part(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class ChartAction(_Part):
    """An action in a cell."""

    action: str
    """The action."""
    cents: float
    """Its exact EV, in cents per dollar of the initial stake, averaged over the hands of the cell."""


class ChartCell(_Part):
    """A cell of a chart."""

    cell: str
    """Its letters: the first one that is allowed is taken."""
    kind: str
    """What it does first, as the name of a color."""
    words: str
    """The cell in words."""
    actions: list[ChartAction]
    """Every action, best first; empty where no hand of two cards comes to the cell."""
    hands: list[str]
    """The two-card hands that the values are averaged over, most frequent first."""


class ChartRow(_Part):
    """A total or a pair."""

    name: str
    """Its name in the chart: `16`, `8,8`."""
    title: str
    """Its name alone: `hard 16`."""
    cells: list[ChartCell]
    """One for each column."""


class ChartTable(_Part):
    """The rows of one kind."""

    block: Literal["hard", "soft", "pairs"]
    """Which rows."""
    title: str
    """Their title."""
    rows: list[ChartRow]
    """The rows."""


class ChartColumns(_Part):
    """Adjacent columns with one heading."""

    name: str
    """The heading."""
    columns: int
    """How many columns."""


class ChartException(_Part):
    """Two first cards that are played differently from their total."""

    hand: str
    """The hand and the dealer's card: `T,2 v 4`."""
    cell: str
    """Its letters."""
    words: str
    """The letters in words."""


class ChartSign(_Part):
    """A letter of the chart."""

    sign: str
    """The letter."""
    kind: str
    """The name of its color."""
    words: str
    """What it means."""
    ground: str
    """The color of its cells, as `#rrggbb`."""
    ink: str
    """The color of letters on it."""


class StrategyChart(_Part):
    """The best chart of a game by totals and pairs."""

    title: str
    """The name of the game, for people."""
    subtitle: str
    """Its rules in a few words."""
    house_edge: float
    """What a player who follows the chart loses on average, per unit of initial stake."""
    optimum_edge: float
    """The same with the best play for the cards of each hand."""
    columns: list[str]
    """What the dealer shows: upcards, or totals where both cards are face up."""
    given: list[str]
    """What the values of each column are conditioned on, in words."""
    column_groups: list[ChartColumns]
    """The columns by heading."""
    blocks: list[ChartTable]
    """Hard totals, soft totals and pairs."""
    exceptions: list[ChartException]
    """Exceptions for the first two cards, where they were asked for."""
    legend: list[ChartSign]
    """The letters."""
    notes: list[str]
    """How to read the chart, and what its numbers mean."""


class ChartNotReady(_Part):
    """The chart is being computed; ask again in a second."""

    ready: Literal[False] = False
    """The chart is not ready."""


@router.get(
    "/strategy",
    response_model=StrategyChart,
    responses={**refusals(404, 409), 202: {"model": ChartNotReady, "description": "The chart is being computed."}},
)
async def strategy_chart(sheet: ChosenSheet, service: Service, user: SignedIn, exceptions: bool = False) -> Response:
    """Return the best chart of a game, with the value of every action in every cell."""
    found = await service.charts.find(user.id, sheet, exceptions, _PATIENCE)
    if found is None:
        return JSONResponse(ChartNotReady().model_dump(), 202)
    return JSONResponse(StrategyChart.model_validate(found.data).model_dump())


@router.get(
    "/strategy/file",
    response_class=Response,
    responses={
        **refusals(404, 409),
        200: {"content": {"text/plain": {}, "image/svg+xml": {}}, "description": "The chart."},
    },
)
async def strategy_file(
    sheet: ChosenSheet,
    service: Service,
    user: SignedIn,
    format: Literal["text", "svg"] = "text",
    exceptions: bool = False,
) -> Response:
    """Return the best chart as text that `holecard analyze --strategy FILE` reads, or as a drawing."""
    found = await service.charts.find(user.id, sheet, exceptions, _LONG_PATIENCE)
    if found is None:
        raise Unavailable("the chart is still being computed; try again in a moment")
    kind, suffix, text = ("text/plain", "txt", found.text) if format == "text" else ("image/svg+xml", "svg", found.svg)
    headers = {"Content-Disposition": f'attachment; filename="strategy.{suffix}"'}
    return Response(text, media_type=kind, headers=headers)
