"""Units that wait together share a commit, also when some of them are refused; and no wait is endless."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from holecard.money import Money
from holecard.server.accounts.accounts import User
from holecard.server.errors import NotEnoughMoney, SequenceTakenError, TooMany, Unavailable, UnreadableMessage
from holecard.server.game.commands import PlaceBet, Sit
from holecard.server.money.transfers import Transfer
from holecard.server.store import append, schema
from holecard.server.store import database as store
from holecard.server.store.append import Appender
from holecard.server.store.chain import LogRow
from holecard.server.store.migrate import open_database
from holecard.server.store.read import StoreReader
from holecard.server.store.sqlite_file import file_of
from holecard.server.store.units import Limit, Unit
from holecard.server.web.services import services
from tests.patience import patient, until
from tests.server.test_host import Player, settings


class CountedAppender(Appender):
    """Counts transactions, and those of them that were committed."""

    runs = 0
    commits = 0

    def count(self) -> None:
        run = self.transactions.run

        async def counted(work: Callable[..., Any]) -> Any:
            self.runs += 1
            found = await run(work)
            self.commits += 1
            return found

        self.transactions.run = counted  # type: ignore[method-assign]

    async def append_together(self, units: list[Unit]) -> list[object]:
        """Append units that wait at the same time; return the answers."""
        self.runs = self.commits = 0
        tasks = [asyncio.ensure_future(self.append(unit)) for unit in units]
        return list(await asyncio.gather(*tasks, return_exceptions=True))


@asynccontextmanager
async def appender_of(database: str) -> AsyncIterator[tuple[CountedAppender, StoreReader]]:
    engine = await open_database(database)
    made = CountedAppender(engine)
    made.count()
    made.start()
    try:
        yield made, StoreReader(engine)
    finally:
        await made.stop()
        await engine.dispose()


def unit(stream: int, kind: Any = "grant", cents: int = 100, sequence: int = 1, **more: Any) -> Unit:
    """Return an entry of a stream, which grants money to a player or lets the player stake it."""
    player = f"player:{stream}"
    source, target = ("bank", player) if kind == "grant" else (player, f"held:{stream}:1")
    row = LogRow(f"test:{stream:03}", sequence, 0, "{}", None, None, None, f"{stream}-{sequence}")
    return Unit((row,), ((Transfer(kind, source, target, Money.cents(cents)),),), **more)


def kinds(answers: list[object]) -> dict[int, type]:
    return {number: type(answer) for number, answer in enumerate(answers) if isinstance(answer, Exception)}


def test_those_who_overbet_do_not_take_the_commit_from_the_others(database: str) -> None:
    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            await appender.append_together([unit(number) for number in range(40)])
            assert (appender.runs, appender.commits) == (1, 1)
            poor = (3, 4, 20, 39)
            bets = [unit(number, "stake", 101 if number in poor else 100, sequence=2) for number in range(40)]
            answers = await appender.append_together(bets)
            assert kinds(answers) == dict.fromkeys(poor, NotEnoughMoney)
            assert str(answers[3]) == "you have $1 to wager, and this takes $1.01"
            assert (appender.runs, appender.commits) == (2, 1)
            for number in range(40):
                assert await reader.balance(f"player:{number}") == (100 if number in poor else 0)
                assert len(await reader.entries(f"test:{number:03}")) == (1 if number in poor else 2)

    asyncio.run(run())


def test_a_unit_that_came_too_late_costs_the_others_a_few_commits(database: str) -> None:
    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            await appender.append(unit(17))
            answers = await appender.append_together([unit(number) for number in range(64)])
            assert kinds(answers) == {17: SequenceTakenError}
            assert appender.runs <= 2 * 6 + 1
            assert appender.commits <= 6
            assert await reader.balance("bank") == -64 * 100

    asyncio.run(run())


def test_the_last_of_those_who_are_too_many_are_refused(database: str) -> None:
    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            # The grants of one bank, counted: the guest who is refused is not counted for the others.
            rows = select(schema.transfers.c.stream).where(schema.transfers.c.kind == "grant")
            limit = Limit("nobody", rows, 3, "there are {}", "grant")
            answers = await appender.append_together([unit(9 - number, limits=(limit,)) for number in range(5)])
            assert kinds(answers) == {3: TooMany, 4: TooMany}
            assert {str(answers[3]), str(answers[4])} == {"there are 3 grants"}
            assert (appender.runs, appender.commits) == (2, 1)
            assert await reader.balance("bank") == -300

    asyncio.run(run())


def test_two_units_of_one_table_in_a_group_do_not_fail_the_others(database: str) -> None:
    """A command that was canceled may still wait when the next one for its table comes."""
    row = {"id": "t", "game": "classic", "title": "Classic", "sheet": "a" * 64, "opened_by": "ann", "opened_at": 0}
    row |= {"sequence": 1, "deadline": 0, "closed": False, "places": 7, "seats": "{}", "checkpoint": None}

    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            await appender.keep(schema.sheets, {"hash": "a" * 64, "content": "{}"})
            await appender.append(unit(9))
            same = [unit(1, table=row), unit(1, table=row), unit(2), unit(3)]
            answers = await appender.append_together(same)
            assert kinds(answers) == {1: SequenceTakenError}
            assert await reader.balance("bank") == -400

    asyncio.run(run())


def test_a_unit_that_cannot_be_written_does_not_fail_the_others(database: str) -> None:
    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            bad = unit(2)
            bad = bad._replace(rows=(bad.rows[0]._replace(body="\ud800"),))
            answers = await appender.append_together([unit(1), bad, unit(3)])
            assert kinds(answers) == {1: UnreadableMessage}
            assert await reader.balance("bank") == -200

    asyncio.run(run())


def test_transactions_that_meet_run_one_after_the_other(database: str) -> None:
    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            await appender.append(unit(0))
            probes = [asyncio.ensure_future(appender.probe()) for _ in range(10)]
            units = [asyncio.ensure_future(appender.append(unit(number))) for number in range(1, 20)]
            await asyncio.gather(*probes, *units)
            assert await reader.balance("bank") == -20 * 100

    asyncio.run(run())


def test_who_cancels_a_transaction_leaves_none_half_done(database: str) -> None:
    async def run() -> None:
        async with appender_of(database) as (appender, reader):
            await appender.append(unit(0))
            for number in range(1, 30):
                canceled = asyncio.ensure_future(appender.probe())
                await asyncio.sleep(0.0005 * (number % 10))
                canceled.cancel()
                await asyncio.gather(canceled, return_exceptions=True)
                await appender.append(unit(number))
            assert await reader.balance("bank") == -30 * 100

    asyncio.run(run())


def test_a_writer_that_takes_long_does_not_stop_the_event_loop(sqlite: str) -> None:
    async def run() -> None:
        async with appender_of(sqlite) as (appender, reader):
            await appender.append(unit(1))
            with closing(sqlite3.connect(str(file_of(sqlite)), isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                begun = appender.runs
                waiting = asyncio.ensure_future(appender.append(unit(2)))
                await until(lambda: appender.runs > begun, "the transaction begins")
                for _ in range(50):  # a blocked loop would come back when the database has given up
                    await asyncio.sleep(0.001)
                assert not waiting.done()
                other.execute("ROLLBACK")
                await waiting
            assert await reader.balance("bank") == -200

    asyncio.run(run())


def test_groups_wait_a_little_while_many_come_and_not_at_all_for_one(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses are counted, not waited for: a machine may be so slow that none is left to wait."""
    monkeypatch.setattr(append, "_PACE", 3600)
    paused: list[float] = []

    async def pause(seconds: float) -> None:
        paused.append(seconds)

    async def run() -> None:
        async with appender_of(sqlite) as (appender, _):
            with monkeypatch.context() as patch:
                patch.setattr(append, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": pause}))
                for number in range(5):
                    await appender.append(unit(number))
                assert paused == []
                await appender.append_together([unit(number) for number in range(10, 14)])
                await appender.append(unit(20))
                assert len(paused) == 1
                assert paused[0] > 3000
                await appender.append(unit(21))
                assert len(paused) == 1

    asyncio.run(run())


def test_a_database_that_hangs_does_not_keep_the_server_from_stopping(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(append, "_PATIENCE", 0.05)

    async def run() -> None:
        waiting: list[asyncio.Future[Any]] = []
        async with asyncio.timeout(patient(20)), appender_of(sqlite) as (appender, _):
            monkeypatch.setattr(appender.transactions, "run", lambda _work: asyncio.sleep(3600))
            waiting.append(asyncio.ensure_future(appender.append(unit(1))))
            await until(lambda: appender._writing, "the first unit is being written")
            waiting.append(asyncio.ensure_future(appender.append(unit(2))))
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert kinds(list(answers)) == {0: Unavailable, 1: Unavailable}

    asyncio.run(run())


@pytest.mark.slow
def test_a_process_that_is_frozen_in_a_transaction_does_not_stop_the_others(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = round(1000 * patient(2))
    limits = {**store.POSTGRES_LIMITS, "lock_timeout": "300", "idle_in_transaction_session_timeout": str(idle)}
    monkeypatch.setattr(store, "POSTGRES_LIMITS", limits)

    async def run() -> None:
        async with services(settings(postgres_database)) as one, services(settings(postgres_database)) as two:
            ann = Player(one.host, await one.accounts.guest())
            table = await ann.open("classic")
            await ann.do(table, Sit(seat=1))
            async with two.engine.connect() as frozen:
                await frozen.execute(text("SELECT * FROM balances WHERE account = 'bank' FOR UPDATE"))
                with pytest.raises(Unavailable, match="cannot store anything now"):
                    await one.accounts.guest()
                assert one.appender.has_failed
                with pytest.raises(Unavailable):  # so it is not ready
                    await one.appender.probe()
                await ann.do(table, PlaceBet(seat=1, main=1000))
                guests: list[User] = []
                async with asyncio.timeout(patient(20)):  # until the database has ended the transaction
                    while not guests:
                        with suppress(Unavailable):
                            guests.append(await one.accounts.guest())
                with pytest.raises(DBAPIError):
                    await frozen.execute(text("SELECT 1"))

    asyncio.run(run())
