"""Orders of operators for the whole server: a game that is stopped, a name that is not shown."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import holecard
from holecard.errors import OutOfTurn
from holecard.server.accounts.operators import appoint
from holecard.server.audit.audit import audit
from holecard.server.errors import GameIsStopped
from holecard.server.game.commands import DealNow, PlaceBet, Sit
from holecard.server.game.orders import (
    NO_ORDERS,
    GameAllowed,
    GameStopped,
    NameMuted,
    NameRestored,
    Orders,
    read_order,
)
from holecard.server.settings import ServerSettings, database_url
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from tests.patience import wait_until
from tests.server.fake_clock import FakeClock
from tests.server.real_server import real_server
from tests.server.test_audit import forge
from tests.server.test_host import UNHURRIED, Player, clean, settings
from tests.server.test_processes import Visitor
from tests.server.test_web import Person, key, operator, play_some

WHY = "it pays too much"
STOP = GameStopped(game="classic", reason=WHY)


@pytest.fixture
def client(sqlite: str) -> Iterator[TestClient]:
    with TestClient(
        create_app(ServerSettings(database=sqlite, message_burst=10_000, skip_returns=True), FakeClock())
    ) as found:
        yield found


def order(person: Person, **command: Any) -> Any:
    return person.post("/api/v1/orders", {"id": key(), "command": {"reason": WHY, **command}})


# What follows from orders


def muted(user: str, name: str, orders: Orders = NO_ORDERS) -> Orders:
    return orders.after(NameMuted(user=user, name=name, shown=orders.neutral_name(user), reason=WHY))


def test_a_game_is_stopped_by_its_name_or_by_one_of_its_sheets() -> None:
    orders = NO_ORDERS.after(STOP).after(GameStopped(game="ab12", reason="another"))
    assert orders.why_stopped("classic", "ffff") == WHY
    assert orders.why_stopped("quick-pay", "ab12") == "another"
    assert orders.why_stopped("quick-pay", "ffff") is None
    with pytest.raises(OutOfTurn, match="classic' is stopped already"):
        orders.after(STOP)
    again = orders.after(GameAllowed(game="classic", reason="repaired"))
    assert (again.why_stopped("classic", "ffff"), again.number) == (None, 3)
    with pytest.raises(OutOfTurn, match="classic' is not stopped"):
        again.after(GameAllowed(game="classic", reason="repaired"))


def test_every_muted_name_has_a_neutral_one_of_its_own() -> None:
    """More people than there are numbers near each other: no two are shown alike."""
    orders = NO_ORDERS
    for number in range(300):
        orders = muted(f"user {number}", f"Rude {number}", orders)
    shown = {orders.shown_name(f"user {number}", "") for number in range(300)}
    assert len(shown) == 300
    assert all(name.startswith("Player ") and len(name) == len("Player 4821") for name in shown)
    again = orders.after(NameRestored(user="user 7", reason="a mistake"))
    assert again.shown_name("user 7", "Rude 7") == "Rude 7"


# A game that is stopped


async def give(made: Services, given: GameStopped | GameAllowed | NameMuted, command: str) -> int:
    return await made.host.order_log.give(given, "carol", command, given.model_dump())


def test_a_stopped_game_opens_no_table_and_takes_no_bets_until_it_is_allowed(database: str) -> None:
    """In both processes on one database; another game and a round under way go on."""

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as one, services(settings(database), clock) as two:
            player = Player(two.host, await two.accounts.guest(), UNHURRIED)
            table, waiting, other = [await player.open(game) for game in ("classic", "classic", "quick-pay")]
            for place in (table, waiting, other):
                await player.do(place, Sit(seat=1))
            hosted = await two.host.table(table)
            while hosted.table.is_between_rounds:
                await player.do(table, PlaceBet(seat=1, main=1000))
                await player.do(table, DealNow())
            await player.do(waiting, PlaceBet(seat=1, main=1000))
            assert await give(one, STOP, "stop-classic") == await give(one, STOP, "stop-classic") == 1
            await two.host.catch_up_orders()
            with pytest.raises(GameIsStopped, match=f"no table of it is opened: {WHY}"):
                await player.open("classic")
            with pytest.raises(GameIsStopped, match=f"it takes no new bets: {WHY}"):
                await player.do(waiting, PlaceBet(seat=1, main=2000))
            with pytest.raises(GameIsStopped):
                await player.do(waiting, DealNow())
            await player.do(other, PlaceBet(seat=1, main=1000))
            await finish(player, table, clock)
            await give(one, GameAllowed(game="classic", reason="repaired"), "go-on-classic")
            await two.host.catch_up_orders()
            await player.do(table, PlaceBet(seat=1, main=1000))
            await player.do(table, DealNow())
            await clean(two)

    asyncio.run(run())


async def finish(player: Player, table: str, clock: FakeClock) -> None:
    """Stand until the round is over."""
    hosted = await player.host.table(table)
    while not hosted.table.is_between_rounds:
        clock.forward(601)
        await player.host.tick()


def test_the_clock_returns_the_bets_of_a_stopped_game(sqlite: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            player = Player(made.host, await made.accounts.guest(), UNHURRIED)
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            await give(made, STOP, "stop-classic")
            clock.forward(601)
            await made.host.tick()
            hosted = await made.host.table(table)
            assert (hosted.table.rounds, hosted.table.next_state.seats) == (0, ())
            assert await made.reader.balance(f"player:{player.user.id}") == 100_000
            await clean(made)

    asyncio.run(run())


def test_one_sheet_is_stopped_by_its_hash(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest(), UNHURRIED)
            await give(made, GameStopped(game=holecard.rules("classic").sha256, reason=WHY), "stop-a-sheet")
            with pytest.raises(GameIsStopped):
                await player.open("classic")
            await player.open("classic", **{"shoe.decks": 8})

    asyncio.run(run())


def test_lobby_and_table_say_why(client: TestClient) -> None:
    ann, boss = Person(client), operator(client)
    table = ann.open()
    ann.command(table, do="sit", seat=1)
    with ann.socket(table) as socket:
        assert socket.until("balance")[1]["view"]["stopped"] is None
        assert order(boss, do="stop game", game="classic").json()["number"] == 1
        assert socket.until("snapshot")[-1]["view"]["stopped"] == WHY
        refused = socket.command(do="bet", seat=1, main=1000)
        assert (refused["code"], WHY in refused["message"]) == ("game stopped", True)
    (listed,) = ann.get("/api/v1/tables").json()
    assert listed["stopped"] == WHY
    games = {game["game"]: game["stopped"] for game in ann.get("/api/v1/games").json()}
    assert {name for name, why in games.items() if why} == {"classic"}
    order(boss, do="allow game", game="classic")
    assert ann.get(f"/api/v1/tables/{table}").json()["view"]["stopped"] is None


def test_a_slip_of_the_pen_stops_nothing(client: TestClient) -> None:
    boss = operator(client)
    refused = order(boss, do="stop game", game="clasic")
    assert (refused.status_code, refused.json()["message"]) == (
        404,
        "no game is called 'clasic'; did you mean 'classic'?",
    )
    assert order(boss, do="allow game", game="classic").json()["code"] == "out of turn"
    assert order(boss, do="mute name", name="Nobody").status_code == 404
    assert order(boss, do="mute name", name="a\x00b").status_code == 422  # PostgreSQL cannot even look for it
    assert order(boss, do="stop game", game="a\x00b").status_code == 422
    assert order(boss, do="restore name", name="Nobody").status_code == 404


# A name that is not shown


def registered(client: TestClient, name: str) -> Person:
    person = Person(client, "nobody")
    assert person.post("/api/v1/accounts", {"name": name, "password": "correct horse"}).status_code == 201
    return person


def test_a_muted_name_is_shown_nowhere_and_comes_back(client: TestClient) -> None:
    """At the table, in the lobby, in entries and replays, to the person and to everybody else."""
    rude, ann, boss = registered(client, "Rude Word"), Person(client), operator(client)
    table, shut = rude.open(), rude.open()
    rude.command(table, do="sit", seat=1)
    play_some(rude, table, 1)
    rude.command(shut, do="close")
    looked = [
        *("/api/v1/tables", f"/api/v1/tables/{table}", f"/api/v1/tables/{shut}", "/api/v1/me", "/api/v1/visitor"),
        *(f"/api/v1/tables/{table}/rounds/1/replay", f"/api/v1/tables/{table}/rounds/1", "/api/v1/history"),
    ]

    def shown() -> list[str]:
        return [person.get(path).text for person in (rude, ann) for path in looked]

    assert sum("Rude Word" in text for text in shown()) == 8
    with ann.socket(table, after=1) as socket:
        assert "Rude Word" in json.dumps(socket.until("balance"))
        assert order(boss, do="mute name", name="rude word").status_code == 200
        (now,) = socket.until("snapshot")
        neutral = now["view"]["seats"][0]["name"]
        assert neutral.startswith("Player ")
    assert [text for text in shown() if "Rude" in text] == []
    assert sum(neutral in text for text in shown()) == 8
    with ann.socket(table, after=1) as socket:
        assert "Rude" not in json.dumps(socket.until("balance"))
    assert "Rude" not in ann.command(table, do="sit", seat=1).json()["message"]
    assert order(boss, do="mute name", name="Rude Word").json()["code"] == "out of turn"
    assert order(boss, do="restore name", name=neutral).status_code == 200
    assert sum("Rude Word" in text for text in shown()) == 8


def test_the_name_of_a_deleted_account_is_nobodys_and_may_be_muted_and_restored_again(client: TestClient) -> None:
    """Operators do not read it either, and who has taken the name since is shown with it again."""
    boss, first = operator(client), registered(client, "Rude Word")
    assert order(boss, do="mute name", name="Rude Word").status_code == 200
    assert first.post("/api/v1/account/delete", {"password": "correct horse"}).status_code == 204
    shown = boss.get("/api/v1/orders")
    assert "Rude" not in shown.text
    assert [one["name"] for one in shown.json()["muted"]] == ["former player"]
    assert [one["about"] for one in shown.json()["log"]] == ["former player"]
    second = registered(client, "Rude Word")
    assert order(boss, do="mute name", name="Rude Word").status_code == 200
    assert second.get("/api/v1/me").json()["name"].startswith("Player ")
    assert order(boss, do="restore name", name="Rude Word").status_code == 200
    assert second.get("/api/v1/me").json()["name"] == "Rude Word"


# The log of orders


def test_an_order_that_is_sent_again_has_the_effect_of_one(client: TestClient) -> None:
    boss = operator(client)
    body = {"id": "stop-it-once", "command": {"do": "stop game", "game": "classic", "reason": WHY}}
    answers = [boss.post("/api/v1/orders", body) for _ in range(3)]
    assert [answer.json() for answer in answers] == [{"id": "stop-it-once", "number": 1}] * 3
    other = {"id": "stop-it-once", "command": {"do": "stop game", "game": "quick-pay", "reason": WHY}}
    assert boss.post("/api/v1/orders", other).json()["code"] == "command id reused"
    now = boss.get("/api/v1/orders").json()
    assert now["stopped"] == [{"game": "classic", "reason": WHY}]
    (past,) = now["log"]
    assert past == {
        "number": 1,
        "at": FakeClock().now,
        "by": boss.get("/api/v1/me").json()["name"],
        "what": "game stopped",
        "about": "classic",
        "reason": WHY,
    }


def test_orders_given_at_once_by_two_processes_are_all_in_the_log(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as one, services(settings(database), FakeClock()) as two:
            given = [GameStopped(game=f"game {number}", reason=WHY) for number in range(6)]
            asked = (give(made, stop, f"command-{number}") for number, stop in enumerate(given) for made in (one, two))
            found = await asyncio.gather(*asked)
            assert sorted(found) == [number for number in range(1, 7) for _ in range(2)]
            await two.host.catch_up_orders()
            assert set(two.host.orders.stopped) == {stop.game for stop in given}
            await clean(one)

    asyncio.run(run())


def test_the_audit_follows_the_orders(sqlite: str) -> None:
    async def run() -> list[str]:
        async with services(settings(sqlite), FakeClock()) as made:
            await give(made, STOP, "stop-classic")
            await clean(made)
        forge(Path(sqlite.partition("///")[2]), "orders:all", 1, '"game stopped"', '"game allowed"')
        engine = connect(sqlite)
        found = await audit(StoreReader(engine))
        await engine.dispose()
        return found.problems

    (problem,) = asyncio.run(run())
    assert problem.startswith("orders:all, entry 1: it does not follow from the entries before it")


def test_a_damaged_log_of_orders_stops_no_table(sqlite: str) -> None:
    """What held before goes on, and no more orders are given."""

    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            await give(made, STOP, "stop-classic")
            await give(made, GameStopped(game="quick-pay", reason=WHY), "stop-another")
        with sqlite3.connect(sqlite.partition("///")[2]) as file:
            file.execute("UPDATE log SET body = '{}' WHERE stream = 'orders:all' AND sequence = 2")
        async with services(settings(sqlite), FakeClock()) as made:
            assert set(made.host.orders.stopped) == {"classic"}
            player = Player(made.host, await made.accounts.guest(), UNHURRIED)
            await player.open("double-up")

    asyncio.run(run())


def test_every_order_reads_as_it_was_written() -> None:
    stored = {
        '{"kind":"game stopped","game":"classic","reason":"why"}': GameStopped(game="classic", reason="why"),
        '{"kind":"game allowed","game":"classic","reason":"why"}': GameAllowed(game="classic", reason="why"),
        '{"kind":"name muted","user":"u","name":"n","shown":"s","reason":"why"}': NameMuted(
            user="u", name="n", shown="s", reason="why"
        ),
        '{"kind":"name restored","user":"u","reason":"why"}': NameRestored(user="u", reason="why"),
    }
    assert {text: read_order(text) for text in stored} == stored


_OPTIONS = ("--messages-per-second", "1000", "--message-burst", "1000", "--guest-burst", "1000", "--skip-returns")


@pytest.mark.slow
def test_an_order_holds_in_another_process_and_after_a_kill(postgres_database: str) -> None:
    """The operator asks one process; it is killed; the other one and a new one still refuse the bets."""
    asyncio.run(appoint(ServerSettings(database=postgres_database), "Carol", lambda: "correct horse"))
    with real_server(postgres_database, *_OPTIONS) as (two, _):
        with real_server(postgres_database, *_OPTIONS) as (one, process):
            ann, boss = Visitor(two), Visitor(one)
            boss.ask(one, "/api/v1/sign-in", {"name": "Carol", "password": "correct horse"})
            table = ann.open(two)
            ann.do(two, table, do="sit", seat=1)
            command = {"do": "stop game", "game": "classic", "reason": WHY}
            assert boss.ask(one, "/api/v1/orders", {"id": "stop-it-once", "command": command})["number"] == 1
            process.kill()
            process.wait()
        wait_until(lambda: ann.look(two, table)["view"]["stopped"] == WHY, "the other process hears of it")
        assert ann.do(two, table, do="bet", seat=1, main=1000)["code"] == "game stopped"
    with real_server(postgres_database, *_OPTIONS) as (three, _):
        assert ann.do(three, table, do="bet", seat=1, main=1000)["code"] == "game stopped"
        assert boss.ask(three, "/api/v1/orders", {"id": "stop-it-once", "command": command})["number"] == 1

    async def check() -> None:
        engine = connect(database_url(postgres_database))
        found = await audit(StoreReader(engine))
        await engine.dispose()
        assert found.is_clean, found.problems

    asyncio.run(check())
