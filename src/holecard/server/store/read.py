"""What the server reads from its database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, Select, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.errors import CommandReused
from holecard.server.money.returns import Returned, Returns, WagerKey
from holecard.server.store import schema
from holecard.server.store.chain import LogRow
from holecard.server.store.database import reading, uninterrupted

#: Rows that are read and worked on at once where there may be any number of them.
PAGE = 100
#: The same for rows of a few numbers.
_SMALL_ROWS = 500


class ShoePlace(NamedTuple):
    """The numbers of the entries of a log that commit its table to a shoe, and that reveal the shoe."""

    first: int
    last: int


class StoreReader:
    """Reads logs, balances, seeds, records and the lobby."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def try_it(self) -> None:
        """Read something; refuse where the database does not answer."""
        await self._all(select(1))

    async def entries(
        self, stream: str, after: int = 0, until: int | None = None, limit: int | None = None
    ) -> list[LogRow]:
        """Return the entries of a stream beyond a sequence number, in order; `until`: the last one, inclusive."""
        query = select(schema.log).where(schema.log.c.stream == stream, schema.log.c.sequence > after)
        if until is not None:
            query = query.where(schema.log.c.sequence <= until)
        rows = await self._all(query.order_by(schema.log.c.sequence).limit(limit))
        return [LogRow(**row) for row in rows]

    async def pages(self, stream: str, after: int = 0, until: int | None = None) -> AsyncIterator[list[LogRow]]:
        """Yield the same entries, some at a time."""
        while page := await self.entries(stream, after, until, PAGE):
            yield page
            if len(page) < PAGE:
                return
            after = page[-1].sequence

    async def first_entry(self, stream: str) -> LogRow | None:
        """Return the first entry of a stream."""
        found = await self._all(select(schema.log).where(schema.log.c.stream == stream, schema.log.c.sequence == 1))
        return LogRow(**found[0]) if found else None

    async def first_entries(self, streams: Collection[str]) -> dict[str, str]:
        """Return the body of the first entry of each of some streams."""
        of_these = (schema.log.c.stream.in_(streams)) & (schema.log.c.sequence == 1)
        found = await self._all(select(schema.log.c.stream, schema.log.c.body).where(of_these))
        return {row["stream"]: row["body"] for row in found}

    async def checkpoint(self, table_id: str) -> str | None:
        """Return the place from which a table's log is folded."""
        found = await self._all(select(schema.tables.c.checkpoint).where(schema.tables.c.id == table_id))
        return found[0]["checkpoint"] if found else None

    async def theory(self, sheet_hash: str) -> str | None:
        """Return what the wagers of a sheet return in theory."""
        found = await self._all(select(schema.theories.c.content).where(schema.theories.c.sheet == sheet_hash))
        return str(found[0]["content"]) if found else None

    async def returns(self, most_sheets: int | None = None) -> Returns:
        """Return what wagers have returned: all, or those of the sheets with the most staked; the largest first."""
        kept = schema.returns.c
        query = select(schema.returns).order_by(kept.staked.desc(), kept.game, kept.sheet, kept.wager)
        if most_sheets is not None:
            totals = select(kept.game, kept.sheet).group_by(kept.game, kept.sheet)
            top = totals.order_by(func.sum(kept.staked).desc(), kept.game, kept.sheet).limit(most_sheets).subquery()
            query = query.join(top, and_(kept.game == top.c.game, kept.sheet == top.c.sheet))
        return {
            WagerKey(row["game"], row["sheet"], row["wager"]): Returned(
                row["rounds"], row["staked"], row["squares"], row["net"], row["largest"]
            )
            for row in await self._all(query)
        }

    async def count_entries(self) -> int:
        """Return how many entries all logs have together."""
        return int((await self._all(select(func.count().label("entries")).select_from(schema.log)))[0]["entries"])

    async def streams(self) -> list[str]:
        """Return the names of all streams."""
        return [row["stream"] for row in await self._all(select(schema.log.c.stream).distinct().order_by("stream"))]

    async def command(self, actor: str, command: str) -> LogRow | None:
        """Return the entry that a command made."""
        query = select(schema.log).where(schema.log.c.actor == actor, schema.log.c.command == command)
        found = await self._all(query)
        return LogRow(**found[0]) if found else None

    async def repeated(self, actor: str, command: str, request: str) -> LogRow | None:
        """Return the entry that the same command made before; refuse the same id for another command."""
        row = await self.command(actor, command)
        if row is not None and row.request != request:
            raise CommandReused(f"the command id {command!r} was used for another command; make a new one")
        return row

    async def balance(self, account: str) -> int:
        """Return what is on an account, in cents."""
        found = await self._all(select(schema.balances.c.amount).where(schema.balances.c.account == account))
        return int(found[0]["amount"]) if found else 0

    async def balances(self) -> dict[str, int]:
        """Return what is on every account, in cents."""
        return {row["account"]: int(row["amount"]) for row in await self._all(select(schema.balances))}

    async def sheet(self, sheet_hash: str) -> str | None:
        """Return the content of a sheet."""
        found = await self._all(select(schema.sheets.c.content).where(schema.sheets.c.hash == sheet_hash))
        return str(found[0]["content"]) if found else None

    async def seed(self, shoe: str) -> bytes | None:
        """Return a shoe's secret seed."""
        found = await self._all(select(schema.shoe_seeds.c.seed).where(schema.shoe_seeds.c.shoe == shoe))
        return bytes(found[0]["seed"]) if found else None

    async def finished_shoe(self, table_id: str, shoe: str) -> ShoePlace | None:
        """Return where in its table's log a shoe begins and ends; None while it is dealt."""
        own, ended = schema.shoe_starts.c, schema.revealed_shoes.c
        query = (
            select(own.sequence.label("first"), ended.sequence.label("last"))
            .join(schema.revealed_shoes, ended.shoe == own.shoe)
            .where(own.shoe == shoe, own.table == table_id)
        )
        found = await self._all(query)
        return ShoePlace(**found[0]) if found else None

    async def last_start(self, table_id: str, until: int) -> RowMapping | None:
        """Return the last shoe of a table that a fold can begin with, up to a sequence number of its log."""
        own = schema.shoe_starts.c
        before = (own.table == table_id, own.sequence <= until, own.start.is_not(None))
        found = await self._all(select(schema.shoe_starts).where(*before).order_by(own.sequence.desc()).limit(1))
        return found[0] if found else None

    async def sheets(self, hashes: Collection[str]) -> dict[str, str]:
        """Return the content of sheets by hash."""
        found = await self._all(select(schema.sheets).where(schema.sheets.c.hash.in_(hashes)))
        return {row["hash"]: row["content"] for row in found}

    async def lobby(self, user: str | None = None) -> Sequence[RowMapping]:
        """Return the rows of all open tables, oldest first, each with the first entry of its log as `opened`.

        Of private tables only those that a user has opened or sits at, if the user is given.
        """
        kept, taken = schema.tables.c, schema.seats.c
        first = (schema.log.c.stream == "table:" + kept.id) & (schema.log.c.sequence == 1)
        rows = select(schema.tables, schema.log.c.body.label("opened")).join(schema.log, first)
        rows = rows.where(kept.closed.is_(False)).order_by(kept.opened_at)
        if user is not None:
            sits_at = select(taken.table).where(taken.user == user)
            rows = rows.where(or_(kept.private.is_(False), kept.opened_by == user, kept.id.in_(sits_at)))
        return await self._all(rows)

    async def names(self, users: Collection[str]) -> dict[str, str]:
        """Return the names of users by id."""
        rows = await self._all(select(schema.users.c.id, schema.users.c.name).where(schema.users.c.id.in_(users)))
        return {row["id"]: row["name"] for row in rows}

    async def sitters(self, tables: Collection[str]) -> dict[tuple[str, int], str]:
        """Return who sits at tables, by table and seat."""
        rows = await self._all(select(schema.seats).where(schema.seats.c.table.in_(tables)))
        return {(row["table"], row["seat"]): row["user"] for row in rows}

    async def open_tables(self) -> Sequence[RowMapping]:
        """Return the rows of all open tables, oldest first."""
        query = select(schema.tables).where(schema.tables.c.closed.is_(False)).order_by(schema.tables.c.opened_at)
        return await self._all(query)

    async def rounds_of(
        self, user: str, limit: int | None, before: int | None, sheet: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the finished rounds of a user, the newest first; of one sheet, if its hash is given."""
        query = _rounds_of(user)
        if before is not None:
            query = query.where(schema.round_players.c.at < before)
        if sheet is not None:
            query = query.where(schema.round_players.c.sheet == sheet)
        rows = await self._all(query if limit is None else query.limit(limit))
        return [_round(row) for row in rows]

    async def pages_of_rounds(self, user: str) -> AsyncIterator[list[dict[str, Any]]]:
        """Yield all finished rounds of a user, the newest first, some at a time."""
        query, played = _rounds_of(user).limit(PAGE), schema.round_players.c
        rows = await self._all(query)
        while rows:
            yield [_round(row) for row in rows]
            older = tuple_(played.at, played.number, played.table) < _place_in_time(rows[-1])
            # The first condition is for the index.
            rows = await self._all(query.where(played.at <= rows[-1]["at"], older)) if len(rows) == PAGE else ()

    async def pages_of_wagers(self, user: str) -> AsyncIterator[Sequence[RowMapping]]:
        """Yield what a user has staked and won in every finished round, the oldest first, some at a time."""
        played = schema.round_players.c
        columns = (played.at, played.number, played.table, played.sheet, played.wagers)
        query = (
            select(*columns, schema.tables.c.game, schema.tables.c.title)
            .join(schema.tables, schema.tables.c.id == played.table)
            .where(played.user == user)
            .order_by(played.at, played.number, played.table)
            .limit(_SMALL_ROWS)
        )
        rows = await self._all(query)
        while rows:
            yield rows
            newer = tuple_(played.at, played.number, played.table) > _place_in_time(rows[-1])
            is_last = len(rows) < _SMALL_ROWS
            rows = () if is_last else await self._all(query.where(played.at >= rows[-1]["at"], newer))

    async def sheets_played_by(self, user: str) -> list[str]:
        """Return the hashes of the sheets that a user has played; each is one look into an index."""
        own, found = schema.round_players.c.sheet, [""]
        query = select(own).where(schema.round_players.c.user == user).order_by(own).limit(1)
        while rows := await self._all(query.where(own > found[-1])):
            found.append(rows[0]["sheet"])
        return found[1:]

    async def shoes_of(self, user: str, limit: int) -> list[dict[str, Any]]:
        """Return the shoes that a user has played rounds from, the newest first."""
        own, ended = schema.shoe_players.c, schema.revealed_shoes.c.shoe.is_not(None)
        rounds = (own.first_round.label("first"), own.last_round.label("last"))
        query = (
            select(own.table, own.shoe, schema.tables.c.title, *rounds, own.at, ended.label("ended"))
            .join(schema.tables, schema.tables.c.id == own.table)
            .join(schema.revealed_shoes, schema.revealed_shoes.c.shoe == own.shoe, isouter=True)
            .where(own.user == user)
            .order_by(own.at.desc(), own.table, own.last_round.desc())
            .limit(limit)
        )
        return [dict(row) for row in await self._all(query)]

    async def round(self, table_id: str, number: int) -> dict[str, Any] | None:
        """Return a finished round."""
        query = _rounds_with_game().where(schema.rounds.c.table == table_id, schema.rounds.c.number == number)
        found = await self._all(query)
        return _round(found[0]) if found else None

    async def rounds_at(self, table_id: str, user: str, after: int, limit: int) -> list[dict[str, Any]]:
        """Return finished rounds of a user at one table beyond a number, the oldest first."""
        query = _rounds_with_game().join(schema.round_players, _same_round()).where(*_played_at(table_id, user, after))
        return [_round(row) for row in await self._all(query.order_by(schema.rounds.c.number).limit(limit))]

    async def count_rounds_at(self, table_id: str, user: str, after: int) -> int:
        """Return how many rounds a user has finished at one table beyond a number."""
        number = func.count().label("number")
        query = select(number).select_from(schema.round_players).where(*_played_at(table_id, user, after))
        return int((await self._all(query))[0]["number"])

    async def last_round_before(self, table_id: str, number: int) -> dict[str, Any] | None:
        """Return the finished round of a table before a number."""
        return await self._next_round(table_id, schema.rounds.c.number < number, schema.rounds.c.number.desc())

    async def first_round_after(self, table_id: str, number: int) -> dict[str, Any] | None:
        """Return the finished round of a table after a number."""
        return await self._next_round(table_id, schema.rounds.c.number > number, schema.rounds.c.number)

    async def _next_round(self, table_id: str, where: Any, order: Any) -> dict[str, Any] | None:
        query = select(schema.rounds).where(schema.rounds.c.table == table_id, where).order_by(order).limit(1)
        found = await self._all(query)
        return _round(found[0]) if found else None

    async def tables_with(self, user: str) -> list[str]:
        """Return the tables at which a user sits."""
        query = select(schema.seats.c.table).where(schema.seats.c.user == user).distinct().order_by("table")
        return [row["table"] for row in await self._all(query)]

    async def deleted_among(self, users: Collection[str]) -> frozenset[str]:
        """Return those of some users whose accounts were deleted."""
        own = schema.users.c
        found = await self._all(select(own.id).where(own.id.in_(users), own.deleted_at.is_not(None)))
        return frozenset(row["id"] for row in found)

    async def due_tables(self, now: int) -> dict[str, int]:
        """Return the tables at which the clock has to decide, and how long their logs are."""
        open_ = schema.tables.c.closed.is_(False)
        query = select(schema.tables.c.id, schema.tables.c.sequence).where(open_, schema.tables.c.deadline <= now)
        return {row["id"]: row["sequence"] for row in await self._all(query)}

    async def rows(self, query: Select[Any]) -> list[dict[str, Any]]:
        """Return what a query finds."""
        return [dict(row) for row in await self._all(query)]

    async def _all(self, query: Any) -> Sequence[RowMapping]:
        return await uninterrupted(self._read(query))

    async def _read(self, query: Any) -> Sequence[RowMapping]:
        async with reading(self._engine) as connection:
            return (await connection.execute(query)).mappings().all()


def _rounds_of(user: str) -> Select[Any]:
    """Return the query for the finished rounds of a user, the newest first."""
    played = schema.round_players.c
    query = _rounds_with_game().join(schema.round_players, _same_round()).where(played.user == user)
    return query.order_by(played.at.desc(), played.number.desc(), played.table.desc())


def _place_in_time(row: RowMapping) -> Any:
    """Return the place of a round among all of a user."""
    return tuple_(row["at"], row["number"], row["table"])


def _rounds_with_game() -> Select[Any]:
    """Return the query for finished rounds, each with the name and the title of its game."""
    query = select(schema.rounds, schema.tables.c.game, schema.tables.c.title)
    return query.join(schema.tables, schema.tables.c.id == schema.rounds.c.table)


def _same_round() -> Any:
    played = schema.round_players.c
    return (played.table == schema.rounds.c.table) & (played.number == schema.rounds.c.number)


def _played_at(table_id: str, user: str, after: int) -> tuple[Any, ...]:
    played = schema.round_players.c
    return played.user == user, played.table == table_id, played.number > after


def _round(row: RowMapping) -> dict[str, Any]:
    balances = row["balances"]
    return {**row, "players": json.loads(row["players"]), "balances": json.loads(balances) if balances else {}}
