"""What wagers have returned, in the database: it outlives a restart, and the rounds of all processes are added up."""

from __future__ import annotations

import asyncio
import json
import random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

import holecard
from holecard.errors import Refusal
from holecard.server.audit.in_process import audit_here
from holecard.server.game.commands import DealNow, PlaceBet, Sit
from holecard.server.money.returns import MAIN_WAGER, Returned, Returns, Settled, WagerKey
from holecard.server.operation.stored_returns import StoredReturns
from holecard.server.operation.theories import Theories
from holecard.server.store import schema
from holecard.server.store.append import Appender
from holecard.server.store.chain import LogRow
from holecard.server.store.database import connect
from holecard.server.store.migrate import migrate
from holecard.server.store.read import StoreReader
from holecard.server.store.units import Unit
from holecard.server.web.app import create_app
from holecard.server.web.services import Services
from tests.patience import patient
from tests.server.driven_table import random_bet, random_decision
from tests.server.old_versions import go_back
from tests.server.test_host import Player, clean, server, settings
from tests.server.test_lost_database import Trouble, listen

#: Games with side wagers, tax, a companion bet and later wagers between them.
_GAMES = ("upcard-luck-21", "double-up", "quick-pay")


async def play(made: Services, game: str, rounds: int, seed: int) -> str:
    """Play rounds with random side wagers at a new table; return the user."""
    rng = random.Random(seed)
    player = Player(made.host, await made.accounts.guest())
    table = await player.open(game)
    await player.do(table, Sit(seat=1))
    hosted = await made.host.table(table)
    for _ in range(rounds):
        await player.do(table, random_bet(hosted.table, 1, rng))
        await player.do(table, DealNow())
        while hosted.table.state.phase != "done":
            try:
                await player.do(table, random_decision(hosted.table, rng))
            except Refusal:  # there is no money left for this one
                await player.do(table, random_decision(hosted.table, rng))
    return player.user.id


async def paid(made: Services, users: list[str]) -> tuple[int, int]:
    """Return how many main bets the records of these users have, and what all their wagers have won."""
    rows = [row for user in users for row in await made.reader.rounds_of(user, None, None)]
    records = [holecard.read_record(row["record"]) for row in rows]
    return len(records), sum(int(line.net) for record in records for line in record.paid)


def totals(returns: Returns) -> tuple[int, int]:
    mains = sum(returned.rounds for key, returned in returns.items() if key.wager == MAIN_WAGER)
    return mains, sum(returned.net for returned in returns.values())


def test_a_restart_keeps_the_returns(database: str) -> None:
    async def run() -> None:
        async with server(database) as made:
            users: list[str] = []
            before: Returns = {}
            while len(before) < 2:  # the cards decide whether a Hedge wager is offered
                users.append(await play(made, "quick-pay", 3, len(users)))
                before = await made.reader.returns()
            assert totals(before) == await paid(made, users)
        async with server(database) as made:
            assert await made.returns.now() == before
            other = await play(made, "quick-pay", 2, 99)
            after = await made.reader.returns()
            assert totals(after) == await paid(made, [*users, other])
            assert all(after[key].staked >= returned.staked for key, returned in before.items())
            await clean(made)

    asyncio.run(run())


def test_two_servers_add_up(database: str) -> None:
    """They play the same games at the same time, so both change the same rows, in one order."""

    async def run() -> None:
        async with server(database) as one, server(database) as two:
            work = [
                play(made, game, 4, seed)
                for seed, game in enumerate((*_GAMES, *reversed(_GAMES)))
                for made in (one, two)
            ]
            users = list(await asyncio.gather(*work))
            found = await one.reader.returns()
            assert found == await two.returns.now()
            assert totals(found) == await paid(one, users)
            assert totals(found)[0] == 4 * len(users)
            await clean(two)

    asyncio.run(run())


def test_the_metrics_show_the_returns_of_another_server_and_an_alarm_after_a_restart(sqlite: str) -> None:
    async def run() -> tuple[str, int]:
        async with server(sqlite) as made:
            await play(made, "classic", 2, 1)
            returns = await made.reader.returns()  # of insurance too, where an ace was up
            ((key, before),) = [(key, found) for key, found in returns.items() if key.wager == MAIN_WAGER]
            theory = {"ev": -1.0, "standard_deviation": 0.001, "farthest": 0.001, "is_best": True}
            await made.appender.keep(schema.theories, {"sheet": key.sheet, "content": json.dumps({MAIN_WAGER: theory})})
            # Another server adds a win while this one stands still.
            await append(made.appender, 1, Settled(key, 1000, 1500))
            return f'{{game="classic",sheet="{key.sheet[:12]}",wager="main"}}', before.staked + 1000

    labels, staked = asyncio.run(run())

    async def again() -> None:
        async with server(sqlite) as made:
            task = asyncio.create_task(Theories(made.reader, made.appender, made.returns, made.metrics).run())
            while not made.metrics.theories:
                await asyncio.sleep(0.01)
            found = made.metrics.text(await made.returns.now()).decode()
            task.cancel()
            assert f"holecard_staked_cents{labels} {staked}.0" in found
            assert f"holecard_return_alarm{labels} 1.0" in found

    asyncio.run(asyncio.wait_for(again(), patient(20)))


async def append(appender: Appender, number: int, *settled: Settled) -> None:
    """Append an entry that nobody reads, and what it settles."""
    row = LogRow("account:nobody", number, 0, "{}", None, None, None, "")
    await appender.append(Unit((row,), ((),), settled=settled))


def test_squares_may_grow_beyond_64_bits(database: str) -> None:
    key, stake = WagerKey("classic", "a" * 64, MAIN_WAGER), 10_000_000_000

    async def run() -> None:
        async with server(database) as made:
            for number in (1, 2):
                await append(made.appender, number, Settled(key, stake, -stake), Settled(key, stake, stake))
            found = await made.reader.returns()
            assert found == {key: Returned(4, 4 * stake, 4e20, 0, stake)}

    asyncio.run(run())


def test_the_sheets_with_the_most_staked_are_shown_and_others_disappear(sqlite: str) -> None:
    """A sheet's wagers count together."""

    def key(sheet: str, wager: str = MAIN_WAGER) -> WagerKey:
        return WagerKey("classic", sheet * 64, wager)

    async def run() -> None:
        async with server(sqlite) as made:
            stored = StoredReturns(made.reader, most_sheets=2)
            one = [Settled(key("a"), 500, 0), Settled(key("a", "Pairs"), 600, 0)]
            await append(made.appender, 1, *one, Settled(key("b"), 1000, 0), Settled(key("c"), 900, 0))
            found = await stored.now()
            assert found is not None
            assert list(found) == [key("b"), key("a", "Pairs"), key("a")]
            assert b'sheet="bbbbbbbbbbbb"' in made.metrics.text(found)
            await append(made.appender, 2, Settled(key("c"), 10_000, 0))
            found = await stored.now()
            shown = made.metrics.text(found)
            assert b'sheet="cccccccccccc"' in shown
            assert b'sheet="bbbbbbbbbbbb"' not in shown
            assert len(await made.reader.returns()) == 4

    asyncio.run(run())


# A lost database


def test_the_metrics_answer_without_the_returns_while_the_database_is_lost(sqlite: str) -> None:
    trouble = Trouble()
    with TestClient(create_app(settings(sqlite))) as client:
        made: Services = client.app.state.services  # type: ignore[attr-defined]
        listen(made, "before_cursor_execute", trouble.on_statement)
        assert client.portal is not None
        client.portal.call(play, made, "classic", 1, 1)
        for trouble.is_gone in (False, True, False):
            found = client.get("/metrics")
            assert found.status_code == 200
            assert 'holecard_rounds_total{game="classic"} 1.0' in found.text
            assert ("holecard_staked_cents{" in found.text) != trouble.is_gone


def test_the_metrics_do_not_wait_for_a_database_that_hangs(sqlite: str) -> None:
    class HangingReader(StoreReader):
        asked = 0
        answers: asyncio.Event

        async def returns(self, most_sheets: int | None = None) -> Returns:  # noqa: ARG002
            self.asked += 1
            await self.answers.wait()
            return {}

    async def run() -> None:
        engine = connect(sqlite)
        reader = HangingReader(engine)
        reader.answers = asyncio.Event()
        stored = StoredReturns(reader, patience=0.01)
        assert set(map(type, await asyncio.gather(stored.now(), stored.now()))) == {type(None)}
        assert await stored.now() is None
        assert reader.asked == 1
        reader.answers.set()
        await stored.stop()
        await engine.dispose()

    asyncio.run(run())


# Migration


async def undo_accounts(connection: AsyncConnection) -> None:
    """Take back what the migration of accounts adds."""
    await connection.execute(text("DROP TABLE arrivals"))
    await connection.execute(text("DROP INDEX users_by_deletion"))
    await connection.execute(text("ALTER TABLE users DROP COLUMN deleted_at"))
    for column in ("created_at", "used_at", "browser"):
        await connection.execute(text(f"ALTER TABLE sessions DROP COLUMN {column}"))


async def back_to_first_version(database: str) -> Returns:
    """Play, then make the database what the first version left; return the returns that were stored."""
    async with server(database) as made:
        for number, game in enumerate(_GAMES):
            await play(made, game, 3, number)
        player = Player(made.host, await made.accounts.guest())
        table = await player.open("classic")
        await player.do(table, Sit(seat=1))
        await player.do(table, PlaceBet(seat=1, main=1000))
        before = await made.reader.returns()
    await go_back(database, "0001")
    return before


def test_the_migration_counts_the_rounds_that_are_stored(database: str) -> None:
    async def run() -> None:
        before = await back_to_first_version(database)
        assert len({key.game for key in before}) == len(_GAMES)
        async with server(database) as made:
            assert await made.reader.returns() == before
            await clean(made)

    asyncio.run(run())


def test_an_audit_says_which_version_it_needs(sqlite: str) -> None:
    asyncio.run(back_to_first_version(sqlite))
    with pytest.raises(Refusal, match=r"has version 0001, and this program reads version \d{4}; start"):
        asyncio.run(audit_here(sqlite))


def test_migrations_make_the_schema(database: str) -> None:
    def differences(connection: Connection) -> object:
        return compare_metadata(MigrationContext.configure(connection), schema.metadata)

    async def run() -> None:
        engine = connect(database)
        await migrate(engine)
        async with engine.connect() as connection:
            assert await connection.run_sync(differences) == []
        await engine.dispose()

    asyncio.run(run())
