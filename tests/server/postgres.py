"""A real PostgreSQL for tests, in a temporary folder, started once per test process."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OPTIONS = "-c fsync=off -c full_page_writes=off -c max_connections=60"


def find_binaries() -> Path | None:
    """Return the folder of initdb and pg_ctl."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    return next((place for place in places if (place / "initdb").exists()), Path(found).parent if found else None)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Start a database server; yield the address of its databases, without a name at its end."""
    binaries = find_binaries()
    assert binaries is not None
    data, port = folder / "data", _free_port()
    folder.chmod(0o777)
    as_user = _drop_root()
    _run([*as_user, str(binaries / "initdb"), "-A", "trust", "-U", "holecard", "-D", str(data), "--no-sync"])
    options = f"{_OPTIONS} -p {port} -k {folder} -h 127.0.0.1"
    log = str(folder / "log")
    control = [*as_user, str(binaries / "pg_ctl"), "-D", str(data), "-l", log, "-w"]
    _run([*control, "-o", options, "start"])
    try:
        yield f"postgresql+asyncpg://holecard@127.0.0.1:{port}"
    finally:
        _run([*control, "-m", "immediate", "stop"])


def _drop_root() -> list[str]:
    """Return what runs a command as another user: PostgreSQL refuses to run as root."""
    if os.name != "posix" or os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
