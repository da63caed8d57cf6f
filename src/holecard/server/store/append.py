"""Append to the log and the ledger, all or nothing, with one commit for all who wait (group commit).

A unit is what one command causes: its entries, their transfers, and the rows that follow from them. A sequence number
that is taken, a command id that is used or an overdraft fails the unit, and only that unit: the others share a commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import structlog
from pydantic_core import PydanticSerializationError
from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.errors import SequenceTakenError, Unavailable, UnreadableMessage
from holecard.server.store.database import in_plain_words, is_sqlite, to_the_end, writing
from holecard.server.store.posting import Balances, change_and_change_back
from holecard.server.store.transactions import transactions
from holecard.server.store.units import Unit, UnitsRefusedError, write_units

#: How many units share a commit at most.
_LARGEST_GROUP = 100
#: Seconds between the starts of two groups while many units wait: a group costs as much as some ten units.
_PACE = 0.01
#: From how many units on a group is followed by this pause.
_MANY = 3
#: PostgreSQL's codes for "two transactions waited for each other" and "try again", and how often it is tried.
_TRY_AGAIN = ("40P01", "40001")
_ATTEMPTS = 5
#: Seconds that the units which wait get at the end; a database that hangs would keep them forever.
_PATIENCE = 10.0
#: How PostgreSQL's codes for values that it cannot store begin.
_BAD_VALUE = "22"
#: PostgreSQL's code for two units that change the same row.
_SAME_ROW = "21000"
#: How many accounts are known to have a balance at most; then all are forgotten.
_MOST_KNOWN = 100_000
_log = structlog.get_logger("holecard.server")


def nothing(_moment: str) -> None:
    """Do nothing at a moment of the appender's work; tests that crash the server do something else."""


def no_units(_units: Sequence[Unit]) -> None:
    """Do nothing with units that are on disk."""


_Group: TypeAlias = list[tuple[Unit, "asyncio.Future[Balances]"]]


class Appender:
    """Appends units; those that wait at the same time share one commit."""

    def __init__(
        self,
        engine: AsyncEngine,
        on_moment: Callable[[str], None] = nothing,
        on_commit: Callable[[Sequence[Unit]], None] = no_units,
    ) -> None:
        self._engine = engine
        self._on_commit = on_commit
        self.transactions = transactions(engine)
        self._on_moment = on_moment
        self._waiting: list[tuple[Unit, asyncio.Future[Balances]]] = []
        self._accounts: set[str] = set()
        """Accounts that are known to have a balance, if only of nothing."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._writing: _Group = []
        """Those that share the transaction that runs."""
        self.has_failed = False
        """Whether the last write failed."""

    @property
    def waiting(self) -> int:
        """How many units wait to be written, those of the transaction that runs included."""
        return len(self._waiting) + len(self._writing)

    def start(self) -> None:
        """Start the task that writes."""
        self._task = asyncio.create_task(self._write_forever(), name="appender")

    async def stop(self) -> None:
        """Write what waits, as long as the database answers in time, and stop."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while self._waiting or self._writing:
                    await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for _, done in (*self._writing, *self._waiting):
            _finish(done, _nothing_stored())
        await self.transactions.stop()

    async def append(self, unit: Unit) -> Balances:
        """Append a unit; when this returns, it is on disk. Return the balances of the players that it has changed."""
        done: asyncio.Future[Balances] = asyncio.get_running_loop().create_future()
        self._waiting.append((unit, done))
        self._wake.set()
        return await done

    @to_the_end
    async def keep(self, table: Table, row: Mapping[str, Any]) -> None:
        """Add a row that may be there already."""
        made: Any = (sqlite if is_sqlite(self._engine) else postgresql).insert(table)
        async with writing(self._engine) as connection:
            await connection.execute(made.on_conflict_do_nothing(), [dict(row)])

    async def probe(self) -> None:
        """Write something that changes nothing in the end; raise where the database cannot store it."""

        def write(connection: Connection) -> None:
            change_and_change_back(connection)
            self._on_moment("before commit")

        self.has_failed = True
        with in_plain_words():
            await self.transactions.run(write)
        self.has_failed = False

    async def _write_forever(self) -> None:
        next_at = 0.0
        clock = asyncio.get_running_loop().time
        while True:
            await self._wake.wait()
            if (pause := next_at - clock()) > 0:
                await asyncio.sleep(pause)
            group, self._waiting = self._waiting[:_LARGEST_GROUP], self._waiting[_LARGEST_GROUP:]
            if not self._waiting:
                self._wake.clear()
            self._writing = group
            next_at = clock() + _PACE if len(group) >= _MANY else 0.0
            await self._write_group(group)
            self._writing = []

    async def _write_group(self, group: _Group) -> None:
        """Write all units in one transaction, without those that are refused."""
        while group:
            try:
                balances = await self._write([unit for unit, _ in group])
            except UnitsRefusedError as found:
                self.has_failed = False
                group = _without_refused(group, found)
            except Exception as error:
                await self._answer_failure(group, error)
                return
            else:
                self.has_failed = False
                for _, done in group:
                    if not done.done():
                        done.set_result(balances)
                return

    async def _answer_failure(self, group: _Group, error: Exception) -> None:
        """Find the unit that failed alone, or say that nothing can be stored; whether it was is unknown then."""
        is_taken = isinstance(error, IntegrityError) or _sqlstate(error) == _SAME_ROW
        is_unit = is_taken or _is_try_again(error) or _is_bad_value(error)
        if is_unit and len(group) > 1:
            # One of them fails, and nobody knows which: each half finds out for itself.
            middle = len(group) // 2
            await self._write_group(group[:middle])
            await self._write_group(group[middle:])
        elif is_unit:
            self.has_failed = False
            _finish(group[0][1], _answer_to_one(error))
        else:
            # The error's own text may show what was written, so it is not logged.
            kind = type(getattr(error, "orig", None) or error).__name__
            _log.error("the database does not store anything", error=kind, commands=len(group))
            self.has_failed = True
            for _, done in group:
                _finish(done, _nothing_stored())

    async def _write(self, units: Sequence[Unit]) -> Balances:
        def write(connection: Connection) -> Balances:
            found = write_units(connection, units, self._accounts)
            self._on_moment("before commit")
            return found

        if len(self._accounts) > _MOST_KNOWN:
            self._accounts.clear()
        for left in reversed(range(_ATTEMPTS)):
            try:
                balances = await self.transactions.run(write)
                break
            except DBAPIError as error:
                if not left or not _is_try_again(error):
                    raise
        self._on_commit(units)
        self._on_moment("after commit")
        self._accounts.update(balances)
        return balances


def _without_refused(group: _Group, found: UnitsRefusedError) -> _Group:
    """Answer the units that are refused, and return the others."""
    for unit, done in group:
        if id(unit) in found.refused:
            _finish(done, found.refused[id(unit)])
    return [one for one in group if id(one[0]) not in found.refused]


def _answer_to_one(error: Exception) -> Exception:
    """Return what a unit is answered that failed alone."""
    if _is_try_again(error):
        return Unavailable("too many commands change the same at once; try again")
    return (
        UnreadableMessage("this has characters that cannot be stored") if _is_bad_value(error) else SequenceTakenError()
    )


def _nothing_stored() -> Unavailable:
    return Unavailable("the server cannot store anything now; no bets are taken until it can")


def _is_try_again(error: Exception) -> bool:
    return _sqlstate(error) in _TRY_AGAIN


def _is_bad_value(error: Exception) -> bool:
    return isinstance(error, PydanticSerializationError) or _sqlstate(error).startswith(_BAD_VALUE)


def _sqlstate(error: Exception) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "") if isinstance(error, DBAPIError) else ""


def _finish(done: asyncio.Future[Balances], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
