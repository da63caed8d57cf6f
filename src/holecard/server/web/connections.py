"""Open connections: how many there may be, how long each may take, and which one makes room for another.

Nobody needs an account to open connections, and each one takes a file of the process. So there is a bound, below the
limit of files; and where it is reached, a connection that is of little use is closed for the next one. That is
never one whose request is being answered, or a socket at a table whose person has a session.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple, Protocol

import structlog
from starlette.requests import HTTPConnection

from holecard.server.errors import TooMany

#: Seconds in which a new connection may send its request before it is the first one to go.
_CHANCE = 2.0
#: Seconds until a connection without a further request is closed here; the web server does it earlier, but waits until
#: its client has read everything.
_IDLE = 10.0
#: Bytes of an answer that a client has to take in each period; otherwise it counts as one that reads nothing.
_TAKEN = 16_384
#: The part of all connections that may be sockets at tables; the others are for pages and requests.
_AT_TABLES = 0.75
#: Seconds between two lines in the log.
_QUIET = 10.0
_log = structlog.get_logger("holecard.server")


class Doing(Enum):
    """What a connection does now."""

    ARRIVING = "arriving"
    """Its request has not yet come as a whole."""
    IDLE = "idle"
    """It was answered and may ask again."""
    RESTING = "resting"
    """It was answered and may ask again, and brought a valid session before."""
    KNOCKING = "knocking"
    """It is a socket, and nobody knows yet whose, or it is about to be closed."""
    HASTY = "hasty"
    """It has sent further requests before its first one was answered, as no browser does."""
    UNREAD = "unread"
    """Its client does not read what was sent."""
    ASKING = "asking"
    """Its request is being answered."""
    WATCHING = "watching"
    """It is a socket at a table, of a person with a session."""


#: What connections do that may be closed to make room.
_OF_LITTLE_USE = (Doing.ARRIVING, Doing.IDLE, Doing.RESTING, Doing.KNOCKING, Doing.HASTY, Doing.UNREAD)
#: What connections do that have no request.
_WITHOUT_REQUEST = (Doing.IDLE, Doing.RESTING, Doing.KNOCKING)


class Reason(Enum):
    """Why a connection was closed."""

    SLOW = "slow request"
    LARGE = "large headers"
    IDLE = "idle"
    UNREAD = "unread answer"
    ADDRESS = "too many of one address"
    FULL = "too many"
    FILES = "no file left"


#: Reasons that an operator should hear of: people may be affected.
_SERIOUS = {Reason.ADDRESS, Reason.FULL, Reason.FILES}


class Transport(Protocol):
    """What the event loop offers of a connection."""

    def abort(self) -> None:
        """Close the connection at once."""

    def is_closing(self) -> bool:
        """Return whether the connection ends when its client has read everything."""

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait until the client reads."""


class ConnectionLimits(NamedTuple):
    """How many connections there may be, and how long they may take."""

    most: int
    per_address: int
    request_seconds: float
    """From the beginning of a connection, or the first byte of a further request, to the request's last byte."""
    answer_seconds: float
    """In these, a client has to take some of its answer."""


def network_of(host: str) -> str:
    """Return what is counted as one address: with IPv6, one customer's whole network (/64)."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address.packed[:8] + bytes(8), 64)))


class OpenConnection:
    """A connection, and since when it does what it does."""

    def __init__(self, connections: OpenConnections, transport: Transport, address: str, since: float) -> None:
        self._connections = connections
        self.transport = transport
        self.cut: Callable[[], None] = transport.abort
        """Ends it at once, in a way that those who serve it notice."""
        self.address = address
        self.is_socket = False
        self.is_known = False
        """Whether it brought a valid session."""
        self.doing = Doing.ARRIVING
        self.since = since
        self.unread = 0
        """The bytes that its client had not read when they were last counted."""
        self._when_read = Doing.ARRIVING

    def does(self, doing: Doing) -> None:
        """Note what the connection does now, or what it will do when its client has read what was sent."""
        if doing is Doing.IDLE and self.is_known:
            doing = Doing.RESTING
        self._when_read = doing
        if doing is not self.doing is not Doing.UNREAD:
            self._connections.move(self, doing)

    def stops_reading(self) -> None:
        """Note that what was sent waits for the client."""
        self.unread = self.transport.get_write_buffer_size()
        self._connections.move(self, Doing.UNREAD)

    def reads_again(self) -> None:
        """Note that the client has read what was sent."""
        if self.doing is Doing.UNREAD:
            self._connections.move(self, self._when_read)

    def close(self, reason: Reason) -> None:
        """Close the connection at once."""
        self._connections.close(self, reason)

    def ended(self) -> None:
        """Forget the connection."""
        self._connections.forget(self)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Keep the connection: it shows a table to a person with a session."""
        self._connections.check_room_at_tables()
        self.does(Doing.WATCHING)
        try:
            yield
        finally:
            self.does(Doing.KNOCKING)


def _connection_of(request: HTTPConnection) -> OpenConnection | None:
    found: OpenConnection | None = request.scope.get("state", {}).get("connection")
    return found


def has_session(request: HTTPConnection) -> None:
    """Note that a connection brought a valid session."""
    if (connection := _connection_of(request)) is not None:
        connection.is_known = True


def watching(socket: HTTPConnection) -> AbstractContextManager[None]:
    """Keep a socket open while it shows a table to a person with a session."""
    connection = _connection_of(socket)
    return nullcontext() if connection is None else connection.watching()


def ignored(_reason: str) -> None:
    """Count nothing."""


class OpenConnections:
    """All connections of this process, by what they do, those that have done it longest first."""

    def __init__(
        self, limits: ConnectionLimits, now: Callable[[], float], on_closed: Callable[[str], None] = ignored
    ) -> None:
        self.limits = limits
        self._now = now
        self._on_closed = on_closed
        self._doing: dict[Doing, OrderedDict[OpenConnection, None]] = {doing: OrderedDict() for doing in Doing}
        self._of_address: dict[str, set[OpenConnection]] = {}
        self._unsaid: Counter[Reason] = Counter()
        self._said_at = now() - _QUIET

    def __len__(self) -> int:
        return sum(map(len, self._doing.values()))

    def __iter__(self) -> Iterator[OpenConnection]:
        for connections in self._doing.values():
            yield from connections

    @property
    def room(self) -> int:
        """How many more there may be, if those of little use make room."""
        return self.limits.most - sum(len(self._doing[doing]) for doing in (Doing.ASKING, Doing.WATCHING))

    def admit(self, transport: Transport, host: str, *, is_proxy: bool) -> OpenConnection:
        """Count a new connection; close it where there are too many and none can make room.

        A proxy has the connections of many people, so it may have any number of them.
        """
        connection = OpenConnection(self, transport, network_of(host), self._now())
        if (reason := self._has_no_room(connection.address, is_proxy)) is not None:
            transport.abort()
            self._count(reason)
            return connection
        self._doing[connection.doing][connection] = None
        self._of_address.setdefault(connection.address, set()).add(connection)
        return connection

    def _has_no_room(self, address: str, is_proxy: bool) -> Reason | None:
        """Make room for one more connection of an address; return why there is none."""
        of_address = 0 if is_proxy else len(self._of_address.get(address, ()))
        if of_address >= self.limits.per_address and not self.make_room(Reason.ADDRESS, address):
            return Reason.ADDRESS
        return Reason.FULL if len(self) >= self.limits.most and not self.make_room(Reason.FULL) else None

    def make_room(self, reason: Reason, address: str | None = None) -> bool:
        """Close the connection of the least use, of all or of one address; return whether there was one."""
        # First those who had a chance to send a request. Otherwise the oldest of the most numerous kind: who opens many
        # connections closes the own ones, whatever they do.
        arriving = self._which_do(Doing.ARRIVING, address)
        oldest = next(iter(arriving), None)
        if oldest is None or oldest.since > self._now() - _CHANCE:
            most = max((self._which_do(doing, address) for doing in _OF_LITTLE_USE), key=len)
            oldest = next(iter(most), None)
        if oldest is not None:
            self.close(oldest, reason)
        return oldest is not None

    def _which_do(self, doing: Doing, address: str | None) -> Collection[OpenConnection]:
        if address is None:
            return self._doing[doing]
        found = [connection for connection in self._of_address[address] if connection.doing is doing]
        return sorted(found, key=lambda connection: connection.since)

    def check_room_at_tables(self) -> None:
        """Refuse one more socket at a table, where they would leave too little for everything else."""
        if len(self._doing[Doing.WATCHING]) >= _AT_TABLES * self.limits.most:
            raise TooMany("this server has no room for more connections to tables; try again later")

    def move(self, connection: OpenConnection, doing: Doing) -> None:
        """Note that an open connection does something else from now on."""
        if connection in self._doing[connection.doing]:
            del self._doing[connection.doing][connection]
            connection.doing, connection.since = doing, self._now()
            self._doing[doing][connection] = None

    def forget(self, connection: OpenConnection) -> None:
        """Count a connection no more."""
        self._doing[connection.doing].pop(connection, None)
        of_address = self._of_address.get(connection.address, set())
        of_address.discard(connection)
        if not of_address:
            self._of_address.pop(connection.address, None)

    def close(self, connection: OpenConnection, reason: Reason) -> None:
        """Close a connection at once."""
        self.forget(connection)
        connection.cut()
        self._count(reason)

    def end_those_that_take_too_long(self) -> None:
        """Close what does not go on, and say in the log what was closed; called about once a second."""
        for connection in self._since(Doing.ARRIVING, self.limits.request_seconds):
            self.close(connection, Reason.SLOW)
        for connection in [one for doing in _WITHOUT_REQUEST for one in self._since(doing, _IDLE)]:
            if connection.transport.get_write_buffer_size():
                connection.stops_reading()
            else:
                self.close(connection, Reason.IDLE)
        for doing in (Doing.ASKING, Doing.HASTY, Doing.WATCHING):
            for connection in [found for found in self._doing[doing] if found.transport.is_closing()]:
                connection.stops_reading()
        for connection in tuple(self._doing[Doing.UNREAD]):
            self._wait_for_reader(connection)
        self._say()

    def _since(self, doing: Doing, seconds: float) -> list[OpenConnection]:
        """Return the connections that have done this for so long."""
        found, before = [], self._now() - seconds
        for connection in self._doing[doing]:
            if connection.since > before:
                break
            found.append(connection)
        return found

    def _wait_for_reader(self, connection: OpenConnection) -> None:
        unread = connection.transport.get_write_buffer_size()
        if unread <= connection.unread - _TAKEN:
            connection.stops_reading()  # counted from now
        elif not unread and not connection.transport.is_closing():
            connection.reads_again()
        elif connection.since <= self._now() - self.limits.answer_seconds:
            self.close(connection, Reason.UNREAD)

    def _count(self, reason: Reason) -> None:
        self._unsaid[reason] += 1
        self._on_closed(reason.value)

    def _say(self) -> None:
        """Say what was closed since the last line; one line for all, however many they are."""
        if not self._unsaid or self._now() < self._said_at + _QUIET:
            return
        say = _log.warning if _SERIOUS & self._unsaid.keys() else _log.info
        say(
            "connections were closed",
            reasons={reason.value: count for reason, count in self._unsaid.items()},
            open=len(self),
            most=self.limits.most,
        )
        self._unsaid.clear()
        self._said_at = self._now()
