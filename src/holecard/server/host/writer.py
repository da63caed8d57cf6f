"""Append what is decided at a table, again where another process was faster; and know what was done before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple, Protocol

from holecard.errors import Refusal
from holecard.server.errors import GeneratorFailed, SequenceTakenError, Unavailable
from holecard.server.game.decide import Dealer, NewEntries, has_seed
from holecard.server.host.hosted_table import AppendPlan, CommandId, HostedTable, TableStep
from holecard.server.host.loader import Loader
from holecard.server.host.order_log import OrderLog
from holecard.server.store.append import Appender
from holecard.server.store.read import StoreReader
from holecard.server.store.units import Limit

#: How often a command is decided again when other processes are faster.
_ATTEMPTS = 20


class StepObserver(Protocol):
    """Who counts what happens."""

    def observe(self, steps: tuple[TableStep, ...]) -> None:
        """Count the entries that this process has appended to a table."""

    def answered(self, outcome: str, seconds: float) -> None:
        """Count a command: done, or the code of its refusal."""


class CommandOutcome(NamedTuple):
    """Where a command is in the log of its table."""

    table: str
    sequence: int


class Writer:
    """Appends to the logs of tables. The caller holds the table's lock."""

    def __init__(
        self,
        reader: StoreReader,
        appender: Appender,
        loader: Loader,
        now: Callable[[], int],
        observer: StepObserver | None,
        orders: OrderLog,
    ) -> None:
        self._orders = orders
        self._reader = reader
        self._appender = appender
        self._loader = loader
        self._now = now
        self._observer = observer
        self.has_failed = False
        """Whether the database has failed since somebody last looked whether it is back."""

    async def make_ready(self, hosted: HostedTable, *, needs_shoe: bool = False) -> None:
        """Read the log again where the database failed, and replace a shoe whose seed is lost."""
        await self.end_doubt(hosted)
        if has_seed(hosted.table, hosted.secret) or hosted.table.closed is not None:
            return
        await self.follow(hosted)  # a seed is lost only when it was looked for
        try:
            await self.append(hosted, lambda dealer: dealer.mend())
        except GeneratorFailed:
            if needs_shoe:
                raise

    async def end_doubt(self, hosted: HostedTable) -> None:
        """Read the log again where the database failed while it stored something."""
        if hosted.is_doubtful:
            await self.follow(hosted)
            hosted.is_doubtful = False

    async def append(
        self,
        hosted: HostedTable,
        decide: Callable[[Dealer], NewEntries | None],
        ids: CommandId | None = None,
        limits: tuple[Limit, ...] = (),
    ) -> AppendPlan | None:
        """Decide and append, again if another process was faster."""
        for _ in range(_ATTEMPTS):
            at = self._now()
            stopped = self._orders.orders.why_closed_to_bets(hosted.table.opened)
            try:
                decision = decide(Dealer(hosted.table, hosted.secret, at, stopped))
            except Refusal:
                # Another process may have appended what makes it possible.
                if await self.follow(hosted):
                    continue
                raise
            if decision is None:
                return None
            plan = hosted.plan(decision, at, ids)
            try:
                balances = await self._appender.append(plan.unit._replace(limits=limits))
            except SequenceTakenError:
                if ids is not None and await self.repeated(ids) is not None:
                    raise Refusal("this command was carried out before") from None
                await self.follow(hosted)
                continue
            except (Unavailable, asyncio.CancelledError) as error:
                hosted.is_doubtful = True
                self.has_failed = self.has_failed or isinstance(error, Unavailable)
                raise
            hosted.adopt(plan, balances, self._now())
            if self._observer is not None:
                self._observer.observe(plan.steps)
            return plan
        raise Refusal("this table is too busy; try again")

    async def follow(self, hosted: HostedTable) -> bool:
        """Read the log from where the table is; return whether there was something new."""
        known = hosted.times
        found = await self._loader.follow(hosted)
        hosted.notice(self._now(), known)
        if found:
            hosted.tell()
        return found

    async def repeated(self, ids: CommandId) -> CommandOutcome | None:
        """Return the outcome of a command that was carried out before; refuse the same id for another command."""
        row = await self._reader.repeated(*ids)
        return None if row is None else CommandOutcome(row.stream.partition(":")[2], row.sequence)
