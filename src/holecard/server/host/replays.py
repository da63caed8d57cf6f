"""A finished round as its table showed it to one person: the frames of its entries, folded again from the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holecard.errors import Refusal
from holecard.server.accounts.account_log import FORMER_PLAYER
from holecard.server.game.entries import SeatTaken, TableEntry, read_entry
from holecard.server.game.folded_table import FoldedTable, Sitter
from holecard.server.game.frames import Json, frame
from holecard.server.game.orders import NO_ORDERS, Orders
from holecard.server.host.from_shoe import fold_from_shoe
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.sheets.schema import RuleSheet


async def frames_of_round(
    reader: StoreReader,
    row: Mapping[str, Any],
    before: Mapping[str, Any] | None,
    sheet: RuleSheet,
    user: str,
    orders: Orders = NO_ORDERS,
) -> list[Json]:
    """Return the frames of a finished round as they were shown to a user, who may have played or watched it.

    `before` is the finished round before it at its table. Those who have deleted their accounts since have no names.
    """
    begins_after = 1 if before is None else before["sequence"]

    async def folded(gone: frozenset[str]) -> RoundFrames:
        def make(table: FoldedTable) -> RoundFrames:
            return RoundFrames(table, row["number"], begins_after, user, gone, orders)

        return await fold_from_shoe(reader, row["table"], sheet, make, begins=begins_after, until=row["sequence"])

    found = await folded(frozenset())
    if gone := await reader.deleted_among(found.users):
        found = await folded(gone)
    return found.frames


class RoundFrames:
    """Folds a log to the end of a round; keeps the frames from the first bet of the round. No clock runs in them.

    Those who are gone have no names.
    """

    def __init__(
        self,
        table: FoldedTable,
        number: int,
        begins_after: int,
        user: str,
        gone: frozenset[str] = frozenset(),
        orders: Orders = NO_ORDERS,
    ) -> None:
        self._table = table
        self._number = number
        self._begins_after = begins_after
        """The number of the entry that ended the round before."""
        self._user = user
        self._gone = gone
        self._orders = orders
        self.frames: list[Json] = []
        self.users = {sitter.user for sitter in table.seats.values()}
        """Who sat at the table."""
        table.seats = {seat: self._shown(sitter) for seat, sitter in table.seats.items()}

    def add(self, rows: Sequence[LogRow]) -> None:
        """Fold the next rows."""
        table = self._table
        for row in rows:
            was_empty = table.is_between_rounds and not table.next_state.seats
            entry = self._without_name(read_entry(row.body))
            table.apply(entry, row.at)
            if row.sequence <= self._begins_after:
                continue
            if was_empty:
                self.frames.clear()
            made = frame(table, entry, table.seats_of(self._user), orders=self._orders)
            made["view"].update(deadline=None, stopped=None)
            self.frames.append(made)

    def result(self) -> RoundFrames:
        """Return these frames; the log must have ended with the round."""
        if self._table.rounds != self._number or self._table.state.phase != "done":
            raise Refusal("the log does not end with this round")
        return self

    def _without_name(self, entry: TableEntry) -> TableEntry:
        """Return an entry as it is shown: without the name of somebody who is gone."""
        if not isinstance(entry, SeatTaken):
            return entry
        self.users.add(entry.user)
        return entry.model_copy(update={"name": FORMER_PLAYER}) if entry.user in self._gone else entry

    def _shown(self, sitter: Sitter) -> Sitter:
        return Sitter(sitter.user, FORMER_PLAYER) if sitter.user in self._gone else sitter
