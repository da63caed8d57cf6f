"""A real PostgreSQL for tests, in a temporary folder, started once per test process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.pages.programs import skip
from tests.patience import patient
from tests.server.real_server import hold_port

_CONNECTIONS = "-c max_connections=60"
_NOT_DURABLE = "-c fsync=off -c full_page_writes=off"


def find_binaries() -> Path:
    """Return the folder of initdb and pg_ctl."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if (place := next((place for place in places if (place / "initdb").exists()), None)) is not None:
        return place
    found = shutil.which("initdb")
    if found is None:
        skip("PostgreSQL is not installed: apt-get install postgresql")
    assert found is not None
    return Path(found).parent


class PostgresServer:
    """A database server in a folder; it can be stopped and started again."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        binaries = find_binaries()
        data = folder / "data"
        self._port = hold_port()  # as long as this exists, also while the server is stopped
        port = self._port.getsockname()[1]
        folder.chmod(0o777)
        as_user = _drop_root()
        _run([*as_user, str(binaries / "initdb"), "-A", "trust", "-U", "holecard", "-D", str(data), "--no-sync"])
        self._options = f"{_CONNECTIONS} {'' if durable else _NOT_DURABLE} -p {port} -k {folder} -h 127.0.0.1"
        self._control = [*as_user, str(binaries / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-w"]
        self._control += ["-t", str(round(patient(60)))]
        self.address = f"postgresql+asyncpg://holecard@127.0.0.1:{port}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        _run([*self._control, "-o", self._options, "start"])

    def stop(self) -> None:
        """Stop the server as a crash would."""
        _run([*self._control, "-m", "immediate", "stop"])

    def close(self) -> None:
        """Give the port back, after the last stop."""
        self._port.close()


@contextmanager
def postgres(folder: Path, *, durable: bool = False) -> Iterator[str]:
    """Start a database server; yield the address of its databases, without a name at its end."""
    server = PostgresServer(folder, durable=durable)
    server.start()
    try:
        yield server.address
    finally:
        server.stop()
        server.close()


def _drop_root() -> list[str]:
    """Return what runs a command as another user: PostgreSQL refuses to run as root."""
    if os.name != "posix" or os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
