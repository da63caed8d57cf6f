"""A socket shows one table to one person, and takes that person's commands.

Message numbers are the log's sequence numbers. A client that comes back says the last number it has seen, and gets what
it missed, so it ends with the view it would have had. The session is looked at for every message, in both directions.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import structlog
from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from pydantic_core import to_json

from holecard.errors import Refusal
from holecard.server.accounts.sessions import User
from holecard.server.errors import NotSignedIn, TooLarge, TooMany, Unavailable, UnreadableMessage, code_of
from holecard.server.game.clock import deadline
from holecard.server.game.decide import Actor
from holecard.server.game.frames import frame, snapshot, table_view
from holecard.server.game.orders import Orders
from holecard.server.host.hosted_table import HostedTable, TableStep
from holecard.server.money.transfers import Transfer, account_at
from holecard.server.problems import first_problem
from holecard.server.web.identity import session_of
from holecard.server.web.messages import (
    ABUSE_CLOSE,
    FAILURE_CLOSE,
    SESSION_CLOSE,
    SHUTDOWN_CLOSE,
    Ping,
    Refused,
    SendCommand,
    client_messages,
    id_in,
)
from holecard.server.web.services import Services

#: A client that sends this many unreadable messages is cut off.
_PATIENCE = 20
#: Milliseconds until a session is looked at again.
_CHECKED = 1_000
#: Seconds until a balance is read again that the database could not give.
_PAUSE = 1.0
_log = structlog.get_logger("holecard.server")


class TableSocket:
    """One connection to one table."""

    def __init__(self, socket: WebSocket, service: Services, user: User, hosted: HostedTable) -> None:
        self._socket = socket
        self._service = service
        self._user = user
        self._hosted = hosted
        self._news = asyncio.Event()
        self._number = -1
        self._up_since: int | None = None
        """Since when the server was up by the last view that was sent."""
        self._orders = service.host.orders
        """What operators had ordered by then."""
        self._went_back = False
        """Whether the client has seen more than the log has, and was not told yet."""
        self._resumed_at = 0
        """The message number at which this connection began: balances of earlier steps are old."""
        self._account = account_at(hosted.id, hosted.table.opened, user.id)
        self._owes_balance = True  # what was missed may say nothing of money, or something old
        self._bad = 0
        self._is_over = False
        self._checked_at = 0
        """When the session was looked at, in milliseconds."""
        self._sending = asyncio.Lock()

    async def run(self, after: int | None) -> None:
        """Serve until the connection ends; the hello was said."""
        try:
            await self._serve(after)
        except WebSocketDisconnect:
            return
        except Exception as error:
            await self._fail(error)

    async def _fail(self, error: BaseException) -> None:
        """Close the connection; the client connects again and resumes."""
        # The error's own text may name a card, so it is not logged.
        _log.error("a connection failed", table=self._hosted.id, error=type(error).__name__)
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.close(FAILURE_CLOSE, "the server failed; connect again")

    async def _serve(self, after: int | None) -> None:
        self._number = -1 if after is None else after
        self._went_back = after is not None and await self._is_beyond(after)
        # It may have been dropped from memory while the client was greeted.
        self._hosted = await self._service.host.table(self._hosted.id)
        self._resumed_at = self._hosted.table.sequence
        self._hosted.watchers.add(self._tell)
        self._service.sockets.add(self)
        self._news.set()
        sender = asyncio.create_task(self._send_forever(), name="socket")
        try:
            while True:
                await self._receive(await self._next())
        finally:
            self._hosted.watchers.discard(self._tell)
            self._service.sockets.discard(self)
            # The sender ends by itself: to cancel it while it reads would leave the database's connection in the air.
            self._is_over = True
            self._news.set()
            await asyncio.gather(asyncio.shield(sender), return_exceptions=True)

    async def _is_beyond(self, after: int) -> bool:
        """Return whether the client has seen more than the log has; a client can lie, so this only warns."""
        hosted = self._hosted
        if after > hosted.table.sequence:
            with suppress(Unavailable):
                await self._service.host.catch_up(hosted.id, after)  # another process may have appended it
                if after > hosted.table.sequence:
                    self._service.metrics.clients_ahead.inc()
                    with suppress(TooMany):
                        self._service.clients_ahead.take("everybody")
                        _log.warning(
                            "a client has seen more than the log has",
                            table=hosted.id,
                            seen=after,
                            entries=hosted.table.sequence,
                        )
                    return True
        return False

    # To the client

    def _tell(self, _hosted: HostedTable) -> None:
        self._news.set()

    async def _send_forever(self) -> None:
        """Send what is new until the connection is over."""
        try:
            await self._send_news()
        except NotSignedIn as refused:
            await self._end_session(refused)
        except (RuntimeError, WebSocketDisconnect):
            return  # the connection has ended
        except Exception as error:
            await self._fail(error)

    async def _send_news(self) -> None:
        """Send what is new, whenever something is."""
        while True:
            await self._news.wait()
            self._news.clear()
            if self._is_over:
                return
            with suppress(Unavailable):  # who was signed in stays so until the database says otherwise
                await self._check_session()
            up_since, orders = self._service.host.up_since, self._service.host.orders
            steps = self._missed(up_since, orders)
            self._up_since, self._orders = up_since, orders
            if steps is None:
                table = self._hosted.table
                self._number = table.sequence
                shown = snapshot(table, table.seats_of(self._user.id), up_since, orders)
                went_back, self._went_back = self._went_back, False
                await self._send({**shown, "now": self._service.now(), "went_back": went_back})
            else:
                for step in steps:
                    self._number = step.table.sequence
                    mine = step.table.seats_of(self._user.id)
                    await self._send(frame(step.table, step.entry, mine, up_since, orders))
            paid = [step for step in steps or () if any(map(self._is_mine, step.transfers))]
            owes, self._owes_balance = self._owes_balance, False
            if owes or steps is None or paid:
                is_live = bool(paid) and paid[-1].table.sequence > self._resumed_at
                known = paid[-1].balances.get(self._account) if is_live and not owes else None
                await self._send_balance(known)

    def _missed(self, up_since: int, orders: Orders) -> list[TableStep] | None:
        """Return the steps to send; None where a snapshot is needed.

        Too many are missed, or the deadline was moved, or an order has changed what the table shows.
        """
        steps = self._hosted.steps_after(self._number) if self._number >= 0 else None
        if steps or self._number < 0:
            return steps
        table = self._hosted.table
        if up_since != self._up_since and deadline(table, up_since) != deadline(table):
            return None
        if orders is not self._orders and table_view(table, (), 0, orders) != table_view(table, (), 0, self._orders):
            return None
        return steps

    async def _send_balance(self, known: int | None) -> None:
        """Send what the person has; try again later, where the database does not answer."""
        try:
            cents = await self._service.reader.balance(self._account) if known is None else known
        except Unavailable:
            self._owes_balance = True
            asyncio.get_running_loop().call_later(_PAUSE, self._news.set)
            return
        of_table = {"chips": True} if self._hosted.table.opened.chips else {}
        await self._send({"type": "balance", "cents": cents, **of_table})

    def wake(self, user: str) -> None:
        """Look whether the session still stands, if it is one of this user, and send what is new."""
        if user == self._user.id:
            self._checked_at = 0
            self._news.set()

    def tell_balance(self, user: str) -> None:
        """Send what this user has, if it is the user of the connection."""
        if user == self._user.id:
            self._owes_balance = True
            self._news.set()

    async def _check_session(self) -> None:
        """Show nothing to somebody whose session has ended; look once a second, and when it may have ended here."""
        now = self._service.now()
        if not self._checked_at <= now < self._checked_at + _CHECKED:
            self._user = await session_of(self._socket)
            self._checked_at = now

    async def _end_session(self, refused: NotSignedIn, message_id: str | None = None) -> None:
        """Close the connection of somebody whose session has ended."""
        if self._is_over:
            return
        self._is_over = True
        _log.info("refused", user=self._user.id, table=self._hosted.id, code=code_of(refused))
        await self._send(Refused(id=message_id, code=code_of(refused), message=str(refused)).model_dump())
        await self._socket.close(SESSION_CLOSE, code_of(refused))

    async def say_goodbye(self, reason: str) -> None:
        """Close the connection with a reason."""
        await self._socket.close(SHUTDOWN_CLOSE, reason)

    def _is_mine(self, transfer: Transfer) -> bool:
        return self._account in (transfer.source, transfer.target)

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(to_json(message).decode())

    # From the client

    async def _next(self) -> str | None:
        """Return the next message; None for a binary one, which the protocol does not have."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        found: str | None = message.get("text")
        return found

    async def _receive(self, text: str | None) -> None:
        """Carry out one message, or say why not."""
        message_id = None
        try:
            message = self._read(text)
            message_id = None if isinstance(message, Ping) else message.id
            self._user = await session_of(self._socket)
            if isinstance(message, Ping):
                await self._send({"type": "pong"})
            else:
                await self._command(message)
        except NotSignedIn as refused:
            await self._end_session(refused, message_id)
            raise WebSocketDisconnect(SESSION_CLOSE) from None
        except Refusal as refused:
            _log.info("refused", user=self._user.id, table=self._hosted.id, code=code_of(refused))
            if isinstance(refused, UnreadableMessage | TooMany) and text is not None:
                message_id = message_id or id_in(text)
            await self._send(Refused(id=message_id, code=code_of(refused), message=str(refused)).model_dump())
            if self._bad > _PATIENCE:
                await self._socket.close(ABUSE_CLOSE, "too many messages that cannot be read")
                raise WebSocketDisconnect(ABUSE_CLOSE) from None

    def _read(self, text: str | None) -> SendCommand | Ping:
        if text is None:
            self._bad += 1
            raise UnreadableMessage("a message is text, and this one is binary")
        if len(text.encode("utf-8", "replace")) > self._service.settings.largest_message:
            self._bad += 1
            raise TooLarge(f"a message has at most {self._service.settings.largest_message:,} bytes")
        try:
            self._service.rates.take(self._user.id)
        except TooMany:
            self._bad += 1
            raise
        try:
            return client_messages.validate_json(text)
        except ValidationError as error:
            self._bad += 1
            problem = error.errors(include_url=False)[0]
            # The first part of the place is the type of the message.
            raise UnreadableMessage(first_problem([{**problem, "loc": problem["loc"][1:]}])) from None

    async def _command(self, message: SendCommand) -> None:
        actor = Actor(self._user.id, self._user.name, self._user.role == "operator")
        done = await self._service.host.command(self._hosted.id, message.command, actor, message.id)
        await self._send({"type": "done", "id": message.id, "table": done.table, "number": done.sequence})
