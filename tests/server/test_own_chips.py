"""A table with changed rules has its own chips: what such rules pay never becomes anybody's money."""

from __future__ import annotations

import asyncio
import json
import random

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

import holecard
from holecard.server.audit.audit import audit
from holecard.server.errors import NotEnoughMoney, TooMuchMoney
from holecard.server.game.checkpoint import Checkpoint
from holecard.server.game.commands import CloseTable, DealNow, Leave, PlaceBet, Sit, TakeAction, WithdrawBet
from holecard.server.game.entries import read_entry, write_entry
from holecard.server.host.close_tables import close_tables
from holecard.server.host.hosted_table import HostedTable
from holecard.server.money.transfers import chips_for
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import writing
from holecard.server.store.one_moment import one_moment
from holecard.server.store.posting import MOST
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from holecard.table.legal import legal
from tests.server.driven_table import ANN, BOB, DrivenTable
from tests.server.fake_clock import FakeClock
from tests.server.old_versions import go_back
from tests.server.test_host import Player, clean, settings
from tests.server.test_web import Person, Socket, key

#: Somebody who has a natural wins a thousand times the bet.
RICH = {"settle.natural": "1000 to 1"}
#: The same, and the shoe ends soon.
RICH_AND_SHORT = {**RICH, "shoe.decks": 1}
#: $1,000, what a new account has; the smallest bet of the classic game is $5.
START, BET = 100_000, 500


def chips_of(table: str, player: Player) -> str:
    return f"chips:{table}:{player.user.id}"


async def left(made: Services, account: str) -> int:
    return await made.reader.balance(account)


async def win_a_lot(made: Services, player: Player, table: str) -> HostedTable:
    """Bet as little as possible until a natural has won."""
    hosted, rng = await made.host.table(table), random.Random(3)
    while not any(result.net == 1000 * BET for result in hosted.table.state.results):
        await player.play_round(table, rng)
    return hosted


def test_what_changed_rules_pay_stays_at_the_table(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic", **RICH)
            await player.do(table, Sit(seat=1))
            money, chips = f"player:{player.user.id}", chips_of(table, player)
            assert (await left(made, money), await left(made, chips)) == (START, START)
            await win_a_lot(made, player, table)
            assert await left(made, money) == START
            won = await left(made, chips)
            assert won > START + 900 * BET
            assert await made.reader.rows(select(schema.sitters)) == []
            async with one_moment(made.engine) as reader:
                assert (await audit(reader)).money == START
            await clean(made)
            await player.do(table, CloseTable())
            balances = {name: amount for name, amount in (await made.reader.balances()).items() if amount}
            assert balances == {money: START, "bank": -START}
            await clean(made)

    asyncio.run(run())


def test_nobody_bets_with_more_than_a_number_can_hold(database: str) -> None:
    """The balance would become a rounded number, and the table could not be audited any more."""

    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic", **RICH)
            await player.do(table, Sit(seat=1))
            chips = {"account": chips_of(table, player)}
            async with writing(made.engine) as connection:
                rich = text("UPDATE balances SET amount = :amount WHERE account = :account")
                await connection.execute(rich, {**chips, "amount": MOST + 1})
            with pytest.raises(
                TooMuchMoney, match=r"^nobody bets with more than \$10,000,000,000,000; close this table$"
            ):
                await player.do(table, PlaceBet(seat=1, main=BET))
            async with writing(made.engine) as connection:
                await connection.execute(rich, {**chips, "amount": MOST})
            await player.do(table, PlaceBet(seat=1, main=BET))
            await player.do(table, CloseTable())

    asyncio.run(run())


def test_changed_rules_count_for_no_return(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic", **RICH)
            await player.do(table, Sit(seat=1))
            await win_a_lot(made, player, table)
            assert await made.reader.returns() == {}
            await clean(made)

    asyncio.run(run())


def test_a_round_keeps_the_chips_that_it_has_left(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic", **RICH)
            await player.do(table, Sit(seat=1))
            hosted = await win_a_lot(made, player, table)
            row = await made.reader.round(table, hosted.table.rounds)
            assert row is not None
            assert row["balances"] == {"1": await left(made, chips_of(table, player))}
            kept = json.dumps({"1": row["balances"]["1"] + 1})
            async with writing(made.engine) as connection:
                change = text("UPDATE rounds SET balances = :kept WHERE number = :number")
                await connection.execute(change, {"kept": kept, "number": hosted.table.rounds})
            async with one_moment(made.engine) as reader:
                (problem,) = (await audit(reader)).problems
            assert "`balances` says" in problem

    asyncio.run(run())


def test_a_table_without_changed_rules_plays_with_money(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=BET))
            found = await made.reader.balances()
            assert found == {f"player:{player.user.id}": START - BET, f"held:{table}:1": BET, "bank": -START}
            await clean(made)

    asyncio.run(run())


def test_chips_are_neither_owned_nor_enough_beyond_their_table(database: str) -> None:
    """A buy-in does not count them, and a bet that takes more than the chips is refused, whatever money is there."""

    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic", **{**RICH, "main.max": 5_000})
            await player.do(table, Sit(seat=1))
            with pytest.raises(NotEnoughMoney, match=r"^you have \$1,000 to wager, and this takes \$1,005$"):
                await player.do(table, PlaceBet(seat=1, main=START + BET))
            await player.do(table, PlaceBet(seat=1, main=START))
            assert await left(made, f"held:{table}:1") == START
            assert await made.accounts.held(player.user) == 0
            await player.do(table, WithdrawBet(seat=1))
            assert await left(made, chips_of(table, player)) == START
            await clean(made)

    asyncio.run(run())


def test_two_servers_and_one_that_starts_again_know_the_same_chips(database: str) -> None:
    """The other server continues, and a third one loads the table from the checkpoint of its last shoe."""

    async def run() -> None:
        async with services(settings(database), FakeClock()) as one, services(settings(database), FakeClock()) as two:
            player = Player(one.host, await one.accounts.guest())
            table = await player.open("classic", **RICH_AND_SHORT)
            await player.do(table, Sit(seat=1))
            hosted, shoes, rng = await one.host.table(table), set[str](), random.Random(2)
            while len(shoes) < 3:
                await player.play_round(table, rng)
                assert hosted.table.shoe is not None
                shoes.add(hosted.table.shoe.id)
            player.host = two.host
            await player.play_round(table, rng)
            chips = await left(two, chips_of(table, player))
            assert (await two.host.table(table)).money.chips == {player.user.id: chips}
            await clean(one)
        async with services(settings(database), FakeClock()) as made:
            hosted = await made.host.table(table)
            written = await made.reader.checkpoint(table)
            assert written is not None
            assert Checkpoint.model_validate_json(written).chips
            assert hosted.money.chips == {player.user.id: chips}
            player.host = made.host
            await player.do(table, CloseTable())
            assert await left(made, chips_of(table, player)) == 0
            await clean(made)

    asyncio.run(run())


def test_tables_that_are_closed_on_the_server_return_their_chips(database: str) -> None:
    """Also in the middle of a round, which is voided first."""

    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic", **RICH)
            await player.do(table, Sit(seat=1))
            while (await made.host.table(table)).table.is_between_rounds:
                await player.do(table, PlaceBet(seat=1, main=BET))
                await player.do(table, DealNow())
        await close_tables(database, "restored", FakeClock())
        async with services(settings(database), FakeClock()) as made:
            balances = {name: amount for name, amount in (await made.reader.balances()).items() if amount}
            assert balances == {f"player:{player.user.id}": START, "bank": -START}
            await clean(made)

    asyncio.run(run())


# Who gets chips when


def seated_with(chips: int) -> DrivenTable:
    """Return a table of the classic game whose bets are at least $5, at which Ann and Bob have got chips."""
    driven = DrivenTable.open("classic", chips)
    assert driven.balances == {"bank": -2 * chips, "chips:t1:ann": chips, "chips:t1:bob": chips}
    return driven


def test_who_leaves_and_sits_down_again_goes_on_with_the_same_chips() -> None:
    driven = seated_with(1_000)
    driven.do(PlaceBet(seat=1, main=600), ANN)
    driven.do(Leave(seat=1), ANN)
    driven.do(Sit(seat=1), ANN)
    assert driven.balances["chips:t1:ann"] == 1_000
    assert driven.balances["bank"] == -2_000


def test_stakes_at_the_table_count_when_somebody_sits_down() -> None:
    """Ann has bet all: she gets nothing for another seat, nor after taking the bet back."""
    driven = seated_with(1_000)
    driven.do(PlaceBet(seat=1, main=1_000), ANN)
    driven.do(Sit(seat=2), ANN)
    driven.do(Leave(seat=1), ANN)
    assert driven.balances["chips:t1:ann"] == 1_000


def test_who_has_too_little_for_a_bet_gets_chips_at_the_next_seat() -> None:
    """Bob draws until he busts, until less than $5 is left."""
    driven = seated_with(799)
    driven.do(Leave(seat=1), ANN)
    while (had := driven.balances["chips:t1:bob"]) >= BET:
        driven.do(PlaceBet(seat=3, main=BET), BOB)
        driven.do(DealNow(), BOB)
        while not driven.table.is_between_rounds:
            choices = {str(choice.action) for choice in legal(driven.table.state)}
            driven.do(TakeAction(seat=3, action="hit" if "hit" in choices else sorted(choices)[0]), BOB)
    bank = driven.balances["bank"]
    driven.do(Leave(seat=3), BOB)
    driven.do(Sit(seat=4), BOB)
    assert driven.balances["chips:t1:bob"] == 799
    assert driven.balances["bank"] == bank - (799 - had)


def test_everybody_gets_enough_for_a_bet_at_tables_where_it_is_possible() -> None:
    """A smallest bet of $5,000 takes more than a new account has; nobody can bet a billion."""
    assert chips_for(holecard.rules("classic", RICH).tables, START) == START
    dear = holecard.rules("classic", {"main.min": 5_000, "main.max": 10_000})
    assert chips_for(dear.tables, START) == 500_000
    absurd = holecard.rules("classic", {"main.min": 10**9, "main.max": 10**9})
    assert chips_for(absurd.tables, START) == 2_000_000_000


def test_a_voided_round_and_the_end_return_chips() -> None:
    driven = seated_with(100_000)
    while driven.table.is_between_rounds:
        for actor, seat in ((ANN, 1), (BOB, 3)):
            driven.do(PlaceBet(seat=seat, main=1_000), actor)
        driven.do(DealNow(), ANN)
    driven.add(driven.dealer.void("the operator ended it"))
    assert driven.balances["held:t1:1"] == driven.balances["held:t1:3"] == 0
    driven.add(driven.dealer.close("over"))
    assert not any(driven.balances.values())
    assert not any(account.startswith("player:") for account in driven.balances)


def test_an_old_table_with_changed_rules_plays_with_money() -> None:
    """Its first entry says nothing of chips, and its transfers stay what they were."""
    driven = DrivenTable.open("classic", **RICH)
    body = write_entry(driven.log[0]).replace(',"chips":0', "")
    assert "chips" not in body
    assert read_entry(body) == driven.log[0]
    driven.do(PlaceBet(seat=1, main=BET), ANN)
    assert driven.transfers[-1] == (("stake", "player:ann", "held:t1:1", BET, ""),)


# The database


def test_chips_never_go_below_zero(database: str) -> None:
    """Nor after an update of a database of the version before, which keeps its balances."""

    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            before = await made.reader.balances()
            await refuse_overdrafts(made, table)
        await go_back(database, "0012")
        async with services(settings(database), FakeClock()) as made:
            assert await made.reader.balances() == before
            await refuse_overdrafts(made, table)
            await clean(made)

    asyncio.run(run())


async def refuse_overdrafts(made: Services, table: str) -> None:
    for account in ("player:somebody", f"chips:{table}:somebody", f"held:{table}:2"):
        with pytest.raises(IntegrityError):
            async with writing(made.engine) as connection:
                await connection.execute(insert(schema.balances).values(account=account, amount=-1))


# Over the network


def test_the_socket_says_what_the_person_has_there(sqlite: str) -> None:
    own = ServerSettings(database=sqlite, skip_returns=True, starting_money=2_000)
    with TestClient(create_app(own, FakeClock())) as client:
        ann = Person(client)
        body = {"id": key(), "game": "classic", "settings": RICH}
        info = ann.post("/api/v1/tables", body).json()
        table = info["id"]
        assert info["chips"] == 2_000
        assert [one["chips"] for one in ann.get("/api/v1/tables").json()] == [2_000]
        assert ann.get(f"/api/v1/tables/{table}/rules").json()["chips"] == 2_000
        with ann.socket(table) as socket:
            hello, _, balance = socket.until("balance")
            assert (hello["you"]["balance"], hello["table"]["chips"]) == (2_000, 2_000)
            assert balance == {"type": "balance", "cents": 0, "chips": True}
            socket.command(do="sit", seat=1)
            assert balances(socket, 1) == [2_000]
            socket.command(do="bet", seat=1, main=1_500)
            assert balances(socket, 1) == [500]
        me = ann.get("/api/v1/me").json()
        assert (me["balance"], me["held"]) == (2_000, 0)
        plain = ann.open()
        assert ann.get(f"/api/v1/tables/{plain}").json()["table"]["chips"] == 0


def balances(socket: Socket, count: int) -> list[int]:
    """Return the next chips that a socket tells."""
    found: list[int] = []
    while len(found) < count:
        message = socket.until("balance")[-1]
        assert message["chips"] is True
        found.append(message["cents"])
    return found
