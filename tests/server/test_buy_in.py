"""New play money for people who have lost theirs: given once, below a tenth of the starting money, and audited."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from holecard.server.accounts.account_log import (
    AccountOpened,
    BoughtIn,
    FoldedAccount,
    GuestNamed,
    RoleGiven,
    buy_in_below,
    read_account_entry,
)
from holecard.server.accounts.accounts import EnoughMoney
from holecard.server.audit.audit import audit
from holecard.server.errors import CommandReused, NotAllowed
from holecard.server.game.commands import PlaceBet, Sit, WithdrawBet
from holecard.server.settings import ServerSettings
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from tests.server.fake_clock import FakeClock
from tests.server.test_audit import forge
from tests.server.test_host import Player, clean, settings
from tests.server.test_web import Person

#: $200, so that new money is given below $20.
START = 20_000


async def bets(made: Services, cents: int) -> tuple[Player, str]:
    """A new guest who has bet this much; return the guest and the table."""
    player = Player(made.host, await made.accounts.guest())
    table = await player.open("classic")
    await player.do(table, Sit(seat=1))
    await player.do(table, PlaceBet(seat=1, main=cents))
    return player, table


async def free_money(made: Services, player: Player) -> int:
    return await made.reader.balance(f"player:{player.user.id}")


@pytest.mark.parametrize(("starting_money", "below"), [(100_000, 10_000), (95, 10), (1, 1), (0, 0)])
def test_new_money_is_given_below_a_tenth(starting_money: int, below: int) -> None:
    """A tenth of 95 cents is 9.5, so 9 cents are below it and 10 are not."""
    assert buy_in_below(starting_money) == below
    assert [had for had in range(12) if had * 10 < starting_money] == list(range(min(below, 12)))


def test_the_bank_gives_what_is_missing(database: str) -> None:
    async def run() -> None:
        async with services(settings(database, starting_money=START), FakeClock()) as made:
            player, table = await bets(made, 18_100)
            await made.accounts.buy_in(player.user)
            assert await free_money(made, player) == START
            with pytest.raises(EnoughMoney, match=r"^you have \$200; new money is given below \$20$"):
                await made.accounts.buy_in(player.user)
            await player.do(table, WithdrawBet(seat=1))
            assert await free_money(made, player) == START + 18_100
            balances = await made.reader.balances()
            assert balances["bank"] == -START - 18_100
            await clean(made)

    asyncio.run(run())


def test_a_tenth_is_enough(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite, starting_money=START), FakeClock()) as made:
            player, _ = await bets(made, 18_000)
            with pytest.raises(EnoughMoney, match=r"^you have \$20; new money is given below \$20$"):
                await made.accounts.buy_in(player.user)
            assert await free_money(made, player) == 2_000

    asyncio.run(run())


def test_ten_requests_at_once_to_two_processes_give_once(database: str) -> None:
    async def run() -> None:
        own = settings(database, starting_money=START)
        async with services(own, FakeClock()) as one, services(own, FakeClock()) as two:
            player, _ = await bets(one, 20_000)
            asked = (made.accounts.buy_in(player.user) for made in (one, two) * 5)
            found = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(answer) for answer in found if answer is not None] == [EnoughMoney] * 9
            assert await free_money(one, player) == START
            await clean(one)

    asyncio.run(run())


def test_a_request_that_is_sent_again_gives_once(database: str) -> None:
    """Its answer was lost, and the player has bet all of the new money meanwhile; other ids give again."""

    async def run() -> None:
        own = settings(database, starting_money=START)
        async with services(own, FakeClock()) as one, services(own, FakeClock()) as two:
            player, _ = await bets(one, START)
            asked = (made.accounts.buy_in(player.user, "once-more") for made in (one, two) * 3)
            assert await asyncio.gather(*asked) == [None] * 6
            assert await free_money(one, player) == START
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=START))
            await two.accounts.buy_in(player.user, "once-more")
            assert await free_money(one, player) == 0
            with pytest.raises(CommandReused):
                await one.accounts.buy_in(player.user, "command-1")
            await clean(one)

    asyncio.run(run())


def test_a_guest_who_bought_in_can_register_and_buy_in_again(sqlite: str) -> None:
    """All entries of an account in one log, in any order."""

    async def run() -> None:
        async with services(settings(sqlite, starting_money=START), FakeClock()) as made:
            player, table = await bets(made, 20_000)
            await made.accounts.buy_in(player.user)
            await made.accounts.register("Ann", "correct horse", guest=player.user)
            await player.do(table, Sit(seat=2))
            await player.do(table, PlaceBet(seat=2, main=19_900))
            await made.accounts.buy_in(player.user)
            await made.accounts.set_role("Ann", "operator")
            assert await free_money(made, player) == START
            await clean(made)

    asyncio.run(run())


# Over the network


@pytest.fixture
def client(sqlite: str) -> TestClient:
    return TestClient(create_app(ServerSettings(database=sqlite, starting_money=START, skip_returns=True)))


def test_the_answer_and_every_socket_of_the_person_show_the_new_money(client: TestClient) -> None:
    with client:
        ann, bob = Person(client), Person(client)
        assert ann.get("/api/v1/me").json()["buy_in_below"] == 2_000
        refused = ann.post("/api/v1/buy-in")
        assert (refused.status_code, refused.json()["code"]) == (409, "enough money")
        table = ann.open()
        ann.command(table, do="sit", seat=1)
        with ann.socket(table) as mine, ann.socket(table) as again, bob.socket(table) as other:
            for socket in (mine, again, other):
                socket.until("balance")
            ann.command(table, do="bet", seat=1, main=20_000)
            for socket in (mine, again):
                assert socket.until("balance")[-1]["cents"] == 0
            answer = ann.post("/api/v1/buy-in", {"id": "some-new-money"})
            assert (answer.status_code, answer.json()) == (200, {**ann.get("/api/v1/me").json(), "balance": START})
            for socket in (mine, again):
                assert socket.next() == {"type": "balance", "cents": START}
            assert ann.post("/api/v1/buy-in", {"id": "some-new-money"}).json() == answer.json()
            assert ann.post("/api/v1/buy-in", {"id": "short"}).status_code == 422
            for socket in (mine, again):
                assert socket.next() == {"type": "balance", "cents": START}
            other.session.send_json({"type": "ping"})
            assert [message["type"] for message in other.until("pong")] == ["entry", "pong"]


def test_it_needs_a_session_and_counts_as_a_message(sqlite: str) -> None:
    few = ServerSettings(database=sqlite, message_burst=3, messages_per_second=1, skip_returns=True)
    with TestClient(create_app(few, FakeClock())) as client:
        assert Person(client, "nobody").post("/api/v1/buy-in").status_code == 401
        ann = Person(client)
        assert [ann.post("/api/v1/buy-in").status_code for _ in range(4)] == [409, 409, 409, 429]
        stranger = ann.post("/api/v1/buy-in", headers={"Origin": "https://elsewhere.example"})
        assert stranger.status_code == 403


# Logs


def test_entries_of_older_versions_still_read() -> None:
    """As versions without buy-ins have written them."""
    stored = {
        '{"kind":"opened","name":"Ann","role":"guest","cents":100000}': AccountOpened(
            name="Ann", role="guest", cents=100_000
        ),
        '{"kind":"guest named","name":"Ann"}': GuestNamed(name="Ann"),
        '{"kind":"role given","role":"operator"}': RoleGiven(role="operator"),
    }
    assert {text: read_account_entry(text) for text in stored} == stored


def test_a_buy_in_of_somebody_who_has_enough_does_not_follow() -> None:
    account = FoldedAccount("Ann", "guest", 0)
    assert account.after(BoughtIn(had=1_999, cents=18_001), 2) == account
    with pytest.raises(NotAllowed):
        account.after(BoughtIn(had=2_000, cents=18_000), 2)


@pytest.fixture
def bought_in(sqlite: str) -> tuple[Path, str]:
    """A database in which somebody has bet $190 of $200, and bought in for as much; the file and the user."""

    async def run() -> str:
        async with services(settings(sqlite, starting_money=START), FakeClock()) as made:
            player, _ = await bets(made, 19_000)
            await made.accounts.buy_in(player.user)
            return player.user.id

    user = asyncio.run(run())
    return Path(sqlite.partition("///")[2]), user


async def problems(file: Path) -> list[str]:
    engine = connect(f"sqlite+aiosqlite:///{file}")
    found = await audit(StoreReader(engine))
    await engine.dispose()
    return found.problems


def test_a_forged_amount_is_found(bought_in: tuple[Path, str]) -> None:
    file, user = bought_in
    forge(file, f"account:{user}", 2, '"cents":19000', '"cents":99000')
    found = asyncio.run(problems(file))
    assert found[0].startswith(f"account:{user}, entry 2: its transfers do not follow from it: they should be")
    assert f"balance of player:{user}: $200 is stored, and the log makes it $1,000" in found


def test_forged_money_before_a_buy_in_is_found_where_everything_adds_up(bought_in: tuple[Path, str]) -> None:
    """With $10 left the buy-in was due. The table's log leaves no less than that, and with $200 it was not due."""
    file, user = bought_in
    assert asyncio.run(problems(file)) == []
    place = f"account:{user}, entry 2"
    forge(file, f"account:{user}", 2, '"had":1000', '"had":900')
    assert asyncio.run(problems(file)) == [f"{place}: `had` says $9, and the logs make it $10 to $200"]
    forge(file, f"account:{user}", 2, '"had":900', '"had":20000')
    assert asyncio.run(problems(file))[0].startswith(f"{place}: it does not follow from the entries before it")
