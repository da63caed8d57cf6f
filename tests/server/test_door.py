"""At the door: half-sent requests, answers that nobody reads, too many connections, and names of other servers."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast
from urllib.request import urlopen

import pytest
from fastapi import FastAPI
from structlog.testing import capture_logs
from uvicorn import Config

from holecard.server.errors import TooMany
from holecard.server.settings import ServerSettings
from holecard.server.web import accepting, connections
from holecard.server.web.app import create_app
from holecard.server.web.connections import ConnectionLimits, Doing, OpenConnection, OpenConnections, Reason
from holecard.server.web.run import GracefulServer, configured
from holecard.server.web.services import Services
from tests.patience import patient, until
from tests.server.real_server import real_server

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
KNOCK = (
    b"GET /api/v1/tables/none/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
#: What strangers send, and then no more.
ATTACKS = {
    "nothing": b"",
    "half a request line": b"GET /api/v1/gam",
    "half the headers": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "half a body": b"POST /api/v1/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
    "half a handshake": KNOCK,
    "a socket without a session": KNOCK + b"\r\n",
    "a request that is answered, and no other": HEALTH,
    "an answer that is never read": 4 * b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


# Which connection makes room


class FakeTransport:
    """A connection whose client reads when a test says so."""

    def __init__(self) -> None:
        self.is_open = True
        self.unread = 0

    def abort(self) -> None:
        self.is_open = False

    def is_closing(self) -> bool:
        return not self.is_open

    def get_write_buffer_size(self) -> int:
        return self.unread


class Door:
    """Connections as they come, with a clock of the test."""

    def __init__(self, most: int = 4, per_address: int = 100) -> None:
        self.now = 1000.0
        self.closed: list[str] = []
        limits = ConnectionLimits(most, per_address, request_seconds=20, answer_seconds=20)
        self.open = OpenConnections(limits, lambda: self.now, self.closed.append)

    def admit(self, doing: Doing = Doing.ARRIVING, host: str = "10.0.0.1", *, is_proxy: bool = False) -> OpenConnection:
        self.now += 1
        connection = self.open.admit(FakeTransport(), host, is_proxy=is_proxy)
        connection.does(doing)
        return connection

    def pass_by(self, seconds: float) -> None:
        self.now += seconds
        self.open.end_those_that_take_too_long()


def is_open(connection: OpenConnection) -> bool:
    return cast(FakeTransport, connection.transport).is_open


def test_the_oldest_half_sent_request_makes_room() -> None:
    door = Door()
    asking, first, second, watching = map(door.admit, (Doing.ASKING, Doing.ARRIVING, Doing.ARRIVING, Doing.WATCHING))
    third = door.admit()
    assert [is_open(one) for one in (asking, first, second, watching, third)] == [True, False, True, True, True]
    assert (len(door.open), door.closed) == (4, ["too many"])


def test_a_half_sent_request_is_closed_before_a_connection_that_may_ask_again() -> None:
    door = Door()
    idle = [door.admit(Doing.IDLE) for _ in range(3)]
    half_sent = door.admit()
    door.now += 2
    door.admit()
    assert not is_open(half_sent)
    assert all(map(is_open, idle))


def test_of_what_came_just_now_the_most_numerous_kind_makes_room() -> None:
    """Somebody who has only just connected has had no chance yet to send a request."""
    door = Door(most=6)
    for doing in (Doing.IDLE, Doing.IDLE, Doing.IDLE, Doing.RESTING, Doing.ASKING):
        door.admit(doing)
    just_now = door.admit()
    door.now -= 1  # the next one comes in the same moment
    door.admit()
    assert is_open(just_now)
    kinds = [one.doing for one in door.open]
    assert (kinds.count(Doing.IDLE), kinds.count(Doing.RESTING)) == (2, 1)


@pytest.mark.parametrize("doing", [Doing.ASKING, Doing.WATCHING])
def test_nobody_who_is_served_makes_room(doing: Doing) -> None:
    door = Door()
    served = [door.admit(doing) for _ in range(4)]
    assert not is_open(door.admit())
    assert all(map(is_open, served))
    assert len(door.open) == 4
    served[0].ended()
    assert is_open(door.admit())


def test_one_address_makes_room_for_itself() -> None:
    door = Door(most=100, per_address=3)
    other = door.admit(host="10.0.0.2")
    mine = [door.admit(host="10.0.0.1") for _ in range(5)]
    assert [is_open(one) for one in mine] == [False, False, True, True, True]
    assert is_open(other)
    assert door.closed == ["too many of one address"] * 2
    for one in mine[2:]:
        one.does(Doing.ASKING)
    assert not is_open(door.admit(host="10.0.0.1"))


def test_one_customer_with_ipv6_is_one_address() -> None:
    door = Door(most=100, per_address=2)
    mine = [door.admit(host=f"2001:db8:1:2::{number}") for number in range(3)]
    assert [is_open(one) for one in mine] == [False, True, True]


def test_a_proxy_brings_the_connections_of_many_people() -> None:
    door = Door(most=100, per_address=3)
    assert all(is_open(door.admit(host="127.0.0.1", is_proxy=True)) for _ in range(10))


def test_tables_leave_room_for_everything_else() -> None:
    door = Door(most=4)
    for _ in range(3):
        door.admit(Doing.WATCHING)
    with pytest.raises(TooMany, match="no room for more connections to tables"), door.admit().watching():
        raise AssertionError("nobody may watch")


# How long a connection may take


def test_a_request_that_does_not_arrive_is_given_up() -> None:
    door = Door()
    slow, other = door.admit(), door.admit(Doing.ASKING)
    door.pass_by(18)
    slow.does(Doing.ARRIVING)  # one more byte
    assert is_open(slow)
    door.pass_by(1)
    assert not is_open(slow)
    assert is_open(other)
    assert door.closed == ["slow request"]


def test_an_answer_that_nobody_reads_is_given_up_but_slow_readers_are_not() -> None:
    door = Door()
    both = _, slow = door.admit(Doing.ASKING), door.admit(Doing.ASKING)
    for one in both:
        cast(FakeTransport, one.transport).unread = 100_000
        one.stops_reading()
    for _ in range(3):
        cast(FakeTransport, slow.transport).unread -= 20_000
        door.pass_by(15)
    assert [is_open(one) for one in both] == [False, True]
    assert door.closed == ["unread answer"]
    slow.reads_again()
    assert slow.doing is Doing.ASKING


def test_a_connection_that_waits_for_its_client_to_read_the_last_bytes_ends() -> None:
    """The web server closes what is idle, but only when everything was read."""
    door = Door()
    idle = door.admit(Doing.IDLE)
    cast(FakeTransport, idle.transport).unread = 10
    door.pass_by(11)
    assert idle.doing is Doing.UNREAD
    door.pass_by(21)
    assert not is_open(idle)


def test_the_log_says_once_why_connections_were_closed() -> None:
    door = Door(most=2)
    with capture_logs() as logs:
        for _ in range(52):
            door.admit()
            door.open.end_those_that_take_too_long()
        door.pass_by(30)
        door.pass_by(30)
    said = [line for line in logs if line["event"] == "connections were closed"]
    assert 2 <= len(said) <= 8
    assert said[0]["log_level"] == "warning"
    assert sum(line["reasons"].get("too many", 0) for line in said) == 50
    assert sum(line["reasons"].get("slow request", 0) for line in said) == 2


# A server in this process


class Caller:
    """A connection of a stranger, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, address: tuple[str, int], said: bytes = b"") -> Caller:
        caller = cls(*await asyncio.open_connection(*address, limit=1024))
        caller.writer.write(said)
        return caller

    async def ask(self, request: bytes = HEALTH) -> int:
        """Return the status of an answer, whose body is read."""
        async with asyncio.timeout(patient(20)):
            self.writer.write(request)
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"content-length: (\d+)", head)
            await self.reader.readexactly(int(length[1]) if length else 0)
            return int(head.split()[1])

    async def is_cut(self) -> bool:
        """Wait until the server has ended the connection."""
        async with asyncio.timeout(patient(20)):
            with suppress(ConnectionError):
                while await self.reader.read(65536):
                    pass
        return True


class Served:
    """A server that runs in this process, on a port of this machine."""

    def __init__(self, app: FastAPI, config: Config, address: tuple[str, int]) -> None:
        self.app, self.config, self.address = app, config, address
        self.callers: list[Caller] = []

    @property
    def services(self) -> Services:
        found: Services = self.app.state.services
        return found

    async def connect(self, said: bytes = b"") -> Caller:
        self.callers.append(await Caller.connect(self.address, said))
        return self.callers[-1]

    def closed(self, reason: Reason) -> int:
        closed = self.services.metrics.closed_connections.labels(reason.value)
        return int(closed._value.get())


@asynccontextmanager
async def served(sqlite: str, **settings: Any) -> AsyncIterator[Served]:
    wanted = ServerSettings(database=sqlite, skip_returns=True, shutdown_seconds=0, **settings)
    app = create_app(wanted)
    server = GracefulServer(configured(app, wanted))
    server.config.timeout_keep_alive = 3600
    with socket.socket() as listening, pytest.MonkeyPatch.context() as patch:
        # On a busy machine, moments are long.
        patch.setattr(connections, "_CHANCE", 3600)
        patch.setattr(connections, "_IDLE", 3600)
        listening.bind(("127.0.0.1", 0))
        listening.listen(2048)
        found = Served(app, server.config, listening.getsockname())
        running = asyncio.create_task(server._serve([listening]))
        try:
            await until(lambda: server.started or running.done(), "the server starts")
            yield found
        finally:
            for caller in found.callers:
                caller.writer.close()
            await asyncio.gather(*(caller.writer.wait_closed() for caller in found.callers), return_exceptions=True)
            server.should_exit = True
            await running


@pytest.mark.parametrize("attack", ATTACKS)
def test_strangers_who_send_no_whole_request_keep_nobody_out(sqlite: str, attack: str) -> None:
    """Three times as many as there may be connections, all from the address of everybody else."""

    async def run() -> None:
        async with served(sqlite, connections=30) as server:
            cookie = await server.services.accounts.sessions.begin(await server.services.accounts.guest())
            me = f"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nCookie: holecard_session={cookie}\r\n\r\n".encode()
            old = await server.connect()
            assert await old.ask(me) == 200
            strangers = [await server.connect(ATTACKS[attack]) for _ in range(90)]
            others = [await server.connect(HEALTH) for _ in range(10)]
            assert [await other.ask(b"") for other in others] == [200] * 10
            assert len(server.services.open_connections) <= 30
            # 90 strangers and 11 others; what is not open any more was closed by the server.
            await until(lambda: server.closed(Reason.FULL) >= 71, "strangers were closed")
            ends = [asyncio.ensure_future(stranger.is_cut()) for stranger in strangers]
            await until(lambda: sum(end.done() for end in ends) >= 50, "strangers see it")
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            assert [await (await server.connect()).ask() for _ in range(10)] == [200] * 10
            assert await old.ask(me) == 200

    asyncio.run(run())


def test_who_is_answered_or_watches_a_table_is_never_closed_for_strangers(sqlite: str) -> None:
    async def run() -> None:
        async with served(sqlite, connections=10) as server:
            host = server.services.host
            cookie = await server.services.accounts.sessions.begin(user := await server.services.accounts.guest())
            headers = f"Host: localhost\r\nCookie: holecard_session={cookie}\r\n".encode()
            body = json.dumps({"id": "open-the-table", "game": "classic"}).encode()
            opens = (
                b"POST /api/v1/tables HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
                % (headers, len(body), body)
            )
            assert await (await server.connect()).ask(opens) == 201
            (hosted,) = host.tables
            knock = KNOCK.replace(b"none", hosted.id.encode()).replace(b"Host: localhost\r\n", headers)
            watcher = await server.connect(knock + b"\r\n")
            await until(lambda: server.services.sockets, f"{user.name} watches")

            slow, may_end = server.services.host.command, asyncio.Event()

            async def wait(*arguments: Any) -> Any:
                await may_end.wait()
                return await slow(*arguments)

            object.__setattr__(host, "command", wait)
            sits = json.dumps({"id": "sit-on-a-seat", "command": {"do": "sit", "seat": 1}}).encode()
            path = f"/api/v1/tables/{hosted.id}/commands".encode()
            asked = await server.connect()
            answer = asyncio.create_task(
                asked.ask(
                    b"POST %b HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
                    % (path, headers, len(sits), sits)
                )
            )
            await until(lambda: any(one.doing is Doing.ASKING for one in server.services.open_connections), "asks")
            for attack in ATTACKS.values():
                for _ in range(20):
                    await server.connect(attack)
            await until(lambda: server.closed(Reason.FULL) >= 100, "strangers were closed")
            may_end.set()
            assert await answer == 200
            assert len(server.services.sockets) == 1
            assert not watcher.reader.at_eof()

    asyncio.run(run())


@pytest.mark.parametrize(
    "attack", ["nothing", "half a request line", "half the headers", "half a body", "half a handshake"]
)
def test_a_request_that_does_not_arrive_in_time_is_cut_off(sqlite: str, attack: str) -> None:
    async def run() -> None:
        async with served(sqlite, request_seconds=0.01) as server:
            stranger = await server.connect(ATTACKS[attack])
            assert await stranger.is_cut()
            assert server.closed(Reason.SLOW) == 1

    asyncio.run(run())


@pytest.mark.parametrize(("proxies", "closed"), [("127.0.0.1", 0), ("10.0.0.1", 8)])
def test_only_a_trusted_proxy_may_have_any_number_of_connections(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, proxies: str, closed: int
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)

    async def run() -> None:
        async with served(sqlite, connections_per_address=2) as server:
            for _ in range(10):
                await server.connect(b"GET")
            count = server.services.open_connections
            await until(lambda: len(count) + server.closed(Reason.ADDRESS) == 10, "all were accepted")
            assert server.closed(Reason.ADDRESS) == closed

    asyncio.run(run())


def test_half_a_body_occupies_nobody(sqlite: str) -> None:
    """What answers a request begins when the body came as a whole, or with more than is kept in memory."""
    pytest.importorskip("httptools")

    async def run() -> None:
        async with served(sqlite) as server:
            begun: list[int] = []

            async def count(scope: Any, receive: Any, send: Any) -> None:
                begun.append(1)
                await server.app(scope, receive, send)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(server.config, "loaded_app", count)
                stranger = await server.connect(ATTACKS["half a body"])
                large = await server.connect(
                    b"POST /api/v1/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n" + 200_000 * b" "
                )
                assert await large.ask(b"") == 413
                for _ in range(5):
                    stranger.writer.write(b" ")
                    await stranger.writer.drain()
                    assert await (await server.connect(HEALTH)).ask(b"") == 200
                assert len(begun) == 6
                assert await stranger.ask(994 * b" ") == 422  # it was read to its end, and it asks for nothing

    asyncio.run(run())


def test_headers_without_end_are_cut_off(sqlite: str) -> None:
    async def run() -> None:
        async with served(sqlite) as server:
            stranger = await server.connect(ATTACKS["half the headers"] + 200_000 * b"x")
            assert await stranger.is_cut()
            assert server.closed(Reason.LARGE) == 1

    asyncio.run(run())


def test_who_reads_nothing_is_cut_off(sqlite: str) -> None:
    async def run() -> None:
        async with served(sqlite, answer_seconds=0.01) as server:
            deaf = await server.connect(400 * b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await until(lambda: server.closed(Reason.UNREAD) == 1, "the connection is closed")
            assert await deaf.is_cut()

    asyncio.run(run())


def test_one_more_file_than_there_is_ends_nothing(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop neither dies nor goes round and round; a connection of little use is closed for the next one."""
    attempts: list[int] = []

    async def run() -> None:
        async with served(sqlite) as server:
            stranger = await server.connect(b"GET")
            await until(lambda: len(server.services.open_connections) == 1, "the stranger is there")
            loop = asyncio.get_running_loop()
            accept = loop.sock_accept

            async def no_file(listening: socket.socket) -> Any:
                attempts.append(1)
                if len(attempts) <= 3:
                    raise OSError(errno.EMFILE, "too many open files")
                return await accept(listening)

            monkeypatch.setattr(loop, "sock_accept", no_file)
            for _ in range(3):
                assert await (await server.connect()).ask() == 200
            assert await stranger.is_cut()
            assert 3 < len(attempts) <= 7
            assert server.closed(Reason.FILES) >= 1

    asyncio.run(run())


def test_metrics_count_connections(sqlite: str) -> None:
    async def run() -> None:
        async with served(sqlite, connections=12) as server:
            for _ in range(20):
                await server.connect(b"GET")
            await until(lambda: server.closed(Reason.FULL) == 8, "strangers were closed")
            metrics = server.services.metrics
            assert await (await server.connect()).ask(HEALTH.replace(b"healthz", b"metrics")) == 200
            shown = metrics.text(None).decode()
            assert 'holecard_connections{kind="http"} 12.0' in shown
            assert 'holecard_connections{kind="socket"} 0.0' in shown
            assert "holecard_connections_limit 12.0" in shown
            assert f"holecard_file_limit {accepting.file_limit() or 0}" in shown
            assert 'holecard_connections_closed_total{reason="too many"} 9.0' in shown

    asyncio.run(run())


# A real one


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_eleven_hundred_strangers_and_1024_files(tmp_path: Path, attack: str) -> None:
    """Everybody else is answered, on new connections and on old ones, from the same address."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < 2048:
        pytest.skip("this machine does not let one process have that many files")
    own = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(own[0], 2048), own[1]))

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, 1024))

    with (
        real_server(str(tmp_path / "holecard.db"), "--skip-returns", prepare=few_files) as (address, _),
        ExitStack() as end,
    ):
        at = ("127.0.0.1", int(address.rpartition(":")[2]))

        def connect(said: bytes) -> socket.socket:
            found = end.enter_context(socket.create_connection(at, timeout=patient(20)))
            with suppress(ConnectionError):
                found.sendall(said)
            return found

        strangers = [connect(ATTACKS[attack]) for _ in range(1100)]
        for _ in range(20):
            with urlopen(f"{address}/healthz", timeout=patient(20)) as answer:
                assert answer.status == 200
        with urlopen(f"{address}/metrics", timeout=patient(20)) as answer:
            shown = answer.read().decode()
        assert "holecard_file_limit 1024.0" in shown, "the soft limit was raised to the hard one"
        still_open = re.search(r'holecard_connections\{kind="http"\} (\d+)', shown)
        assert still_open is not None
        assert int(still_open[1]) <= 768 < len(strangers)
