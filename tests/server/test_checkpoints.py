"""A table loaded from its last shoe is the table loaded from its first entry, at every entry and for every sheet."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from sqlalchemy import text

import holecard
from holecard.server.audit.audit import audit
from holecard.server.errors import Damaged
from holecard.server.game.checkpoint import Checkpoint, checkpoint_of, resume
from holecard.server.game.clock import deadline
from holecard.server.game.commands import DealNow, Leave, PlaceBet, Sit
from holecard.server.game.entries import ShoeCommitted, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.frames import snapshot
from holecard.server.host.host import Host
from holecard.server.host.loader import Loader
from holecard.server.money.transfers import TableMoney
from holecard.server.settings import ServerSettings
from holecard.server.store.database import writing
from holecard.server.store.one_moment import one_moment
from holecard.server.web.services import services
from tests.selection import quick
from tests.server.driven_table import ANN, BOB, TABLE, DrivenTable, random_bet
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player

GAMES = holecard.games(examples=True)
#: Shoes that soon end.
_SMALL = {"shoe.decks": 1}


def everything(table: FoldedTable, money: TableMoney) -> dict[str, Any]:
    """Return all that a table says about itself from here on."""
    shoe = table.shoe
    return {
        "snapshots": [snapshot(table, seats) for seats in ((), (1,), (3,), (1, 3))],
        "state": table.state._replace(events=()),
        "rounds": table.rounds,
        "seats": table.seats,
        "players": table.players,
        "closed": table.closed,
        "times": (table.first_bet_at, table.asked_at, table.active_at, deadline(table)),
        "sequence": table.sequence,
        "asked in": table.asked_in if table.state.asked else None,
        "was voided": table.was_voided,
        "record": told(table) if table.state.phase == "done" and not table.was_voided else None,
        "shoe": None if shoe is None else (shoe.id, shoe.cards.drawn, shoe.cards._stock, shoe.cards._discards),
        "player seeds": None if shoe is None else shoe.player_seeds,
        "money": (money.held, money.house, money.chips),
    }


def told(table: FoldedTable) -> tuple[object, ...]:
    """Return what the record of a round tells, but not how it names the game."""
    record = table.record()
    return record.bets, record.cards, record.play, record.paid, record.reshuffled, record.misdeal


@pytest.mark.slow
@pytest.mark.parametrize("chips", [0, 100_000])
def test_a_table_folded_from_any_checkpoint_is_the_same_table(chips: int) -> None:
    shown = voided = 0
    for game in GAMES:
        driven, times = played(game, chips)
        opened = driven.log[0]
        assert isinstance(opened, TableOpened)
        whole, money = FoldedTable(opened, driven.sheet, 0), TableMoney(TABLE)
        resumed: list[tuple[FoldedTable, TableMoney]] = []
        for entry, at in zip(driven.log[1:], times, strict=True):
            whole.apply(entry, at)
            money.transfers(whole, entry)
            expected = everything(whole, money)
            voided += whole.was_voided and isinstance(entry, ShoeCommitted)
            for table, own in resumed:
                table.apply(entry, at)
                own.transfers(table, entry)
                assert everything(table, own) == expected
            checkpoint = checkpoint_of(whole, entry, int(money.house), money.chips)
            if checkpoint is not None:
                assert isinstance(entry, ShoeCommitted)
                shown += checkpoint.shows_round
                read = Checkpoint.model_validate_json(checkpoint.model_dump_json())
                record = str(whole.record()) if checkpoint.shows_round else None
                table = resume(opened, driven.sheet, read, entry, record)
                own = TableMoney(TABLE, read.house, read.chips)
                assert everything(table, own) == expected
                resumed = [*resumed[-2:], (table, own)]
        assert resumed
    assert shown >= len(GAMES)
    assert voided > 0


def played(game: str, chips: int = 0) -> tuple[DrivenTable, list[int]]:
    """Return a table with a few shoes, people who come and go, and a voided round; and the time of each entry."""
    rng, times = random.Random(4), []
    driven = DrivenTable.open(game, chips, **_SMALL)
    add = driven.add

    def timed(decision: Any) -> None:
        before = len(driven.log)
        add(decision)
        times.extend([driven.now] * (len(driven.log) - before))
        driven.now += rng.randrange(1, 9_000)  # before the next decision

    times.extend([driven.now] * (len(driven.log) - 1))
    driven.add = timed  # type: ignore[method-assign]
    shoes = 1 + sum(isinstance(entry, ShoeCommitted) for entry in driven.log)
    number = 0
    while sum(isinstance(entry, ShoeCommitted) for entry in driven.log) <= shoes or number < 4:
        driven.play_round(rng)
        number += 1
        if number % 3 == 0:
            driven.do(Leave(seat=3), BOB)
            driven.do(Sit(seat=3), BOB)
    while driven.table.is_between_rounds:
        for actor, seat in ((ANN, 1), (BOB, 3)):
            driven.do(random_bet(driven.table, seat, rng), actor)
        driven.do(DealNow(), ANN)
    driven.add(driven.dealer.void("a test"))
    driven.play_round(rng)
    return driven, times


#: What makes a checkpoint useless: itself, or the record of the round that it shows.
DAMAGES = [
    "UPDATE tables SET checkpoint = 'damaged'",
    """UPDATE tables SET checkpoint = replace(checkpoint, '"sequence":', '"sequence":9')""",
    """UPDATE tables SET checkpoint = replace(checkpoint, '"sequence":', '"sequence":-')""",
    "UPDATE rounds SET record = 'damaged'",
    "UPDATE rounds SET record = replace(record, 'play ', 'about = \"no play\"\n# ')",
    "DELETE FROM rounds",
]


@pytest.mark.slow
def test_a_table_is_its_log_whatever_happens_to_its_checkpoint(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            player, rng = Player(made.host, await made.accounts.guest()), random.Random(2)
            table = await player.open("classic", **{"shoe.procedure": "fresh each round"})
            await player.do(table, Sit(seat=1))
            await player.play_round(table, rng)
            await player.play_round(table, rng)
            hosted = await made.host.table(table)
            assert len((await Loader(made.reader).load(table)).steps) == 1
            for damage in DAMAGES:
                async with writing(made.engine) as connection:
                    kept = (await connection.exec_driver_sql("SELECT id, checkpoint FROM tables")).one()
                    assert (await connection.exec_driver_sql(damage)).rowcount
                fresh = await Loader(made.reader).load(table)
                assert everything(fresh.table, fresh.money) == everything(hosted.table, hosted.money), damage
                assert (fresh.hash, fresh.secret) == (hosted.hash, hosted.secret)
                assert len(fresh.steps) > 1
                async with writing(made.engine) as connection:
                    await connection.exec_driver_sql(
                        "UPDATE tables SET checkpoint = ? WHERE id = ?", (kept[1], kept[0])
                    )

    asyncio.run(run())


@pytest.mark.parametrize("game", quick(["classic", "quick-pay"], "classic"))
def test_loading_a_long_log_reads_its_last_shoe_only(game: str, sqlite: str) -> None:
    async def run() -> None:
        settings = ServerSettings(database=sqlite, skip_returns=True, starting_money=10_000_000)
        async with services(settings, FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open(game, **_SMALL)
            await player.do(table, Sit(seat=1))
            rng = random.Random(2)
            hosted = await made.host.table(table)
            commitments = {hosted.table.shoe.commitment} if hosted.table.shoe else set()
            while len(commitments) < 3:
                await player.play_round(table, rng)
                assert hosted.table.shoe is not None
                commitments.add(hosted.table.shoe.commitment)
            await player.play_round(table, rng)
            rows = await made.reader.entries(f"table:{table}")
            fresh = await Loader(made.reader).load(table)
            assert everything(fresh.table, fresh.money) == everything(hosted.table, hosted.money)
            assert (fresh.hash, fresh.secret, fresh.opened_at) == (hosted.hash, hosted.secret, hosted.opened_at)
            assert fresh.steps[0].table.sequence > len(rows) / 2
            assert len(fresh.steps) < len(rows) / 2
            for number in range(fresh.steps[0].table.sequence - 1, len(rows)):
                mine, other = fresh.steps_after(number), hosted.steps_after(number)
                assert mine is not None
                assert other is not None
                assert [step.entry for step in mine] == [step.entry for step in other]
            async with writing(made.engine) as connection:
                await connection.execute(text("DELETE FROM rounds"))
            without = await Loader(made.reader).load(table)
            assert everything(without.table, without.money) == everything(hosted.table, hosted.money)

    asyncio.run(run())


#: What damages the entry that dealt a round: cards that the shoe does not have, too many, none, and no entry at all.
DAMAGED_LOGS = [
    """replace(body, '"cards":"', '"cards":"Ks Ks Ks Ks Ks Ks Ks Ks Ks ')""",
    """replace(body, '"cards":"', '"cards":"Qh ')""",
    """replace(body, '"cards":"', '"cards":"","about":"')""",
    """replace(body, '"kind"', '"kinds"')""",
    "'damaged'",
]


def test_a_damaged_log_is_refused_without_a_word_about_its_cards(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            behind = Host(made.reader, made.appender, made.now)
            known = (await behind.table(table)).table
            sequence = await player.do(table, DealNow())
            where = f"WHERE stream = 'table:{table}' AND sequence = {sequence}"
            async with writing(made.engine) as connection:
                (body,) = (await connection.exec_driver_sql(f"SELECT body FROM log {where}")).one()
            for damage in DAMAGED_LOGS:
                async with writing(made.engine) as connection:
                    await connection.exec_driver_sql(f"UPDATE log SET body = ? {where}", (body,))
                    await connection.exec_driver_sql(f"UPDATE log SET body = {damage} {where}")
                for refused in (
                    Host(made.reader, made.appender, made.now).table(table),
                    behind.catch_up(table, sequence),
                    Player(behind, player.user).do(table, DealNow(), "another-deal"),
                ):
                    with pytest.raises(Damaged) as error:
                        await refused
                    assert str(error.value) == _SAID
                    assert error.value.__cause__ is None
                    assert error.value.__suppress_context__
                await behind.catch_up_all()
                assert (await behind.table(table)).table is known
                async with one_moment(made.engine) as reader:
                    problems = (await audit(reader)).problems
                assert any(f"table:{table}" in problem for problem in problems), damage

    asyncio.run(run())


_SAID = "the log of this table is damaged, so nobody can play at it; tell the operator"
