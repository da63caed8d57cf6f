"""What the server does when a seed is lost or the random generator fails: no bets, plain words, no money lost."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import delete, update

from holecard.errors import Refusal
from holecard.server.audit.audit import audit
from holecard.server.errors import GeneratorFailed, Unavailable
from holecard.server.game import decide
from holecard.server.game.commands import AddSeed, CloseTable, DealNow, Leave, PlaceBet, Sit, TakeAction, WithdrawBet
from holecard.server.game.entries import Moved, RoundVoided, ShoeCommitted
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.frames import snapshot
from holecard.server.host.host import Host
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import writing
from holecard.server.store.one_moment import one_moment
from holecard.server.web.services import Services, services
from tests.server.fake_clock import FakeClock
from tests.server.test_clock import dealt_table, entries
from tests.server.test_host import UNHURRIED, Player


def settings(database: str) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True, message_burst=10_000)


async def lose_seeds(made: Services, table: str) -> None:
    async with writing(made.engine) as connection:
        await connection.execute(delete(schema.shoe_seeds).where(schema.shoe_seeds.c.table == table))


async def change_seeds(made: Services, table: str) -> None:
    """Replace the seeds: from these the house could deal what it likes."""
    async with writing(made.engine) as connection:
        change = update(schema.shoe_seeds).where(schema.shoe_seeds.c.table == table)
        await connection.execute(change.values(seed=b"x" * 32))


async def clean(made: Services) -> None:
    async with one_moment(made.engine) as reader:  # the clock may play on meanwhile
        found = await audit(reader)
    assert found.is_clean, found.problems


def broken_generator(_table: FoldedTable) -> decide.SecretShoe:
    raise OSError("no entropy")


# Seeds


def test_a_round_whose_seed_is_lost_is_refunded_by_the_clock_and_others_continue(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            ann, lost = await dealt_table(made)
            _, kept = await dealt_table(made)
            before = snapshot((await made.host.table(kept)).table, (1,))
            stake = await made.reader.balance(f"held:{lost}:1")
            free = await made.reader.balance(f"player:{ann.user.id}")
            await lose_seeds(made, lost)
        clock.forward(31)
        async with services(settings(database), clock) as made:
            await made.host.tick()
            table = (await made.host.table(lost)).table
            assert table.was_voided
            assert await made.reader.balance(f"player:{ann.user.id}") == free + stake
            found = await entries(made, lost)
            assert sum(isinstance(entry, RoundVoided) for entry in found) == 1
            assert isinstance(found[-1], ShoeCommitted)
            assert snapshot((await made.host.table(kept)).table, (1,)) == before
            again = Player(made.host, ann.user)
            again.number = 1_000
            await again.do(lost, PlaceBet(seat=1, main=1000))
            await again.do(lost, DealNow())
            rounds = await made.reader.rounds_of(ann.user.id, None, None)
            assert all("misdeal" not in row["record"] for row in rounds)
            await clean(made)

    asyncio.run(run())


def test_a_seed_lost_while_the_server_runs_voids_the_round_at_the_next_command(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            ann, table = await dealt_table(made)
            await lose_seeds(made, table)
            (await made.host.table(table)).secret = None
            with pytest.raises(Refusal):
                await ann.do(table, WithdrawBet(seat=1))
            assert (await made.host.table(table)).table.was_voided
            assert await made.reader.balance(f"held:{table}:1") == 0
            await clean(made)

    asyncio.run(run())


def test_a_round_is_not_voided_because_its_seed_could_not_be_read_once(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            ann, table = await dealt_table(made)
            other = Host(made.reader, made.appender, made.now)
            behind = await other.table(table)
            await made.host.void(table, "a test")
            hosted = await made.host.table(table)
            while hosted.table.state.asked is None:
                await ann.do(table, PlaceBet(seat=1, main=1000))
                await ann.do(table, DealNow())
            length = hosted.table.sequence

            async def lost(_shoe: str) -> bytes:
                raise Unavailable("the server cannot reach its database now")

            with monkeypatch.context() as patch:
                patch.setattr(made.reader, "seed", lost)
                with pytest.raises(Unavailable):
                    await other.catch_up(table, length)
            action = "stand" if hosted.table.state.phase == "acting" else "no insurance"
            await Player(other, ann.user).do(table, TakeAction(seat=1, action=action), "act-once")
            assert behind.secret == hosted.secret or behind.table.is_between_rounds
            found = await entries(made, table)
            assert sum(isinstance(entry, RoundVoided) for entry in found) == 1
            assert isinstance(found[length], Moved)
            await clean(made)

    asyncio.run(run())


def test_a_round_is_never_dealt_from_a_seed_that_was_not_promised(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            ann, table = await dealt_table(made)
            stake = await made.reader.balance(f"held:{table}:1")
            free = await made.reader.balance(f"player:{ann.user.id}")
            await change_seeds(made, table)
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            hosted = await made.host.table(table)
            assert hosted.secret is None
            clock.forward(31)
            await made.host.tick()
            assert hosted.table.was_voided
            assert await made.reader.balance(f"player:{ann.user.id}") == free + stake
            async with one_moment(made.engine) as reader:
                (problem,) = (await audit(reader)).problems
            assert problem.endswith("its seed is not the one that was promised")
            again = Player(made.host, ann.user)
            again.number = 1_000
            await again.do(table, PlaceBet(seat=1, main=1000))
            await again.do(table, DealNow())

    asyncio.run(run())


def test_a_shoe_that_is_replaced_under_bets_is_dealt_only_after_there_was_time_for_seeds(sqlite: str) -> None:
    """The clock replaced the shoe and dealt it at once, so that no player could add a seed."""

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            ann = Player(made.host, await made.accounts.guest())
            table = await ann.open("classic")
            await ann.do(table, Sit(seat=1))
            await ann.do(table, PlaceBet(seat=1, main=1000))
            hosted = await made.host.table(table)
            lost = hosted.table.shoe
            await lose_seeds(made, table)
            hosted.secret = None
            clock.forward(UNHURRIED.bet)
            await made.host.tick()
            fresh = hosted.table.shoe
            assert lost is not None
            assert fresh is not None
            assert fresh.id != lost.id
            assert hosted.table.state.phase == "betting"
            await ann.do(table, AddSeed(seed="for the new shoe"))
            clock.forward(UNHURRIED.bet)
            await made.host.tick()
            assert hosted.table.rounds == 1
            assert hosted.table.shoe is not None
            assert hosted.table.shoe.player_seeds == [(ann.user.id, "for the new shoe")]
            await clean(made)

    asyncio.run(run())


# The generator


#: Every round has its own shoe.
_FRESH = {"shoe.procedure": "fresh each round"}


def test_without_the_generator_a_round_ends_and_nothing_more_is_dealt(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            ann, table = await dealt_table(made, **_FRESH)
            hosted = await made.host.table(table)
            with monkeypatch.context() as patch:
                patch.setattr(decide, "new_secret", broken_generator)
                while hosted.table.state.phase != "done":
                    clock.forward(30)
                    await made.host.tick()
                assert hosted.table.shoe is None
                free = await made.reader.balance(f"player:{ann.user.id}")
                for command in (PlaceBet(seat=1, main=1000), DealNow()):
                    with pytest.raises(GeneratorFailed, match="does not deal, and takes no bets"):
                        await ann.do(table, command)
                with pytest.raises(GeneratorFailed):
                    await ann.open("classic")
                assert await made.reader.balance(f"player:{ann.user.id}") == free
                assert len(await made.reader.open_tables()) == 1
            await ann.do(table, PlaceBet(seat=1, main=1000))
            await ann.do(table, DealNow())
            await ann.do(table, Leave(seat=1))
            await clean(made)

    asyncio.run(run())


def test_bets_that_cannot_be_dealt_are_returned(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            ann = Player(made.host, await made.accounts.guest())
            table = await ann.open("classic")
            await ann.do(table, Sit(seat=1))
            await ann.do(table, PlaceBet(seat=1, main=1000))
            await lose_seeds(made, table)
            (await made.host.table(table)).secret = None
            monkeypatch.setattr(decide, "new_secret", broken_generator)
            clock.forward(UNHURRIED.bet)
            await made.host.tick()
            assert await made.reader.balance(f"player:{ann.user.id}") == 100_000
            await ann.do(table, CloseTable())
            await clean(made)

    asyncio.run(run())
