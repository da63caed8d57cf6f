"""A log that lost its end, or an old copy in its place, is a perfect log: the head next to it, and clients, notice."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs

from holecard.server.audit.in_process import audit_here
from holecard.server.game.commands import PlaceBet, Sit
from holecard.server.settings import ServerSettings
from holecard.server.store import head_file
from holecard.server.store.head_file import Head, HeadKeeper, read_head
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from tests.cli.shell import Shell, shell
from tests.patience import until
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player
from tests.server.test_web import Person

__all__ = ["shell"]


def settings(database: str) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True)


def file_of(sqlite: str) -> Path:
    return Path(sqlite.partition("///")[2])


async def play(made: Services, bets: int) -> str:
    """Open a table, sit down and change the bet a few times; return the table."""
    player = Player(made.host, await made.accounts.guest())
    table = await player.open("classic")
    await player.do(table, Sit(seat=1))
    for number in range(bets):
        await player.do(table, PlaceBet(seat=1, main=1000 + 100 * number))
    return table


def serve(sqlite: str, bets: int = 0) -> tuple[int, list[str]]:
    """Run a server for a while; return how many entries it misses, and what it logged."""

    async def run() -> int:
        async with services(settings(sqlite), FakeClock()) as made:
            if bets:
                await play(made, bets)
            return made.head.lost

    with capture_logs() as logs:
        lost = asyncio.run(run())
    return lost, [log["event"] for log in logs if log["log_level"] in ("warning", "error")]


def audit(sqlite: str) -> list[str]:
    return asyncio.run(audit_here(sqlite)).problems


def keep_copy(sqlite: str) -> Path:
    """Copy the database as it is; the server does not run."""
    return Path(shutil.copy(file_of(sqlite), file_of(sqlite).with_name("copy.db")))


def test_an_old_copy_is_noticed_until_the_operator_accepts_it(sqlite: str, shell: Shell) -> None:
    """Table, commitment, seat and three bets are six entries more than in the copy, and the guest's account is one."""
    file = file_of(sqlite)
    serve(sqlite, bets=2)
    copy = keep_copy(sqlite)
    assert (serve(sqlite, bets=3), audit(sqlite)) == ((0, []), [])
    shutil.copy(copy, file)
    words = "the log went back: at least 7 entries that had been stored and acknowledged cannot be found"
    assert audit(sqlite)[0].startswith(words)
    for _ in range(2):
        assert serve(sqlite) == (7, ["the log went back"])
    assert serve(sqlite, bets=9)[0] == 7, "more than the copy lacks was played since"
    shown = shell("audit", "--database", str(file))
    assert shown.code == 1
    assert words in shown.out
    head_file.head_file(sqlite).unlink()  # type: ignore[union-attr]
    assert (audit(sqlite), serve(sqlite)) == ([], (0, []))


def test_a_log_of_the_same_length_with_another_end_is_noticed(sqlite: str) -> None:
    serve(sqlite, bets=2)
    copy = keep_copy(sqlite)
    serve(sqlite, bets=3)
    old_head = head_file.head_file(sqlite)
    assert old_head is not None
    kept = old_head.read_bytes()
    shutil.copy(copy, file_of(sqlite))
    old_head.unlink()
    serve(sqlite, bets=3)
    old_head.write_bytes(kept)
    assert audit(sqlite)[0].startswith("the log went back: at least 1 entry that")


def test_an_old_copy_whose_tables_are_closed_is_noticed_after_a_quiet_start(sqlite: str, shell: Shell) -> None:
    """To close the tables adds more entries than the copy lacks; the server that started last has stored none."""
    serve(sqlite, bets=1)
    serve(sqlite, bets=1)
    copy = keep_copy(sqlite)
    serve(sqlite, bets=1)
    head = head_file.head_file(sqlite)
    assert head is not None
    known = read_head(head)
    for _ in range(2):
        assert serve(sqlite) == (0, [])
    assert read_head(head) == known
    shutil.copy(copy, file_of(sqlite))
    assert shell("close-tables", "--database", str(file_of(sqlite))).code == 0
    with closing(sqlite3.connect(file_of(sqlite))) as other:
        (count,) = other.execute("SELECT count(*) FROM log").fetchone()
    assert known is not None
    assert count > known.entries
    words = "the log went back: at least 1 entry that"
    assert audit(sqlite)[0].startswith(words)
    assert serve(sqlite) == (1, ["the log went back"])


def test_a_write_ahead_log_that_is_cut_is_noticed(sqlite: str, tmp_path: Path) -> None:
    """As after a disk that lied: the file is intact, the head is on disk, and the last commits are not."""

    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            await play(made, 2)
            whole = await made.reader.count_entries()
            before = (tmp_path / "holecard.db-wal").stat().st_size
            await play(made, 5)
            found = head_file.head_file(sqlite)
            assert found is not None
            newest = await made.reader.count_entries()
            await until(lambda: (read_head(found) or Head()).entries == newest, "the head is on disk")
            lost = tmp_path / "lost"
            lost.mkdir()
            for name in ("holecard.db", "holecard.db-wal", "holecard.db.head"):
                shutil.copy(tmp_path / name, lost / name)
            os.truncate(lost / "holecard.db-wal", before)
        copy = f"sqlite+aiosqlite:///{lost}/holecard.db"
        async with services(settings(copy), FakeClock()) as made:
            assert made.head.lost == newest - await made.reader.count_entries() == newest - whole

    asyncio.run(run())


def test_the_head_is_never_ahead_of_the_database(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every head that is written names an entry that another connection can read by then."""
    write, seen = head_file._write, list[int]()

    def checked(file: Path, number: int, head: Head, is_first: bool) -> None:
        with closing(sqlite3.connect(file_of(sqlite))) as other:
            (count,) = other.execute("SELECT count(*) FROM log").fetchone()
            newest = "SELECT hash FROM log WHERE stream = ? AND sequence = ?"
            assert head.entries <= count
            if head.sequence:
                assert other.execute(newest, (head.stream, head.sequence)).fetchone() == (head.hash,)
        seen.append(head.entries)
        write(file, number, head, is_first)

    monkeypatch.setattr(head_file, "_PAUSE", 0)
    monkeypatch.setattr(head_file, "_write", checked)
    assert serve(sqlite, bets=20) == (0, [])
    assert seen == sorted(seen)
    assert seen[-1] == 24
    assert serve(sqlite, bets=1) == (0, [])
    assert (read_head(Path(f"{file_of(sqlite)}.head")) or Head()).entries == seen[-1] == 29


def test_a_head_that_cannot_be_written_stops_nobody(sqlite: str) -> None:
    Path(f"{file_of(sqlite)}.head").mkdir()
    assert serve(sqlite, bets=3) == (0, ["the head of the logs cannot be written"])


@pytest.mark.parametrize(
    ("damage", "left"),
    [(lambda text: b"x" * 40 + text[40:], 3), (lambda text: text[:600], 4), (lambda _text: b"", None)],
    ids=["the newest is damaged", "the other one is damaged", "both are gone"],
)
def test_one_of_the_two_places_is_enough(tmp_path: Path, damage: Callable[[bytes], bytes], left: int | None) -> None:
    """A write that was interrupted damages the place that was written, never the one before."""
    file = tmp_path / "head"
    assert read_head(file) is None
    heads = [Head(number, "table:a", number, "0" * 64) for number in range(1, 5)]
    for number, head in enumerate(heads, start=1):
        head_file._write(file, number, head, is_first=number == 1)
        assert read_head(file) == head
    assert file.stat().st_size == 1024
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(damage(file.read_bytes()))
    assert read_head(file) == (None if left is None else heads[left - 1])


def test_postgresql_has_no_head() -> None:
    keeper = HeadKeeper("postgresql+asyncpg://ann@localhost/x")
    assert keeper._file is None


def test_players_and_operators_hear_of_it(sqlite: str) -> None:
    serve(sqlite, bets=2)
    copy = keep_copy(sqlite)
    serve(sqlite, bets=3)
    shutil.copy(copy, file_of(sqlite))
    with TestClient(create_app(settings(sqlite))) as client:
        ann = Person(client)
        words = (
            "The server has lost the newest part of its logs, at least 7 entries: rounds, bets and money of the last"
        )
        assert ann.get("/api/v1/me").json()["notice"].startswith(words)
        with ann.socket(ann.open()) as socket:
            assert socket.next()["you"]["notice"].startswith(words)
        assert "holecard_log_went_back 7.0" in client.get("/metrics").text


def test_a_client_that_has_seen_more_than_the_log_has_hears_it(sqlite: str) -> None:
    """A client can lie, so the table goes on, and many of them make one line in the logs."""
    with TestClient(create_app(settings(sqlite))) as client:
        ann = Person(client)
        assert ann.get("/api/v1/me").json()["notice"] is None
        table = ann.open()
        with capture_logs() as logs:
            for after, is_beyond in ((1, None), (2, None), (3, True), (10**9, True)):
                with ann.socket(table, after) as socket:
                    said = [message for message in socket.until("balance") if message["type"] == "snapshot"]
                    assert [message["went_back"] for message in said] == ([True] if is_beyond else [])
        told = [log for log in logs if log["event"] == "a client has seen more than the log has"]
        assert [(log["seen"], log["entries"], log["log_level"]) for log in told] == [(3, 2, "warning")]
        assert "holecard_clients_ahead_total 2.0" in client.get("/metrics").text
        with ann.socket(table) as socket:
            assert socket.until("snapshot")[-1]["went_back"] is False
