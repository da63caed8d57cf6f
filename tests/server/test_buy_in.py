"""New play money for people who have lost theirs: given once, to nobody who owns enough, and audited."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

import holecard
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
from holecard.server.accounts.sessions import User
from holecard.server.audit.audit import audit
from holecard.server.errors import CommandReused, NotAllowed
from holecard.server.game.commands import CloseTable, DealNow, Leave, PlaceBet, Sit, TakeAction, WithdrawBet
from holecard.server.games import Games
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from holecard.table.legal import legal
from tests.server.fake_clock import FakeClock
from tests.server.test_audit import forge
from tests.server.test_host import Player, clean, settings
from tests.server.test_web import Person

#: $200, so that new money is given below $20.
START = 20_000


async def sits(made: Services) -> tuple[Player, str]:
    """A new guest at a new table where naturals win even money; return the guest and the table."""
    player = Player(made.host, await made.accounts.guest())
    table = await player.open("double-exposure")
    await player.do(table, Sit(seat=1))
    return player, table


async def loses(made: Services, cents: int) -> tuple[Player, str]:
    """A new guest who plays badly until this much is lost; return the guest and the table."""
    player, table = await sits(made)
    await lose(made, player, table, await free_money(made, player) - cents)
    return player, table


async def lose(made: Services, player: Player, table: str, until: int) -> None:
    """Draw until the hand has busted, again and again, until this is left."""
    hosted = await made.host.table(table)
    while (left := await free_money(made, player) - until) > 0:
        bet = left if left <= 50_000 else left // 200 * 100
        await player.do(table, PlaceBet(seat=1, main=bet))
        await player.do(table, DealNow())
        while hosted.table.state.phase != "done":
            choices = {str(choice.action) for choice in legal(hosted.table.state)}
            await player.do(table, TakeAction(seat=1, action="hit" if "hit" in choices else "stand"))


async def bet_all(made: Services, player: Player, table: str) -> None:
    await player.do(table, PlaceBet(seat=1, main=await free_money(made, player)))


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
            player, _ = await loses(made, 18_100)
            await made.accounts.buy_in(player.user)
            assert await free_money(made, player) == START
            with pytest.raises(EnoughMoney, match=r"^you have \$200; new money is given below \$20$"):
                await made.accounts.buy_in(player.user)
            balances = await made.reader.balances()
            assert balances["bank"] == -START - 18_100
            await clean(made)

    asyncio.run(run())


def test_stakes_on_tables_are_owned(database: str) -> None:
    """Bet all, buy in and withdraw makes no money: neither before the deal, nor in a round whose seat was left."""

    async def run() -> None:
        async with services(settings(database, starting_money=START), FakeClock()) as made:
            player, table = await sits(made)
            await bet_all(made, player, table)
            words = r"^you have \$0, and \$200 on tables; new money is given below \$20$"
            with pytest.raises(EnoughMoney, match=words):
                await made.accounts.buy_in(player.user)
            await player.do(table, WithdrawBet(seat=1))
            await player.do(table, Leave(seat=1))
            other = await player.open("classic")
            hosted = await made.host.table(other)
            await player.do(other, Sit(seat=1))
            while hosted.table.is_between_rounds:  # the dealer had a natural, or the player
                await player.do(other, PlaceBet(seat=1, main=1_000))
                await player.do(other, DealNow())
            await player.do(other, Leave(seat=1))
            assert await made.accounts.held(player.user) == 1_000
            assert await made.accounts.held(await made.accounts.guest()) == 0
            await clean(made)
            await made.host.tick()  # plays the hand of a player who has left
            await player.do(other, CloseTable())
            assert [row["table"] for row in await made.reader.rows(select(schema.sitters))] == [table]
            await clean(made)

    asyncio.run(run())


def test_money_that_moves_to_a_table_meanwhile_is_counted(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server takes the bet between the look at the free money and the look at the stakes, and the other way."""

    async def run() -> None:
        own = settings(database, starting_money=START)
        async with services(own, FakeClock()) as one, services(own, FakeClock()) as two:
            player, table = await sits(two)
            await bet_all(two, player, table)
            held, moves = one.accounts.held, [WithdrawBet(seat=1)]

            async def slow(user: User) -> int:
                if moves:
                    await player.do(table, moves.pop())
                return await held(user)

            monkeypatch.setattr(one.accounts, "held", slow)
            with pytest.raises(EnoughMoney, match=r"^you have \$200; new"):
                await one.accounts.buy_in(player.user)
            assert not moves
            await clean(one)

    asyncio.run(run())


def test_who_cannot_pay_the_smallest_bet_gets_new_money(sqlite: str) -> None:
    """A tenth of $60 is $6, and the smallest bet of one of the games takes $10, because it has two parts."""

    async def run() -> None:
        async with services(settings(sqlite, starting_money=6_000), FakeClock()) as made:
            assert made.accounts.buy_in_below == 1_000
            player, _ = await loses(made, 5_200)
            await made.accounts.buy_in(player.user)
            assert await free_money(made, player) == 6_000
            await clean(made)

    asyncio.run(run())


@pytest.mark.parametrize("starting_money", [1_000, 1_001, 6_000, 9_999, 10_000, 100_000, 10_000_000])
def test_nobody_is_too_poor_to_bet_and_too_rich_for_new_money(starting_money: int) -> None:
    below = buy_in_below(starting_money, Games(None).smallest_bet())
    for game in holecard.games(examples=True):
        tables = holecard.rules(game).tables
        smallest = int(tables.main.low) * (2 if tables.has_companion else 1)
        assert below >= smallest, game
    assert below <= starting_money


def test_a_dear_game_of_the_operator_counts(tmp_path: Path) -> None:
    (tmp_path / "salon.toml").write_text('extends = "classic"\nname = "Salon"\n[main]\nmin = "$100"\nmax = "$5000"\n')
    (tmp_path / "broken.toml").write_text('extends = "nothing"\n')
    assert Games(tmp_path).smallest_bet() == 10_000
    assert buy_in_below(100_000, Games(tmp_path).smallest_bet()) == 10_000
    assert buy_in_below(50_000, 60_000) == 50_000


def test_the_same_buy_in_twice_at_once_while_bets_move(database: str) -> None:
    """Two servers, and a player who bets and withdraws: whatever comes first, no money is made."""

    async def run() -> None:
        own = settings(database, starting_money=START)
        async with services(own, FakeClock()) as one, services(own, FakeClock()) as two:
            player, table = await sits(one)

            async def move() -> None:
                for _ in range(10):
                    await bet_all(one, player, table)
                    await player.do(table, WithdrawBet(seat=1))

            asked = (made.accounts.buy_in(player.user) for made in (one, two) * 10)
            found = await asyncio.gather(move(), *asked, return_exceptions=True)
            assert None not in found[1:], "somebody who owns $200 was given more"
            assert await free_money(one, player) == START
            await clean(one)

    asyncio.run(run())


def test_a_tenth_is_enough(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite, starting_money=START), FakeClock()) as made:
            player, _ = await loses(made, 18_000)
            with pytest.raises(EnoughMoney, match=r"^you have \$20; new money is given below \$20$"):
                await made.accounts.buy_in(player.user)
            assert await free_money(made, player) == 2_000

    asyncio.run(run())


def test_ten_requests_at_once_to_two_processes_give_once(database: str) -> None:
    async def run() -> None:
        own = settings(database, starting_money=START)
        async with services(own, FakeClock()) as one, services(own, FakeClock()) as two:
            player, _ = await loses(one, 20_000)
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
            player, _ = await loses(one, START)
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
            player, table = await loses(made, 20_000)
            await made.accounts.buy_in(player.user)
            await made.accounts.register("Ann", "correct horse", guest=player.user)
            await lose(made, player, table, 100)
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
        table = ann.open("double-exposure")
        ann.command(table, do="sit", seat=1)
        while (left := ann.get("/api/v1/me").json()["balance"]) > 0:
            ann.command(table, do="bet", seat=1, main=min(left, 50_000))
            ann.command(table, do="deal")
            while (view := ann.get(f"/api/v1/tables/{table}").json()["view"])["asked"]:
                actions = {choice["action"] for choice in view["choices"]}
                ann.command(table, do="act", seat=1, action="hit" if "hit" in actions else "stand")
        with ann.socket(table) as mine, ann.socket(table) as again, bob.socket(table) as other:
            for socket in (mine, again, other):
                socket.until("balance")
            answer = ann.post("/api/v1/buy-in", {"id": "some-new-money"})
            assert (answer.status_code, answer.json()) == (200, {**ann.get("/api/v1/me").json(), "balance": START})
            for socket in (mine, again):
                assert socket.next() == {"type": "balance", "cents": START}
            assert ann.post("/api/v1/buy-in", {"id": "some-new-money"}).json() == answer.json()
            assert ann.post("/api/v1/buy-in", {"id": "short"}).status_code == 422
            for socket in (mine, again):
                assert socket.next() == {"type": "balance", "cents": START}
            other.session.send_json({"type": "ping"})
            assert [message["type"] for message in other.until("pong")] == ["pong"]


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
    """A database in which somebody has lost $190 of $200, and bought in for as much; the file and the user."""

    async def run() -> str:
        async with services(settings(sqlite, starting_money=START), FakeClock()) as made:
            player, _ = await loses(made, 19_000)
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
