"""Strategy charts that were computed or are being computed: one computation for each rule sheet, the newest kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import cast

from holecard.server.compute.lane import Computation, Lane
from holecard.server.learning.strategy_work import StrategyWork, strategy_work
from holecard.sheets.schema import RuleSheet

_KEPT = 64


class StrategyCharts:
    """Charts by sheet, with and without exceptions."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._asked: OrderedDict[tuple[str, bool], Computation] = OrderedDict()

    async def find(self, person: str, sheet: RuleSheet, exceptions: bool, seconds: float) -> StrategyWork | None:
        """Return the chart, or None where it is not ready in time; the computation goes on then."""
        key = sheet.sha256, exceptions
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = self._lane.ask(person, strategy_work, sheet, exceptions)
        else:
            self._lane.join(person, asked)
        self._asked.move_to_end(key)
        self._forget_old()
        done, _ = await asyncio.wait([asked.answer], timeout=seconds)
        if not done:
            return None
        if asked.answer.cancelled() or asked.answer.exception() is not None:
            self._asked.pop(key, None)  # so that the next request tries again
        return cast(StrategyWork, asked.answer.result())

    def _forget_old(self) -> None:
        """Keep the newest; one that is not ready stays, so that it is not computed twice."""
        ready = [key for key, asked in self._asked.items() if asked.answer.done()]
        for key in ready[: max(0, len(self._asked) - _KEPT)]:
            del self._asked[key]
