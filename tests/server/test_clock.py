"""The clock decides for players who do not answer, and for nobody else; every view says when."""

from __future__ import annotations

import asyncio
import json
import random

import pytest

import holecard
from holecard.server.audit.audit import audit
from holecard.server.game.clock import deadline
from holecard.server.game.commands import DealNow, Leave, PlaceBet, PlaceWagers, Sit, TakeAction
from holecard.server.game.decide import Dealer
from holecard.server.game.entries import BetWithdrawn, Moved, Pace, ShoeRevealed, TableClosed, read_entry
from holecard.server.game.frames import table_view
from holecard.server.settings import ServerSettings
from holecard.server.web.services import Services, services
from holecard.table.events import Act, Action
from holecard.table.late_wagers import ASKING
from holecard.table.legal import legal, offered
from holecard.table.notation.moves import read_play
from tests.selection import quick
from tests.server.driven_table import ANN, BOB, DrivenTable, random_bet, random_decision
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player

GAMES = holecard.games(examples=True)
_ACT = 30_000
_PHASES = {"insurance", "early surrender", "after the check", "acting", "last call"}


#: A sheet that asks for a wager after the check, once; no shipped sheet does.
_ASKS_ONCE = {"wager.Hedge 18.placed": "after the check"}


def dealt(game: str, rng: random.Random, **settings: object) -> DrivenTable:
    driven = DrivenTable.open(game, **settings)
    for actor, seat in ((ANN, 1), (BOB, 3)):
        driven.do(random_bet(driven.table, seat, rng), actor)
    driven.do(DealNow(), ANN)
    return driven


def check_silence(driven: DrivenTable) -> None:
    """Check that the clock waits exactly as long as it says, and then answers with what costs nothing."""
    table = driven.table
    due = deadline(table)
    assert due == table.asked_at + _ACT
    assert all(table_view(table, seats)["deadline"] == due for seats in ((), (1,), (3,)))
    assert Dealer(driven.table, driven.secret, due - 1).clock() is None
    decision = Dealer(driven.table, driven.secret, due).clock()
    assert decision is not None
    entry = decision.entries[0]
    assert isinstance(entry, Moved)
    assert entry.by_clock
    move, asked = read_play(entry.move), table.state.asked
    assert asked is not None
    assert move.seat == asked.number
    if isinstance(move, Act):
        assert move.action in (Action.STAND, Action.NO_INSURANCE, Action.NO_SURRENDER)
        free = [choice.action for choice in legal(table.state)]
        assert move.action in free
    else:
        assert table.state.phase in ASKING
        assert not move.sides


def silent_phases(game: str, seed: int, **settings: object) -> set[str]:
    """Play rounds in which some decisions are the clock's; return the phases in which somebody was asked."""
    rng, found = random.Random(seed), set()
    driven = dealt(game, rng, **settings)
    while driven.table.state.phase != "done":
        driven.now += rng.randrange(1, 20_000)
        found.add(driven.table.state.phase)
        check_silence(driven)
        if rng.random() < 0.5:
            due = deadline(driven.table)
            assert due is not None
            driven.now = max(driven.now, due)
            decision = driven.dealer.clock()
            assert decision is not None
            driven.add(decision)
        else:
            command = random_decision(driven.table, rng)
            driven.do(command, ANN if command.seat == 1 else BOB)
        if driven.table.state.asked is not None:
            # The player who is asked now has the whole time, the same player with the next decision, too.
            assert driven.table.asked_at == driven.now
    return found


def test_a_silent_player_is_stood_for_in_every_phase() -> None:
    found: set[str] = set()
    for seed in range(40):
        for game in GAMES:
            found |= silent_phases(game, seed)
        found |= silent_phases("quick-pay", seed, **_ASKS_ONCE)
        if seed >= 3 and found >= _PHASES:
            break
    assert found == _PHASES


def test_a_wager_of_another_seat_does_not_give_the_asked_seat_more_time() -> None:
    tried = 0
    for game in GAMES:
        for seed in range(4):
            driven = dealt(game, random.Random(seed))
            state = driven.table.state
            if state.asked is None or state.phase in ASKING or state.asked.number != 1:
                continue
            if wagers := offered(state, 3):
                due = deadline(driven.table)
                driven.now += 5_000
                driven.do(PlaceWagers(seat=3, sides={wagers[0].name: int(wagers[0].limits.low)}), BOB)
                assert deadline(driven.table) == due
                tried += 1
    assert tried > 0


def test_betting_closes_a_stated_time_after_the_first_bet() -> None:
    driven = DrivenTable.open("classic")
    driven.do(PlaceBet(seat=1, main=1000), ANN)
    due = driven.now + 20_000
    driven.now += 5_000
    driven.do(PlaceBet(seat=3, main=1000), BOB)
    driven.do(PlaceBet(seat=1, main=2000), ANN)
    assert deadline(driven.table) == due
    assert table_view(driven.table, ())["deadline"] == due
    assert Dealer(driven.table, driven.secret, due - 1).clock() is None
    decision = Dealer(driven.table, driven.secret, due).clock()
    assert decision is not None
    assert isinstance(decision.entries[0], Moved)
    assert decision.entries[0].move == "no more bets"


def settings(database: str) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True)


async def dealt_table(made: Services, **changes: object) -> tuple[Player, str]:
    """Return a player who is asked something at seat 1."""
    player = Player(made.host, await made.accounts.guest(), Pace())
    table = await player.open("classic", **changes)
    await player.do(table, Sit(seat=1))
    hosted = await made.host.table(table)
    for _ in range(50):
        await player.do(table, PlaceBet(seat=1, main=1000))
        await player.do(table, DealNow())
        if hosted.table.state.asked is not None:
            return player, table
    raise AssertionError("nobody was asked in fifty rounds")


async def entries(made: Services, table: str) -> list[object]:
    return [read_entry(row.body) for row in await made.reader.entries(f"table:{table}")]


def test_the_hand_of_a_player_who_left_is_played_at_once(sqlite: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            player, table = await dealt_table(made)
            hosted = await made.host.table(table)
            await player.do(table, Leave(seat=1))
            for _ in range(10):
                await made.host.tick()
            assert hosted.table.state.phase == "done"
            assert await made.reader.balance(f"held:{table}:1") == 0
            assert (await audit(made.reader)).is_clean

    asyncio.run(run())


def test_an_idle_table_closes_and_pays_out(sqlite: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            player = Player(made.host, await made.accounts.guest(), Pace())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            await player.do(table, DealNow())
            while (await made.host.table(table)).table.state.phase != "done":
                await player.do(table, TakeAction(seat=1, action=await _first_choice(made, table)))
            clock.forward(899)
            await made.host.tick()
            assert (await made.host.table(table)).table.closed is None
            clock.forward(1)
            await made.host.tick()
            hosted = await made.host.table(table)
            assert hosted.table.closed == "nobody has bet for a while"
            assert hosted.table.seats == {}
            assert table_view(hosted.table, ())["deadline"] is None
            last = (await entries(made, table))[-2:]
            assert isinstance(last[0], ShoeRevealed)
            assert last[0].cut_short
            assert isinstance(last[1], TableClosed)
            assert await made.reader.balance(f"house:{table}") == 0
            assert await made.reader.open_tables() == []
            document = await made.host.finished_shoe(table, last[0].shoe)
            assert document.cut_short
            assert (await audit(made.reader)).is_clean
            made.host.forget(0)
            assert made.host.tables == ()

    asyncio.run(run())


async def _first_choice(made: Services, table: str) -> str:
    state = (await made.host.table(table)).table.state
    actions = {str(choice.action) for choice in legal(state)}
    return next(action for action in ("stand", "no insurance", "no surrender") if action in actions)


def test_bets_are_returned_when_a_table_is_closed(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest(), Pace())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            await made.host.shut(table, "the evening is over")
            assert isinstance((await entries(made, table))[-3], BetWithdrawn)
            assert await made.reader.balance(f"player:{player.user.id}") == 100_000
            assert (await audit(made.reader)).is_clean

    asyncio.run(run())


def test_two_servers_tick_a_table_once(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as one, services(settings(database), clock) as two:
            _, table = await dealt_table(one)
            before = len(await entries(one, table))
            await two.host.table(table)
            clock.forward(30)
            await asyncio.gather(*(made.host.tick() for made in (one, two, one, two)))
            new = (await entries(one, table))[before:]
            assert sum(isinstance(entry, Moved) and entry.by_clock for entry in new) == 1
            assert (await audit(one.reader)).is_clean

    asyncio.run(run())


def test_a_table_where_the_clock_fails_does_not_stop_the_others(sqlite: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            _, broken = await dealt_table(made)
            _, healthy = await dealt_table(made)
            hosted = await made.host.table(broken)
            hosted.plan = _explode  # type: ignore[method-assign]
            before = (await made.host.table(healthy)).table.sequence
            clock.forward(30)
            await made.host.tick()
            assert (await made.host.table(healthy)).table.sequence > before

    asyncio.run(run())


@pytest.mark.parametrize("seconds_down", quick([29.5, 3_600], 29.5))
def test_what_was_asked_before_the_server_was_down_gets_its_whole_time_again(sqlite: str, seconds_down: float) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            _, asked = await dealt_table(made)
            leaver, left = await dealt_table(made)
            await leaver.do(left, Leave(seat=1))
            idle = await leaver.open("classic")
            betting = await leaver.open("classic")
            await leaver.do(betting, Sit(seat=1))
            await leaver.do(betting, PlaceBet(seat=1, main=1000))
        clock.forward(seconds_down)
        async with services(settings(sqlite), clock) as made:
            for _ in range(10):
                await made.host.tick()
            assert (await made.host.table(left)).table.state.phase == "done"
            back = clock()
            for table, seconds in ((betting, 20), (asked, 30), (idle, 900)):
                hosted = await made.host.table(table)
                before, due = hosted.table.sequence, back + 1000 * seconds
                assert table_view(hosted.table, (), made.host.up_since)["deadline"] == due
                clock.now = due - 1
                await made.host.tick()
                assert hosted.table.sequence == before
                clock.now = due
                await made.host.tick()
                assert hosted.table.sequence > before

    asyncio.run(run())


def test_the_clock_reads_the_log_of_a_table_that_went_on_elsewhere(sqlite: str) -> None:
    """SQLite tells nobody what another process has written: this one knows the table as it was before the bet."""

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as stays:
            async with services(settings(sqlite), clock) as stops:
                player = Player(stops.host, await stops.accounts.guest(), Pace())
                table = await player.open("classic")
                known = await stays.host.table(table)
                await player.do(table, Sit(seat=1))
                await player.do(table, PlaceBet(seat=1, main=1000))
            assert known.table.seats == {}
            clock.forward(20)
            await stays.host.tick()
            assert known.table.rounds == 1

    asyncio.run(run())


def _explode(*_arguments: object) -> None:
    raise KeyError("broken")


@pytest.mark.parametrize("game", GAMES)
def test_every_view_has_a_deadline_until_the_table_closes(game: str) -> None:
    driven = DrivenTable.open(game)
    driven.play_round(random.Random(1))
    assert json.loads(json.dumps(table_view(driven.table, ())))["deadline"] == driven.table.active_at + 900_000
