"""The table server under load: many tables, a bot at each, a fixed number of decisions per second and table.

Server and bots share this machine. A decision's latency is measured at the bot, from sending the command to its answer.
`python -m bench server` tries growing sizes on SQLite and PostgreSQL; `python -m bench.server 50,200 60` tries two of
them for a minute each, and `python -m bench.server 200 60 postgresql` one of them on PostgreSQL.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import uvloop

from bench.server_bots import PER_SECOND, play

SIZES = (1, 10, 50, 200, 400)
SECONDS = 60.0
DATABASES = ("sqlite", "postgresql")
#: How often the server's memory is read in a run.
_LOOKS = 4


@contextmanager
def new_database(kind: str) -> Iterator[str]:
    """Yield the address of a new database; both kinds write every commit to disk."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            yield f"{folder}/bench.db"
            return
        from tests.server.postgres import postgres

        with postgres(Path(folder), durable=True) as address:
            yield f"{address}/postgres"


@contextmanager
def running_server(database: str) -> Iterator[tuple[str, int]]:
    """Start a server; yield its address and process."""
    words = [sys.executable, "-m", "holecard", "serve", "--no-open", "--port", "0", "--skip-returns"]
    words += ["--guest-burst", "100000"]  # all bots have one address
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*words, "--database", database], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://"))
        yield address.rstrip("/"), process.pid
    finally:
        # Rounds that are still open need not end.
        process.send_signal(signal.SIGKILL)
        process.wait(40)


class Watch:
    """Reads the memory and the CPU time of the server while the bots play."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._pause = seconds / _LOOKS
        self._over = Event()
        self._thread = Thread(target=self._look, daemon=True)
        self._cpu = 0.0
        self.megabytes: list[float] = []

    def begin(self) -> None:
        """Begin to look."""
        self._cpu = cpu(self._pid)
        self.megabytes.append(memory(self._pid))
        self._thread.start()

    def end(self) -> float:
        """Stop looking; return the CPU seconds that the server has used."""
        self._over.set()
        self._thread.join()
        return cpu(self._pid) - self._cpu

    def _look(self) -> None:
        while not self._over.wait(self._pause):
            self.megabytes.append(memory(self._pid))


def memory(pid: int) -> float:
    """Return the megabytes that a process uses."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def server(sizes: tuple[int, ...] = SIZES, seconds: float = SECONDS, kinds: tuple[str, ...] = DATABASES) -> None:
    """Print latencies for growing numbers of tables."""
    print(f"table server: {PER_SECOND:g} decisions a second per table for {seconds:g} s, bots on the same machine")
    print("database    tables  decisions     /s  p50 ms  p99 ms  errors  rounds  server CPU  memory MB, over time")
    for kind in kinds:
        for tables in sizes:
            with new_database(kind) as database, running_server(database) as (address, pid):
                uvloop.run(play(address, 1, 2.0, lambda _: None))
                measure(kind, address, pid, tables, seconds)


def measure(kind: str, address: str, pid: int, tables: int, seconds: float) -> None:
    """Print one line: what the bots and the server saw with this many tables."""
    watch = Watch(pid, seconds)
    load = uvloop.run(play(address, tables, seconds, lambda _: watch.begin()))
    used, decisions = watch.end(), len(load.latencies)
    print(
        f"{kind:10}  {tables:6}  {decisions:9,}  {decisions / load.seconds:5.0f}  {1000 * load.at(0.5):6.1f}"
        f"  {1000 * load.at(0.99):6.1f}  {len(load.errors):6}  {load.rounds:6,}"
        f"  {1000 * used / max(decisions, 1):7.2f} ms  {' '.join(f'{found:.0f}' for found in watch.megabytes)}",
        flush=True,
    )
    for error in sorted(set(load.errors))[:5]:
        print(f"        {error}")


if __name__ == "__main__":
    server(tuple(map(int, sys.argv[1].split(","))), float(sys.argv[2]), tuple(sys.argv[3:]) or ("sqlite",))
