"""How the audit follows a stream: a table's log with its shoes, an account's log, or the log of operators' orders."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Table

from holecard.server.accounts.account_log import (
    BoughtIn,
    FoldedAccount,
    account_transfers,
    first_state,
    read_account_entry,
)
from holecard.server.audit.round_balances import Gains
from holecard.server.errors import NotFound
from holecard.server.fairness.redeal import redeal
from holecard.server.game.checkpoint import Checkpoint, checkpoint_of
from holecard.server.game.entries import ShoeCommitted, ShoeRevealed, TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.orders import NO_ORDERS, read_order
from holecard.server.host.finished_shoes import ShoeCollector
from holecard.server.host.hosted_table import finished_round, player_rows, shoe_player_rows, shoe_rows, table_row
from holecard.server.money.returns import Settled, settled
from holecard.server.money.transfers import BANK, CHIPS, TableMoney, Transfer
from holecard.server.store import schema
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.server.store.units import FinishedRound
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet
from holecard.table.records.record import Record


@lru_cache(200)
def _sheet(content: str) -> RuleSheet:
    """Return a sheet; many tables share one, and compiling it takes longer than a short log."""
    return from_data(json.loads(content), "the stored sheet")


#: Tables whose rows are made with the log and never read back by it.
FOLLOWING = (schema.round_players, schema.shoe_players, schema.shoe_starts, schema.revealed_shoes)


class StreamFold(Protocol):
    """A stream as far as it was followed."""

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Apply the next entry, and return the transfers that follow from it."""

    def settled(self) -> tuple[Settled, ...]:
        """Return what was settled by a round that the last entry ended."""


class DueRound(NamedTuple):
    """A finished round as its log tells it."""

    finished: FinishedRound
    """Its row, without the record."""
    record: Record
    gained: dict[str, Gains]
    """What the accounts of the players had gained at this table by then."""


class OrdersFold:
    """The log of operators' orders: what they stopped and whose names they muted."""

    def __init__(self) -> None:
        self.orders = NO_ORDERS

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Apply the next order; it moves no money."""
        self.orders = self.orders.after(read_order(row.body))
        return ()

    def settled(self) -> tuple[Settled, ...]:
        """Return nothing: orders settle no wagers."""
        return ()


class AccountFold:
    """An account's log: name, role and money."""

    def __init__(self, user: str) -> None:
        self._user = user
        self.account: FoldedAccount | None = None
        self.given: list[int] = []
        """What the account was given in all, less what it returned, in cents, after each of its entries."""
        self.bought_in: dict[int, int] = {}
        """What the user had before each buy-in, in cents, by the number of the entry."""

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Apply an entry of the account's log."""
        entry = read_account_entry(row.body)
        self.account = first_state(row) if self.account is None else self.account.after(entry, row.at)
        made = account_transfers(self._user, entry)
        if isinstance(entry, BoughtIn):
            self.bought_in[row.sequence] = entry.had
        before = self.given[-1] if self.given else 0
        signs = (1 if transfer.source == BANK else -1 for transfer in made)
        self.given.append(before + sum(sign * int(transfer.amount) for sign, transfer in zip(signs, made, strict=True)))
        return made

    def settled(self) -> tuple[Settled, ...]:
        """Return nothing: accounts play no rounds."""
        return ()


class TableFold:
    """A table's log, with its money, and the rows that follow from it."""

    def __init__(self, table_id: str, sheet: RuleSheet, opened: TableOpened, at: int) -> None:
        self.id = table_id
        self.table = FoldedTable(opened, sheet, at)
        self.opened_at = at
        self.checkpoint: Checkpoint | None = None
        self.rounds: dict[int, DueRound] = {}
        self.gains: dict[str, Gains] = {}
        """What every player's account has gained at this table, and the least and the most of it at any time."""
        self.stored: dict[Table, list[dict[str, Any]]] = {table: [] for table in FOLLOWING}
        """The rows of the tables that only follow from the log."""
        self.shoes: dict[str, str] = {}
        """The commitment of every shoe."""
        self.finished_shoes: list[str] = []
        self.shoe_problems: list[str] = []
        """What differs where finished shoes are dealt again."""
        self._shoe_players: dict[tuple[str, str], dict[str, Any]] = {}
        self._money = TableMoney(table_id)
        self._collector = ShoeCollector()

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
        return cls(table_id, _sheet(content), opened, row.at)

    def apply(self, row: LogRow) -> tuple[Transfer, ...]:
        """Apply an entry of the table's log."""
        if row.sequence == 1:
            return ()
        entry, table = read_entry(row.body), self.table
        if document := self._collector.apply(table, entry, row.at):
            self.shoe_problems.extend(f"shoe {document.shoe}: {problem}" for problem in redeal(document).problems)
        for kept, due in shoe_rows(self.id, table, entry):
            self.stored[kept].append(due)
        if isinstance(entry, ShoeCommitted):
            self.shoes[entry.shoe] = entry.commitment
        elif isinstance(entry, ShoeRevealed):
            self.finished_shoes.append(entry.shoe)
        made = self._money.transfers(table, entry)
        for transfer in made:
            self._gain(transfer.source, -int(transfer.amount))
            self._gain(transfer.target, int(transfer.amount))
        if table.has_just_finished:
            self._keep_round(row.at)
        self.checkpoint = checkpoint_of(table, entry, int(self._money.house), self._money.chips) or self.checkpoint
        return made

    def settled(self) -> tuple[Settled, ...]:
        """Return what was settled by a round that the last entry ended."""
        return tuple(settled(self.table)) if self.table.has_just_finished else ()

    def _gain(self, account: str, amount: int) -> None:
        if account.startswith(("player:", CHIPS)):
            self.gains[account] = self.gains.get(account, Gains()).plus(amount)

    def _keep_round(self, at: int) -> None:
        finished = finished_round(self.id, self.table, at, record="")
        self.rounds[self.table.rounds] = DueRound(finished, self.table.record(), dict(self.gains))
        self.stored[schema.round_players].extend(player_rows(finished, self.table))
        for row in shoe_player_rows(finished):
            first = self._shoe_players.setdefault((row["user"], row["shoe"]), row)
            first.update(last_round=row["last_round"], at=row["at"])
            if first is row:
                self.stored[schema.shoe_players].append(row)

    @property
    def row(self) -> dict[str, Any]:
        """The table's row for the lobby and the clock."""
        return table_row(self.id, self.table, self.opened_at, self.checkpoint)

    @property
    def seats(self) -> list[dict[str, Any]]:
        """The rows of the seats that are taken."""
        return [{"table": self.id, "seat": seat, "user": one.user} for seat, one in self.table.seats.items()]

    @property
    def sitters(self) -> list[dict[str, Any]]:
        """The rows of who took each seat last; a closed table has none, nor one with its own chips."""
        players = {} if self.table.closed is not None or self.table.opened.chips else self.table.players
        return [{"table": self.id, "seat": seat, "user": user} for seat, user in players.items()]

    @property
    def needed_shoe(self) -> str | None:
        """The shoe whose seed the table needs; one that was replaced without a reveal has lost it."""
        is_open = self.table.closed is None and self.table.shoe is not None
        return self.table.shoe.id if is_open and self.table.shoe is not None else None
