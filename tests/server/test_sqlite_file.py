"""The file of a SQLite database: private, of one server, and never taken for a new one when it is lost."""

from __future__ import annotations

import asyncio
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from holecard.errors import Refusal
from holecard.server.settings import database_url
from holecard.server.store.backup import sqlite_file as existing_file
from holecard.server.store.database import connect
from holecard.server.store.migrate import open_database
from holecard.server.store.sqlite_file import one_server
from holecard.server.web.app import create_app
from tests.cli.shell import Shell, shell
from tests.server.test_lost_seeds import settings
from tests.server.test_web import Person

__all__ = ["shell"]


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_nobody_else_can_read_the_seeds(sqlite: str, tmp_path: Path) -> None:
    with TestClient(create_app(settings(sqlite))) as client:
        Person(client).open()
        found = modes(tmp_path)
    assert found == {f"holecard.db{end}": 0o600 for end in ("", "-wal", "-shm", ".head")}


def test_a_file_that_others_could_read_becomes_private(sqlite: str, tmp_path: Path) -> None:
    (tmp_path / "holecard.db").touch(0o644)
    with TestClient(create_app(settings(sqlite))):
        assert modes(tmp_path)["holecard.db"] == 0o600


def test_bets_are_refused_when_the_file_is_gone_until_it_is_back(sqlite: str, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    with TestClient(create_app(settings(sqlite))) as client:
        ann = Person(client)
        table = ann.open()
        ann.command(table, do="sit", seat=1)
        files = list(tmp_path.glob("holecard.db*"))
        for file in files:
            file.rename(away / file.name)
        refused = ann.command(table, do="bet", seat=1, main=1000)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert client.get("/readyz").status_code == 503
        assert client.post("/api/v1/guest").status_code == 503
        assert not list(tmp_path.glob("holecard.db*")), "an empty database was created"
        for file in files:
            (away / file.name).rename(file)
        assert client.get("/readyz").status_code == 200
        assert ann.command(table, do="bet", seat=1, main=1000).status_code == 200


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_server_on_a_full_disk_is_not_ready(sqlite: str, tmp_path: Path) -> None:
    with TestClient(create_app(settings(sqlite))) as client:
        ann = Person(client)
        table = ann.open()
        ann.command(table, do="sit", seat=1)
        with full_disk((tmp_path / "holecard.db-wal").stat().st_size):
            assert ann.command(table, do="bet", seat=1, main=1000).status_code == 503
            assert [client.get("/readyz").status_code for _ in range(3)] == [503, 503, 503]
        assert client.get("/readyz").status_code == 200
        assert ann.command(table, do="bet", seat=1, main=1000).status_code == 200


def test_a_second_server_on_one_file_is_refused(sqlite: str) -> None:
    with one_server(sqlite), pytest.raises(Refusal, match="another server uses"), one_server(sqlite):
        pass
    with one_server(sqlite):
        pass


@pytest.mark.parametrize(
    ("database", "says"),
    [
        ("missing/holecard.db", "there is no folder"),
        (".", "is a folder; name a file in it"),
        ("notes.txt", "file is not a database"),
        ("postgresql://ann:secret@127.0.0.1:1/x", r"cannot open the database postgresql\+asyncpg://ann:\*\*\*@127"),
        ("mysql://ann@host/x", "is not a database; name a file for SQLite"),
        ("what://", "is not a database; name a file for SQLite"),
    ],
)
def test_a_database_that_cannot_be_opened_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell, database: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("Hit sixteen against a ten, or surrender it. " * 20)
    with pytest.raises(Refusal, match=says):
        asyncio.run(open_database(database_url(database)))
    if "/" not in database:
        refused = shell("audit", "--database", database)
        assert refused.code == 2
        assert "Traceback" not in refused.err


_LONG = "x" * 300 + ".db"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            ("serve", "--no-open", "--database", "locked.db"),
            "the database locked.db cannot be opened: Is a directory; SQLite",
        ),
        (("close-tables", "--database", "locked.db"), "the database locked.db cannot be opened: Is a directory"),
        (("serve", "--no-open", "--database", _LONG), "cannot be opened: File name too long"),
        (("serve", "--no-open", "--games", _LONG), "cannot be read: File name too long"),
        (("audit", "--database", _LONG), "cannot be opened: File name too long"),
        (("operator", "ann", "--database", _LONG), "cannot be opened: File name too long"),
        (("operator", "ann", "--database", "notes.txt/x.db"), "there is no folder notes.txt"),
        (("backup", "notes.txt/copy.db", "--database", "locked.db"), "could not be copied to notes.txt/copy.db"),
        (("backup", _LONG, "--database", "locked.db"), "File name too long"),
    ],
)
def test_what_the_file_system_refuses_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell, command: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("Hit sixteen against a ten.")
    (tmp_path / "locked.db").touch()
    (tmp_path / "locked.db.lock").mkdir()
    refused = shell(*command)
    assert refused.code == 2
    assert says in refused.err
    assert "Traceback" not in refused.err
    assert refused.err.count("\n") == 1
    assert {file.name for file in tmp_path.iterdir()} == {"notes.txt", "locked.db", "locked.db.lock"}


def test_a_folder_without_permission_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may do everything, so the file system says no here as it does to others."""

    def no(*_arguments: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_dir", no)
    monkeypatch.setattr(Path, "is_file", no)
    address = f"sqlite+aiosqlite:///{tmp_path}/holecard.db"
    for use in (lambda: one_server(address).__enter__(), lambda: existing_file(address), lambda: connect(address)):
        with pytest.raises(Refusal, match=r"holecard\.db cannot be opened: Permission denied; SQLite keeps files next"):
            use()
