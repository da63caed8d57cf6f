"""Backup and restore: a copy made while rounds are played is complete, and its open rounds continue."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from holecard.errors import Refusal
from holecard.server.audit.audit import Audit, audit
from holecard.server.game.commands import DealNow, PlaceBet, Sit
from holecard.server.game.frames import snapshot
from holecard.server.host.close_tables import close_tables
from holecard.server.host.server_clock import wall_clock
from holecard.server.money.transfers import player_account
from holecard.server.store.backup import back_up
from holecard.server.store.database import connect
from holecard.server.store.one_moment import one_moment
from holecard.server.store.read import StoreReader
from holecard.table.records.record import read_record
from tests.cli.shell import Shell, shell
from tests.patience import patient
from tests.server.conftest import new_database
from tests.server.driven_table import random_decision
from tests.server.postgres import find_binaries
from tests.server.test_host import Player, clean, server

__all__ = ["shell"]


async def open_round(player: Player) -> str:
    """Open a table and play until a round waits for a decision; return the table."""
    rng = random.Random(3)
    table = await player.open("classic")
    await player.do(table, Sit(seat=1))
    hosted = await player.host.table(table)
    while True:
        await player.do(table, PlaceBet(seat=1, main=1000))
        await player.do(table, DealNow())
        if hosted.table.state.phase == "acting":
            return table
        while hosted.table.state.phase != "done":
            await player.do(table, random_decision(hosted.table, rng))


async def copied_in_play(database: str, copy: Callable[[int], None], copies: int) -> tuple[str, str, object]:
    """Copy a database while rounds are played at other tables; return user, table and view of an open round."""
    async with server(database) as made:
        waiting = Player(made.host, await made.accounts.guest())
        table = await open_round(waiting)
        busy = [Player(made.host, await made.accounts.guest()) for _ in range(3)]
        playing, rounds = True, 0

        async def play(player: Player, seed: int) -> None:
            nonlocal rounds
            rng = random.Random(seed)
            own = await player.open("classic")
            await player.do(own, Sit(seat=1))
            while playing:
                await player.play_round(own, rng)
                rounds += 1

        tasks = [asyncio.create_task(play(player, seed)) for seed, player in enumerate(busy)]
        for number in range(copies):
            enough = rounds + 3
            async with asyncio.timeout(patient(20)):
                while rounds < enough and not any(task.done() for task in tasks):
                    await asyncio.sleep(0.001)
            assert not any(task.done() for task in tasks)
            await asyncio.to_thread(copy, number)
        playing = False
        await asyncio.gather(*tasks)
        hosted = await made.host.table(table)
        return waiting.user.id, table, snapshot(hosted.table, (1,))


async def continues(database: str, user: str, table: str, before: object) -> None:
    """The copy is clean, and its open round is as it was and can be played to its end."""
    async with server(database) as made:
        await clean(made)
        hosted = await made.host.table(table)
        assert snapshot(hosted.table, (1,)) == before
        row = next(row for row in await made.reader.open_tables() if row["id"] == table)
        assert row["opened_by"] == user
        player = Player(made.host, (await made.accounts.guest())._replace(id=user))
        player.number = 1_000
        rng = random.Random(4)
        while hosted.table.state.phase != "done":
            await player.do(table, random_decision(hosted.table, rng))
        await player.play_round(table, rng)
        await clean(made)


def test_a_sqlite_copy_made_in_play_is_complete_and_continues(sqlite: str, tmp_path: Path) -> None:
    files = [tmp_path / f"copy{number}.db" for number in range(3)]

    def copy(number: int) -> None:
        assert back_up(sqlite, files[number]) > 10_000

    found = asyncio.run(copied_in_play(sqlite, copy, len(files)))
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600
        asyncio.run(continues(f"sqlite+aiosqlite:///{file}", *found))
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


@pytest.mark.slow
def test_a_postgresql_dump_made_in_play_is_complete_and_continues(postgres_address: str, tmp_path: Path) -> None:
    binaries = find_binaries()
    database, file = new_database(postgres_address), tmp_path / "holecard.dump"

    def tool(name: str, *words: str) -> None:
        done = subprocess.run([str(binaries / name), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def dump(_number: int) -> None:
        tool("pg_dump", "--format=custom", f"--file={file}", f"--dbname={plain(database)}")

    found = asyncio.run(copied_in_play(database, dump, 1))
    restored = new_database(postgres_address)
    tool("pg_restore", f"--dbname={plain(restored)}", str(file))
    asyncio.run(continues(restored, *found))


def plain(database: str) -> str:
    return database.replace("+asyncpg", "")


def test_after_a_restore_the_tables_can_be_closed_and_every_stake_returned(sqlite: str, tmp_path: Path) -> None:
    """From the restored seed, an open shoe would deal cards that players have seen."""
    file = tmp_path / "copy.db"

    async def play() -> tuple[str, str, str, int]:
        async with server(sqlite) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await open_round(player)
            betting = await player.open("classic")
            await player.do(betting, Sit(seat=1))
            await player.do(betting, PlaceBet(seat=1, main=2000))
            other = Player(made.host, await made.accounts.guest())
            voided = await other.lose_early()
            rounds = await made.reader.rounds_of(other.user.id, None, None)
            won = sum(int(result.net) for row in rounds for result in read_record(row["record"]).paid)
            won += sum(max(int(result.net), 0) for result in (await made.host.table(voided)).table.state.results)
            back_up(sqlite, file)
            return player.user.id, table, other.user.id, won

    user, table, other, won = asyncio.run(play())
    restored = f"sqlite+aiosqlite:///{file}"

    async def look() -> None:
        engine = connect(restored)
        reader = StoreReader(engine)
        found = await audit(reader)
        assert found.is_clean, found.problems
        assert found.shoes >= 2
        assert await reader.open_tables() == []
        balances = await reader.balances()
        assert balances[player_account(user)] + balances[player_account(other)] == found.money
        # What was lost in the voided round came back too.
        assert balances[player_account(other)] == 100_000 + won
        assert all(not amount for account, amount in balances.items() if account.startswith("held:"))
        kinds = [row.body for row in await reader.entries(f"table:{table}")]
        assert any('"round voided"' in body and "restored" in body for body in kinds)
        await engine.dispose()

    assert asyncio.run(close_tables(restored, "restored", wall_clock)) == 3
    asyncio.run(look())
    assert asyncio.run(close_tables(restored, "restored", wall_clock)) == 0


def test_a_backup_is_never_overwritten_and_never_half_written(sqlite: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="there is no database"):
        back_up(sqlite, tmp_path / "copy.db")
    (tmp_path / "holecard.db").write_bytes(b"this is not a database, but it is a file of some length" * 100)
    with pytest.raises(Refusal, match="could not be copied"):
        back_up(sqlite, tmp_path / "copy.db")
    with pytest.raises(Refusal, match="exists; name a new file"):
        back_up(sqlite, tmp_path / "holecard.db")
    assert os.listdir(tmp_path) == ["holecard.db"]
    with pytest.raises(Refusal, match="pg_dump"):
        back_up("postgresql+asyncpg://ann@db/cards", tmp_path / "copy.db")


def test_the_commands_back_up_audit_and_close(sqlite: str, shell: Shell, tmp_path: Path) -> None:
    async def play() -> None:
        async with server(sqlite) as made:
            await open_round(Player(made.host, await made.accounts.guest()))

    asyncio.run(play())
    file, copy = sqlite.partition("///")[2], str(tmp_path / "copy.db")
    ran = shell("backup", copy, "--database", file)
    assert ran.code == 0
    assert "Keep it secret" in ran.out
    assert shell("audit", "--database", copy).out.endswith("nothing is wrong.\n")
    assert shell("close-tables", "--database", copy).out.startswith("1 table closed")
    assert shell("audit", "--database", copy).code == 0
    assert shell("backup", copy, "--database", file).code == 2
    for command in ("audit", "close-tables"):
        ran = shell(command, "--database", str(tmp_path / "nowhere.db"))
        assert ran.code == 2
        assert "there is no database" in ran.err
        assert not (tmp_path / "nowhere.db").exists()


@pytest.mark.slow
def test_an_audit_in_play_finds_nothing_wrong(database: str) -> None:
    """It sees the database at one moment, although log and balances change while it reads."""
    found: list[Audit] = []

    async def look() -> None:
        engine = connect(database)
        async with one_moment(engine) as reader:
            found.append(await audit(reader))
        await engine.dispose()

    asyncio.run(copied_in_play(database, lambda _: asyncio.run(look()), 3))
    assert [one.problems for one in found] == [[], [], []]
    assert found[0].entries < found[2].entries
