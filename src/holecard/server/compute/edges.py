"""The exact house edge of every wager of a game: computed once per sheet, and kept on disk."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from holecard.atomic_file import write_atomically
from holecard.errors import Refusal
from holecard.kernels.cache import folder, hash_of_sources
from holecard.server.compute.lane import HOUSE, Lane
from holecard.server.errors import TooMany, Unavailable
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.exact.results import Analysis, InsuranceResult, WagerResult

_PACKAGE = Path(__file__).parents[2]


class WagerEdge(BaseModel):
    """What the house keeps of a wager, exactly, if the main hand is played perfectly."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    wager: str
    """The name of the wager."""
    kind: Literal["main", "side", "insurance"]
    """The main wager, a side wager, or insurance."""
    edge: float
    """The expected loss per unit, such as 0.0032; below zero where the wager favors the player."""
    text: str
    """The edge for people: `0.32%`, or `4.6¢ a round` where the stake is a token that is taxed."""
    unit: str
    """What the edge is a part of: the initial stake (with the names of both wagers where two are placed), the stake on
    this wager, or a round, in dollars."""
    printed: bool
    """Whether the printed rules contain its pay table; otherwise it is a house table of our own."""


class EdgesOfGame(BaseModel):
    """The edges of a game, main wager first."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    ready: bool
    """False while they are computed: ask again in a second."""
    wagers: list[WagerEdge] = []
    """The wagers."""
    problem: str | None = None
    """Why they cannot be computed, where that is so."""


_stored: TypeAdapter[list[WagerEdge]] = TypeAdapter(list[WagerEdge])


class Edges:
    """Knows the edges of sheets; those it does not know are computed one after the other."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._known: dict[str, EdgesOfGame] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    async def of(self, sheet: RuleSheet) -> EdgesOfGame:
        """Return the edges of a sheet, or that they are not ready yet."""
        key = sheet.sha256
        if key not in self._known and key not in self._waiting:
            kept = await asyncio.to_thread(kept_edges, key)
            if kept is not None:
                self._known[key] = EdgesOfGame(ready=True, wagers=kept)
            elif key not in self._waiting:
                self._waiting[key] = asyncio.create_task(self._learn(sheet), name="edges")
        return self._known.get(key) or EdgesOfGame(ready=False)

    async def stop(self) -> None:
        """Compute no more."""
        waiting = list(self._waiting.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _learn(self, sheet: RuleSheet) -> None:
        key = sheet.sha256
        try:
            found = _stored.validate_python(await self._lane.compute(HOUSE, computed_edges, sheet.content))
            self._known[key] = EdgesOfGame(ready=True, wagers=found)
            await asyncio.to_thread(_keep, key, found)
        except (Unavailable, TooMany):
            pass  # the next request asks again
        except Exception as error:
            words = str(error) if isinstance(error, Refusal) else "this game is too large to be computed here"
            self._known[key] = EdgesOfGame(ready=True, problem=words)
        finally:
            del self._waiting[key]


def computed_edges(content: str) -> list[dict[str, object]]:
    """Return the edges of a sheet; this runs in the worker process."""
    from holecard.exact.analysis import analyze

    found = analyze(from_data(json.loads(content), "the sheet"))
    return [edge.model_dump() for edge in edges_in(found)]


def edges_in(found: Analysis) -> list[WagerEdge]:
    """Return the edges of an analysis, in the order in which a page lists them."""
    main = WagerEdge(
        wager=found.rules.main.name,
        kind="main",
        edge=found.house_edge,
        text=_percent(found.house_edge),
        unit=f"initial stake ({found.main.unit})",
        printed=True,
    )
    insurance = [] if found.insurance is None else [_insurance(found.insurance)]
    return [main, *(_side(wager) for wager in found.wagers), *insurance]


def _insurance(insurance: InsuranceResult) -> WagerEdge:
    return WagerEdge(
        wager="Insurance",
        kind="insurance",
        edge=insurance.house_edge,
        text=_percent(insurance.house_edge),
        unit="insurance, with an ace up",
        printed=True,
    )


def _side(wager: WagerResult) -> WagerEdge:
    in_dollars = "dollars" in wager.unit
    return WagerEdge(
        wager=wager.name,
        kind="side",
        edge=wager.house_edge,
        text=f"{_signed(100 * wager.house_edge, 1)}¢ a round" if in_dollars else _percent(wager.house_edge),
        unit=wager.unit,
        printed=wager.printed,
    )


def _percent(edge: float) -> str:
    return f"{_signed(100 * edge, 2)}%"


def _signed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def kept_edges(key: str) -> list[WagerEdge] | None:
    """Return the edges that were kept for a sheet; None where there are none, or the file is not whole."""
    try:
        return _stored.validate_json(_file(key).read_bytes())
    except (OSError, ValueError):
        return None


def _keep(key: str, found: list[WagerEdge]) -> None:
    """Keep the edges; where nothing can be written, they are computed again next time."""
    with suppress(OSError):
        _file(key).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_file(key), _stored.dump_json(found, indent=1).decode())


def _file(key: str) -> Path:
    return folder().parent / f"edges-{_program()}" / f"{key[:32]}.json"


@cache
def _program() -> str:
    """Return a hash of all sources: another version of the program may find other numbers."""
    return hash_of_sources(_PACKAGE)
