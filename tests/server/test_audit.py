"""The audit names the first thing that was changed, whatever it is."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Boolean, Column, Integer, LargeBinary, Table, text
from sqlalchemy.ext.asyncio import AsyncConnection

import holecard
from holecard.server.audit import streams
from holecard.server.audit.audit import Audit, audit
from holecard.server.game.commands import CloseTable, DealNow, PlaceBet, Sit
from holecard.server.host.loader import sheet_hash
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.chain import FIRST_HASH, entry_hash
from holecard.server.store.database import connect
from holecard.server.store.one_moment import _MomentReader
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.routes import operation
from tests.cli.shell import Shell, shell
from tests.selection import one_in
from tests.server.test_host import Player, server

__all__ = ["shell"]


class Played(NamedTuple):
    """A database in which a few rounds were played."""

    file: Path
    closed: str
    """A table that was closed."""
    open: str
    """A table with a round that is not over."""
    user: str

    @property
    def url(self) -> str:
        return f"sqlite+aiosqlite:///{self.file}"

    def copy(self, folder: Path) -> Played:
        return self._replace(file=Path(shutil.copy(self.file, folder / "holecard.db")))


async def play(database: str) -> tuple[str, str, str]:
    """Play at two tables and sit at a third; return the closed one, the one with an open round, and the user."""
    rng = random.Random(5)
    async with server(database) as made:
        guest = await made.accounts.guest()
        player = Player(made.host, guest)
        closed = await player.open("classic")
        await player.do(closed, Sit(seat=1))
        for _ in range(2):
            await player.play_round(closed, rng)
        await player.do(closed, CloseTable())
        await player.do(await player.open("match-up"), Sit(seat=1))  # with money; the next table has its own chips
        opened = await player.open("quick-pay", **{"shoe.decks": 1, "shoe.procedure": "fresh each round"})
        await player.do(opened, Sit(seat=1))
        await player.play_round(opened, rng)
        while (await made.host.table(opened)).table.is_between_rounds:
            await player.do(opened, PlaceBet(seat=1, main=1000))
            await player.do(opened, DealNow())
        return closed, opened, guest.id


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A database that no test changes."""
    file = tmp_path_factory.mktemp("audit") / "holecard.db"
    found = asyncio.run(play(f"sqlite+aiosqlite:///{file}"))
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Played(file, *found)


async def audited(database: str, change: str = "", **values: object) -> Audit:
    """Change the database behind the server's back, and audit it."""
    engine = connect(database)
    async with engine.connect() as connection:
        await connection.execution_options(writes=True)
        async with connection.begin():
            assert not change or (await connection.execute(text(change), values)).rowcount
    found = await audit(StoreReader(engine))
    await engine.dispose()
    return found


def test_an_untouched_database_is_clean(database: str) -> None:
    asyncio.run(play(database))
    found = asyncio.run(audited(database))
    assert found.is_clean, found.problems
    assert found.shoes >= 2
    assert found.money == (asyncio.run(_balance(database)))
    assert "nothing is wrong" in str(found)


async def _balance(database: str) -> int:
    """Return what the player has; the stake on the open table is in its own chips."""
    engine = connect(database)
    balances = await StoreReader(engine).balances()
    await engine.dispose()
    return sum(amount for account, amount in balances.items() if account.startswith("player:"))


#: A change, and how the audit's first problem begins.
CHANGES: list[tuple[str, str, str]] = [
    (
        "where the server begins to fold",
        """UPDATE tables SET checkpoint = replace(checkpoint, 'false', 'true') WHERE 'table:' || id = :stream""",
        "table:{table}: row {table} of `tables`: `checkpoint` does not follow from the log",
    ),
    (
        "a card",
        """UPDATE log SET body = replace(body, '"cards":"', '"cards":"As ') WHERE stream = :stream AND sequence = 5""",
        "table:{table}, entry 5: its hash is not that of its content",
    ),
    (
        "a time",
        "UPDATE log SET at = at + 1 WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its hash is not that of its content",
    ),
    (
        "whose command it was",
        "UPDATE log SET actor = 'mallory' WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its hash is not that of its content",
    ),
    (
        "what a command asked for",
        "UPDATE log SET request = 'x' || substr(request, 2) WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its hash is not that of its content",
    ),
    (
        "an entry is gone",
        "DELETE FROM log WHERE stream = :stream AND sequence = 6",
        "table:{table}, entry 6: its number is 7, so an entry is missing",
    ),
    (
        "the last entry is gone",
        "DELETE FROM log WHERE stream = :stream AND sequence = (SELECT sequence FROM tables WHERE closed)",
        "table:{table}: the log ends at entry",
    ),
    (
        "a log is gone",
        "DELETE FROM log WHERE stream = :stream",
        "table:{table}: it has no log, and rows in `revealed_shoes`",
    ),
    (
        "the start of a shoe",
        """UPDATE shoe_starts SET start = replace(start, 'rounds', 'round') WHERE 'table:' || "table" = :stream""",
        "table:{table}: row ",
    ),
    (
        "an ended shoe that is not public",
        """DELETE FROM revealed_shoes WHERE 'table:' || "table" = :stream""",
        "table:{table}: row ",
    ),
    (
        "the rounds of a shoe",
        """UPDATE shoe_players SET last_round = last_round + 1 WHERE 'table:' || "table" = :stream""",
        "table:{table}: row {user}, {table}, ",
    ),
    (
        "what a round settled",
        """UPDATE round_players SET wagers = '[]' WHERE 'table:' || "table" = :stream""",
        "table:{table}: row {user}, {table}, 1 of `round_players`: `wagers` does not follow from the log",
    ),
    (
        "a transfer without a log",
        "INSERT INTO transfers VALUES ('table:zzz', 1, 0, 'win', 'house:zzz', :account, 100000, '')",
        "table:zzz: it has no log, and rows in `transfers`",
    ),
    (
        "the order of transfers",
        "UPDATE transfers SET place = place + 1 WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its transfers do not follow from it: they should be",
    ),
    (
        "a balance without a log",
        "INSERT INTO balances VALUES ('player:nobody', 0)",
        "balance of player:nobody: $0 is stored, and no log knows this account",
    ),
    (
        "an operator nobody appointed",
        "UPDATE users SET role = 'operator'",
        "account:{user}: its role is 'operator', and should be 'guest'",
    ),
    (
        "a ghost at the table",
        "INSERT INTO seats SELECT id, 5, opened_by FROM tables WHERE 'table:' || id = :stream",
        "table:{table}: row {table}, 5 of `seats`: the log knows nothing of it",
    ),
    (
        "a user without a log",
        "INSERT INTO users SELECT 'ghost', 'Ghost', 'ghost', NULL, 'guest', created_at, NULL FROM users",
        "account:ghost: it has no log, and a row in `users`",
    ),
    (
        "a seed of no shoe",
        "INSERT INTO shoe_seeds SELECT 'other', \"table\", seed FROM shoe_seeds WHERE 'table:' || \"table\" = :stream",
        "table:{table}: shoe other: a seed is stored, and the table has no such shoe",
    ),
    (
        "the stakes in a record",
        "UPDATE rounds SET record = replace(record, '$5', '$500') WHERE 'table:' || \"table\" = :stream AND number = 2",
        "table:{table}: row {table}, 2 of `rounds`: its record is not that of the round",
    ),
    (
        "what a player had after a round",
        "UPDATE rounds SET balances = replace(balances, ': ', ': 9')"
        " WHERE 'table:' || \"table\" = :stream AND number = 2",
        "table:{table}: row {table}, 2 of `rounds`: `balances` says $9",
    ),
    (
        "a comment in a record",
        "UPDATE rounds SET record = record || '# x' WHERE 'table:' || \"table\" = :stream AND number = 2",
        "table:{table}: row {table}, 2 of `rounds`: its record is not that of the round",
    ),
    (
        "a transfer's amount",
        "UPDATE transfers SET amount = amount + 1 WHERE stream = :stream AND sequence = 4 AND place = 0",
        "table:{table}, entry 4: its transfers do not follow from it: they should be",
    ),
    (
        "a transfer is gone",
        "DELETE FROM transfers WHERE stream = :stream AND sequence = 4",
        "table:{table}, entry 4: its transfers do not follow from it: they should be",
    ),
    (
        "a balance",
        "UPDATE balances SET amount = amount + 100 WHERE account = :account",
        "balance of player:{user}: ",
    ),
    (
        "a stake that wagers returned",
        "UPDATE returns SET staked = staked + 1 WHERE wager = 'main' AND game = 'classic'",
        "returns of classic, sheet {sheet}, wager main: 2 wagers, $10.01 staked",
    ),
    (
        "what players won with a wager",
        "UPDATE returns SET net = net - 1 WHERE wager = 'main' AND game = 'classic'",
        "returns of classic, sheet {sheet}, wager main: 2 wagers, $10 staked",
    ),
    (
        "the squares of stakes",
        "UPDATE returns SET squares = squares + 1 WHERE wager = 'main' AND game = 'classic'",
        "returns of classic, sheet {sheet}, wager main: 2 wagers, $10 staked",
    ),
    (
        "a wager's rounds",
        "UPDATE returns SET rounds = rounds + 1 WHERE wager = 'main' AND game = 'classic'",
        "returns of classic, sheet {sheet}, wager main: 3 wagers, $10 staked",
    ),
    (
        "a wager's returns are gone",
        "DELETE FROM returns WHERE wager = 'main' AND game = 'classic'",
        "returns of classic, sheet {sheet}, wager main: 0 wagers, $0 staked",
    ),
    (
        "returns of a wager that nobody made",
        "INSERT INTO returns SELECT game, sheet, 'Luck', 1, 500, 250000, 500, 500 FROM returns WHERE game = 'classic'",
        "returns of classic, sheet {sheet}, wager Luck: 1 wager, $5 staked",
    ),
    (
        "the sheet",
        "UPDATE sheets SET content = content || ' ' WHERE hash = (SELECT sheet FROM tables WHERE closed)",
        "table:{table}, entry 1: it does not follow from the entries before it: the stored sheet is not the one",
    ),
]


@pytest.mark.parametrize(
    ("change", "words"), one_in(3, [case[1:] for case in CHANGES]), ids=[case[0] for case in CHANGES]
)
def test_a_change_is_found_and_named(base: Played, tmp_path: Path, change: str, words: str) -> None:
    played, values = base.copy(tmp_path), {}
    if ":stream" in change:
        values["stream"] = f"table:{played.closed}"
    if ":account" in change:
        values["account"] = f"player:{played.user}"
    found = asyncio.run(audited(played.url, change, **values))
    assert not found.is_clean
    sheet = sheet_hash(holecard.rules("classic"))[:12]
    assert found.problems[0].startswith(words.format(table=played.closed, user=played.user, sheet=sheet)), (
        found.problems
    )


#: What follows from no log: passwords (but whether there is one), sessions, failed sign-ins, theories, computations.
UNCHECKED = {"users.password", "sessions", "sign_ins", "arrivals", "theories", "jobs", "drills"}


def changes(table: Table) -> Iterator[tuple[str, str]]:
    """Yield changes of the last row of a database table, each with a name: of every column, and of the row itself."""
    last = f"rowid = (SELECT max(rowid) FROM {table.name})"
    for column in table.columns:
        yield f"{table.name}.{column.name}", f"UPDATE {table.name} SET {_other(column)} WHERE {last}"
    yield f"{table.name}, last row", f"DELETE FROM {table.name} WHERE {last}"
    yield f"{table.name}, all rows", f"DELETE FROM {table.name}"


def _other(column: Column[object]) -> str:
    name = f'"{column.name}"'
    if isinstance(column.type, Boolean):
        return f"{name} = NOT {name}"
    if isinstance(column.type, Integer):
        return f"{name} = coalesce({name}, 0) + 1"
    return (
        f"{name} = randomblob(32)" if isinstance(column.type, LargeBinary) else f"{name} = coalesce({name}, '') || 'x'"
    )


@pytest.mark.slow
def test_no_column_can_be_changed_unseen(base: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every column of every table, in a transaction that is rolled back; a new column has to be checked, too."""
    monkeypatch.setattr(streams, "redeal", lru_cache(streams.redeal))  # equal shoes are dealt again once

    async def run() -> list[str]:
        engine, missed = connect(base.url), []
        async with engine.connect() as connection:
            await connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
            await connection.rollback()
            for table in schema.metadata.sorted_tables:
                for name, change in changes(table):
                    if table.name not in UNCHECKED and name not in UNCHECKED and await _is_unseen(connection, change):
                        missed.append(name)
            assert not await _is_unseen(connection, "UPDATE sheets SET content = content || 'x'")
            assert await _is_unseen(connection, "UPDATE sheets SET content = content")
        await engine.dispose()
        return missed

    assert asyncio.run(run()) == []


async def _is_unseen(connection: AsyncConnection, change: str) -> bool:
    await connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    assert (await connection.exec_driver_sql(change)).rowcount, change
    found = await audit(_MomentReader(connection.engine, connection))  # type: ignore[arg-type]
    await connection.rollback()
    return found.is_clean


# Logs that were forged together with everything that follows from them


def forge(file: Path, stream: str, sequence: int, old: str, new: str) -> None:
    """Change an entry, and compute the chain again from there."""
    with sqlite3.connect(file) as connection:
        connection.execute(
            "UPDATE log SET body = replace(body, ?, ?) WHERE stream = ? AND sequence = ?", (old, new, stream, sequence)
        )
        before = FIRST_HASH
        columns = "sequence, at, body, actor, command, request"
        rows = connection.execute(f"SELECT {columns} FROM log WHERE stream = ? ORDER BY sequence", (stream,))
        for number, at, body, *command in rows.fetchall():
            before = entry_hash(before, stream, number, at, body, tuple(command))
            connection.execute("UPDATE log SET hash = ? WHERE stream = ? AND sequence = ?", (before, stream, number))


def test_an_overdraft_is_found_where_everything_adds_up(base: Played, tmp_path: Path) -> None:
    """The account was given one cent too little, in its log, its transfer, and both balances."""
    played = base.copy(tmp_path)
    account = f"player:{played.user}"
    with sqlite3.connect(played.file) as connection:
        left = connection.execute("SELECT amount FROM balances WHERE account = ?", (account,)).fetchone()[0]
        given = 100_000 - left - 1
        assert given > 0
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE transfers SET amount = ? WHERE kind = 'grant' AND target = ?", (given, account))
        connection.execute("UPDATE balances SET amount = -1 WHERE account = ?", (account,))
        connection.execute("UPDATE rounds SET balances = NULL")
        connection.execute("UPDATE balances SET amount = amount + ? WHERE account = 'bank'", (left + 1,))
    forge(played.file, f"account:{played.user}", 1, '"cents":100000', f'"cents":{given}')
    found = asyncio.run(audited(played.url))
    assert found.problems == [f"balance of {account}: -$0.01 is an overdraft"]


def test_a_forged_log_has_another_end(base: Played, tmp_path: Path) -> None:
    """The chain of a log that was computed again is intact; only somebody who kept its end can tell."""
    played = base.copy(tmp_path)
    kept = asyncio.run(audited(played.url))
    forge(played.file, f"table:{played.closed}", 3, '"name":"', '"name":"Dr. ')
    found = asyncio.run(audited(played.url))
    assert found.is_clean, found.problems
    stream = f"table:{played.closed}"
    assert {one for one in kept.heads if kept.heads[one] != found.heads[one]} == {stream}
    assert found.head != kept.head
    assert kept.heads[stream].entries == found.heads[stream].entries


def test_the_end_of_every_log_is_printed(base: Played, shell: Shell) -> None:
    with sqlite3.connect(base.file) as connection:
        query = "SELECT stream, max(sequence), hash FROM log GROUP BY stream ORDER BY stream"
        ends = connection.execute(query).fetchall()
    head = hashlib.sha256("".join(f"{stream} {last}\n" for stream, _, last in ends).encode()).hexdigest()
    found = json.loads(shell("audit", "--json", "--database", str(base.file)).out)
    assert found["heads"] == {stream: {"entries": number, "hash": last} for stream, number, last in ends}
    assert (found["head"], found["clean"], found["problems"]) == (head, True, [])
    assert shell("audit", "--database", str(base.file)).out.startswith(f"Hash over the ends of all logs: {head}\n")


# What operators are shown, who may play themselves


def test_operators_are_not_shown_cards_of_a_round_that_is_not_over(base: Played, tmp_path: Path) -> None:
    """The deal of the open round was given one card more, with a right hash; and a transfer was changed."""
    played = base.copy(tmp_path)
    stream = f"table:{played.open}"
    with sqlite3.connect(played.file) as connection:
        dealt = connection.execute(
            "SELECT max(sequence) FROM log WHERE body LIKE '%\"no more bets\"%' AND stream = ?", (stream,)
        )
        number = dealt.fetchone()[0]
        connection.execute(
            "UPDATE transfers SET about = 'hole card Ks' WHERE stream = ? AND sequence = ?", (stream, number - 1)
        )
    forge(played.file, stream, number, '"cards":"', '"cards":"A? ')
    found = asyncio.run(audited(played.url))
    at_server, shown = "\n".join(found.problems), "\n".join(found.shown_problems)
    assert "A?" in at_server
    assert "hole card Ks" in at_server
    assert f"{stream}, entry {number}: it does not follow from the entries before it" in shown
    assert f"{stream}, entry {number - 1}: its transfers do not follow from it" in shown
    assert "A?" not in shown
    assert "hole card" not in shown  # an id of a table may hold "Ks" by chance
    assert len(found.problems) == len(found.shown_problems)


def test_the_page_shows_only_what_operators_may_know(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Audit(entries=3)
    found.say("table:x, entry 3: it does not follow", "the log deals Ks")

    async def audited_already(_database: str) -> Audit:
        return found

    monkeypatch.setattr(operation, "audit_in_process", audited_already)
    with TestClient(create_app(ServerSettings(database=sqlite, skip_returns=True))) as client:
        client.post("/api/v1/accounts", json={"name": "Ann", "password": "correct horse"})
        assert client.portal is not None
        client.portal.call(client.app.state.services.accounts.set_role, "Ann", "operator")  # type: ignore[attr-defined]
        answer = client.post("/api/v1/audit").json()
    assert answer == {"clean": False, "entries": 3, "problems": ["table:x, entry 3: it does not follow"]}
