"""Fold a part of a table's log again, from the start of a shoe: a round of an old table costs as much as one shoe."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import structlog
from sqlalchemy import RowMapping

from holecard.server.errors import ServerRefusal
from holecard.server.game.checkpoint import ShoeStart, table_at_start
from holecard.server.game.entries import TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.hosted_table import stream_of
from holecard.server.host.loader import damage_in_plain_words, first_entry
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.sheets.schema import RuleSheet

_Found = TypeVar("_Found", covariant=True)
_log = structlog.get_logger("holecard.server")


class PartFold(Protocol[_Found]):
    """Folds a part of a log with a table, and keeps what was asked for."""

    def add(self, rows: Sequence[LogRow]) -> None:
        """Fold the next rows."""

    def result(self) -> _Found:
        """Return what was asked for, after the last row; raise where the rows do not have it."""


async def fold_from_shoe(
    reader: StoreReader,
    table_id: str,
    sheet: RuleSheet,
    make: Callable[[FoldedTable], PartFold[_Found]],
    *,
    begins: int,
    until: int,
) -> _Found:
    """Return what a fold finds that begins with the last shoe up to the entry `begins` and ends with `until`.

    Where the start of the shoe cannot be used, the whole log is folded: a table is its log.
    """
    first, opened = await first_entry(reader, table_id)
    start = await reader.last_start(table_id, begins)
    if start is not None:
        try:
            table = _table_at(start, opened, sheet, first.at)
            return await _folded(reader, table_id, make(table), start["sequence"] - 1, until)
        except ServerRefusal:
            raise
        except Exception as error:
            # The error's own text may name a card, so it is not logged.
            _log.warning("the start of a shoe cannot be used", table=table_id, error=type(error).__name__)
    with damage_in_plain_words(table_id):
        return await _folded(reader, table_id, make(FoldedTable(opened, sheet, first.at)), 1, until)


def _table_at(start: RowMapping, opened: TableOpened, sheet: RuleSheet, opened_at: int) -> FoldedTable:
    return table_at_start(opened, sheet, opened_at, ShoeStart.model_validate_json(start["start"]), start["sequence"])


async def _folded(reader: StoreReader, table_id: str, fold: PartFold[_Found], after: int, until: int) -> _Found:
    """Fold rows in a thread, some at a time, so that other tables do not wait."""
    async for page in reader.pages(stream_of(table_id), after, until):
        await asyncio.to_thread(fold.add, page)
    return fold.result()
