"""How the audit follows a stream: a table's log with its shoes, or an account's grants."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Protocol

from holecard.server.errors import NotFound
from holecard.server.fairness.redeal import redeal
from holecard.server.game.checkpoint import Checkpoint, checkpoint_of
from holecard.server.game.entries import ShoeRevealed, TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.finished_shoes import shoe_documents
from holecard.server.money.grants import grant_transfers, read_grant
from holecard.server.money.returns import Settled, settled
from holecard.server.money.transfers import TableMoney, Transfer
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet


class StreamFold(Protocol):
    """A stream as far as it was followed."""

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Apply the next entry, and return the transfers that follow from it."""

    def settled(self) -> tuple[Settled, ...]:
        """Return what was settled by a round that the last entry ended."""


class AccountFold:
    """The grants of an account."""

    def __init__(self, user: str) -> None:
        self._user = user

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Return the transfers of a grant."""
        return grant_transfers(self._user, read_grant(row.body))

    def settled(self) -> tuple[Settled, ...]:
        """Return nothing: accounts play no rounds."""
        return ()


class TableFold:
    """A table's log, with its money and the shoes that were revealed."""

    def __init__(self, table_id: str, sheet: RuleSheet) -> None:
        self._sheet = sheet
        self._money = TableMoney(table_id)
        self._table: FoldedTable | None = None
        self._rows: list[LogRow] = []
        self._checkpoints: dict[int, Checkpoint] = {}
        self.finished_shoes: list[str] = []

    @classmethod
    async def begin(cls, reader: StoreReader, table_id: str, row: LogRow) -> TableFold:
        """Return the fold of a table, with the sheet that its first entry names."""
        opened = read_entry(row.body)
        if not isinstance(opened, TableOpened):
            raise NotFound("the first entry does not open the table")
        content = await reader.sheet(opened.sheet)
        if content is None:
            raise NotFound(f"the sheet {opened.sheet} is missing")
        if hashlib.sha256(content.encode()).hexdigest() != opened.sheet:
            raise NotFound(f"the stored sheet is not the one that the table was opened with, {opened.sheet}")
        return cls(table_id, from_data(json.loads(content), "the stored sheet"))

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Apply an entry of the table's log."""
        entry = read_entry(row.body)
        self._rows.append(row)
        if self._table is None:
            assert isinstance(entry, TableOpened)
            self._table = FoldedTable(entry, self._sheet, row.at)
            return ()
        self._table.apply(entry, row.at)
        if isinstance(entry, ShoeRevealed):
            self.finished_shoes.append(entry.shoe)
        made = self._money.transfers(self._table, entry)
        if checkpoint := checkpoint_of(self._table, entry, int(self._money.house)):
            self._checkpoints[checkpoint.sequence] = checkpoint
        return made

    def settled(self) -> tuple[Settled, ...]:
        """Return what was settled by a round that the last entry ended."""
        return tuple(settled(self._table)) if self._table is not None and self._table.has_just_finished else ()

    def checkpoint_problem(self, stored: str | None) -> str | None:
        """Return what is wrong with the place from which the server folds this log; None where nothing is."""
        if stored is None:
            return None
        try:
            checkpoint = Checkpoint.model_validate_json(stored)
        except ValueError:
            return "its checkpoint cannot be read"
        made = self._checkpoints.get(checkpoint.sequence)
        return (
            None if checkpoint == made else f"its checkpoint is not what the log makes of entry {checkpoint.sequence}"
        )

    def shoe_problems(self) -> Iterator[str]:
        """Deal every finished shoe again and yield what differs."""
        for document in shoe_documents(self._rows, self._sheet):
            for problem in redeal(document).problems:
                yield f"shoe {document.shoe}: {problem}"
