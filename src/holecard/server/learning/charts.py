"""Strategy charts that were computed or are being computed: one task for each rule sheet, and the newest results."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from holecard.server.learning.strategy_work import StrategyWork, strategy_work
from holecard.sheets.schema import RuleSheet

_KEPT = 64
Compute = Callable[[Callable[[RuleSheet, bool], StrategyWork], RuleSheet, bool], Awaitable[StrategyWork]]


class StrategyCharts:
    """Charts by sheet, with and without exceptions."""

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._tasks: OrderedDict[tuple[str, bool], asyncio.Future[StrategyWork]] = OrderedDict()

    async def find(self, sheet: RuleSheet, exceptions: bool, seconds: float) -> StrategyWork | None:
        """Return the chart, or None where it is not ready in time; the computation goes on then."""
        key = sheet.sha256, exceptions
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.ensure_future(self._compute(strategy_work, sheet, exceptions))
        self._tasks.move_to_end(key)
        while len(self._tasks) > _KEPT:
            self._tasks.popitem(last=False)
        done, _ = await asyncio.wait([task], timeout=seconds)
        if not done:
            return None
        if task.cancelled() or task.exception() is not None:
            self._tasks.pop(key, None)  # so that the next request tries again
        return task.result()
