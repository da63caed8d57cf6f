"""Bots for the table server: each opens a table and plays it alone, at random moments or at a steady pace."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Literal, TypeAlias

import httpx2
from websockets.asyncio.client import ClientConnection, connect

PER_SECOND = 5.0
#: When bots decide: at moments that know nothing of each other (a Poisson process), or spread evenly.
Arrivals: TypeAlias = Literal["random", "even"]
GAMES = ("classic", "double-up", "quick-pay", "face-up", "upcard-luck-21", "match-up")
#: How many bots sign in and open their tables at the same time.
_AT_ONCE = 10
#: Guests of one address are limited; a bot that is refused tries again after some seconds.
_TOO_MANY, _PAUSE = 429, 0.5
#: Seconds that a bot waits for an answer.
_PATIENCE = 30


@dataclass
class Load:
    """What the bots saw, from the moment at which all of them sat at their tables."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rounds: int = 0
    answered: dict[str, int] = field(default_factory=dict)
    """The number of the last command that was answered, by table."""

    def at(self, share: float) -> float:
        """Return the latency below which this share of the decisions stayed, in seconds."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


async def play(
    address: str, tables: int, seconds: float, begin: Callable[[Load], None], arrivals: Arrivals = "random"
) -> Load:
    """Open tables, call `begin` with what the bots will see, and play for some seconds; return it."""
    load, doors = Load(), asyncio.Semaphore(_AT_ONCE)
    bots = [Bot(address, number, load) for number in range(tables)]
    await asyncio.gather(*(bot.sit(doors) for bot in bots))
    begin(load)
    begun = time.monotonic()
    works = (bot.play(begun, seconds, _moments(arrivals, bot.number / tables)) for bot in bots)
    found = await asyncio.gather(*works, return_exceptions=True)
    load.seconds = time.monotonic() - begun
    load.errors += [repr(error) for error in found if isinstance(error, BaseException)]
    await asyncio.gather(*(bot.leave() for bot in bots), return_exceptions=True)
    return load


def _moments(arrivals: Arrivals, place: float) -> Iterator[float]:
    """Yield when a bot decides, in seconds; `place` says where the bot is among all bots, from 0 to 1."""
    if arrivals == "even":
        yield from ((number + place) / PER_SECOND for number in count())
    chance, at = random.Random(place), 0.0
    while True:
        at += chance.expovariate(PER_SECOND)
        yield at


class Bot:
    """A player at a table of its own."""

    def __init__(self, address: str, number: int, load: Load) -> None:
        self._address = address
        self.number = number
        self._load = load
        self._sent = 0
        self._view: dict[str, object] = {}
        self._seen = -1
        self._socket: ClientConnection | None = None

    async def sit(self, doors: asyncio.Semaphore) -> None:
        """Sign in, open a table and sit down."""
        async with doors:
            async with httpx2.AsyncClient(base_url=self._address, timeout=60) as http:
                while (await http.post("/api/v1/guest")).status_code == _TOO_MANY:
                    await asyncio.sleep(_PAUSE)  # all bots have one address
                body = {"id": f"open-{self.number:08d}", "game": GAMES[self.number % len(GAMES)]}
                table = (await http.post("/api/v1/tables", json=body)).raise_for_status().json()["id"]
                cookie = f"holecard_session={http.cookies['holecard_session']}"
            url = f"{self._address.replace('http', 'ws')}/api/v1/tables/{table}/socket"
            self._socket = await connect(url, additional_headers={"Cookie": cookie}, compression=None)
            await self._command({"do": "sit", "seat": 1})

    async def play(self, begun: float, seconds: float, moments: Iterator[float]) -> None:
        """Decide at some moments until the end, and measure each decision from sending it to its answer.

        Bots that paused after each answer would fall into step after the first slow one. A decision whose moment comes
        before the last answer is made as soon as that answer is here.
        """
        for at in takewhile(lambda at: at < seconds, moments):
            await asyncio.sleep(begun + at - time.monotonic())
            self._load.latencies.append(await self._command(self._next()))

    async def leave(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            await self._socket.close()

    def _next(self) -> dict[str, object]:
        view = self._view
        seats = view.get("seats")
        assert isinstance(seats, list)
        if view["phase"] == "done" or (view["phase"] == "betting" and not seats[0]["hands"]):
            self._load.rounds += 1
            return {"do": "bet", "seat": 1, "main": 1000}
        if view["phase"] == "betting":
            return {"do": "deal"}
        choices = view["choices"]
        assert isinstance(choices, list)
        if not choices:
            return {"do": "place", "seat": 1, "seen": self._seen}
        names = [choice["action"] for choice in choices]
        wanted = ("no insurance", "no surrender", "stand" if self._sent % 2 else "hit", "stand")
        action = next((name for name in wanted if name in names), names[0])
        return {"do": "act", "seat": 1, "action": action, "seen": self._seen}

    async def _command(self, command: dict[str, object]) -> float:
        """Send a command; return the seconds until its answer, when the table's new view is here too."""
        assert self._socket is not None
        self._sent += 1
        sent = f"bot-{self.number:05d}-{self._sent:06d}"
        begun, answered = time.perf_counter(), 0.0
        await self._socket.send(json.dumps({"type": "command", "id": sent, "command": command}))
        number = None
        async with asyncio.timeout(_PATIENCE):
            while number is None or self._seen < number:
                message = json.loads(await self._socket.recv())
                if message["type"] in ("entry", "snapshot"):
                    self._view, self._seen = message["view"], message["number"]
                elif message["type"] == "done":
                    number, answered = message["number"], time.perf_counter()
                    self._load.answered[message["table"]] = number
                elif message["type"] == "refused":
                    self._load.errors.append(message["message"])
                    return time.perf_counter() - begun
        return answered - begun
