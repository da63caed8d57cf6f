"""One table in this process: folded from its log, changed only by appending to it.

Every process may host the same table. The first to append wins; the other reads the log again and decides again.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Table, delete

from holecard.server.game.checkpoint import Checkpoint, checkpoint_of, start_of
from holecard.server.game.clock import deadline
from holecard.server.game.decide import NewEntries, SecretShoe
from holecard.server.game.entries import (
    SeatLeft,
    SeatTaken,
    ShoeCommitted,
    ShoeRevealed,
    TableClosed,
    TableEntry,
    TableOpened,
    read_entry,
    write_entry,
)
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.server_clock import STEP
from holecard.server.money.returns import SeatWager, Settled, settled, settled_by_seat
from holecard.server.money.transfers import TableMoney, Transfer, account_at
from holecard.server.store import schema
from holecard.server.store.chain import FIRST_HASH, LogRow, entry_hash
from holecard.server.store.units import FinishedRound, Unit

#: How many of the last entries a dropped connection can resume from; further back it gets a snapshot. Each is some 40
#: objects, and Python looks at all of them when it collects garbage, while everybody waits.
_KEPT = 16


class CommandId(NamedTuple):
    """Whose command it is, its id, and the hash of its body."""

    actor: str
    command: str
    request: str


NoCommand: TypeAlias = tuple[None, None, None]
_NO_COMMAND: NoCommand = (None, None, None)


class TableStep(NamedTuple):
    """An entry, the table after it, and the transfers it caused."""

    entry: TableEntry
    table: FoldedTable
    transfers: tuple[Transfer, ...] = ()
    balances: Mapping[str, int] = {}
    """What is on accounts after it, in cents, where this process has appended it."""


class HostedTable:
    """A table, its money and its place in the log."""

    def __init__(self, table_id: str, step: TableStep, money: TableMoney, last_hash: str, opened_at: int) -> None:
        self.id = table_id
        self.table = step.table
        self.money = money
        self.hash = last_hash
        self.secret: SecretShoe | None = None
        self.lock = asyncio.Lock()
        self.steps: deque[TableStep] = deque([step], _KEPT)
        self.watchers: set[Callable[[HostedTable], None]] = set()
        self.opened_at = opened_at
        self.is_doubtful = False
        """Whether the database failed while it stored something here: the log may be further than the table."""
        self.used_at = 0.0
        """When somebody asked for this table, by the event loop's clock."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches it and nothing is at stake, so that it need not stay in memory."""
        at_rest = self.table.closed is not None or (self.table.is_between_rounds and not self.table.next_state.seats)
        return at_rest and not self.watchers and not self.lock.locked()

    @property
    def folded(self) -> FoldedRows:
        """The table as it is, to fold more rows of its log."""
        return FoldedRows(self.table, (), self.money, self.hash)

    def follow(self, folded: FoldedRows, secret: SecretShoe | None) -> None:
        """Continue from what was folded, with the secret of the shoe that is on the table then."""
        self.table, self.money, self.hash, self.secret = folded.table, folded.money, folded.hash, secret
        self.steps.extend(folded.steps)

    def plan(self, decision: NewEntries, at: int, command: CommandId | None) -> AppendPlan:
        """Return what a decision appends, and the table after it; nothing changes yet."""
        table, money, before = self.table, self.money.copy(), self.hash
        rows: list[LogRow] = []
        moved: list[tuple[Transfer, ...]] = []
        steps: list[TableStep] = []
        inserts: list[tuple[Any, dict[str, Any]]] = []
        freed: list[tuple[str, int]] = []
        settlements: list[Settled] = []
        checkpoint: Checkpoint | None = None
        finished: FinishedRound | None = None
        for entry in decision.entries:
            ids: CommandId | NoCommand = _NO_COMMAND if command is None or rows else command
            freed.extend((self.id, seat) for seat in _freed(table, entry))
            if decision.after is not None and not rows:
                table = decision.after
            else:
                table = table.copy()
                table.apply(entry, at)
            body = write_entry(entry)
            before = entry_hash(before, stream_of(self.id), table.sequence, at, body, ids)
            rows.append(log_row(self.id, table.sequence, at, body, ids, before))
            moved.append(money.transfers(table, entry))
            steps.append(TableStep(entry, table, moved[-1]))
            if isinstance(entry, SeatTaken):
                taken = {"table": self.id, "seat": entry.seat, "user": entry.user}
                inserts.append((schema.seats, taken))
                if not table.opened.chips:
                    inserts.append((schema.sitters, taken))
            if table.has_just_finished:
                finished = finished_round(self.id, table, at, str(table.record()))
                inserts.extend((schema.round_players, row) for row in player_rows(finished, table))
                inserts.extend((schema.shoe_players, row) for row in shoe_player_rows(finished))
                settlements.extend(settled(table))
            inserts.extend(shoe_rows(self.id, table, entry))
            checkpoint = checkpoint_of(table, entry, int(money.house), money.chips) or checkpoint
        inserts.extend(
            (schema.shoe_seeds, {"shoe": shoe.id, "table": self.id, "seed": shoe.seed}) for shoe in decision.new_shoes
        )
        row = table_row(self.id, table, self.opened_at, checkpoint)
        # At a closed table nobody has money any more.
        gone = (delete(schema.sitters).where(schema.sitters.c.table == self.id),) if table.closed is not None else ()
        unit = Unit(
            tuple(rows), tuple(moved), row, tuple(inserts), tuple(freed), finished, tuple(settlements), changes=gone
        )
        secret = decision.new_shoes[-1] if decision.new_shoes else self.secret
        return AppendPlan(unit, tuple(steps), money, secret)

    @property
    def times(self) -> frozenset[int]:
        """The times from which the table may wait."""
        return frozenset((self.table.first_bet_at, self.table.asked_at, self.table.active_at))

    def notice(self, now: int, known: frozenset[int] | None = None) -> None:
        """Let what this process can only have seen now begin now, whatever the clock of its entry said.

        That is a time in the future; and a time long ago, if it is not among those that were `known` before.
        """
        late = frozenset[int]() if known is None else {at for at in self.times - known if at < now - STEP}
        noticed = self.table.noticed
        self.table.noticed = {at: noticed.get(at, now) for at in self.times if at in noticed or at > now or at in late}

    def adopt(self, plan: AppendPlan, balances: Mapping[str, int], now: int) -> None:
        """Continue from a plan that is on disk now, and tell those who watch."""
        self.table, self.money, self.secret = plan.steps[-1].table, plan.money, plan.secret
        self.notice(now)
        self.hash = plan.unit.rows[-1].hash
        self.steps.extend(step._replace(balances=balances) if step.transfers else step for step in plan.steps)
        self.tell()

    def forget_steps_of(self, user: str) -> None:
        """Let nobody resume from entries that show the name of a user: a snapshot is sent instead."""
        if any(user in (sitter.user for sitter in step.table.seats.values()) for step in self.steps):
            self.steps = deque([self.steps[-1]], _KEPT)

    def tell(self) -> None:
        """Tell those who watch that there are new steps."""
        for watcher in tuple(self.watchers):
            watcher(self)

    def steps_after(self, number: int) -> list[TableStep] | None:
        """Return the steps beyond a message number; None if they are no longer kept."""
        oldest = self.steps[0].table.sequence
        if number < oldest - 1 or number > self.table.sequence:
            return None
        # Most ask for the last step only, so look from the end.
        missed = takewhile(lambda step: step.table.sequence > number, reversed(self.steps))
        return list(missed)[::-1]


class FoldedRows(NamedTuple):
    """A table after more rows of its log."""

    table: FoldedTable
    steps: tuple[TableStep, ...]
    """The last of them."""
    money: TableMoney
    hash: str

    def then(self, rows: Sequence[LogRow]) -> FoldedRows:
        """Return the table after more rows; nothing changes."""
        table, money = self.table, self.money.copy()
        steps = deque(self.steps, _KEPT)
        for row in rows:
            entry = read_entry(row.body)
            table = table.copy()
            table.apply(entry, row.at)
            steps.append(TableStep(entry, table, money.transfers(table, entry)))
        return FoldedRows(table, tuple(steps), money, rows[-1].hash if rows else self.hash)


class AppendPlan(NamedTuple):
    """What is appended, and the table after it."""

    unit: Unit
    steps: tuple[TableStep, ...]
    money: TableMoney
    secret: SecretShoe | None


def is_table_id(text: str) -> bool:
    """Return whether a table may have this id; no database is asked for another."""
    return len(text) <= 64 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def stream_of(table_id: str) -> str:
    """Return the name of a table's stream."""
    return f"table:{table_id}"


def _freed(table: FoldedTable, entry: TableEntry) -> tuple[int, ...]:
    """Return the seats that an entry frees."""
    if isinstance(entry, SeatLeft):
        return (entry.seat,)
    return tuple(table.seats) if isinstance(entry, TableClosed) else ()


def table_row(
    table_id: str, table: FoldedTable, opened_at: int, checkpoint: Checkpoint | None = None
) -> dict[str, Any]:
    """Return the table's row for the lobby and the clock."""
    return {
        "id": table_id,
        "game": table.opened.game,
        "title": table.opened.title,
        "sheet": table.opened.sheet,
        "opened_by": table.opened.by,
        "opened_at": opened_at,
        "sequence": table.sequence,
        "deadline": deadline(table),
        "closed": table.closed is not None,
        "places": table.tables.seats,
        "seats": json.dumps({seat: sitter.name for seat, sitter in sorted(table.seats.items())}),
        "checkpoint": None if checkpoint is None else checkpoint.model_dump_json(exclude_defaults=True),
        "private": table.opened.private,
    }


def first_row(table_id: str, opened: TableOpened, at: int, command: CommandId) -> LogRow:
    """Return the first row of a table's log."""
    body = write_entry(opened)
    found = entry_hash(FIRST_HASH, stream_of(table_id), 1, at, body, tuple(command))
    return log_row(table_id, 1, at, body, command, found)


def log_row(table_id: str, sequence: int, at: int, body: str, command: CommandId | NoCommand, found: str) -> LogRow:
    """Return a row of a table's log."""
    actor, command_id, request = command
    return LogRow(stream_of(table_id), sequence, at, body, actor, command_id, request, found)


def finished_round(table_id: str, table: FoldedTable, at: int, record: str) -> FinishedRound:
    """Return a round that has just ended."""
    players = {seat.number: table.player_of(seat.number) for seat in table.state.seats}
    row = {
        "table": table_id,
        "number": table.rounds,
        "sequence": table.sequence,
        "at": at,
        "shoe": table.shoe.id if table.shoe is not None else "",
        "sheet": table.opened.sheet,
        "version": table.version,
        "record": record,
        "players": json.dumps(players),
    }
    accounts = {seat: account_at(table_id, table.opened, user) for seat, user in players.items()}
    return FinishedRound(row, players, accounts)


def player_rows(finished: FinishedRound, table: FoldedTable) -> list[dict[str, Any]]:
    """Return a row for each person who played the round that a table has just finished."""
    same = {name: finished.row[name] for name in ("table", "number", "at", "sheet")}
    wagers = list(settled_by_seat(table.moves, table.state.results, has_companion=table.tables.has_companion))
    return [
        {"user": user, **same, "wagers": written_wagers(one for one in wagers if finished.players[one.seat] == user)}
        for user in sorted(set(finished.players.values()))
    ]


def written_wagers(wagers: Iterable[SeatWager]) -> str:
    """Return what was settled for one person in a round, as it is stored."""
    return json.dumps([list(one) for one in wagers], separators=(",", ":"))


def shoe_player_rows(finished: FinishedRound) -> list[dict[str, Any]]:
    """Return a row for each person who played a round, as the last of its shoe; the first is kept."""
    row = finished.row
    same = {
        "table": row["table"],
        "shoe": row["shoe"],
        "first_round": row["number"],
        "last_round": row["number"],
        "at": row["at"],
    }
    return [{"user": user, **same} for user in sorted(set(finished.players.values()))]


def shoe_rows(table_id: str, table: FoldedTable, entry: TableEntry) -> Iterator[tuple[Table, dict[str, Any]]]:
    """Yield the row for a shoe that begins or ends with the entry that a table has just folded."""
    place = {"table": table_id, "sequence": table.sequence}
    if isinstance(entry, ShoeCommitted):
        start = start_of(table)
        written = None if start is None else start.model_dump_json()
        yield schema.shoe_starts, {"shoe": entry.shoe, **place, "start": written}
    elif isinstance(entry, ShoeRevealed):
        yield schema.revealed_shoes, {"shoe": entry.shoe, **place}
