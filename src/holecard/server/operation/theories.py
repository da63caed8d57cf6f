"""What every wager of a sheet returns in theory: computed once, in a background process, and kept in the database."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import structlog

from holecard.errors import Refusal
from holecard.server.errors import NotFound, Unavailable
from holecard.server.jobs.process import answer_of
from holecard.server.money.returns import MAIN_WAGER, Theory, short_name
from holecard.server.operation.metrics import Metrics
from holecard.server.operation.stored_returns import StoredReturns
from holecard.server.store import schema
from holecard.server.store.append import Appender
from holecard.server.store.read import StoreReader
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.exact.results import WagerResult

#: Seconds until a new sheet is computed, so that the first rounds do not wait for it; and how long that may take.
_DELAY = 20.0
_LONGEST = 900.0
_log = structlog.get_logger("holecard.server")


class Theories:
    """Learns what sheets return, one after the other: those of stored rounds first, then those that metrics show."""

    def __init__(
        self,
        reader: StoreReader,
        appender: Appender,
        returns: StoredReturns,
        metrics: Metrics,
        delay: float = _DELAY,
    ) -> None:
        self._reader = reader
        self._appender = appender
        self._returns = returns
        self._metrics = metrics
        self._delay = delay
        self._wanted: asyncio.Queue[str] = asyncio.Queue()
        self._asked: set[str] = set()
        """Sheets that wait, are known or cannot be computed."""
        self._task: asyncio.Task[None] | None = None
        metrics.on_sheet = self.want

    def start(self) -> None:
        """Start the task that learns."""
        self._task = asyncio.create_task(self.run(), name="theories")

    async def stop(self) -> None:
        """Stop the task; what it reads from the database is read to the end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def want(self, sheet_hash: str) -> None:
        """Learn what a sheet of the database returns, when there is time."""
        if sheet_hash not in self._asked:
            self._asked.add(sheet_hash)
            self._wanted.put_nowait(sheet_hash)

    async def run(self) -> None:
        """Learn forever."""
        for key in await self._returns.now() or ():
            self.want(key.sheet)
        while True:
            sheet_hash = await self._wanted.get()
            try:
                self._metrics.learn(sheet_hash, await self._theory(sheet_hash))
            except (Refusal, TimeoutError, EOFError) as error:
                if isinstance(error, Unavailable):
                    self._asked.discard(sheet_hash)  # the metrics ask again
                _log.warning("no theoretical return", sheet=sheet_hash, error=type(error).__name__)

    async def _theory(self, sheet_hash: str) -> dict[str, Theory]:
        content = await self._reader.theory(sheet_hash)
        if content is None:
            await asyncio.sleep(self._delay)
            sheet = await self._reader.sheet(sheet_hash)
            if sheet is None:
                raise NotFound(f"the sheet {sheet_hash} is missing from the database")
            (content,) = await answer_of(send_theory, (sheet,), _LONGEST)
            await self._appender.keep(schema.theories, {"sheet": sheet_hash, "content": content})
        return {wager: Theory(**theory) for wager, theory in json.loads(content).items()}


def send_theory(content: str, out: Connection) -> None:
    """Compute what a sheet returns and send it as JSON; this runs in its own process."""
    from holecard.sheets.read import from_data

    os.nice(15)
    found = theory_of(from_data(json.loads(content), "the sheet"))
    out.send((json.dumps({wager: asdict(theory) for wager, theory in found.items()}),))
    out.close()


def theory_of(sheet: RuleSheet) -> dict[str, Theory]:
    """Return the exact EV and standard deviation of the main game and of every side wager."""
    from holecard.exact.analysis import analyze

    found = analyze(sheet)
    farthest = max(abs(float(net)) for net, _ in found.main.distribution) + abs(found.main.ev)
    theories = {MAIN_WAGER: Theory(found.main.ev, found.main.standard_deviation, farthest, is_best=True)}
    for wager in found.wagers:
        best = max((float(ev) for _, ev in wager.by_upcard), default=wager.ev)
        per_round = "dollars" in wager.unit
        theories[short_name(wager.name)] = Theory(
            best, wager.standard_deviation, _farthest(wager), bool(wager.by_upcard), per_round
        )
    return theories


def _farthest(wager: WagerResult) -> float:
    """Return how far one result of a wager can be from its average, with the highest tax."""
    tax = max((-float(line.net) for line in wager.taxes), default=0.0)
    return max(abs(float(line.net)) for line in wager.lines) + tax + abs(wager.ev)
