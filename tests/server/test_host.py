"""Commands in a database: one effect each, no overdraft, and several processes that share everything."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

import holecard
from holecard.errors import OutOfTurn, Refusal
from holecard.server.accounts.sessions import User
from holecard.server.audit.audit import audit
from holecard.server.errors import CommandReused, NotEnoughMoney
from holecard.server.game.commands import DealNow, PlaceBet, Sit, TableCommand
from holecard.server.game.decide import Actor
from holecard.server.game.entries import Pace
from holecard.server.game.frames import snapshot
from holecard.server.host.host import Host
from holecard.server.host.hosted_table import HostedTable
from holecard.server.settings import ServerSettings
from holecard.server.store.one_moment import one_moment
from holecard.server.web.services import Services, services
from tests.server.driven_table import random_decision

#: Longer than any test takes.
UNHURRIED = Pace(bet=600, act=600)


def settings(database: str, **more: object) -> ServerSettings:
    roomy = {"tables_per_user": 100, "seats_per_user": 100, "skip_returns": True}
    return ServerSettings.model_validate({"database": database, **roomy, **more})


@asynccontextmanager
async def server(database: str) -> AsyncIterator[Services]:
    async with services(settings(database)) as made:
        yield made


def actor(user: User) -> Actor:
    return Actor(user.id, user.name)


class Player:
    """A guest who numbers the commands."""

    def __init__(self, host: Host, user: User, pace: Pace = UNHURRIED) -> None:
        self.host, self.user, self.pace, self.number = host, user, pace, 0

    async def do(self, table: str, command: TableCommand, key: str | None = None) -> int:
        self.number += 1
        done = await self.host.command(table, command, actor(self.user), key or f"command-{self.number}")
        return done.sequence

    async def open(self, game: str, **changes: object) -> str:
        """Open a table at which everybody has as long as the player's pace says."""
        self.number += 1
        sheet = holecard.rules(game, changes)
        key = f"command-{self.number}"
        return (await self.host.open(sheet, game, self.pace, actor(self.user), key)).table

    async def play_round(self, table: str, rng: random.Random) -> None:
        hosted = await self.host.table(table)
        await self.do(table, PlaceBet(seat=1, main=int(hosted.table.tables.main.low)))
        await self.do(table, DealNow())
        while hosted.table.state.phase != "done":
            await self.do(table, random_decision(hosted.table, rng))

    async def lose_early(self) -> str:
        """Begin a round in which a side wager is lost already; return its table."""
        table = await self.open("match-up")
        await self.do(table, Sit(seat=1))
        hosted, rng = await self.host.table(table), random.Random(9)
        while True:
            await self.do(table, PlaceBet(seat=1, main=200, sides={"Match Up": 100}))
            await self.do(table, DealNow())
            while not hosted.table.is_between_rounds:
                if any(result.net < 0 for result in hosted.table.state.results):
                    return table
                await self.do(table, random_decision(hosted.table, rng))


async def clean(made: Services) -> None:
    async with one_moment(made.engine) as reader:  # the clock may play on meanwhile
        found = await audit(reader)
    assert found.is_clean, found.problems
    assert found.entries > 0


def test_a_repeated_command_has_one_effect(database: str) -> None:
    async def run() -> None:
        async with server(database) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            first = await player.do(table, PlaceBet(seat=1, main=1000), "the-same-id")
            assert await player.do(table, PlaceBet(seat=1, main=1000), "the-same-id") == first
            await player.do(table, DealNow(), "deal-once")
            before = (await made.host.table(table)).table.sequence
            await player.do(table, DealNow(), "deal-once")
            assert (await made.host.table(table)).table.sequence == before
            with pytest.raises(CommandReused):
                await player.do(table, PlaceBet(seat=1, main=2000), "the-same-id")
            again = await made.host.open(
                holecard.rules("classic"), "classic", UNHURRIED, actor(player.user), "command-1"
            )
            assert again.table == table
            await clean(made)

    asyncio.run(run())


def test_the_same_command_sent_at_the_same_time_has_one_effect(database: str) -> None:
    async def run() -> None:
        async with server(database) as one, server(database) as two:
            user = await one.accounts.guest()
            table = await Player(one.host, user).open("classic")
            await Player(one.host, user).do(table, Sit(seat=1), "sit-down")
            hosts = [one.host, two.host] * 5
            bet = PlaceBet(seat=1, main=1000)
            found = await asyncio.gather(*(Player(host, user).do(table, bet, "bet-once") for host in hosts))
            assert len(set(found)) == 1
            assert await one.reader.balance(f"player:{user.id}") == 99_000
            await clean(one)

    asyncio.run(run())


def test_nobody_stakes_more_than_there_is_whatever_comes_at_once(database: str) -> None:
    """Thirty bets of $100 at thirty tables by somebody who has $1,000."""

    async def run() -> None:
        async with server(database) as made:
            player = Player(made.host, await made.accounts.guest())
            tables = [await player.open("classic") for _ in range(30)]
            for table in tables:
                await player.do(table, Sit(seat=1))
            bets = (player.do(table, PlaceBet(seat=1, main=10_000)) for table in tables)
            found = await asyncio.gather(*bets, return_exceptions=True)
            refused = [error for error in found if isinstance(error, NotEnoughMoney)]
            assert len(refused) == 20
            assert "you have $0 to wager, and this takes $100" in str(refused[-1])
            assert await made.reader.balance(f"player:{player.user.id}") == 0
            await clean(made)

    asyncio.run(run())


def test_two_servers_share_tables_without_a_double_seat(postgres_database: str) -> None:
    async def run() -> None:
        async with server(postgres_database) as one, server(postgres_database) as two:
            ann, bob = Player(one.host, await one.accounts.guest()), Player(two.host, await two.accounts.guest())
            table = await ann.open("classic")
            taken = await asyncio.gather(ann.do(table, Sit(seat=1)), bob.do(table, Sit(seat=1)), return_exceptions=True)
            assert sum(isinstance(one_, OutOfTurn) for one_ in taken) == 1
            await clean(one)

    asyncio.run(run())


def test_nothing_is_refused_because_a_server_has_not_heard_of_the_last_command(sqlite: str) -> None:
    """SQLite tells nobody what another process has written."""

    async def run() -> None:
        async with server(sqlite) as one, server(sqlite) as two:
            user = await one.accounts.guest()
            first, second = Player(one.host, user), Player(two.host, user)
            second.number = 10_000
            table = await first.open("classic")
            for host in (one.host, two.host):
                await host.table(table)
            await first.do(table, Sit(seat=1))
            await second.do(table, PlaceBet(seat=1, main=1000))
            await first.do(table, DealNow())
            with pytest.raises(OutOfTurn):
                await second.do(table, DealNow())
            assert (await two.host.table(table)).table.rounds == 1
            await clean(one)

    asyncio.run(run())


def test_what_is_appended_while_a_table_is_loaded_is_not_missed(sqlite: str) -> None:
    async def run() -> None:
        async with server(sqlite) as one, server(sqlite) as two:
            player = Player(one.host, await one.accounts.guest())
            table = await player.open("classic")
            load = two.host._loader.load

            async def load_slowly(table_id: str) -> HostedTable:
                loaded = await load(table_id)
                await player.do(table, Sit(seat=1))  # two has heard of this before it knows the table
                await two.host.catch_up(table_id, 10**9)
                return loaded

            two.host._loader.load = load_slowly  # type: ignore[method-assign]
            assert list((await two.host.table(table)).table.seats) == [1]

    asyncio.run(run())


def test_news_of_a_table_that_nobody_uses_here_drops_it(sqlite: str) -> None:
    """The players are at another process; to follow every entry would cost as much as to play them."""

    async def run() -> None:
        async with server(sqlite) as one:
            player = Player(one.host, await one.accounts.guest())
            watched, used, unused = [await player.open("classic") for _ in range(3)]
            tables = {table: await one.host.table(table) for table in (watched, used, unused)}
            tables[watched].watchers.add(lambda _: None)
            for table in (watched, unused):
                tables[table].used_at -= 60
            known = tables[unused].table.sequence
            assert not one.host.lacks(unused, known)  # nothing new
            assert tables[unused] in one.host.tables
            assert [one.host.lacks(table, known + 1) for table in tables] == [True, True, False]
            assert set(one.host.tables) == {tables[watched], tables[used]}
            assert not one.host.lacks("unknown", 1)

    asyncio.run(run())


def test_another_server_carries_on_where_one_has_stopped(postgres_database: str) -> None:
    """Every round is begun by one server and finished by the other, which hears of it from the database."""

    async def run() -> None:
        rng = random.Random(7)
        async with server(postgres_database) as one, server(postgres_database) as two:
            user = await one.accounts.guest()
            first, second = Player(one.host, user), Player(two.host, user)
            second.number = 10_000
            table = await first.open("quick-pay")
            await first.do(table, Sit(seat=1))
            for _ in range(5):
                await first.do(table, PlaceBet(seat=1, main=1000))
                await first.do(table, DealNow())
                hosted = await two.host.table(table)
                await two.host.catch_up(table, 10**9)
                while hosted.table.state.phase != "done":
                    await second.do(table, random_decision(hosted.table, rng))
                await one.host.catch_up(table, 10**9)
                mine, other = (await one.host.table(table)).table, hosted.table
                assert snapshot(mine, (1,)) == snapshot(other, (1,))
            await clean(two)

    asyncio.run(run())


def test_a_new_process_continues_every_round(database: str) -> None:
    async def run() -> None:
        rng = random.Random(3)
        async with server(database) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("double-up")
            await player.do(table, Sit(seat=1))
            for _ in range(3):
                await player.play_round(table, rng)
            await player.do(table, PlaceBet(seat=1, main=1000))
            before = snapshot((await made.host.table(table)).table, (1,))
        async with server(database) as made:
            again = Player(made.host, player.user)
            again.number = 10_000
            assert snapshot((await made.host.table(table)).table, (1,)) == before
            await again.do(table, DealNow())
            hosted = await made.host.table(table)
            while hosted.table.state.phase != "done":
                await again.do(table, random_decision(hosted.table, rng))
            assert hosted.table.rounds == 4
            await clean(made)

    asyncio.run(run())


def test_a_refused_command_leaves_no_trace(database: str) -> None:
    async def run() -> None:
        async with server(database) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            before = await made.reader.entries(f"table:{table}")
            for command in (PlaceBet(seat=1, main=1000), DealNow(), Sit(seat=7)):
                with pytest.raises(Refusal):
                    await player.do(table, command if not isinstance(command, Sit) else PlaceBet(seat=7, main=1))
            assert await made.reader.entries(f"table:{table}") == before

    asyncio.run(run())
