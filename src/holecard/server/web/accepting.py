"""The connections of the web server: accepted a few at a time, bounded by the limit of files, and watched.

The web server's own classes read requests and write answers. Those here tell `connections` what each connection does.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import structlog
from uvicorn import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from holecard.server.web.connections import Doing, OpenConnection, OpenConnections, Reason, Transport

try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpProtocol
except ImportError:  # not on every system
    from uvicorn.protocols.http.h11_impl import H11Protocol as HttpProtocol  # type: ignore[assignment]
try:
    import resource
except ImportError:  # not on every system
    resource = None  # type: ignore[assignment]

#: Files for other purposes: the database, logs, worker processes, and connections that are about to be closed.
_OTHER_FILES = 256
#: What is tried where the hard limit is endless, which not every system means.
_MANY_FILES = 10_240
#: Connections that are accepted before others get their turn.
_AT_ONCE = 32
#: Seconds until the next attempt, where no connection can be accepted now.
_PAUSE = 0.02
#: What the system says then.
_NOTHING_LEFT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
#: Bytes of a request before its body.
_LARGEST_HEADERS = 65_536
_log = structlog.get_logger("holecard.server")


def raise_file_limit() -> None:
    """Let this process open as many files as the system allows it."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, _MANY_FILES):
        if soft == resource.RLIM_INFINITY or (wanted != resource.RLIM_INFINITY and wanted <= soft):
            return
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return


def file_limit() -> int | None:
    """Return how many files this process may open; None where nothing limits them."""
    soft = resource.RLIM_INFINITY if resource is None else resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if resource is None or soft == resource.RLIM_INFINITY else soft


def most_connections(wanted: int) -> int:
    """Return how many connections this process may have: those wanted, or fewer where files are few."""
    files = file_limit()
    return wanted if files is None else min(wanted, max(files - _OTHER_FILES, files // 2))


class _Watched:
    """What requests and sockets have in common: they say whether their client reads, and when they end."""

    connection: OpenConnection

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)  # type: ignore[misc]
        self.connection.ended()

    def pause_writing(self) -> None:
        """Wait until the client reads."""
        super().pause_writing()  # type: ignore[misc]
        self.connection.stops_reading()

    def resume_writing(self) -> None:
        """Send more."""
        super().resume_writing()  # type: ignore[misc]
        self.connection.reads_again()


class WatchedHttp(_Watched, HttpProtocol):
    """A connection that brings requests."""

    def __init__(self, admit: Callable[[Transport, str], OpenConnection], **server: Any) -> None:
        super().__init__(**server)
        self._admit = admit
        self._running: Any = None
        """The request that is answered now; further ones may wait behind it."""
        self._held: tuple[Any, Any] | None = None
        """The request whose body has not come as a whole, and what will answer it."""
        self._header_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, which may be closed at once."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.connection = self._admit(self.transport, self.client[0] if self.client else "")
        self.connection.cut = self._cut
        # What serves its requests, and the socket that it may become, find it there.
        self.app_state = {**self.app_state, "connection": self.connection}

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        if self._held is not None:
            self._start_asgi_task(*self._held)
        if self._has_headers():
            self._header_bytes = 0
        else:
            self._header_bytes += len(data)
            if self._header_bytes > _LARGEST_HEADERS:
                self.connection.close(Reason.LARGE)
        self._tell(Doing.ARRIVING)

    def on_response_complete(self) -> None:
        """Wait for the next request, or answer one that was sent early."""
        super().on_response_complete()
        self._tell(Doing.IDLE)

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """Hand the connection over to a socket."""
        self.connection.is_socket = True
        self.connection.does(Doing.KNOCKING)
        super().handle_websocket_upgrade(*event)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        """Begin to answer a request that came as a whole; half a body, byte by byte, costs nothing but memory."""
        may_wait = not cycle.waiting_for_100_continue and len(cycle.body) <= HIGH_WATER_LIMIT
        self._held = (cycle, app) if cycle.more_body and may_wait else None
        if self._held is None:
            self._running = cycle
            super()._start_asgi_task(cycle, app)

    def _cut(self) -> None:
        """End the connection at once; what is still answered on it goes nowhere."""
        for cycle in (self._running, self.cycle):
            if cycle is not None:
                cycle.disconnected = True
        self.transport.abort()

    def _has_headers(self) -> bool:
        """Return whether the headers came, and not yet everything after them."""
        return self.cycle is not None and (self.cycle.more_body or not self.cycle.response_complete)

    def _tell(self, between_requests: Doing) -> None:
        """Tell what the connection does."""
        if self.connection.is_socket:
            return
        if getattr(self, "pipeline", None):
            self.connection.does(Doing.HASTY)
        elif self.cycle is None or self.cycle.response_complete:
            self.connection.does(between_requests)
        else:
            self.connection.does(Doing.ARRIVING if self.cycle.more_body else Doing.ASKING)


class WatchedSocket(_Watched, WebSocketsSansIOProtocol):
    """A connection that has become a socket."""

    def __init__(self, **server: Any) -> None:
        super().__init__(**server)
        self.connection = self.app_state["connection"]
        self.connection.cut = self._cut

    def _cut(self) -> None:
        """End the connection at once; what is still sent to it goes nowhere."""
        self.disconnected = self.handshake_complete = True
        self.transport.abort()


class Acceptor:
    """Accepts connections, and lets each be counted."""

    def __init__(self, listening: socket.socket, config: Config, state: ServerState, app_state: dict[str, Any]) -> None:
        self._listening = listening
        self._config = config
        self._state = state
        self._app_state = app_state
        self._open: OpenConnections = config.app.state.services.open_connections  # type: ignore[union-attr]
        self._proxies = ProxyHeadersMiddleware(config.loaded_app, config.forwarded_allow_ips).trusted_hosts
        listening.setblocking(False)
        self._task = asyncio.create_task(self._accept_forever(), name="accepting")

    async def stop(self) -> None:
        """Accept no more connections."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _accept_forever(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            # Where everybody is being served, new connections wait in the system's queue.
            while (room := self._open.room) <= 0:
                await asyncio.sleep(_PAUSE)
            try:
                first, _ = await loop.sock_accept(self._listening)
            except OSError as error:
                if error.errno in _NOTHING_LEFT:
                    self._open.make_room(Reason.FILES)
                await asyncio.sleep(_PAUSE)
            else:
                others = self._others_that_wait(min(room, _AT_ONCE) - 1)
                await asyncio.gather(*map(self._welcome, [first, *others]))

    def _others_that_wait(self, most: int) -> list[socket.socket]:
        others: list[socket.socket] = []
        with suppress(OSError):  # nobody else, or what the next attempt will hear, too
            while len(others) < most:
                others.append(self._listening.accept()[0])
        return others

    async def _welcome(self, accepted: socket.socket) -> None:
        try:
            accepted.setblocking(False)
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, accepted)
        except Exception as error:
            accepted.close()
            if not isinstance(error, OSError):  # as it is where the connection has ended meanwhile
                _log.error("a connection could not be accepted", error=type(error).__name__)

    def _protocol(self) -> WatchedHttp:
        return WatchedHttp(self._admit, config=self._config, server_state=self._state, app_state=self._app_state)

    def _admit(self, transport: Transport, host: str) -> OpenConnection:
        return self._open.admit(transport, host, is_proxy=host in self._proxies)
