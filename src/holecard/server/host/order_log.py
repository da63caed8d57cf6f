"""The log of operators' orders in this process: read at the start and when there is news, appended to by operators.

Every process on one database follows the same log, so that an order holds in all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import structlog
from pydantic_core import to_json

from holecard.errors import Refusal
from holecard.server.errors import Damaged, SequenceTakenError
from holecard.server.game.entries import write_entry
from holecard.server.game.orders import NO_ORDERS, ORDERS_STREAM, Order, Orders, read_order
from holecard.server.store.append import Appender
from holecard.server.store.chain import FIRST_HASH, LogRow, entry_hash
from holecard.server.store.read import StoreReader
from holecard.server.store.units import Unit

#: How often an order is tried when other processes are faster.
_ATTEMPTS = 20
_log = structlog.get_logger("holecard.server")


class OrderLog:
    """What operators have ordered, as far as this process knows; `on_change` hears of what is new."""

    def __init__(
        self, reader: StoreReader, appender: Appender, now: Callable[[], int], on_change: Callable[[], None]
    ) -> None:
        self._reader = reader
        self._appender = appender
        self._now = now
        self._on_change = on_change
        self.orders: Orders = NO_ORDERS
        self.rows: list[LogRow] = []
        self._is_damaged = False

    async def follow(self) -> None:
        """Read what is new; where it makes no sense, what held before goes on."""
        if self._is_damaged:
            return
        known = len(self.rows)
        for row in await self._reader.entries(ORDERS_STREAM, known):
            if row.sequence <= len(self.rows):
                continue  # somebody else has read it meanwhile
            try:
                self.orders = self.orders.after(read_order(row.body))
            except (Refusal, ValueError) as error:
                self._is_damaged = True
                _log.error("the log of operators' orders is damaged", number=row.sequence, error=type(error).__name__)
                break
            self.rows.append(row)
        if len(self.rows) > known:
            self._on_change()

    async def repeated(self, actor: str, command: str, body: object) -> int | None:
        """Return the number of the order that a command has given before."""
        row = await self._reader.repeated(actor, command, _request(body))
        return None if row is None else row.sequence

    async def give(self, order: Order, actor: str, command: str, body: object) -> int:
        """Append an order; the same command appends it once. Return its number."""
        request = _request(body)
        for _ in range(_ATTEMPTS):
            await self.follow()
            if self._is_damaged:
                raise Damaged("the log of operators' orders is damaged; run the audit")
            known, last = self.orders, self.rows[-1] if self.rows else None
            # Looked for after what is known: if the same command comes later, it takes the number of this row.
            if done := await self._reader.repeated(actor, command, request):
                return done.sequence
            known.after(order)
            row = _next_row(last, order, self._now(), (actor, command, request))
            try:
                await self._appender.append(Unit((row,), ((),)))
            except SequenceTakenError:
                continue
            await self.follow()
            return row.sequence
        raise Refusal("too many orders at once; try again")


def _next_row(last: LogRow | None, order: Order, at: int, ids: tuple[str, str, str]) -> LogRow:
    before, number = (FIRST_HASH, 1) if last is None else (last.hash, last.sequence + 1)
    body = write_entry(order)
    return LogRow(ORDERS_STREAM, number, at, body, *ids, entry_hash(before, ORDERS_STREAM, number, at, body, ids))


def _request(body: object) -> str:
    return hashlib.sha256(to_json(body)).hexdigest()
