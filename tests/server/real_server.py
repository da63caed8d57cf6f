"""A real server in a process of its own, as an operator starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.known_shoes import holecard_command
from tests.pages.programs import ROOT
from tests.patience import patient


@contextmanager
def real_server(
    database: str, *options: str, prepare: Callable[[], None] | None = None, **environment: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start `holecard serve` on a free port; yield its address and its process. `prepare` runs in it first."""
    command = [*holecard_command(), "serve", "--no-open", "--database", database, "--port", "0", *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        preexec_fn=prepare,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+:\d+", process.stdout.readline())
        assert found is not None
        yield found[0], process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(patient(10))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def hold_port(port: int = 0) -> socket.socket:
    """Keep a port for a server that starts later: bound, without listening, it is given to nobody else.

    By default any free port; or that of a server that has ended. The server allows addresses to be used again, as
    servers do, and therefore may listen there.
    """
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", port))
    return found
