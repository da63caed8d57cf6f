"""All tables of this process: open, load, command, and the clock.

A command is decided on the table in memory and appended with the next sequence number. If that number is taken, another
process was faster: the table reads what is new and decides again. Nobody hears of anything before it is on disk. Where
the database fails, nobody knows what it stored: the table reads its log again before it takes the next command.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from time import perf_counter
from weakref import WeakValueDictionary

import structlog
from sqlalchemy import RowMapping

from holecard.errors import Refusal
from holecard.server.errors import Damaged, GameIsStopped, SequenceTakenError, ServerClosing, Unavailable, code_of
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.game.clock import deadline
from holecard.server.game.commands import AddSeed, DealNow, Leave, PlaceBet, Sit, TableCommand
from holecard.server.game.decide import Actor, Dealer
from holecard.server.game.entries import Pace, TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.orders import Orders
from holecard.server.host.hosted_table import CommandId, HostedTable, TableStep, first_row
from holecard.server.host.kept_shoes import KeptShoes
from holecard.server.host.limits import UserLimits
from holecard.server.host.loader import Loader, sheet_hash
from holecard.server.host.order_log import OrderLog
from holecard.server.host.writer import CommandOutcome, StepObserver, Writer
from holecard.server.money.transfers import TableMoney, chips_for
from holecard.server.store.append import Appender
from holecard.server.store.read import StoreReader
from holecard.sheets.schema import RuleSheet

#: Characters of a title that the database keeps.
_LONGEST_TITLE = 200
#: Milliseconds until the clock looks again at a table where it failed.
_REST = 10_000
#: Seconds without use after which a table that another process continues is dropped from memory.
_ELSEWHERE = 5.0
#: How many tables the clock loads at once, so that those in memory do not wait for it.
_LOADED_AT_ONCE = 25
_log = structlog.get_logger("holecard.server")
_text_of = json.JSONEncoder(sort_keys=True).encode


class Host:
    """Opens tables, loads them from the log, and takes commands."""

    def __init__(
        self,
        reader: StoreReader,
        appender: Appender,
        now: Callable[[], int],
        observer: StepObserver | None = None,
        limits: UserLimits | None = None,
    ) -> None:
        self._reader = reader
        self._appender = appender
        self.now = now
        self._observer = observer
        self._limits = limits or UserLimits()
        self._loader = Loader(reader)
        self.order_log = OrderLog(reader, appender, now, self._tell_all)
        self._writer = Writer(reader, appender, self._loader, now, observer, self.order_log)
        self._shoes = KeptShoes(reader, self._loader)
        self._tables: dict[str, HostedTable] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._resting: dict[str, int] = {}
        self.up_since = 0
        """When this process began to answer: nobody could decide before, so the clock gives them their time again."""
        self._ahead: set[str] | None = None
        """Tables that wait by a clock that was ahead, and are not loaded yet; None before somebody has looked."""
        self.is_closing = False
        """Whether rounds end and nothing new begins."""

    # Tables

    async def open(
        self, sheet: RuleSheet, game: str, pace: Pace, actor: Actor, command: str, *, private: bool = False
    ) -> CommandOutcome:
        """Open a table and commit to its first shoe; the same command opens it once."""
        found = sheet_hash(sheet)
        body = {"open": game, "sheet": found, "pace": pace.model_dump()} | ({"private": True} if private else {})
        ids = CommandId(actor.user, command, _request(body))
        if done := await self._writer.repeated(ids):
            return done
        self._refuse_if_closing()
        if (why := self.orders.why_stopped(game, found)) is not None:
            raise GameIsStopped(f"the operator has stopped this game, so no table of it is opened: {why}")
        # Nobody can guess an id, so the link to a private table is its key.
        table_id = secrets.token_urlsafe(9)
        title, settings = sheet.name[:_LONGEST_TITLE], sheet.origin[1]
        said = {"game": game, "sheet": found, "title": title, "settings": settings, "pace": pace, "by": actor.user}
        said["private"] = private
        # Rules that people change may pay anything, so nobody takes the winnings elsewhere.
        said["chips"] = chips_for(sheet.tables, self._limits.chips) if settings else 0
        opened = TableOpened.model_validate(said)
        at = self.now()
        row = first_row(table_id, opened, at, ids)
        step = TableStep(opened, FoldedTable(opened, sheet, at))
        hosted = HostedTable(table_id, step, TableMoney(table_id), row.hash, at)
        plan = hosted.plan(Dealer(hosted.table, None, at).commit(), at, None)
        unit = plan.unit._replace(
            rows=(row, *plan.unit.rows),
            transfers=((), *plan.unit.transfers),
            inserts=(*self._loader.rows_of(sheet), *plan.unit.inserts),
            limits=(self._limits.one_more_table(actor.user),),
        )
        try:
            await self._appender.append(unit)
        except SequenceTakenError:
            if done := await self._writer.repeated(ids):
                return done
            raise
        self._loader.keep(sheet)
        hosted.adopt(plan, {}, self.now())
        hosted.used_at = _loop_time()
        self._tables[table_id] = hosted
        return CommandOutcome(table_id, 1)

    async def table(self, table_id: str) -> HostedTable:
        """Return a table, loaded from the log where this process does not have it."""
        hosted = self._tables.get(table_id)
        if hosted is None:
            # A request for one table does not wait for other tables that are being loaded.
            lock = self._loading.setdefault(table_id, asyncio.Lock())
            async with lock:
                hosted = self._tables.get(table_id) or await self._load(table_id)
        hosted.used_at = _loop_time()
        return hosted

    async def _load(self, table_id: str) -> HostedTable:
        hosted = await self._loader.load(table_id)
        await self._forget_the_deleted(hosted)
        # What another process appended meanwhile, this one did not hear of.
        hosted.is_doubtful = True
        self._tables[table_id] = hosted
        async with hosted.lock:
            await self._writer.end_doubt(hosted)
        return hosted

    async def _forget_the_deleted(self, hosted: HostedTable) -> None:
        """Let nobody resume from entries of the log that name a person whose account was deleted since."""
        named = {sitter.user for step in hosted.steps for sitter in step.table.seats.values()}
        for user in await self._reader.deleted_among(named) if named else ():
            hosted.forget_steps_of(user)

    @property
    def tables(self) -> tuple[HostedTable, ...]:
        """The tables of this process."""
        return tuple(self._tables.values())

    @property
    def orders(self) -> Orders:
        """What operators have ordered, as far as this process knows."""
        return self.order_log.orders

    @property
    def open_rounds(self) -> int:
        """How many rounds of this process are not over."""
        return sum(not hosted.table.is_between_rounds for hosted in self._tables.values())

    def forget(self, unused_seconds: float) -> None:
        """Drop tables from memory that nobody watches or uses and where nothing is at stake; the log has them."""
        before = _loop_time() - unused_seconds
        for table_id, hosted in list(self._tables.items()):
            # The stored deadline of one that waits by another clock says nothing.
            if hosted.is_idle and hosted.used_at <= before and not hosted.table.noticed:
                del self._tables[table_id]

    def lacks(self, table_id: str, sequence: int) -> bool:
        """Return whether a table of this process has to be read up to this sequence number.

        A table that nobody uses here any more is dropped instead: its players are at another process.
        """
        hosted = self._tables.get(table_id)
        if hosted is None or hosted.table.sequence >= sequence:
            return False
        is_used = hosted.watchers or hosted.lock.locked() or hosted.used_at > _loop_time() - _ELSEWHERE
        if not is_used:
            del self._tables[table_id]
        return bool(is_used)

    async def catch_up(self, table_id: str, sequence: int) -> None:
        """Read what other processes have appended, up to this sequence number or further."""
        hosted = self._tables.get(table_id)
        if hosted is None:
            return
        async with hosted.lock:
            if hosted.table.sequence < sequence:
                await self._writer.follow(hosted)

    async def catch_up_all(self) -> None:
        """Read what other processes have appended to any table while this one could not hear of it."""
        await self.catch_up_orders()
        for hosted in self.tables:
            with suppress(Damaged):
                async with hosted.lock:
                    await self._writer.follow(hosted)

    async def catch_up_orders(self) -> None:
        """Read what operators have ordered elsewhere."""
        await self.order_log.follow()

    async def command(self, table_id: str, command: TableCommand, actor: Actor, command_id: str) -> CommandOutcome:
        """Carry out a command; repeated with the same id, it has the effect of one."""
        begun, outcome = perf_counter(), "failed"
        try:
            done = await self._command(table_id, command, actor, command_id)
            outcome = "done"
        except Refusal as refused:
            outcome = code_of(refused)
            raise
        finally:
            if self._observer is not None:
                self._observer.answered(outcome, perf_counter() - begun)
        return done

    async def _command(self, table_id: str, command: TableCommand, actor: Actor, command_id: str) -> CommandOutcome:
        ids = CommandId(actor.user, command_id, _request({"table": table_id, **command.model_dump()}))
        limits = (self._limits.one_more_seat(actor.user),) if isinstance(command, Sit) else ()
        hosted = await self.table(table_id)
        async with hosted.lock:
            try:
                if isinstance(command, Sit | PlaceBet | DealNow):
                    self._refuse_if_closing()
                await self._writer.make_ready(hosted, needs_shoe=isinstance(command, PlaceBet | DealNow | AddSeed))
                plan = await self._writer.append(hosted, lambda dealer: dealer.decide(command, actor), ids, limits)
            except Refusal:
                if done := await self._writer.repeated(ids):
                    await self._writer.end_doubt(hosted)
                    return done
                raise
        return (
            CommandOutcome(table_id, plan.unit.rows[0].sequence)
            if plan
            else CommandOutcome(table_id, hosted.table.sequence)
        )

    async def shut(self, table_id: str, reason: str) -> None:
        """Close a table that is between rounds."""
        hosted = await self.table(table_id)
        async with hosted.lock:
            await self._writer.make_ready(hosted)
            if hosted.table.closed is None and hosted.table.is_between_rounds:
                await self._writer.append(hosted, lambda dealer: dealer.close(reason))

    async def void(self, table_id: str, reason: str) -> None:
        """End a round that is not over; every stake is returned, and every loss given back."""
        hosted = await self.table(table_id)
        async with hosted.lock:
            await self._writer.make_ready(hosted)
            if not hosted.table.is_between_rounds:
                await self._writer.append(hosted, lambda dealer: dealer.void(reason))

    async def leave_all_seats(self, user: str) -> None:
        """Free the seats of somebody who is gone; bets are returned, and hands that are played the clock ends."""
        for table_id in await self._reader.tables_with(user):
            with suppress(Damaged):
                hosted = await self.table(table_id)
                async with hosted.lock:
                    await self._writer.make_ready(hosted)
                    for seat in hosted.table.seats_of(user):
                        leave = partial(Dealer.decide, command=Leave(seat=seat), actor=Actor(user, ""))
                        await self._writer.append(hosted, leave)
        for hosted in self.tables:
            hosted.forget_steps_of(user)

    async def finished_shoe(self, table_id: str, shoe: str) -> ShoeDocument:
        """Return a shoe that has ended, with its seed."""
        return ShoeDocument.model_validate_json(await self.finished_shoe_text(table_id, shoe))

    async def finished_shoe_text(self, table_id: str, shoe: str) -> bytes:
        """Return a shoe that has ended as JSON, with its seed."""
        return await self._shoes.text(table_id, shoe)

    async def sheet(self, sheet_hash: str) -> RuleSheet:
        """Return a sheet by its hash."""
        return await self._loader.sheet(sheet_hash)

    def _refuse_if_closing(self) -> None:
        if self.is_closing:
            raise ServerClosing("the server is closing; rounds end, and no new bets are taken")

    # The clock

    async def tick(self) -> None:
        """Let the clock decide wherever it is time; after an outage, first give everybody their time again."""
        try:
            if self._writer.has_failed:
                await self._reader.due_tables(0)
                await self._appender.probe()
                self.come_back()
            await self.catch_up_orders()
            await self._tick(self.now())
        except Exception:
            self._writer.has_failed = True
            raise

    async def _tick(self, now: int) -> None:
        self._resting = {table_id: until for table_id, until in self._resting.items() if now < until <= now + _REST}
        if self._ahead is None:
            self._ahead = {row["id"] for row in await self._reader.lobby() if _may_be_ahead(row, now)}
        self._ahead -= self._tables.keys()
        here = {hosted.id for hosted in self.tables if hosted.is_doubtful or self._is_late(hosted, now)}
        due = dict.fromkeys(here | self._ahead, 0) | await self._reader.due_tables(now)
        ready = sorted(due.keys() - self._resting.keys(), key=lambda table_id: table_id not in self._tables)
        unloaded = sum(table_id not in self._tables for table_id in ready)
        work = [
            self._guarded(table_id, partial(self._decide_by_clock, length=due[table_id]))
            for table_id in ready[: len(ready) - unloaded + _LOADED_AT_ONCE]
        ]
        # All have ended before an outage is over: none of them decides later what it saw before.
        for failed in await asyncio.gather(*work, return_exceptions=True):
            if failed is not None:
                raise failed

    def _is_late(self, hosted: HostedTable, now: int) -> bool:
        """Return whether a table has waited long enough that waits by another clock than its stored deadline."""
        due = deadline(hosted.table, self.up_since) if hosted.table.noticed else None
        return due is not None and due <= now

    async def _guarded(self, table_id: str, work: Callable[[HostedTable], Awaitable[None]]) -> None:
        """Do the clock's work at a table; a table where it fails does not stop the clock of the others."""
        try:
            hosted = await self.table(table_id)
            async with hosted.lock:
                await work(hosted)
        except Unavailable:
            self._writer.has_failed = True
            raise
        except Exception as error:
            # The error's own text may name a card, so it is not logged.
            self._resting[table_id] = self.now() + _REST
            _log.error("the clock failed at a table", table=table_id, error=type(error).__name__)

    async def _decide_by_clock(self, hosted: HostedTable, length: int) -> None:
        """Decide where it is time; first read the log if it is longer than this process knows."""
        if hosted.table.sequence < length:
            await self._writer.follow(hosted)
        await self._writer.make_ready(hosted)
        if not self._writer.has_failed and not (self.is_closing and hosted.table.is_between_rounds):
            await self._writer.append(hosted, lambda dealer: dealer.clock(self.up_since))

    def come_back(self) -> None:
        """Begin to answer, or answer again after an outage: nobody could decide until now."""
        self._writer.has_failed = False
        self.give_time_again()

    def give_time_again(self) -> None:
        """Give everybody the whole time again, and show them the new deadlines; also when the clock was set."""
        self.up_since, self._ahead = self.now(), None
        for hosted in self.tables:
            hosted.notice(self.up_since)
        self._tell_all()

    def _tell_all(self) -> None:
        """Tell those who watch any table that it is shown differently now."""
        for hosted in self.tables:
            hosted.tell()


def _may_be_ahead(row: RowMapping, now: int) -> bool:
    """Return whether a table may wait by a clock that was ahead of this one; its entries tell."""
    opened = read_entry(row["opened"])
    assert isinstance(opened, TableOpened)
    pace, has_players = opened.pace, row["seats"] != "{}"
    longest = max(pace.act, pace.bet) if has_players else pace.idle
    return row["deadline"] is not None and row["deadline"] > now + 1000 * longest


def _request(body: Mapping[str, object]) -> str:
    return hashlib.sha256(_text_of(body).encode()).hexdigest()


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
