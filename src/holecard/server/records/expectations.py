"""What the wagers of a sheet return on average, and how much they vary: exact, from the sheet's full shoe.

The main game counts for its first stake, played in the best way: doubles and splits are in its deviation. Insurance
counts over all deals with an ace up. A wager that is placed after cards are seen counts with its average over all of
them. Fixed payouts and taxes do not depend on the stake: they are a second part of a result, in dollars.

Wagers of one round are not independent: seats share the dealer's cards, and wagers of a seat share its cards too. How
they vary together comes from a sample of rounds with a fixed seed (see `simulation.covariances`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import structlog

from holecard.errors import Refusal
from holecard.server.compute.lane import Computation, Lane
from holecard.server.errors import ServerClosing, TooMany
from holecard.server.money.returns import MAIN_WAGER

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from holecard.exact.results import Analysis
    from holecard.simulation.covariances import Covariances

_INSURANCE = "Insurance"
#: Sheets whose expectations are kept in memory; others are computed again.
_KEPT = 500
_log = structlog.get_logger("holecard.server")


#: What is not known to vary with other wagers is independent of them.
_NO_OTHERS: Mapping[str, CovarianceBlock] = {}
#: Covariances of two wagers: [per unit staked or in dollars of one, the same of the other].
CovarianceBlock: TypeAlias = tuple[tuple[float, float], tuple[float, float]]


class Expectation(NamedTuple):
    """What one unit staked returns, what is returned besides in dollars, and how that varies with other wagers."""

    ev: float
    deviation: float
    fixed_ev: float = 0.0
    fixed_deviation: float = 0.0
    covariance: float = 0.0
    """Of both parts."""
    same_seat: Mapping[str, CovarianceBlock] = _NO_OTHERS
    """By another wager of the same seat."""
    other_seat: Mapping[str, CovarianceBlock] = _NO_OTHERS
    """By a wager of another seat: this one or another."""


#: By wager; the main game is called "main".
Expectations: TypeAlias = dict[str, Expectation]


def expectations(content: str) -> Expectations:
    """Return the expectations of a sheet, by its content; this takes seconds."""
    from holecard.exact.analysis import analyze
    from holecard.sheets.read import from_data
    from holecard.simulation.covariances import round_covariances

    sheet = from_data(json.loads(content), "the sheet")
    found = exact_expectations(analyze(sheet))
    sampled = round_covariances(sheet)
    return {name: _with_others(name, one, sampled, found) for name, one in found.items()}


def exact_expectations(found: Analysis) -> Expectations:
    """Return the expectations of an analysis, each wager for itself."""
    from holecard.exact.wagers.stake_parts import stake_parts

    made = {MAIN_WAGER: Expectation(found.main.ev, found.main.standard_deviation)}
    tables = found.rules.tables
    if found.insurance is not None:
        odds = tables.insurance
        assert odds is not None
        won = (found.insurance.overall + 1) / (1 + odds)
        made[_INSURANCE] = Expectation(found.insurance.ev, float(1 + odds) * sqrt(won * (1 - won)))
    wagers = {wager.name: wager for wager in tables.wagers}
    for wager in found.wagers:
        if "dollars" in wager.unit:
            unit, fixed, together = stake_parts(tables, wagers[wager.name], found.shoe)
            made[wager.name] = Expectation(unit.ev, unit.deviation, fixed.ev, fixed.deviation, together)
        else:
            made[wager.name] = Expectation(wager.ev, wager.standard_deviation)
    return made


def _with_others(name: str, one: Expectation, sampled: Covariances, found: Expectations) -> Expectation:
    """Return an expectation with the covariances of the sample; those of a wager with itself stay exact."""
    blocks = {other: sampled.blocks(name, other) for other in found}
    return one._replace(
        same_seat={other: _block(same) for other, (same, _) in blocks.items() if other != name},
        other_seat={other: _block(seats) for other, (_, seats) in blocks.items()},
    )


def _block(found: NDArray[float64]) -> CovarianceBlock:
    (units, mixed), (reversed_, fixed) = found.tolist()
    return (units, mixed), (reversed_, fixed)


class KnownExpectations:
    """The expectations of sheets, each computed once in a process of a lane."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._known: dict[str, Expectations] = {}
        self._computing: dict[str, tuple[Computation, asyncio.Task[None]]] = {}

    async def of(self, person: str, sheets: Mapping[str, str], seconds: float) -> dict[str, Expectations]:
        """Return what is known of sheets, by hash, after some seconds at most; the rest is computed meanwhile."""
        with suppress(TooMany):  # the next request asks for those that have no room now
            for sheet, content in sheets.items():
                self._ask(person, sheet, content)
        if waiting := [self._computing[sheet][1] for sheet in sheets if sheet in self._computing]:
            await asyncio.wait(waiting, timeout=seconds)
        return {sheet: self._known[sheet] for sheet in sheets if sheet in self._known}

    async def stop(self) -> None:
        """Compute nothing more."""
        tasks = [task for _, task in self._computing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ask(self, person: str, sheet: str, content: str) -> None:
        if sheet in self._computing:
            self._lane.join(person, self._computing[sheet][0])
        elif sheet not in self._known:
            asked = self._lane.ask(person, expectations, content)
            self._computing[sheet] = asked, asyncio.create_task(self._learn(sheet, asked), name="expectations")

    async def _learn(self, sheet: str, asked: Computation) -> None:
        try:
            found = cast(Expectations, await asked.answer)
        except (TooMany, ServerClosing):
            return  # the next one who wants them asks again
        except (Refusal, OSError, EOFError, MemoryError) as error:
            _log.warning("no expectations", sheet=sheet, error=f"{type(error).__name__}: {error}")
            if isinstance(error, OSError | EOFError) and not isinstance(error, TimeoutError):
                return  # no process could be started, or it was lost: the next one who wants them asks again
            found = {}  # a sheet that takes too long
        finally:
            del self._computing[sheet]
        if len(self._known) >= _KEPT:
            del self._known[next(iter(self._known))]
        self._known[sheet] = found
