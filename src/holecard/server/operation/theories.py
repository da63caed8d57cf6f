"""What every wager of a sheet returns in theory: computed once, in a background process, and kept in the database."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import structlog

from holecard.errors import Refusal
from holecard.server.errors import NotFound, Unavailable
from holecard.server.jobs.lifeline import limit_memory
from holecard.server.jobs.process import answer_of
from holecard.server.money.returns import MAIN_WAGER, Theory, short_name
from holecard.server.operation.metrics import Metrics
from holecard.server.operation.stored_returns import StoredReturns
from holecard.server.store import schema
from holecard.server.store.append import Appender
from holecard.server.store.read import StoreReader
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.exact.results import Analysis, WagerResult
    from holecard.wagers.pay_table import SideWager

#: Seconds until a new sheet is computed, so that the first rounds do not wait for it; and how long that may take.
_DELAY = 20.0
_LONGEST = 900.0
#: Megabytes of memory that this may take.
_MEGABYTES = 8192
_log = structlog.get_logger("holecard.server")


class Theories:
    """Learns what sheets return, one after the other: those that come with Holecard first, then in the order asked."""

    def __init__(
        self,
        reader: StoreReader,
        appender: Appender,
        returns: StoredReturns,
        metrics: Metrics,
        delay: float = _DELAY,
        megabytes: int = _MEGABYTES,
    ) -> None:
        self._reader = reader
        self._appender = appender
        self._returns = returns
        self._metrics = metrics
        self._delay = delay
        self._megabytes = megabytes
        self._own: frozenset[str] = frozenset()
        """The sheets that come with Holecard."""
        self._wanted: list[str] = []
        self._wake = asyncio.Event()
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
            self._wanted.append(sheet_hash)
            self._wake.set()

    async def run(self) -> None:
        """Learn forever."""
        self._own = await asyncio.to_thread(_own_sheets)
        for key in await self._returns.now() or ():
            self.want(key.sheet)
        while True:
            sheet_hash = await self._next()
            try:
                self._metrics.learn(sheet_hash, await self._theory(sheet_hash))
            except (Refusal, OSError, EOFError) as error:
                # Where the database is gone, or no process could be started, the metrics ask again.
                if isinstance(error, Unavailable) or (
                    isinstance(error, OSError) and not isinstance(error, TimeoutError)
                ):
                    self._asked.discard(sheet_hash)
                _log.warning("no theoretical return", sheet=sheet_hash, error=type(error).__name__)

    async def _next(self) -> str:
        """Wait for a sheet; return one that comes with Holecard if there is one, or the first."""
        while not self._wanted:
            self._wake.clear()
            await self._wake.wait()
        place = next((place for place, one in enumerate(self._wanted) if one in self._own), 0)
        return self._wanted.pop(place)

    async def _theory(self, sheet_hash: str) -> dict[str, Theory]:
        content = await self._reader.theory(sheet_hash)
        if content is None:
            await asyncio.sleep(self._delay)
            sheet = await self._reader.sheet(sheet_hash)
            if sheet is None:
                raise NotFound(f"the sheet {sheet_hash} is missing from the database")
            (content,) = await answer_of(send_theory, (sheet, self._megabytes), _LONGEST)
            await self._appender.keep(schema.theories, {"sheet": sheet_hash, "content": content})
        return {wager: Theory(**theory) for wager, theory in json.loads(content).items()}


def _own_sheets() -> frozenset[str]:
    """Return the hashes of the sheets that come with Holecard."""
    return frozenset(rules(name).sha256 for name in games(examples=True))


def send_theory(content: str, megabytes: int, out: Connection) -> None:
    """Compute what a sheet returns and send it as JSON; this runs in its own process.

    Nothing is sent where that takes more memory than allowed.
    """
    from holecard.sheets.read import from_data

    limit_memory(megabytes)
    try:
        found = theory_of(from_data(json.loads(content), "the sheet"))
    except (MemoryError, RecursionError):
        out.close()
        return
    out.send((json.dumps({wager: asdict(theory) for wager, theory in found.items()}),))
    out.close()


def theory_of(sheet: RuleSheet) -> dict[str, Theory]:
    """Return the exact EV and standard deviation of the main game and of every side wager."""
    from holecard.exact.analysis import analyze

    found = analyze(sheet)
    farthest = max(abs(float(net)) for net, _ in found.main.distribution) + abs(found.main.ev)
    theories = {MAIN_WAGER: Theory(found.main.ev, found.main.standard_deviation, farthest, is_best=True)}
    wagers = {wager.name: wager for wager in found.rules.tables.wagers}
    for wager in found.wagers:
        theories[short_name(wager.name)] = _of_side_wager(found, wager, wagers[wager.name])
    return theories


def _of_side_wager(found: Analysis, result: WagerResult, wager: SideWager) -> Theory:
    """Return the theory of a wager; fixed payouts and taxes have a part of their own."""
    from holecard.exact.wagers.stake_parts import stake_parts
    from holecard.payoffs.wager_payoffs import WagerPayoffs

    is_best = bool(result.by_upcard)
    if not WagerPayoffs(wager).in_dollars:
        best = max((float(ev) for _, ev in result.by_upcard), default=result.ev)
        farthest = max(abs(float(line.net)) for line in result.lines) + abs(result.ev)
        return Theory(best, result.standard_deviation, farthest, is_best)
    unit, fixed, covariance = stake_parts(found.rules.tables, wager, found.shoe)
    return Theory(
        unit.best, unit.deviation, unit.farthest, is_best, fixed.best, fixed.deviation, fixed.farthest, covariance
    )
