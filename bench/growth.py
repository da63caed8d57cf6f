"""How reads grow with the log: one table with a thousand, ten thousand and a hundred thousand entries, by one player.

`python -m bench growth` plays the rounds in this process, through the host, and then asks a server for everything that
can be read of them. For each size it prints the time of every read, its CPU time in this process, and `loop`: the most
CPU time that the event loop spent on one piece of work, while nobody else was served. CPU times hardly depend on what
else the machine does. `python -m bench.growth 1000,10000` tries other sizes.
"""

from __future__ import annotations

import asyncio
import gc
import random
import resource
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from time import perf_counter, process_time, thread_time
from typing import Any, NamedTuple

import httpx2
from fastapi import FastAPI

import holecard
from holecard.server.audit.in_process import audit_in_process
from holecard.server.game.clock import default_move
from holecard.server.game.commands import DealNow, PlaceBet, PlaceWagers, Sit, TableCommand, TakeAction
from holecard.server.game.decide import Actor
from holecard.server.game.entries import Pace
from holecard.server.host.host import Host
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.services import Services
from holecard.table.events import Act
from holecard.table.legal import legal

SIZES = (1_000, 10_000, 100_000)
#: Seconds between two wake-ups of the task that notices how long others hold the event loop.
_WAKE = 0.001
#: How often a read is tried; the median counts.
_TRIES = 5
#: Requests for one shoe that come at once, as when the growth was found.
_AT_ONCE = 8


class Loop:
    """Notices for how long other work holds the event loop."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        """Wake up again and again."""
        while True:
            begun = thread_time()
            await asyncio.sleep(_WAKE)
            self.longest = max(self.longest, thread_time() - begun)


class LongTable:
    """A table with one player, whose log grows."""

    def __init__(self, host: Host, table: str, actor: Actor) -> None:
        self._host = host
        self._actor = actor
        self._rng = random.Random(1)
        self._commands = 0
        self.id = table

    async def play_until(self, entries: int) -> None:
        """Play rounds until the log is that long."""
        hosted = await self._host.table(self.id)
        while hosted.table.sequence < entries:
            await self.do(PlaceBet(seat=1, main=int(hosted.table.tables.main.low)))
            await self.do(DealNow())
            while hosted.table.state.phase != "done":
                state = hosted.table.state
                move = default_move(hosted.table)
                can_hit = any(choice.action == "hit" for choice in legal(state))
                if can_hit and self._rng.random() < 0.4:
                    await self.do(TakeAction(seat=1, action="hit"))
                elif isinstance(move, Act):
                    await self.do(TakeAction(seat=1, action=move.action))
                else:
                    await self.do(PlaceWagers(seat=1))

    async def do(self, command: TableCommand) -> None:
        """Carry out a command."""
        self._commands += 1
        await self._host.command(self.id, command, self._actor, f"command-{self._commands}")


@asynccontextmanager
async def _server(database: str) -> AsyncIterator[tuple[Services, httpx2.AsyncClient]]:
    """Yield the services of a server in this process, and a client who is signed in as a guest."""
    much: dict[str, Any] = {"messages_per_second": 10**6, "message_burst": 10**6, "starting_money": 10**11}
    app = create_app(ServerSettings(database=database, skip_returns=True, **much))
    transport = httpx2.ASGITransport(app)
    async with (
        _running(app),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=600) as client,
    ):
        (await client.post("/api/v1/guest")).raise_for_status()
        yield app.state.services, client


@asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:
    async with app.router.lifespan_context(app):
        yield


async def _opened(services: Services, client: httpx2.AsyncClient) -> LongTable:
    user = await services.accounts.sessions.user_of(client.cookies.get("holecard_session"))
    actor = Actor(user.id, user.name)
    found = await services.host.open(holecard.rules("classic"), "classic", Pace(bet=600, act=600), actor, "open-table")
    table = LongTable(services.host, found.table, actor)
    await table.do(Sit(seat=1))
    return table


async def _reads(client: httpx2.AsyncClient, table: str) -> dict[str, str]:
    """Return the path of everything that can be read of a table and its player."""
    shoes = (await client.get("/api/v1/history/shoes", params={"limit": 200})).json()
    ended = [shoe for shoe in shoes if shoe["ended"]]
    last, first = ended[0], ended[-1]
    at = f"/api/v1/tables/{table}"
    return {
        "a table": at,
        "the lobby": "/api/v1/tables",
        "last shoe that ended": f"{at}/shoes/{last['shoe']}",
        "an older shoe": f"{at}/shoes/{first['shoe']}",
        "a round": f"{at}/rounds/{last['last']}",
        "its replay": f"{at}/rounds/{last['last']}/replay",
        "history, 50 rounds": "/api/v1/history",
        "history, 200 rounds": "/api/v1/history?limit=200",
        "history of one sheet": f"/api/v1/history?sheet={'0' * 64}",
        "shoes, 1": "/api/v1/history/shoes?limit=1",
        "shoes, 200": "/api/v1/history/shoes?limit=200",
        "statistics": "/api/v1/history/statistics",
        "export, CSV": "/api/v1/history/export?format=csv",
        "export, TOML": "/api/v1/history/export?format=toml",
    }


class Cost(NamedTuple):
    """What a read takes, in milliseconds."""

    wall: float
    cpu: float
    loop: float
    """The most CPU time of one piece of work in the event loop."""


async def _measured(work: Callable[[], Awaitable[object]], tries: int = _TRIES) -> Cost:
    """Return the median times of some work."""
    loop, times = Loop(), []
    watching = asyncio.create_task(loop.watch())
    for _ in range(tries):
        await asyncio.sleep(2 * _WAKE)
        begun, cpu = perf_counter(), process_time()
        await work()
        times.append((perf_counter() - begun, process_time() - cpu))
    await asyncio.sleep(2 * _WAKE)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    wall, used = (sorted(column)[tries // 2] for column in zip(*times, strict=True))
    return Cost(1000 * wall, 1000 * used, 1000 * loop.longest)


async def _growth(sizes: tuple[int, ...], database: str) -> None:
    async with _server(database) as (services, client):
        table = await _opened(services, client)
        for size in sizes:
            begun = perf_counter()
            await table.play_until(size)
            rounds = (await services.host.table(table.id)).table.rounds
            print(f"\n{size:,} entries, {rounds:,} rounds, played in {perf_counter() - begun:.0f} s")
            print("read                         ms   CPU ms  loop ms")
            await _wait_for_expectations(client)
            for name, path in (await _reads(client, table.id)).items():
                _print(name, await _measured(lambda path=path: _get(services, client, path)))  # type: ignore[misc]
            path = "/api/v1/history/shoes?limit=1"
            _print(
                f"shoes, {_AT_ONCE} at once",
                await _measured(lambda path=path: asyncio.gather(*(client.get(path) for _ in range(_AT_ONCE)))),  # type: ignore[misc]
            )
            services.host._tables.clear()
            _print("a table is loaded", await _measured(lambda: services.host.table(table.id), tries=1))
            begun = perf_counter()
            assert (await audit_in_process(services.settings.database)).is_clean
            print(f"{'audit':22} {1000 * (perf_counter() - begun):8.1f}   in a process of its own")
            print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB", flush=True)


async def _wait_for_expectations(client: httpx2.AsyncClient) -> None:
    """Wait until statistics need nothing more that another process computes."""
    while not (await client.get("/api/v1/history/statistics")).json()["ready"]:
        await asyncio.sleep(0.5)


async def _get(services: Services, client: httpx2.AsyncClient, path: str) -> None:
    services.host._shoes._texts.clear()  # else a shoe would be made once
    async with client.stream("GET", path) as answer:
        answer.raise_for_status()
        async for _ in answer.aiter_raw():
            pass


def _print(name: str, cost: Cost) -> None:
    print(f"{name:22} {cost.wall:8.1f} {cost.cpu:8.1f} {cost.loop:8.1f}", flush=True)


def growth(sizes: tuple[int, ...] = SIZES) -> None:
    """Print the times of all reads for growing logs."""
    gc.freeze()  # as a server does when it has started
    gc.set_threshold(100_000, 20, 50)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_growth(sizes, f"{folder}/bench.db"))


if __name__ == "__main__":
    growth(tuple(map(int, sys.argv[1].split(","))))
