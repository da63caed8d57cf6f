"""Append to the log and the ledger, all or nothing, with one commit for all who wait (group commit).

A unit is what one command causes: its entries, their transfers, and the rows that follow from them. A sequence number
that is taken, a command id that is used or an overdraft fails the unit, and only that unit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import structlog
from sqlalchemy import ColumnElement, Select, Table, and_, delete, func, insert, or_, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.server.errors import SequenceTakenError, TooMany, Unavailable, UnreadableMessage
from holecard.server.money.transfers import Transfer
from holecard.server.store import schema
from holecard.server.store.chain import LogRow
from holecard.server.store.database import is_sqlite, writing

#: How many units share a commit at most.
_LARGEST_GROUP = 100
#: PostgreSQL's codes for "two transactions waited for each other" and "try again".
_TRY_AGAIN = ("40P01", "40001")
#: How PostgreSQL's codes for values that it cannot store begin.
_BAD_VALUE = "22"
Rows = Sequence[Mapping[str, Any]]
#: What is on accounts, in cents.
Balances: TypeAlias = dict[str, int]
_log = structlog.get_logger("holecard.server")


class Limit(NamedTuple):
    """How many rows of something one user may have; they are counted in the transaction that adds one."""

    user: str
    rows: Select[Any]
    most: int
    words: str
    """What is refused: "you hold {} seats; leave one of them first"."""


class Unit(NamedTuple):
    """What is appended together. `transfers` are those of each entry, in order."""

    rows: tuple[LogRow, ...]
    transfers: tuple[tuple[Transfer, ...], ...] = ()
    table: Mapping[str, Any] | None = None
    """The row of `tables`, as it is after these entries."""
    inserts: tuple[tuple[Table, Mapping[str, Any]], ...] = ()
    """Other new rows: seeds, finished rounds, users, seats taken."""
    freed: tuple[tuple[str, int], ...] = ()
    """Seats that are free now, by table and number."""
    limits: tuple[Limit, ...] = ()


def nothing(_moment: str) -> None:
    """Do nothing at a moment of the appender's work; tests that crash the server do something else."""


_Group: TypeAlias = list[tuple[Unit, "asyncio.Future[Balances]"]]


class Appender:
    """Appends units; those that wait at the same time share one commit."""

    def __init__(self, engine: AsyncEngine, on_moment: Callable[[str], None] = nothing) -> None:
        self._engine = engine
        self._on_moment = on_moment
        self._waiting: list[tuple[Unit, asyncio.Future[Balances]]] = []
        self._accounts: set[str] = set()
        """Accounts that are known to have a balance, if only of nothing."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_writing = False
        self.has_failed = False
        """Whether the last write failed."""

    def start(self) -> None:
        """Start the task that writes."""
        self._task = asyncio.create_task(self._write_forever(), name="appender")

    async def stop(self) -> None:
        """Write what waits, and stop."""
        while self._waiting or self._is_writing:
            await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def append(self, unit: Unit) -> Balances:
        """Append a unit; when this returns, it is on disk. Return the balances of the players that it has changed."""
        done: asyncio.Future[Balances] = asyncio.get_running_loop().create_future()
        self._waiting.append((unit, done))
        self._wake.set()
        return await done

    async def keep(self, table: Table, row: Mapping[str, Any]) -> None:
        """Add a row that may be there already."""
        made: Any = (sqlite if is_sqlite(self._engine) else postgresql).insert(table)
        async with writing(self._engine) as connection:
            await connection.execute(made.on_conflict_do_nothing(), [dict(row)])

    async def probe(self) -> None:
        """Write something that changes nothing; raise where the database cannot store it."""
        self.has_failed = True
        async with writing(self._engine) as connection:
            await connection.execute(text("UPDATE balances SET amount = amount WHERE account = 'bank'"))
            self._on_moment("before commit")
        self.has_failed = False

    async def _write_forever(self) -> None:
        while True:
            await self._wake.wait()
            group, self._waiting = self._waiting[:_LARGEST_GROUP], self._waiting[_LARGEST_GROUP:]
            if not self._waiting:
                self._wake.clear()
            self._is_writing = True
            await self._write_group(group)
            self._is_writing = False

    async def _write_group(self, group: _Group) -> None:
        """Write all units in one transaction; where that fails, each in its own."""
        try:
            balances = await self._write([unit for unit, _ in group])
        except Exception as error:
            await self._answer_failure(group, error)
        else:
            self.has_failed = False
            for _, done in group:
                if not done.done():
                    done.set_result(balances)

    async def _answer_failure(self, group: _Group, error: Exception) -> None:
        """Find the unit that failed alone, or say that nothing can be stored; whether it was is unknown then."""
        is_unit = isinstance(error, IntegrityError | TooMany) or _is_try_again(error) or _is_bad_value(error)
        if is_unit and len(group) > 1:
            for one in group:
                await self._write_group([one])
        elif is_unit:
            self.has_failed = False
            _finish(group[0][1], _answer_to_one(error))
        else:
            # The error's own text may show what was written, so it is not logged.
            kind = type(getattr(error, "orig", None) or error).__name__
            _log.error("the database does not store anything", error=kind, commands=len(group))
            self.has_failed = True
            for _, done in group:
                _finish(done, Unavailable("the server cannot store anything now; no bets are taken until it can"))

    async def _write(self, units: Sequence[Unit]) -> Balances:
        # Everybody writes in the same order, so that two processes never wait for each other.
        ordered = sorted(units, key=lambda unit: unit.rows[0][:2])
        async with self._engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                await _lock_users(connection, ordered)
                balances = await _write_units(connection, ordered, is_sqlite(self._engine), self._accounts)
                await _check_limits(connection, ordered)
                self._on_moment("before commit")
        self._on_moment("after commit")
        self._accounts.update(balances)
        return balances


async def _lock_users(connection: AsyncConnection, units: Sequence[Unit]) -> None:
    """Let nobody else count the rows of these users before the end of the transaction; SQLite has one writer anyway."""
    users = sorted({limit.user for unit in units for limit in unit.limits})
    if users:
        rows = select(schema.users.c.id).where(schema.users.c.id.in_(users)).order_by(schema.users.c.id)
        await connection.execute(rows.with_for_update())


async def _check_limits(connection: AsyncConnection, units: Sequence[Unit]) -> None:
    for limit in (limit for unit in units for limit in unit.limits):
        found = (await connection.execute(select(func.count()).select_from(limit.rows.subquery()))).scalar_one()
        if found > limit.most:
            raise TooMany(limit.words.format(found - 1))


def _is_at(table_id: str, seat: int) -> ColumnElement[bool]:
    return and_(schema.seats.c.table == table_id, schema.seats.c.seat == seat)


async def _write_units(
    connection: AsyncConnection, units: Sequence[Unit], sqlite_used: bool, known: set[str]
) -> Balances:
    """Write what the units hold; return the balances that they have changed."""
    balances: Balances = {}
    if freed := [_is_at(table_id, seat) for unit in units for table_id, seat in unit.freed]:
        await connection.execute(delete(schema.seats).where(or_(*freed)))
    for table, rows in _other_rows(units).items():
        await connection.execute(insert(table), rows)
    await connection.execute(insert(schema.log), [row._asdict() for unit in units for row in unit.rows])
    moved = [row for unit in units for row in _transfer_rows(unit)]
    if moved:
        await connection.execute(insert(schema.transfers), moved)
        balances = await _post(connection, moved, sqlite_used, known)
    changed = [dict(unit.table) for unit in units if unit.table is not None]
    if changed:
        upsert: Any = (sqlite if sqlite_used else postgresql).insert(schema.tables)
        fresh = {name: upsert.excluded[name] for name in ("sequence", "deadline", "closed", "seats")}
        fresh["checkpoint"] = func.coalesce(upsert.excluded.checkpoint, schema.tables.c.checkpoint)
        await connection.execute(upsert.on_conflict_do_update(index_elements=["id"], set_=fresh), changed)
    if not sqlite_used:
        news = [{"words": f"{unit.rows[-1].stream} {unit.rows[-1].sequence}"} for unit in units]
        await connection.execute(text("SELECT pg_notify('holecard', :words)"), news)
    return balances


def _other_rows(units: Sequence[Unit]) -> dict[Table, list[Mapping[str, Any]]]:
    found: dict[Table, list[Mapping[str, Any]]] = {}
    for unit in units:
        for table, row in unit.inserts:
            found.setdefault(table, []).append(row)
    return found


def _transfer_rows(unit: Unit) -> list[dict[str, Any]]:
    return [
        {
            "stream": row.stream,
            "sequence": row.sequence,
            "place": place,
            "kind": transfer.kind,
            "source": transfer.source,
            "target": transfer.target,
            "amount": int(transfer.amount),
            "about": transfer.about,
        }
        for row, moved in zip(unit.rows, unit.transfers, strict=True)
        for place, transfer in enumerate(moved)
    ]


async def _post(connection: AsyncConnection, moved: Rows, sqlite_used: bool, known: set[str]) -> Balances:
    """Change the balances, in the order of their names so that two processes never wait for each other."""
    changes: dict[str, int] = {}
    for row in moved:
        changes[row["source"]] = changes.get(row["source"], 0) - row["amount"]
        changes[row["target"]] = changes.get(row["target"], 0) + row["amount"]
    rows = [{"account": account, "change": change} for account, change in sorted(changes.items())]
    # Two statements: an upsert would check the new row against the constraint before it adds the amounts.
    upsert: Any = (sqlite if sqlite_used else postgresql).insert(schema.balances)
    if opened := [{"account": account, "amount": 0} for account in sorted(changes) if account not in known]:
        await connection.execute(upsert.on_conflict_do_nothing(index_elements=["account"]), opened)
    await connection.execute(text("UPDATE balances SET amount = amount + :change WHERE account = :account"), rows)
    changed = select(schema.balances).where(schema.balances.c.account.in_(list(changes)))
    return {row.account: row.amount for row in await connection.execute(changed)}


def _answer_to_one(error: Exception) -> Exception:
    """Return what a unit is answered that failed alone."""
    if isinstance(error, TooMany):
        return error
    return (
        UnreadableMessage("this has characters that cannot be stored") if _is_bad_value(error) else SequenceTakenError()
    )


def _is_try_again(error: Exception) -> bool:
    return _sqlstate(error) in _TRY_AGAIN


def _is_bad_value(error: Exception) -> bool:
    return _sqlstate(error).startswith(_BAD_VALUE)


def _sqlstate(error: Exception) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "") if isinstance(error, DBAPIError) else ""


def _finish(done: asyncio.Future[Balances], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
