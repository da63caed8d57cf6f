"""The table server under load: many tables, a bot at each, on average a fixed number of decisions per second and table.

Server and bots share this machine. A decision's latency is measured at the bot, from sending the command to its answer.
`python -m bench server` tries growing sizes on SQLite and PostgreSQL; `python -m bench.server --help` says how to try
others, two processes behind a proxy, and decisions that are spread evenly instead of coming at random.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import get_args

import uvloop

from bench.server_bots import PER_SECOND, Arrivals, play
from holecard.errors import plural

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


@contextmanager
def running_servers(database: str, processes: int) -> Iterator[tuple[str, list[int]]]:
    """Start server processes on one database; yield the address of the only one or of a proxy, and the processes."""
    with ExitStack() as stack:
        found = [stack.enter_context(running_server(database)) for _ in range(processes)]
        addresses, pids = [address for address, _ in found], [pid for _, pid in found]
        yield addresses[0] if processes == 1 else stack.enter_context(proxy(addresses)), pids


#: nginx gives each connection to the server with the fewest, as docs/server.md configures it for one.
_NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream servers {{ least_conn; {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://servers;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection "upgrade";
        }}
    }}
}}
"""


@contextmanager
def proxy(addresses: list[str]) -> Iterator[str]:
    """Put nginx in front of servers; yield its address."""
    nginx = shutil.which("nginx")
    if nginx is None:
        raise SystemExit("several server processes need a proxy in front of them: install nginx")
    servers = " ".join(f"server 127.0.0.1:{address.rpartition(':')[2]};" for address in addresses)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "nginx.conf")
        file.write_text(_NGINX.format(folder=folder, servers=servers, port=port), encoding="utf-8")
        process = subprocess.Popen([nginx, "-c", str(file), "-e", f"{folder}/log"], stderr=subprocess.DEVNULL)
        try:
            _wait_until_open(port)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait(40)


def _wait_until_open(port: int) -> None:
    for _ in range(100):
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("nginx does not start")


class Watch:
    """Reads the memory and the CPU time of the servers while the bots play."""

    def __init__(self, pids: list[int], seconds: float) -> None:
        self._pids = pids
        self._pause = seconds / _LOOKS
        self._over = Event()
        self._thread = Thread(target=self._look, daemon=True)
        self._cpu = 0.0
        self.megabytes: list[float] = []

    def begin(self) -> None:
        """Begin to look."""
        self._cpu = sum(map(cpu, self._pids))
        self.megabytes.append(sum(map(memory, self._pids)))
        self._thread.start()

    def end(self) -> float:
        """Stop looking; return the CPU seconds that the servers have used."""
        self._over.set()
        self._thread.join()
        return sum(map(cpu, self._pids)) - self._cpu

    def _look(self) -> None:
        while not self._over.wait(self._pause):
            self.megabytes.append(sum(map(memory, self._pids)))


def memory(pid: int) -> float:
    """Return the megabytes that a process uses."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def server(
    sizes: Sequence[int] = SIZES,
    seconds: float = SECONDS,
    kinds: Sequence[str] = DATABASES,
    arrivals: Arrivals = "random",
    processes: int = 1,
) -> None:
    """Print latencies for growing numbers of tables."""
    print(
        f"table server: {PER_SECOND:g} decisions a second per table on average for {seconds:g} s, {arrivals} arrivals,"
        f" {plural(processes, 'server')}, bots on the same machine"
    )
    print(
        "database    tables  decisions     /s  p50 ms  p90 ms  p99 ms  max ms  errors  rounds  server CPU"
        "  bots CPU  memory MB, over time"
    )
    for kind in kinds:
        for tables in sizes:
            with new_database(kind) as database, running_servers(database, processes) as (address, pids):
                uvloop.run(play(address, 2, 2.0, lambda _: None))
                measure(kind, address, pids, tables, seconds, arrivals)


def measure(kind: str, address: str, pids: list[int], tables: int, seconds: float, arrivals: Arrivals) -> None:
    """Print one line: what the bots and the servers saw with this many tables."""
    watch = Watch(pids, seconds)
    own = time.process_time()
    load = uvloop.run(play(address, tables, seconds, lambda _: watch.begin(), arrivals))
    used, decisions = watch.end(), len(load.latencies)
    own = time.process_time() - own
    print(
        f"{kind:10}  {tables:6}  {decisions:9,}  {decisions / load.seconds:5.0f}  {1000 * load.at(0.5):6.1f}"
        f"  {1000 * load.at(0.9):6.1f}  {1000 * load.at(0.99):6.1f}  {1000 * load.at(1):6.0f}  {len(load.errors):6}"
        f"  {load.rounds:6,}  {1000 * used / max(decisions, 1):7.2f} ms  {1000 * own / max(decisions, 1):5.2f} ms"
        f"  {' '.join(f'{found:.0f}' for found in watch.megabytes)}",
        flush=True,
    )
    for error in sorted(set(load.errors))[:5]:
        print(f"        {error}")


def main(words: list[str] | None = None) -> None:
    """Measure what the options ask for."""
    parser = argparse.ArgumentParser(prog="python -m bench.server", description="Measure the table server under load.")
    parser.add_argument("--tables", type=int, nargs="+", default=SIZES, help="how many tables; several: one by one")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the bots play")
    parser.add_argument("--database", choices=DATABASES, nargs="+", default=DATABASES)
    parser.add_argument("--arrivals", choices=get_args(Arrivals), default="random", help="when bots decide")
    parser.add_argument("--processes", type=int, default=1, help="servers on one PostgreSQL, behind nginx")
    found = parser.parse_args(words)
    kinds = ("postgresql",) if found.processes > 1 else found.database
    server(found.tables, found.seconds, kinds, found.arrivals, found.processes)


if __name__ == "__main__":
    main()
