"""A real server in a process of its own, as an operator starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def real_server(database: str, *options: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start `holecard serve` on a free port; yield its address and its process."""
    command = [sys.executable, "-m", "holecard", "serve", "--no-open", "--database", database, "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+:\d+", process.stdout.readline())
        assert found is not None
        yield found[0], process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
