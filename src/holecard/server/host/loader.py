"""Load a table from its log: from the last shoe on, or from the first entry where there is no checkpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import structlog
from sqlalchemy import Table

from holecard.errors import shortly
from holecard.server.errors import Damaged, NotFound, ServerRefusal, Unavailable
from holecard.server.fairness.construction import commitment
from holecard.server.game.checkpoint import Checkpoint, resume
from holecard.server.game.decide import SecretShoe
from holecard.server.game.entries import ShoeCommitted, TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.hosted_table import FoldedRows, HostedTable, TableStep, is_table_id, stream_of
from holecard.server.money.transfers import TableMoney
from holecard.server.store import schema
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet

#: Sheets kept in memory; others are read again.
_KEPT = 200
_log = structlog.get_logger("holecard.server")


def sheet_hash(sheet: RuleSheet) -> str:
    """Return the SHA-256 of a sheet's content, in hexadecimal."""
    return sheet.sha256


class Loader:
    """Reads tables, their sheets and the seeds of their shoes."""

    def __init__(self, reader: StoreReader) -> None:
        self._reader = reader
        self._sheets: dict[str, RuleSheet] = {}

    async def load(self, table_id: str) -> HostedTable:
        """Return a table as its log leaves it."""
        first, opened = await first_entry(self._reader, table_id)
        sheet = await self.sheet(opened.sheet)
        hosted = await self._at_checkpoint(table_id, opened, sheet, first)
        if hosted is None:
            with damage_in_plain_words(table_id):
                step = TableStep(opened, FoldedTable(opened, sheet, first.at))
            hosted = HostedTable(table_id, step, TableMoney(table_id), first.hash, first.at)
        await self.follow(hosted)
        return hosted

    async def follow(self, hosted: HostedTable) -> bool:
        """Read the log from where the table is; return whether there was something new.

        All or nothing: a table never advances without a successful look for the seed of its shoe.
        """
        with damage_in_plain_words(hosted.id):
            folded = await self._fold_on(hosted)
        hosted.follow(folded, await self._read_secret(hosted, folded))
        return bool(folded.steps)

    async def _fold_on(self, hosted: HostedTable) -> FoldedRows:
        """Return the table at the end of its log; other work goes on between the pages of a long one."""
        folded = hosted.folded
        async for page in self._reader.pages(stream_of(hosted.id), folded.table.sequence):
            folded = folded.then(page)
        return folded

    async def _at_checkpoint(
        self, table_id: str, opened: TableOpened, sheet: RuleSheet, first: LogRow
    ) -> HostedTable | None:
        """Return the table from its checkpoint on; None where there is none that can be used: a table is its log."""
        text = await self._reader.checkpoint(table_id)
        try:
            return None if text is None else await self._resumed(table_id, opened, sheet, first, text)
        except Unavailable:
            raise
        except Exception as error:
            # The error's own text may name a card, so it is not logged.
            _log.warning("a checkpoint cannot be used", table=table_id, error=type(error).__name__)
            return None

    async def _resumed(
        self, table_id: str, opened: TableOpened, sheet: RuleSheet, first: LogRow, text: str
    ) -> HostedTable:
        checkpoint = Checkpoint.model_validate_json(text)
        (row,) = await self._reader.entries(stream_of(table_id), checkpoint.sequence - 1, checkpoint.sequence)
        entry = read_entry(row.body)
        if not isinstance(entry, ShoeCommitted):
            raise ValueError("a checkpoint is at the commitment to a shoe")
        shown = await self._reader.round(table_id, checkpoint.rounds) if checkpoint.shows_round else None
        table = resume(opened, sheet, checkpoint, entry, None if shown is None else shown["record"])
        money = TableMoney(table_id, checkpoint.house, checkpoint.chips)
        hosted = HostedTable(table_id, TableStep(entry, table), money, row.hash, first.at)
        hosted.follow(await self._fold_on(hosted), None)
        return hosted

    async def _read_secret(self, hosted: HostedTable, folded: FoldedRows) -> SecretShoe | None:
        """Return the secret of the shoe on the table; a seed that does not match the commitment is lost."""
        shoe = folded.table.shoe
        if shoe is None or (hosted.secret is not None and hosted.secret.id == shoe.id):
            return hosted.secret
        seed = await self._reader.seed(shoe.id)
        if seed is not None and commitment(seed, shoe.id, folded.table.opened.sheet) != shoe.commitment:
            _log.error("a seed is not the one that was promised", table=hosted.id, shoe=shoe.id)
            seed = None
        return None if seed is None else SecretShoe(shoe.id, seed)

    async def sheet(self, found: str) -> RuleSheet:
        """Return a sheet by its hash; the database has those of all tables."""
        if found not in self._sheets:
            content = await self._reader.sheet(found)
            if content is None:
                raise NotFound(f"the sheet {found} is missing from the database")
            remember(self._sheets, found, from_data(json.loads(content), "the stored sheet"))
        return self._sheets[found]

    def rows_of(self, sheet: RuleSheet) -> tuple[tuple[Table, dict[str, Any]], ...]:
        """Return the rows that store a sheet; none where the database has it already."""
        found = sheet_hash(sheet)
        return () if found in self._sheets else ((schema.sheets, {"hash": found, "content": sheet.content}),)

    def keep(self, sheet: RuleSheet) -> None:
        """Remember a sheet that the database has now."""
        if sheet_hash(sheet) not in self._sheets:
            remember(self._sheets, sheet_hash(sheet), sheet)


async def first_entry(reader: StoreReader, table_id: str) -> tuple[LogRow, TableOpened]:
    """Return the first row of a table's log, and the entry in it."""
    first = await reader.first_entry(stream_of(table_id)) if is_table_id(table_id) else None
    if first is None:
        raise NotFound(f"there is no table {shortly(table_id)}")
    with damage_in_plain_words(table_id):
        opened = read_entry(first.body)
        assert isinstance(opened, TableOpened)
    return first, opened


@contextmanager
def damage_in_plain_words(table_id: str) -> Iterator[None]:
    """Refuse a log that cannot be folded; what is wrong with it may name a card that nobody has seen."""
    try:
        yield
    except ServerRefusal:
        raise
    except Exception as error:
        _log.error("the log of a table is damaged", table=table_id, error=type(error).__name__)
        raise Damaged("the log of this table is damaged, so nobody can play at it; tell the operator") from None


def remember(sheets: MutableMapping[str, RuleSheet], key: str, sheet: RuleSheet) -> None:
    """Add a sheet to those in memory; the oldest goes where there are too many."""
    if len(sheets) >= _KEPT:
        del sheets[next(iter(sheets))]
    sheets[key] = sheet
