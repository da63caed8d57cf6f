"""All tables of this process: open, load, command, and the clock.

A command is decided on the table in memory and appended with the next sequence number. If that number is taken, another
process was faster: the table reads what is new and decides again. Nobody hears of anything before it is on disk.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from holecard.errors import Refusal
from holecard.money import Money, dollars, sum_of
from holecard.server.errors import CommandReused, NotEnoughMoney, NotFound, SequenceTakenError
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.game.commands import TableCommand
from holecard.server.game.decide import Actor, Dealer, Decision, SecretShoe
from holecard.server.game.entries import Pace, TableOpened, read_entry
from holecard.server.host.finished_shoes import shoe_document
from holecard.server.host.hosted_table import CommandId, HostedTable, Plan, Step, first_row, stream_of, table_row
from holecard.server.store import schema
from holecard.server.store.append import Appender, Unit
from holecard.server.store.read import Reader
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet

#: How often a command is decided again when other processes are faster.
_ATTEMPTS = 20
CLOCK = "clock"


#: Told about the entries that this process has appended.
Observer: TypeAlias = Callable[[HostedTable, tuple[Step, ...]], None]


class Outcome(NamedTuple):
    """Where a command is in the log of its table."""

    table: str
    sequence: int


def sheet_hash(sheet: RuleSheet) -> str:
    """Return the SHA-256 of a sheet's content, in hexadecimal."""
    return hashlib.sha256(sheet.content.encode()).hexdigest()


class Host:
    """Opens tables, loads them from the log, and takes commands."""

    def __init__(
        self, reader: Reader, appender: Appender, now: Callable[[], int], observe: Observer | None = None
    ) -> None:
        self._reader = reader
        self._appender = appender
        self.now = now
        self._observe = observe
        self._tables: dict[str, HostedTable] = {}
        self._loading = asyncio.Lock()
        self._sheets: dict[str, RuleSheet] = {}

    # Tables

    async def open(self, sheet: RuleSheet, game: str, pace: Pace, actor: Actor, command: str) -> Outcome:
        """Open a table and commit to its first shoe; the same command opens it once."""
        found = sheet_hash(sheet)
        body = {"open": game, "sheet": found, "pace": pace.model_dump()}
        ids = CommandId(actor.user, command, _request(body))
        if done := await self._repeated(ids):
            return done
        table_id = secrets.token_urlsafe(9)
        opened = TableOpened(game=game, sheet=found, title=sheet.name, pace=pace, by=actor.user)
        await self._keep_sheet(sheet, found)
        at = self.now()
        row = first_row(table_id, opened, at, ids)
        hosted = HostedTable(table_id, opened, sheet, row)
        try:
            await self._appender.append(Unit((row,), ((),), table_row(table_id, hosted.table, at)))
        except SequenceTakenError:
            if done := await self._repeated(ids):
                return done
            raise
        self._tables[table_id] = hosted
        async with hosted.lock:
            await self._append(hosted, lambda dealer: dealer.commit(), None)
        return Outcome(table_id, 1)

    async def table(self, table_id: str) -> HostedTable:
        """Return a table, loaded from the log where this process does not have it."""
        if (hosted := self._tables.get(table_id)) is not None:
            return hosted
        async with self._loading:
            if (hosted := self._tables.get(table_id)) is None:
                hosted = await self._load(table_id)
                self._tables[table_id] = hosted
        return hosted

    @property
    def tables(self) -> tuple[HostedTable, ...]:
        """The tables of this process."""
        return tuple(self._tables.values())

    def seats_of(self, user: str) -> int:
        """Return how many seats a user holds at the tables of this process."""
        return sum(len(hosted.table.seats_of(user)) for hosted in self._tables.values())

    async def catch_up(self, table_id: str, sequence: int) -> None:
        """Read what other processes have appended, up to this sequence number or further."""
        hosted = self._tables.get(table_id)
        if hosted is None:
            return
        async with hosted.lock:
            if hosted.table.sequence < sequence:
                await self._follow(hosted)

    async def command(self, table_id: str, command: TableCommand, actor: Actor, command_id: str) -> Outcome:
        """Carry out a command; repeated with the same id, it has the effect of one."""
        ids = CommandId(actor.user, command_id, _request({"table": table_id, **command.model_dump()}))
        hosted = await self.table(table_id)
        async with hosted.lock:
            try:
                plan = await self._append(hosted, lambda dealer: dealer.decide(command, actor), ids)
            except Refusal:
                if done := await self._repeated(ids):
                    return done
                raise
        return Outcome(table_id, plan.unit.rows[0].sequence) if plan else Outcome(table_id, hosted.table.sequence)

    async def tick(self) -> None:
        """Let the clock decide wherever it is time."""
        for table_id in await self._reader.due_tables(self.now()):
            hosted = await self.table(table_id)
            async with hosted.lock:
                await self._append(hosted, lambda dealer: dealer.clock(self.now()), None)

    async def shut(self, table_id: str, reason: str) -> None:
        """Close a table that is between rounds."""
        hosted = await self.table(table_id)
        async with hosted.lock:
            if hosted.table.closed is None and hosted.table.is_between_rounds:
                await self._append(hosted, lambda dealer: dealer.close(reason), None)

    async def void(self, table_id: str, reason: str) -> None:
        """End a round that is not over, with every stake returned."""
        hosted = await self.table(table_id)
        async with hosted.lock:
            if not hosted.table.is_between_rounds:
                await self._append(hosted, lambda dealer: dealer.void(reason), None)

    async def finished_shoe(self, table_id: str, shoe: str) -> ShoeDocument:
        """Return a shoe that has ended, with its seed."""
        hosted = await self.table(table_id)
        rows = await self._reader.entries(stream_of(table_id))
        return shoe_document(rows, hosted.table.sheet, shoe)

    # Appending

    async def _append(
        self, hosted: HostedTable, decide: Callable[[Dealer], Decision | None], ids: CommandId | None
    ) -> Plan | None:
        """Decide and append, again if another process was faster."""
        for _ in range(_ATTEMPTS):
            decision = decide(Dealer(hosted.table, hosted.secret))
            if decision is None:
                return None
            plan = hosted.plan(decision, self.now(), ids)
            try:
                await self._appender.append(plan.unit)
            except SequenceTakenError:
                if ids is not None and await self._repeated(ids) is not None:
                    raise Refusal("this command was carried out before") from None
                if not await self._follow(hosted):
                    await self._refuse_overdraft(plan)
                continue
            hosted.adopt(plan)
            if self._observe is not None:
                self._observe(hosted, plan.steps)
            return plan
        raise Refusal("this table is too busy; try again")

    async def _follow(self, hosted: HostedTable) -> bool:
        """Read the log from where the table is; return whether there was something new."""
        rows = await self._reader.entries(stream_of(hosted.id), hosted.table.sequence)
        if rows:
            hosted.follow(rows)
            await self._read_secret(hosted)
            hosted.tell()
        return bool(rows)

    async def _refuse_overdraft(self, plan: Plan) -> None:
        """Refuse a plan that takes more from a player than there is."""
        for account in sorted({t.source for t in plan.transfers if t.source.startswith("player:")}):
            taken = sum_of(t.amount for t in plan.transfers if t.source == account)
            given = sum_of(t.amount for t in plan.transfers if t.target == account)
            owned = await self._reader.balance(account)
            if owned + given < taken:
                raise NotEnoughMoney(
                    f"you have {dollars(Money.cents(owned))} to wager, and this takes {dollars(taken)}"
                )

    async def _repeated(self, ids: CommandId) -> Outcome | None:
        """Return the outcome of a command that was carried out before; refuse the same id for another command."""
        row = await self._reader.command(ids.actor, ids.command)
        if row is None:
            return None
        if row.request != ids.request:
            raise CommandReused(f"the command id {ids.command!r} was used for another command; make a new one")
        return Outcome(row.stream.partition(":")[2], row.sequence)

    # Loading

    async def _load(self, table_id: str) -> HostedTable:
        rows = await self._reader.entries(stream_of(table_id))
        if not rows:
            raise NotFound(f"there is no table {table_id!r}")
        opened = read_entry(rows[0].body)
        assert isinstance(opened, TableOpened)
        hosted = HostedTable(table_id, opened, await self._sheet(opened.sheet), rows[0])
        hosted.follow(rows[1:])
        await self._read_secret(hosted)
        return hosted

    async def _read_secret(self, hosted: HostedTable) -> None:
        shoe = hosted.table.shoe
        if shoe is None or (hosted.secret is not None and hosted.secret.id == shoe.id):
            return
        seed = await self._reader.seed(shoe.id)
        hosted.secret = None if seed is None else SecretShoe(shoe.id, seed)

    async def _sheet(self, found: str) -> RuleSheet:
        if found not in self._sheets:
            content = await self._reader.sheet(found)
            if content is None:
                raise NotFound(f"the sheet {found} is missing from the database")
            self._sheets[found] = from_data(json.loads(content), "the stored sheet")
        return self._sheets[found]

    async def _keep_sheet(self, sheet: RuleSheet, found: str) -> None:
        if found not in self._sheets:
            await self._appender.keep(schema.sheets, {"hash": found, "content": sheet.content})
            self._sheets[found] = sheet


def _request(body: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
