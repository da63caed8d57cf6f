"""Check a whole database: everything that is stored must follow from the logs.

Each stream's log is read from its first entry. The first entry that does not follow from the one before is named, and
the rest of its stream is not looked at: nothing after a broken link can be trusted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from holecard.server.accounts.account_log import FoldedAccount
from holecard.server.audit.findings import Audit, LogHead, cents_in_dollars
from holecard.server.audit.round_balances import RoundBalances
from holecard.server.audit.streams import AccountFold, OrdersFold, StreamFold, TableFold
from holecard.server.audit.table_rows import StoredRows, check_table
from holecard.server.audit.user_rows import check_users
from holecard.server.audit.wager_returns import check_returns
from holecard.server.errors import NotFound, Unavailable
from holecard.server.game.orders import ORDERS_STREAM
from holecard.server.money.returns import Returns, Settled, add_up
from holecard.server.money.transfers import BANK, Transfer, may_be_negative
from holecard.server.store import schema
from holecard.server.store.chain import FIRST_HASH, LogRow, is_linked
from holecard.server.store.read import StoreReader
from holecard.server.store.units import transfer_rows

__all__ = ["Audit", "audit"]


@dataclass(slots=True)
class _Due:
    """What the logs make of what is stored once for all of them."""

    balances: Counter[str] = field(default_factory=Counter)
    accounts: dict[str, FoldedAccount | None] = field(default_factory=dict)
    """Every account that has a log; None where it is broken."""
    returns: Returns = field(default_factory=dict)
    round_balances: RoundBalances = field(default_factory=RoundBalances)
    chip_tables: set[str] = field(default_factory=set)
    """Tables with their own chips."""

    def add(self, transfers: Iterable[Transfer], settlements: Iterable[Settled]) -> None:
        """Add what one entry causes."""
        for transfer in transfers:
            self.balances[transfer.source] -= transfer.amount
            self.balances[transfer.target] += transfer.amount
        add_up(settlements, self.returns)

    def add_rounds(self, fold: TableFold, stored: Iterable[Mapping[str, Any]]) -> None:
        """Add what a table's players have gained, and what is stored of it with each round."""
        self.round_balances.add_table(fold.id, fold.gains)
        for row in stored:
            if due := fold.rounds.get(row["number"]):
                self.round_balances.add_round(row, due.finished.accounts, due.gained)


async def audit(reader: StoreReader, on_progress: Callable[[int, int], None] | None = None) -> Audit:
    """Check everything in a database."""
    found, due = Audit(), _Due()
    stored = await StoredRows.read(reader)
    streams = await reader.streams()
    found.streams = len(streams)
    for number, stream in enumerate(streams, start=1):
        with _readable(stream, found):
            await _check_stream(reader, stream, stored, found, due)
        if on_progress is not None:
            on_progress(number, len(streams))
    for words in stored.strays():
        found.say(words)
    with _readable("sheets", found):
        await _check_sheets(reader, found)
    with _readable("users", found):
        for words in check_users(await reader.rows(select(schema.users)), due.accounts):
            found.say(words)
    with _readable("balances", found):
        await _check_balances(reader, due, set(streams), found)
    for words in due.round_balances.problems(is_complete=len(found.heads) == len(streams)):
        found.say(words)
    with _readable("returns", found):
        for words in check_returns(await reader.returns(), due.returns):
            found.say(words)
    return found


@contextmanager
def _readable(place: str, found: Audit) -> Iterator[None]:
    """Name what makes no sense at all, such as text in place of a number, and go on with the next."""
    try:
        yield
    except Unavailable:
        raise
    except Exception as error:
        found.say(f"{place}: what is stored cannot be read ({type(error).__name__})")


async def _check_stream(reader: StoreReader, stream: str, stored: StoredRows, found: Audit, due: _Due) -> None:
    """Follow one stream from its first entry, and compare what follows from it with what is stored."""
    kind, _, name = stream.partition(":")
    if kind == "account":
        due.accounts[name] = None
    kept = stored.take(stream)
    moved = await _transfers(reader, stream)
    rows = await reader.entries(stream)
    fold = await _follow(reader, rows, moved, found, due)
    if fold is None:
        return
    found.heads[stream] = LogHead(len(rows), rows[-1].hash)
    if isinstance(fold, TableFold):
        found.shoes += len(fold.finished_shoes)
        rounds = await reader.rows(_rounds_of(name))
        for words in check_table(fold, kept, rounds):
            found.say(f"{stream}: {words}")
        due.add_rounds(fold, rounds)
        if fold.table.opened.chips:
            due.chip_tables.add(stream)
    elif isinstance(fold, AccountFold):
        due.accounts[name] = fold.account
        due.round_balances.add_account(name, fold.given, fold.bought_in)
    for number in sorted(moved):
        found.say(f"{stream}: transfers without an entry, number {number}")


async def _follow(
    reader: StoreReader, rows: list[LogRow], moved: dict[int, list[dict[str, Any]]], found: Audit, due: _Due
) -> StreamFold | None:
    """Return a stream followed to its end, and take its transfers out; None where it is broken."""
    before, fold = FIRST_HASH, None
    for number, row in enumerate(rows, start=1):
        place = f"{row.stream}, entry {number}"
        if words := _broken_link(row, number, before):
            found.say(f"{place}: {words}")
            return None
        try:
            fold = fold or await _fold_of(reader, row)
            made, settlements = fold.apply(row), fold.settled()
        except NotFound as refused:
            found.say(f"{place}: it does not follow from the entries before it: {refused}")
            return None
        except Unavailable:
            raise
        except Exception as error:
            found.say(f"{place}: it does not follow from the entries before it", str(error) or type(error).__name__)
            return None
        wanted, kept = transfer_rows((row,), (made,)), moved.pop(row.sequence, [])
        if kept != wanted:
            found.say(f"{place}: its transfers do not follow from it", f"they should be {wanted}, and are {kept}")
        before = row.hash
        found.entries += 1
        found.transfers += len(made)
        due.add(made, settlements)
    return fold


def _broken_link(row: LogRow, number: int, before: str) -> str | None:
    if row.sequence != number:
        return f"its number is {row.sequence}, so an entry is missing"
    if not is_linked(row, before):
        return "its hash is not that of its content and of the entry before it"
    return None


async def _fold_of(reader: StoreReader, row: LogRow) -> StreamFold:
    kind, _, name = row.stream.partition(":")
    match kind:
        case "table":
            return await TableFold.begin(reader, name, row)
        case "account":
            return AccountFold(name)
        case "orders" if row.stream == ORDERS_STREAM:
            return OrdersFold()
    raise NotFound("a log belongs to a table, to an account or to the operators")


async def _transfers(reader: StoreReader, stream: str) -> dict[int, list[dict[str, Any]]]:
    """Return the stored transfers of a stream by the number of their entry."""
    own = schema.transfers.c
    query = select(schema.transfers).where(own.stream == stream).order_by(own.sequence, own.place)
    found: dict[int, list[dict[str, Any]]] = {}
    for row in await reader.rows(query):
        found.setdefault(row["sequence"], []).append(row)
    return found


def _rounds_of(table_id: str) -> Any:
    return select(schema.rounds).where(schema.rounds.c.table == table_id)


async def _check_sheets(reader: StoreReader, found: Audit) -> None:
    for row in await reader.rows(select(schema.sheets)):
        if hashlib.sha256(str(row["content"]).encode()).hexdigest() != row["hash"]:
            found.say(f"sheet {row['hash']}: its content has another hash")


async def _check_balances(reader: StoreReader, due: _Due, streams: set[str], found: Audit) -> None:
    stored = {row["account"]: row["amount"] for row in await reader.rows(select(schema.balances))}
    for account in sorted({*stored, *due.balances}):
        kept, expected = stored.get(account), due.balances.get(account)
        place = f"balance of {account}"
        if kept is None:
            found.say(f"{place}: it is missing, and the logs make it {cents_in_dollars(expected or 0)}")
        elif expected is None:
            found.say(f"{place}: {cents_in_dollars(kept)} is stored, and no log knows this account")
        elif kept != expected:
            found.say(f"{place}: {cents_in_dollars(kept)} is stored, and the log makes it {cents_in_dollars(expected)}")
        elif account != BANK and _stream_of(account) not in streams:
            found.say(f"{place}: its owner has no log")
        if kept is not None and not may_be_negative(account):
            found.money += kept if _stream_of(account) not in due.chip_tables else 0
            if kept < 0:
                found.say(f"{place}: {cents_in_dollars(kept)} is an overdraft")
    if total := sum(stored.values()):
        found.say(f"all balances together are {cents_in_dollars(total)} and should be $0")


def _stream_of(account: str) -> str:
    """Return the log of an account's owner; the bank has none."""
    kind, _, name = account.partition(":")
    return f"account:{name}" if kind == "player" else f"table:{name.partition(':')[0]}"
