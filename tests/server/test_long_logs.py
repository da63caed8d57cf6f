"""Reads do not grow with the log: they begin at a shoe, use indexes, and take some rows at a time."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi.responses import StreamingResponse
from fastapi.testclient import TestClient
from sqlalchemy import RowMapping, event, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

import holecard
from holecard.server.accounts.sessions import User
from holecard.server.errors import NotFound, TooMany
from holecard.server.game.commands import AddSeed, DealNow, Leave, Sit
from holecard.server.game.entries import TableOpened, read_entry
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.finished_shoes import ShoeCollector
from holecard.server.host.hosted_table import HostedTable
from holecard.server.host.loader import Loader
from holecard.server.host.replays import RoundFrames, frames_of_round
from holecard.server.money.returns import settled_by_seat
from holecard.server.records.export import round_record, rounds_file
from holecard.server.records.statistics import PlayedRound, stored_wagers
from holecard.server.settings import ServerSettings
from holecard.server.store import read, schema
from holecard.server.store.chain import LogRow
from holecard.server.store.database import writing
from holecard.server.store.migrate import open_database
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.rates import Turns
from holecard.server.web.routes.rounds import export_history
from holecard.server.web.services import Services, services
from holecard.table.notation.moves import read_bet
from holecard.table.records.rounds_file import rounds_text
from tests.server.driven_table import random_bet, random_decision
from tests.server.fake_clock import FakeClock
from tests.server.old_versions import go_back
from tests.server.test_host import Player, clean
from tests.server.test_web import Person

#: Shoes that soon end.
_SMALL = {"shoe.decks": 1}


def settings(database: str) -> ServerSettings:
    return ServerSettings(
        database=database, skip_returns=True, starting_money=10**9, messages_per_second=10**6, message_burst=10**6
    )


async def play_until(player: Player, table: str, entries: int) -> None:
    """Play rounds with one seat until the log is that long."""
    hosted, rng = await player.host.table(table), random.Random(entries)
    while hosted.table.sequence < entries:
        await player.play_round(table, rng)


# Documents that do not depend on how they are read


@asynccontextmanager
async def busy_house(database: str) -> AsyncIterator[tuple[Services, Player, str]]:
    """A table where people come and go and add seeds, with a voided round and a shoe replaced under a bet."""
    async with services(settings(database), FakeClock()) as made:
        ann, bob = [Player(made.host, await made.accounts.guest()) for _ in range(2)]
        table, rng = await ann.open("double-up", **_SMALL), random.Random(5)
        hosted = await made.host.table(table)
        await ann.do(table, Sit(seat=1))
        for number in range(24):
            await _come_and_go(hosted, bob, number)
            if number % 5 == 0 and hosted.table.shoe is not None and not hosted.table.shoe.begun:
                await ann.do(table, AddSeed(seed=f"seed {number}"))
            await _bet(hosted, ann, bob, rng)
            if number == 9:
                await lose_seed(made, hosted)  # while bets lie on the table: its shoe is replaced under them
            await ann.do(table, DealNow())
            if number == 13 and not hosted.table.is_between_rounds:
                await made.host.void(table, "a test")
            await _play_on(hosted, ann, bob, rng)
        yield made, ann, table


async def _come_and_go(hosted: HostedTable, bob: Player, number: int) -> None:
    if number % 4 == 1:
        await bob.do(hosted.id, Sit(seat=3))
    elif number % 4 == 3:
        await bob.do(hosted.id, Leave(seat=3))


async def _bet(hosted: HostedTable, ann: Player, bob: Player, rng: random.Random) -> None:
    for player, seat in ((ann, 1), (bob, 3)):
        if seat in hosted.table.seats:
            await player.do(hosted.id, random_bet(hosted.table, seat, rng))


async def _play_on(hosted: HostedTable, ann: Player, bob: Player, rng: random.Random) -> None:
    while not hosted.table.is_between_rounds:
        asked = hosted.table.state.asked
        assert asked is not None
        await (ann if asked.number == 1 else bob).do(hosted.id, random_decision(hosted.table, rng))


async def lose_seed(made: Services, hosted: HostedTable) -> None:
    assert hosted.table.shoe is not None
    async with writing(made.engine) as connection:
        await connection.execute(schema.shoe_seeds.delete().where(schema.shoe_seeds.c.shoe == hosted.table.shoe.id))
    hosted.secret = None


async def slow_documents(made: Services, table: str) -> dict[str, bytes]:
    """Return every finished shoe of a table, folded from the first entry of its log."""
    first, *rows = await made.reader.entries(f"table:{table}")
    opened = read_entry(first.body)
    assert isinstance(opened, TableOpened)
    folded = FoldedTable(opened, await made.host.sheet(opened.sheet), first.at)
    collector, found = ShoeCollector(), {}
    for row in rows:
        if document := collector.apply(folded, read_entry(row.body), row.at):
            found[document.shoe] = document.model_dump_json().encode()
    return found


def test_shoes_and_replays_are_those_of_the_whole_log(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever page of the log they are read by, and where the start of a shoe is damaged."""

    async def run() -> None:
        async with busy_house(database) as (made, ann, table):
            slow = await slow_documents(made, table)
            assert len(slow) >= 2
            starts = await made.reader.rows(select(schema.shoe_starts))
            assert [row["start"] for row in starts].count(None) == 1
            rounds = [await made.reader.round(table, number) for number in range(1, 25)]
            finished = [row for row in rounds if row is not None]
            assert len(finished) >= 22
            replays = await all_frames(made, finished, ann.user)
            monkeypatch.setattr(read, "PAGE", 3)
            for damage in ("UPDATE shoe_starts SET start = start", "UPDATE shoe_starts SET start = '{}'"):
                async with writing(made.engine) as connection:
                    await connection.execute(text(damage))
                made.host._shoes._texts.clear()
                assert {shoe: await made.host.finished_shoe_text(table, shoe) for shoe in slow} == slow
                assert await all_frames(made, finished, ann.user) == replays
            open_shoe = (await made.host.table(table)).table.shoe
            assert open_shoe is not None
            with pytest.raises(NotFound):
                await made.host.finished_shoe_text(table, open_shoe.id)

    asyncio.run(run())


async def all_frames(made: Services, finished: Sequence[dict[str, Any]], user: User) -> list[object]:
    found = []
    for row in finished:
        before = await made.reader.last_round_before(row["table"], row["number"])
        sheet = await made.host.sheet(row["sheet"])
        found.append(await frames_of_round(made.reader, row, before, sheet, user.id))
    return found


def test_statistics_and_exports_are_those_of_all_records(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All rounds end at one moment, so that only their numbers tell the pages where to go on."""

    async def run() -> None:
        async with busy_house(database) as (made, ann, _):
            user = ann.user.id
            other = await ann.open("classic")
            await ann.do(other, Sit(seat=1))
            await play_until(ann, other, 60)
            rows = await made.reader.rounds_of(user, None, None)
            assert len(rows) > 35
            slow = [slow_round(row, user, await made.host.sheet(row["sheet"])) for row in reversed(rows)]
            for page in (1, 7, len(rows), 1000):
                monkeypatch.setattr(read, "PAGE", page)
                monkeypatch.setattr(read, "_SMALL_ROWS", page)
                assert [row async for part in made.reader.pages_of_rounds(user) for row in part] == rows
                quick = [row async for part in made.reader.pages_of_wagers(user) for row in part]
                told = [
                    PlayedRound(row["at"], row["game"], row["sheet"], stored_wagers(row["wagers"])) for row in quick
                ]
                assert told == slow
            assert await made.reader.sheets_played_by(user) == sorted({row["sheet"] for row in rows})
            sheets = await made.reader.sheets({row["sheet"] for row in rows})
            records = [round_record(row, sheets, user) for row in rows]
            monkeypatch.setattr(read, "PAGE", 7)
            assert await exported(made, ann.user, "toml") == rounds_text(records).encode()
            whole = rounds_file("csv")
            assert await exported(made, ann.user, "csv") == whole.head() + whole.add(records) + whole.end()

    asyncio.run(run())


def slow_round(row: dict[str, Any], user: str, sheet: holecard.RuleSheet) -> PlayedRound:
    record = holecard.read_record(row["record"])
    companion = sheet.tables.has_companion
    wagers = settled_by_seat(map(read_bet, record.bets), record.paid, has_companion=companion)
    mine = {int(seat) for seat, player in row["players"].items() if player == user}
    return PlayedRound(row["at"], row["game"], row["sheet"], tuple(one for one in wagers if one.seat in mine))


async def export_of(made: Services, user: User, kind: Any) -> AsyncIterator[bytes]:
    answer = await export_history(made, user, kind)
    assert isinstance(answer, StreamingResponse)
    async for part in answer.body_iterator:
        assert isinstance(part, bytes)
        yield part


async def exported(made: Services, user: User, kind: str) -> bytes:
    return b"".join([part async for part in export_of(made, user, kind)])


@pytest.mark.parametrize("kind", ["csv", "toml", "parquet"])
def test_an_export_begins_before_all_rounds_are_read(sqlite: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")

    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            ann = Player(made.host, await made.accounts.guest())
            table = await ann.open("classic")
            await ann.do(table, Sit(seat=1))
            await play_until(ann, table, 100)
            rounds = len(await made.reader.rounds_of(ann.user.id, None, None))
            monkeypatch.setattr(read, "PAGE", 4)
            with counted_rows(monkeypatch) as rows:
                parts = export_of(made, ann.user, kind)
                assert await anext(parts) or kind == "toml"
                assert await anext(parts) or kind == "parquet"
                assert rows[0] == 4 + 1, "rounds and their sheet"
                assert len([part async for part in parts]) == -(-rounds // 4)
            assert rows[0] == rounds + -(-rounds // 4)

    asyncio.run(run())


# How much is read


class counted_rows:  # noqa: N801 - it is used like a function
    """Counts the rows that the reader gets from the database; the first number is the sum, the others are answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._rows = [0]

    def __enter__(self) -> list[int]:
        real = StoreReader._all

        async def counted(reader: StoreReader, query: Any) -> Sequence[RowMapping]:
            found = await real(reader, query)
            self._rows[0] += len(found)
            self._rows.append(len(found))
            return found

        self._context = self._patch.context()
        self._context.__enter__().setattr(StoreReader, "_all", counted)
        return self._rows

    def __exit__(self, *error: Any) -> None:
        self._context.__exit__(*error)


class LongTable:
    """A server with a table whose log grows, and what its player reads."""

    def __init__(self, client: TestClient, game: str) -> None:
        self.client = client
        self.person = Person(client)
        self.made: Services = client.app.state.services  # type: ignore[attr-defined]
        self.table = self._call(self._open, game)

    async def _open(self, game: str) -> str:
        (row,) = await self.made.reader.rows(select(schema.users))
        user = User(row["id"], row["name"], row["role"])
        self.player = Player(self.made.host, user)
        table = await self.player.open(game, **_SMALL)
        await self.player.do(table, Sit(seat=1))
        return table

    def play_until(self, entries: int) -> None:
        self._call(play_until, self.player, self.table, entries)

    def _call(self, work: Any, *arguments: Any) -> Any:
        assert self.client.portal is not None
        return self.client.portal.call(work, *arguments)

    def paths(self) -> list[str]:
        """Return the reads whose work must not grow: of things that are there from the first hundred entries on."""
        table = f"/api/v1/tables/{self.table}"
        shoe = self._call(self._first_shoe)
        sheet = holecard.rules("classic", _SMALL).sha256
        return [
            "/api/v1/tables",
            table,
            f"{table}/shoes/{shoe}",
            *(f"{table}/rounds/{number}{more}" for number in (1, 7) for more in ("", "/replay")),
            f"{table}/rounds/7/review",
            "/api/v1/history/shoes?limit=1",
            "/api/v1/history?limit=5",
            f"/api/v1/history?limit=5&sheet={sheet}",
            f"/api/v1/history?limit=5&sheet={'0' * 64}",
            "/api/v1/me",
        ]

    def newest(self) -> list[str]:
        """Return the newest shoe that has ended, and a replay from it: two shoes at most are folded for them."""
        shoe = next(shoe for shoe in self.get("/api/v1/history/shoes").json() if shoe["ended"])
        table = f"/api/v1/tables/{self.table}"
        return [f"{table}/shoes/{shoe['shoe']}", f"{table}/rounds/{shoe['last']}/replay"]

    async def _first_shoe(self) -> str:
        rows = await self.made.reader.rows(select(schema.revealed_shoes).order_by(schema.revealed_shoes.c.sequence))
        shoe: str = rows[0]["shoe"]
        return shoe

    def get(self, path: str) -> Any:
        self.made.host._shoes._texts.clear()
        answer = self.person.get(path)
        assert answer.status_code == 200, f"{path}: {answer.text}"
        return answer


@pytest.fixture
def long_table(sqlite: str) -> Iterator[LongTable]:
    with TestClient(create_app(settings(sqlite), FakeClock())) as client:
        yield LongTable(client, "classic")


@pytest.mark.slow
def test_a_read_takes_as_many_rows_from_a_log_that_is_ten_times_as_long(
    long_table: LongTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_rows = []
    for entries in (150, 1_500):
        long_table.play_until(entries)
        counts = {}
        for path in long_table.paths():
            with counted_rows(monkeypatch) as rows:
                long_table.get(path)
            counts[path] = rows[0]
        read_rows.append(counts)
    assert read_rows[0] == read_rows[1]
    assert max(read_rows[0].values()) < 150
    for path in long_table.newest():
        with counted_rows(monkeypatch) as rows:
            long_table.get(path)
        assert rows[0] < 150, path


@pytest.mark.slow
def test_no_answer_of_the_database_and_no_piece_of_work_is_long(
    long_table: LongTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there may be any number of rows, at most 500 are taken at once: statistics, exports, a whole log."""
    folded: list[int] = []
    add = RoundFrames.add

    def counted(self: RoundFrames, rows: Sequence[LogRow]) -> None:
        folded.append(len(rows))
        add(self, rows)

    monkeypatch.setattr(RoundFrames, "add", counted)
    long_table.play_until(2_500)
    with counted_rows(monkeypatch) as rows:
        for path in ("statistics", "export?format=csv", "export?format=toml"):
            long_table.get(f"/api/v1/history/{path}")
        assert rows[0] > 3 * 700
        assert max(rows[1:]) <= 500
        long_table._call(no_starts, long_table.made)
        long_table.get(f"/api/v1/tables/{long_table.table}/rounds/650/replay")
        assert sum(folded) > 1_500
        assert max(folded) <= 100
        long_table._call(load_again, long_table.made, long_table.table)
        assert max(rows[1:]) <= 500


async def no_starts(made: Services) -> None:
    async with writing(made.engine) as connection:
        await connection.execute(text("UPDATE shoe_starts SET start = NULL"))
        await connection.execute(text("UPDATE tables SET checkpoint = NULL"))


async def load_again(made: Services, table: str) -> None:
    fresh, hosted = await Loader(made.reader).load(table), await made.host.table(table)
    assert (fresh.hash, fresh.table.rounds) == (hosted.hash, hosted.table.rounds)
    assert len(fresh.steps) == 16


def test_every_read_uses_an_index(long_table: LongTable) -> None:
    long_table.play_until(150)
    others = [f"/api/v1/history/{path}" for path in ("statistics", "export", "shoes", "shoes?limit=200")]
    paths = [*long_table.paths(), *others, f"/api/v1/tables/{long_table.table}/coach"]
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.lstrip().startswith("SELECT"):
            asked.append((statement, parameters))

    engine = long_table.made.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    for path in paths:
        long_table.get(path)
    event.remove(engine, "before_cursor_execute", note)
    assert len(asked) > 30
    plans = long_table._call(plans_of, long_table.made.engine, asked)
    big = {
        "log",
        "rounds",
        "round_players",
        "shoe_starts",
        "revealed_shoes",
        "shoe_players",
        "transfers",
        "tables",
        "users",
    }
    scans = {(step, statement) for statement, steps in plans for step in steps if step.startswith("SCAN")}
    assert not [found for found in scans if found[0].split()[1] in big]
    assert not [
        steps for _, steps in plans if "USE TEMP B-TREE FOR ORDER BY" in steps and "tables_by" not in str(steps)
    ]


async def plans_of(engine: AsyncEngine, asked: Sequence[tuple[str, Any]]) -> list[tuple[str, list[str]]]:
    found = []
    async with engine.connect() as connection:
        for statement, parameters in asked:
            rows = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            found.append((statement, [row[-1] for row in rows.all()]))
    return found


# Turns


def test_one_person_who_asks_for_much_does_not_keep_others_waiting() -> None:
    async def run() -> list[str]:
        turns, done, running = Turns(at_once=2, most_waiting=10), [], set[str]()

        async def ask(user: str) -> None:
            async with turns.of(user):
                assert user not in running
                running.add(user)
                assert len(running) <= 2
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                running.discard(user)
                done.append(user)

        asking = [asyncio.create_task(ask("ann")) for _ in range(6)]
        await asyncio.sleep(0)
        asking += [asyncio.create_task(ask(user)) for user in ("bob", "eve")]
        await asyncio.gather(*asking)
        assert not turns._waiting
        assert not turns._running
        return done

    done = asyncio.run(run())
    assert sorted(done) == ["ann"] * 6 + ["bob", "eve"]
    assert {"bob", "eve"} <= set(done[:5])


def test_a_request_that_is_given_up_leaves_its_turn_to_others() -> None:
    async def run() -> None:
        turns = Turns(at_once=1, most_waiting=2)
        held = asyncio.Event()

        async def ask(user: str) -> str:
            async with turns.of(user):
                await held.wait()
                return user

        first, *waiting = [asyncio.create_task(ask(user)) for user in ("ann", "ann", "ann", "bob")]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="you ask for too much at once"):
            await ask("ann")
        given_up = (first, waiting[0])
        for task in given_up:
            task.cancel()
        held.set()
        assert await asyncio.gather(*waiting[1:]) == ["ann", "bob"]
        assert all(task.cancelled() for task in given_up)
        assert not turns._waiting
        assert not turns._running

    asyncio.run(run())


# Migration


async def stored(made: Services) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables that the update makes."""
    found = {}
    for table in (schema.shoe_starts, schema.revealed_shoes, schema.shoe_players, schema.round_players):
        rows = await made.reader.rows(select(table).order_by(*table.primary_key))
        for row in rows:
            row["start"] = json.loads(row["start"]) if row.get("start") else None
        found[table.name] = rows
    return found


def test_an_update_finds_the_shoes_of_old_logs(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those that a server of this version would have stored; an update that was interrupted begins again."""
    monkeypatch.setattr("holecard.server.host.host.chips_for", lambda *_: 0)  # old tables had none

    async def run() -> None:
        async with busy_house(database) as (made, _, table):
            before, slow = await stored(made), await slow_documents(made, table)
        await go_back(database, "0008")
        with monkeypatch.context() as patch:
            patch.setattr("holecard.server.money.returns.settled_by_seat", lambda *_, **__: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                await open_database(database)
        async with services(settings(database), FakeClock()) as made:
            assert await stored(made) == before
            assert {shoe: await made.host.finished_shoe_text(table, shoe) for shoe in slow} == slow
            await clean(made)

    asyncio.run(run())


def test_an_update_survives_a_damaged_log(sqlite: str) -> None:
    async def run() -> None:
        async with busy_house(sqlite) as (made, ann, table):
            other = await ann.open("classic")
            await ann.do(other, Sit(seat=1))
            async with writing(made.engine) as connection:
                await connection.execute(
                    text("UPDATE log SET body = 'damaged' WHERE stream = :stream AND sequence = 40"),
                    {"stream": f"table:{table}"},
                )
                await connection.execute(text("UPDATE rounds SET record = 'damaged' WHERE number = 3"))
        await go_back(sqlite, "0008")
        async with services(settings(sqlite), FakeClock()) as made:
            assert (await made.host.table(other)).table.seats_of(ann.user.id) == (1,)
            found = await made.reader.rows(select(schema.shoe_starts).where(schema.shoe_starts.c.table == table))
            assert found
            assert max(row["sequence"] for row in found) < 40

    asyncio.run(run())
