"""The table server under load: many tables, a bot at each, a fixed number of decisions per second and table.

Server and bots share this machine. A decision's latency is measured at the bot, from sending the command to its answer.
`python -m bench server` tries growing sizes, `python -m bench.server 50,200 60` two of them for a minute each.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

SIZES = (1, 10, 50, 200, 400)
SECONDS = 60.0
PER_SECOND = 5.0
GAMES = ("classic", "double-up", "quick-pay", "face-up", "upcard-luck-21", "match-up")


@dataclass
class Load:
    """What the bots saw."""

    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rounds: int = 0

    def at(self, share: float) -> float:
        """Return the latency below which this share of the decisions stayed, in seconds."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


@contextmanager
def running_server(database: str) -> Iterator[tuple[str, int]]:
    """Start a server; yield its address and process."""
    words = [
        sys.executable,
        "-m",
        "holecard",
        "serve",
        "--no-open",
        "--port",
        "0",
        "--database",
        database,
        "--skip-returns",
    ]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://"))
        yield address.rstrip("/"), process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(40)


class Bot:
    """Opens a table and plays it alone, at a steady pace."""

    def __init__(self, address: str, number: int, load: Load) -> None:
        self._address = address
        self._number = number
        self._load = load
        self._sent = 0
        self._view: dict[str, object] = {}

    async def play(self, until: float) -> None:
        """Play until a time."""
        import httpx2

        async with httpx2.AsyncClient(base_url=self._address) as http:
            for _ in range(50):
                try:
                    (await http.post("/api/v1/guest")).raise_for_status()
                    break
                except httpx2.HTTPError:
                    await asyncio.sleep(0.2)
            body = {"id": f"open-{self._number:08d}", "game": GAMES[self._number % len(GAMES)]}
            table = (await http.post("/api/v1/tables", json=body)).json()["id"]
            cookie = f"holecard_session={http.cookies['holecard_session']}"
        url = f"{self._address.replace('http', 'ws')}/api/v1/tables/{table}/socket"
        async with connect(url, additional_headers={"Cookie": cookie}, compression=None) as socket:
            await self._command(socket, {"do": "sit", "seat": 1}, count=False)
            await asyncio.sleep((self._number % 100) / 100 / PER_SECOND)
            while time.monotonic() < until:
                begun = time.monotonic()
                await self._command(socket, self._next())
                await asyncio.sleep(max(0.0, 1 / PER_SECOND - (time.monotonic() - begun)))

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
            return {"do": "place", "seat": 1}
        names = [choice["action"] for choice in choices]
        wanted = ("no insurance", "no surrender", "stand" if self._sent % 2 else "hit", "stand")
        return {"do": "act", "seat": 1, "action": next((name for name in wanted if name in names), names[0])}

    async def _command(self, socket: ClientConnection, command: dict[str, object], count: bool = True) -> None:
        self._sent += 1
        sent = f"bot-{self._number:05d}-{self._sent:06d}"
        begun = time.perf_counter()
        await socket.send(json.dumps({"type": "command", "id": sent, "command": command}))
        number = None
        seen = -1
        while number is None or seen < number:
            message = json.loads(await asyncio.wait_for(socket.recv(), 30))
            if message["type"] in ("entry", "snapshot"):
                self._view, seen = message["view"], message["number"]
            elif message["type"] == "done":
                number = message["number"]
                if count:
                    self._load.latencies.append(time.perf_counter() - begun)
            elif message["type"] == "refused":
                self._load.errors.append(message["message"])
                return


async def _run(address: str, tables: int, seconds: float) -> Load:
    load = Load()
    until = time.monotonic() + seconds
    found = await asyncio.gather(
        *(Bot(address, number, load).play(until) for number in range(tables)), return_exceptions=True
    )
    load.errors += [repr(error) for error in found if isinstance(error, BaseException)]
    return load


def memory(pid: int) -> float:
    """Return the megabytes that a process uses."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def server(sizes: tuple[int, ...] = SIZES, seconds: float = SECONDS, database: str | None = None) -> None:
    """Print latencies for growing numbers of tables."""
    print(f"table server: {PER_SECOND:g} decisions a second per table for {seconds:g} s, bots on the same machine")
    print("tables  decisions    /s   p50 ms   p99 ms  errors  rounds  server CPU ms/decision  memory MB")
    for tables in sizes:
        with (
            tempfile.TemporaryDirectory() as folder,
            running_server(database or f"{folder}/bench.db") as (address, pid),
        ):
            asyncio.run(_run(address, 1, 2.0))
            before, used = memory(pid), cpu(pid)
            begun = time.monotonic()
            load = asyncio.run(_run(address, tables, seconds))
            took = time.monotonic() - begun
            decisions = len(load.latencies)
            print(
                f"{tables:6}  {decisions:9,}  {decisions / took:5.0f}  {1000 * load.at(0.5):7.1f}"
                f"  {1000 * load.at(0.99):7.1f}  {len(load.errors):6}  {load.rounds:6,}"
                f"  {1000 * (cpu(pid) - used) / max(decisions, 1):22.2f}  {before:.0f} -> {memory(pid):.0f}"
            )
            for error in sorted(set(load.errors))[:5]:
                print(f"        {error}")


if __name__ == "__main__":
    server(tuple(map(int, sys.argv[1].split(","))), float(sys.argv[2]), *sys.argv[3:])
