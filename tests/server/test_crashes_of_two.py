"""Kill the process at every moment of an evening of two: open, withdraw, leave in mid-round, the clock, and close."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

import holecard
from holecard.server.accounts.sessions import User
from holecard.server.game.commands import (
    CloseTable,
    DealNow,
    Leave,
    PlaceBet,
    PlaceWagers,
    Sit,
    TableCommand,
    TakeAction,
    WithdrawBet,
)
from holecard.server.game.decide import Actor
from holecard.server.game.entries import BetWithdrawn, Moved, Pace, SeatLeft, TableClosed, read_entry
from holecard.server.settings import ServerSettings
from holecard.server.store.append import nothing
from holecard.server.web.services import Services, services
from holecard.table.legal import legal
from tests.server.conftest import new_database
from tests.server.fake_clock import FakeClock
from tests.server.test_crashes import GAMES, copies_of, crash_everywhere, look, shoes_by_place

__all__ = ["shoes_by_place"]
#: Seats by player.
_SEATS = (1, 3)
_STAND = ("split", "double", "insurance", "stand", "no insurance", "no surrender")


class Step(NamedTuple):
    """Who does what: a command, or None for the clock, which belongs to nobody."""

    player: int
    command: TableCommand | None
    sequence: int = 0
    """How long the log is after it."""


class Evening:
    """Two players and a clock at one table, which the first command opens."""

    def __init__(self, made: Services, clock: FakeClock, users: list[User], game: str) -> None:
        self.made, self.clock, self.users, self.game = made, clock, users, game
        self.table = ""
        self.steps: list[Step] = []
        self.commands = 1

    async def open(self) -> None:
        opened = await self.made.host.open(holecard.rules(self.game), self.game, Pace(), self._actor(0), "script-0")
        self.table = opened.table

    async def do(self, player: int, command: TableCommand | None) -> None:
        """Send a command, or let time pass; then let the clock play for those who have left."""
        if command is None:
            self.clock.forward(30)
        else:
            key = f"script-{self.commands}"
            await self.made.host.command(self.table, command, self._actor(player), key)
            self.commands += 1
        hosted, before = await self.made.host.table(self.table), -1
        while hosted.table.sequence != before:
            before = hosted.table.sequence
            await self.made.host.tick()
        self.steps.append(Step(player, command, before))

    async def go_on(self) -> int:
        """Let the time go on where it was before a crash; return how long the log is."""
        log = await self.made.reader.entries(f"table:{self.table}")
        self.clock.now = max(self.clock.now, *(row.at for row in log))
        self.made.host.give_time_again()
        return len(log)

    def _actor(self, player: int) -> Actor:
        return Actor(self.users[player].id, f"Player {player}")


async def play(
    users: list[User], game: str, steps: list[Step], database: str, moment: Callable[[str], None], acknowledged: Path
) -> None:
    """Send every step, and note how many commands were acknowledged."""
    clock = FakeClock()
    async with services(ServerSettings(database=database, skip_returns=True), clock, moment) as made:
        evening = Evening(made, clock, users, game)
        await evening.open()
        length = await evening.go_on()
        for player, command, sequence in steps:
            acknowledged.write_text(str(evening.commands))
            if command is not None or sequence > length:  # the clock has decided once and for all
                await evening.do(player, command)
        acknowledged.write_text(str(evening.commands))


async def write(database: str, users: list[User], game: str) -> list[Step]:
    """Play three rounds, and return the steps."""
    clock = FakeClock()
    async with services(ServerSettings(database=database, skip_returns=True), clock) as made:
        evening = Evening(made, clock, users, game)
        await evening.open()
        table = (await made.host.table(evening.table)).table
        main = int(table.tables.main.low) * 2
        bets = [PlaceBet(seat=seat, main=main) for seat in _SEATS]
        for player, seat in enumerate(_SEATS):
            await evening.do(player, Sit(seat=seat))
        for player, command in ((0, bets[0]), (1, bets[1]), (1, WithdrawBet(seat=3)), (1, bets[1]), (0, DealNow())):
            await evening.do(player, command)
        await evening.do(1, Leave(seat=3))  # in mid-round, and the clock plays the hand
        await _play_round(evening, silent=True)
        await evening.do(0, bets[0])
        await evening.do(0, None)  # the clock deals
        await _play_round(evening)
        await evening.do(1, Sit(seat=3))
        for player, command in ((0, bets[0]), (1, bets[1]), (0, DealNow())):
            await evening.do(player, command)
        await _play_round(evening)
        await evening.do(0, CloseTable())
        return evening.steps


async def _play_round(evening: Evening, *, silent: bool = False) -> None:
    """Play a round to its end; a silent player is stood for."""
    hosted = await evening.made.host.table(evening.table)
    while (asked := hosted.table.state.asked) is not None:
        player = _SEATS.index(asked.number)
        choices = {str(choice.action): choice for choice in legal(hosted.table.state)}
        command: TableCommand = PlaceWagers(seat=asked.number)
        if choices:
            action = next(name for name in _STAND if name in choices)
            low = choices[action].low
            command = TakeAction(seat=asked.number, action=action, amount=None if low is None else int(low))
        await evening.do(player, None if silent else command)
    assert hosted.table.state.phase == "done"


async def guests(database: str) -> list[User]:
    async with services(ServerSettings(database=database, skip_returns=True)) as made:
        return [await made.accounts.guest() for _ in _SEATS]


def crash_two(game: str, base: str, fresh: Callable[[], str], folder: Path, step: int) -> int:
    users = asyncio.run(guests(base))
    steps = asyncio.run(write(fresh(), users, game))
    return crash_everywhere(partial(play, users, game, steps), fresh, folder, step)


@pytest.mark.slow
def test_the_evening_has_everything_in_it(tmp_path: Path) -> None:
    """Once for the quick suite, with a few crashes."""
    base = tmp_path / "base.db"
    users = asyncio.run(guests(f"sqlite+aiosqlite:///{base}"))
    fresh = copies_of(base)
    steps = asyncio.run(write(fresh(), users, "quick-pay"))
    whole = fresh()
    asyncio.run(play(users, "quick-pay", steps, whole, nothing, tmp_path / "acknowledged"))
    entries = [read_entry(text) for text in asyncio.run(look(whole)).log]
    assert {BetWithdrawn, SeatLeft, TableClosed} <= set(map(type, entries))
    by_clock = [entry.move for entry in entries if isinstance(entry, Moved) and entry.by_clock]
    assert "no more bets" in by_clock
    assert any(move.startswith("seat 1") for move in by_clock)
    assert any(move.startswith("seat 3") for move in by_clock)
    assert crash_everywhere(partial(play, users, "quick-pay", steps), fresh, tmp_path, 29) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_server_of_two_players_killed_at_any_moment_loses_nothing(game: str, tmp_path: Path) -> None:
    base = tmp_path / "base.db"
    assert crash_two(game, f"sqlite+aiosqlite:///{base}", copies_of(base), tmp_path, 1) > 30


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_server_of_two_players_on_postgresql_loses_nothing(game: str, tmp_path: Path, postgres_address: str) -> None:
    base = new_database(postgres_address)
    assert crash_two(game, base, lambda: new_database(postgres_address, base.rpartition("/")[2]), tmp_path, 1) > 30
