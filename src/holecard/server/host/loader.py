"""Load a table from its log: from the last shoe on, or from the first entry where there is no checkpoint."""

from __future__ import annotations

import json
from collections.abc import MutableMapping

import structlog

from holecard.errors import shortly
from holecard.server.errors import NotFound, Unavailable
from holecard.server.fairness.construction import commitment
from holecard.server.game.checkpoint import Checkpoint, resume
from holecard.server.game.decide import SecretShoe
from holecard.server.game.entries import ShoeCommitted, TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.hosted_table import HostedTable, TableStep, is_table_id, stream_of
from holecard.server.money.transfers import TableMoney
from holecard.server.store import schema
from holecard.server.store.append import Appender
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

    def __init__(self, reader: StoreReader, appender: Appender) -> None:
        self._reader = reader
        self._appender = appender
        self._sheets: dict[str, RuleSheet] = {}

    async def load(self, table_id: str) -> HostedTable:
        """Return a table as its log leaves it."""
        first = await self._reader.first_entry(stream_of(table_id)) if is_table_id(table_id) else None
        if first is None:
            raise NotFound(f"there is no table {shortly(table_id)}")
        opened = read_entry(first.body)
        assert isinstance(opened, TableOpened)
        sheet = await self.sheet(opened.sheet)
        hosted = await self._at_checkpoint(table_id, opened, sheet, first)
        if hosted is None:
            step = TableStep(opened, FoldedTable(opened, sheet, first.at))
            hosted = HostedTable(table_id, step, TableMoney(table_id), first.hash, first.at)
        await self.follow(hosted)
        return hosted

    async def follow(self, hosted: HostedTable) -> bool:
        """Read the log from where the table is; return whether there was something new."""
        rows = await self._reader.entries(stream_of(hosted.id), hosted.table.sequence)
        hosted.follow(rows)
        await self._read_seed(hosted)
        return bool(rows)

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
        rows = await self._reader.entries(stream_of(table_id), checkpoint.sequence - 1)
        entry = read_entry(rows[0].body)
        if not isinstance(entry, ShoeCommitted) or rows[0].sequence != checkpoint.sequence:
            raise ValueError("a checkpoint is at the commitment to a shoe")
        shown = await self._reader.round(table_id, checkpoint.rounds) if checkpoint.shows_round else None
        table = resume(opened, sheet, checkpoint, entry, None if shown is None else shown["record"])
        money = TableMoney(table_id, checkpoint.house)
        hosted = HostedTable(table_id, TableStep(entry, table), money, rows[0].hash, first.at)
        hosted.follow(rows[1:])
        return hosted

    async def _read_seed(self, hosted: HostedTable) -> None:
        """Read the seed of the table's shoe; one that does not match the commitment is lost."""
        shoe = hosted.table.shoe
        if shoe is None or (hosted.secret is not None and hosted.secret.id == shoe.id):
            return
        seed = await self._reader.seed(shoe.id)
        if seed is not None and commitment(seed, shoe.id, hosted.table.opened.sheet) != shoe.commitment:
            _log.error("a seed is not the one that was promised", table=hosted.id, shoe=shoe.id)
            seed = None
        hosted.secret = None if seed is None else SecretShoe(shoe.id, seed)

    async def sheet(self, found: str) -> RuleSheet:
        """Return a sheet by its hash; the database has those of all tables."""
        if found not in self._sheets:
            content = await self._reader.sheet(found)
            if content is None:
                raise NotFound(f"the sheet {found} is missing from the database")
            remember(self._sheets, found, from_data(json.loads(content), "the stored sheet"))
        return self._sheets[found]

    async def keep_sheet(self, sheet: RuleSheet) -> str:
        """Store a sheet and return its hash."""
        found = sheet_hash(sheet)
        if found not in self._sheets:
            await self._appender.keep(schema.sheets, {"hash": found, "content": sheet.content})
            remember(self._sheets, found, sheet)
        return found


def remember(sheets: MutableMapping[str, RuleSheet], key: str, sheet: RuleSheet) -> None:
    """Add a sheet to those in memory; the oldest goes where there are too many."""
    if len(sheets) >= _KEPT:
        del sheets[next(iter(sheets))]
    sheets[key] = sheet
