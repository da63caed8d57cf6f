"""A finished round as its table showed it to one person: the frames of its entries, folded again from the log.

The fold begins at the commitment to a shoe, so that a round of an old table costs as much as one shoe. Who sat where by
then is read from the entries that say so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import structlog

from holecard.errors import Refusal
from holecard.server.accounts.account_log import FORMER_PLAYER
from holecard.server.game.entries import Moved, SeatLeft, SeatTaken, TableClosed, TableEntry, TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable, Sitter
from holecard.server.game.frames import Json, frame
from holecard.server.game.moves import NO_MORE_BETS
from holecard.server.game.orders import NO_ORDERS, Orders
from holecard.server.host.hosted_table import stream_of
from holecard.server.host.loader import damage_in_plain_words
from holecard.server.store.chain import LogRow
from holecard.server.store.read import StoreReader
from holecard.sheets.schema import RuleSheet

_SEAT_KINDS = ("seat taken", "seat left", "closed")
_log = structlog.get_logger("holecard.server")


class LoggedRound(NamedTuple):
    """The part of a log that a round can be folded from."""

    number: int
    opened: LogRow
    sitting: Sequence[LogRow]
    """Who sat down and left before `rows`."""
    rows: Sequence[LogRow]
    """From the commitment to a shoe to the end of the round; all, where `sitting` is empty."""
    begins_after: int
    """The number of the entry that ended the round before."""


async def logged_round(reader: StoreReader, row: dict[str, Any], *, whole: bool = False) -> LoggedRound:
    """Read what a finished round is folded from; `whole`: from the first entry of the log on."""
    stream, end = stream_of(row["table"]), row["sequence"]
    opened = await reader.first_entry(stream)
    assert opened is not None
    before = await reader.last_round_before(row["table"], row["number"])
    begins_after = before["sequence"] if before is not None else 1
    promised = await reader.entries_of_kinds(stream, ("shoe committed",), begins_after)
    if whole or not promised:
        rows = await reader.entries(stream, 1, end)
        return LoggedRound(row["number"], opened, (), rows, begins_after)
    start = promised[-1].sequence
    sitting = await reader.entries_of_kinds(stream, _SEAT_KINDS, start)
    return LoggedRound(row["number"], opened, sitting, await reader.entries(stream, start - 1, end), begins_after)


async def frames_of_round(
    reader: StoreReader, row: dict[str, Any], sheet: RuleSheet, user: str, orders: Orders = NO_ORDERS
) -> list[Json]:
    """Return the frames of a finished round as they were shown to a user, who may have played or watched it."""
    logged = await logged_round(reader, row)
    gone = await _gone(reader, logged)
    try:
        return await asyncio.to_thread(round_frames, logged, sheet, user, gone, orders)
    except Exception as error:
        # A shoe that was replaced while bets lay on the table needs the entries before it.
        _log.info("a round needs its whole log", table=row["table"], error=type(error).__name__)
    logged = await logged_round(reader, row, whole=True)
    gone = await _gone(reader, logged)
    with damage_in_plain_words(row["table"]):
        return await asyncio.to_thread(round_frames, logged, sheet, user, gone, orders)


async def _gone(reader: StoreReader, logged: LoggedRound) -> frozenset[str]:
    """Return who sat at the table in this round, or last before it, and has deleted the account since."""
    before = {entry.seat: entry.user for entry in _taken(logged.sitting)}
    return await reader.deleted_among({*before.values(), *(entry.user for entry in _taken(logged.rows))})


def _taken(rows: Iterable[LogRow]) -> Iterator[SeatTaken]:
    entries = (read_entry(row.body) for row in rows if '"seat taken"' in row.body)
    return (entry for entry in entries if isinstance(entry, SeatTaken))


def round_frames(
    logged: LoggedRound,
    sheet: RuleSheet,
    user: str,
    gone: frozenset[str] = frozenset(),
    orders: Orders = NO_ORDERS,
) -> list[Json]:
    """Fold the log; return the frames from the first bet of the round to its end. No clock runs in them.

    Those who are gone have no names.
    """
    table = _table_before(logged, sheet, gone)
    frames: list[Json] = []
    for row in logged.rows:
        was_empty = table.is_between_rounds and not table.next_state.seats
        entry = _without_name(read_entry(row.body), gone)
        table.apply(entry, row.at)
        if row.sequence <= logged.begins_after:
            continue
        if was_empty:
            frames.clear()
        made = frame(table, entry, table.seats_of(user), orders=orders)
        made["view"].update(deadline=None, stopped=None)
        frames.append(made)
    if table.rounds != logged.number or table.state.phase != "done":
        raise Refusal("the log does not end with this round")
    return frames


def _without_name(entry: TableEntry, gone: frozenset[str]) -> TableEntry:
    """Return an entry as it is shown: without the name of somebody who is gone."""
    if isinstance(entry, SeatTaken) and entry.user in gone:
        return entry.model_copy(update={"name": FORMER_PLAYER})
    return entry


def _table_before(logged: LoggedRound, sheet: RuleSheet, gone: frozenset[str]) -> FoldedTable:
    """Return the table before the first of the rows, with nothing on it."""
    opened = read_entry(logged.opened.body)
    assert isinstance(opened, TableOpened)
    table = FoldedTable(opened, sheet, logged.opened.at)
    players = _sit_down(table, logged.sitting, gone)
    table.rounds = logged.number - sum(_begins_round(row) for row in logged.rows)
    table.restore(players, logged.rows[0].sequence - 1)
    return table


def _sit_down(table: FoldedTable, rows: Iterable[LogRow], gone: frozenset[str]) -> dict[int, str]:
    """Seat everybody as the entries say; return who sat last at each seat."""
    players: dict[int, str] = {}
    for row in rows:
        match _without_name(read_entry(row.body), gone):
            case SeatTaken(seat=seat, user=user, name=name):
                table.seats[seat] = Sitter(user, name)
                players[seat] = user
            case SeatLeft(seat=seat):
                del table.seats[seat]
            case TableClosed():
                table.seats = {}
    return players


def _begins_round(row: LogRow) -> bool:
    entry = read_entry(row.body)
    return isinstance(entry, Moved) and entry.move == NO_MORE_BETS
