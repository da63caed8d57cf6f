"""What the wagers of a sheet return on average, and how much they vary: exact, from the sheet's full shoe.

The main game counts for its first stake, played in the best way: doubles and splits are in its deviation. Insurance
counts over all deals with an ace up. A wager that is placed after cards are seen counts with its average over all of
them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from math import sqrt
from typing import NamedTuple, TypeAlias

import structlog

from holecard.errors import Refusal
from holecard.server.money.returns import MAIN_WAGER

_INSURANCE = "Insurance"
#: Sheets whose expectations are kept in memory; others are computed again.
_KEPT = 500
_log = structlog.get_logger("holecard.server")


class Expectation(NamedTuple):
    """What one unit staked returns; one round, in dollars, where `per_round`."""

    ev: float
    deviation: float
    per_round: bool = False


#: By wager; the main game is called "main".
Expectations: TypeAlias = dict[str, Expectation]


def expectations(content: str) -> Expectations:
    """Return the exact expectations of a sheet, by its content; this takes about a second."""
    from holecard.exact.analysis import analyze
    from holecard.sheets.read import from_data

    found = analyze(from_data(json.loads(content), "the sheet"))
    made = {MAIN_WAGER: Expectation(found.main.ev, found.main.standard_deviation)}
    if found.insurance is not None:
        odds = found.rules.tables.insurance
        assert odds is not None
        won = (found.insurance.overall + 1) / (1 + odds)
        made[_INSURANCE] = Expectation(found.insurance.ev, float(1 + odds) * sqrt(won * (1 - won)))
    for wager in found.wagers:
        made[wager.name] = Expectation(wager.ev, wager.standard_deviation, "dollars" in wager.unit)
    return made


class KnownExpectations:
    """The expectations of sheets, each computed once by `compute`, in another process."""

    def __init__(self, compute: Callable[[Callable[[str], Expectations], str], Awaitable[Expectations]]) -> None:
        self._compute = compute
        self._known: dict[str, Expectations] = {}
        self._computing: dict[str, asyncio.Task[None]] = {}

    async def of(self, sheets: Mapping[str, str], seconds: float) -> dict[str, Expectations]:
        """Return what is known of sheets, by hash, after some seconds at most; the rest is computed meanwhile."""
        for sheet, content in sheets.items():
            if sheet not in self._known and sheet not in self._computing:
                self._computing[sheet] = asyncio.create_task(self._learn(sheet, content), name="expectations")
        if waiting := [self._computing[sheet] for sheet in sheets if sheet in self._computing]:
            await asyncio.wait(waiting, timeout=seconds)
        return {sheet: self._known[sheet] for sheet in sheets if sheet in self._known}

    async def stop(self) -> None:
        """Compute nothing more."""
        for task in tuple(self._computing.values()):
            task.cancel()
        await asyncio.gather(*self._computing.values(), return_exceptions=True)

    async def _learn(self, sheet: str, content: str) -> None:
        try:
            found = await self._compute(expectations, content)
        except (Refusal, OSError, EOFError, MemoryError) as error:
            # A sheet that takes too long, or a server that closes: nothing is expected of it.
            _log.warning("no expectations", sheet=sheet, error=type(error).__name__)
            found = {}
        finally:
            del self._computing[sheet]
        if len(self._known) >= _KEPT:
            del self._known[next(iter(self._known))]
        self._known[sheet] = found
