"""Kill the process at every moment of scripted rounds: nothing acknowledged is lost, nothing happens twice.

A script is a list of commands. It is played once without interruption. Then, for every moment at which the server
writes (after its statements and before the commit, and after the commit), a process plays it again and is killed with
SIGKILL at that moment; another process sends the whole script once more, with the same ids. Money, log and cards must
be those of the uninterrupted run.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import pytest

import holecard
from holecard.errors import Refusal
from holecard.server.audit.audit import audit
from holecard.server.game import decide
from holecard.server.game.commands import DealNow, PlaceBet, PlaceWagers, Sit, TableCommand, TakeAction
from holecard.server.game.decide import Actor, Dealer, SecretShoe
from holecard.server.game.entries import Pace
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.server_clock import wall_clock
from holecard.server.settings import ServerSettings
from holecard.server.store.append import nothing
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from holecard.server.web.services import services
from holecard.table.events import Result
from holecard.table.legal import legal, offered
from holecard.table.records.record import read_record
from tests.selection import quick
from tests.server.conftest import new_database

#: What happens in each script.
GAMES = {
    "upcard-luck-21": {"split", "double", "insurance", "tax", "side win"},
    "double-up": {"split", "double up", "side win"},
    "quick-pay": {"split", "double", "quick pay", "side win", "Hedge 18"},
    "face-up": {"split", "double", "side win"},
    "match-up": {"split", "double", "insurance", "side win"},
}
#: Numbers of shoes in which it does. The cards also follow from the sheet: where that has changed, `find_shoes` looks
#: further.
_SALTS = {"upcard-luck-21": 1, "double-up": 0, "quick-pay": 7, "face-up": 3, "match-up": 6}
#: What a script prefers, so that rare decisions are in it.
_PREFERRED = ("split", "double up", "quick pay", "double", "insurance", "surrender", "stand")
_ROUNDS = 5


#: Sends a script to a server on a database, and writes to a file how many commands were acknowledged.
Play: TypeAlias = Callable[[str, Callable[[str], None], Path], Coroutine[Any, Any, None]]


class Script(NamedTuple):
    """A table of a user, and the commands to send."""

    user: str
    table: str
    commands: tuple[TableCommand, ...]


@pytest.fixture(autouse=True)
def shoes_by_place(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Shoes whose seeds follow from the place in the log, so that every run deals the same cards."""

    def known(table: FoldedTable) -> SecretShoe:
        name = f"shoe-{_SALTS[table.opened.game]}-{table.opened.game}-{table.sequence}"
        return SecretShoe(name, hashlib.sha256(name.encode()).digest())

    monkeypatch.setattr(decide, "new_secret", known)
    if "game" in request.fixturenames:
        find_shoes(request.getfixturevalue("game"))


@cache
def find_shoes(game: str) -> None:
    """Choose shoes in which everything happens that the script of a game is for."""
    for _ in range(100):
        with TemporaryDirectory() as folder:
            if GAMES[game] <= happens(game, Path(folder)):
                return
        _SALTS[game] += 1
    raise AssertionError(f"no shoe has all of {GAMES[game]}")


def happens(game: str, folder: Path) -> set[str]:
    """Return the decisions, late wagers, taxes and wins of side wagers in the script of a game, played to its end."""
    database = f"sqlite+aiosqlite:///{folder}/rare.db"
    script = asyncio.run(write_script(database, game))
    asyncio.run(play_script(script, database, nothing, folder / "acknowledged"))
    assert len(asyncio.run(look(database)).log) > len(script.commands)
    found = {str(command.action) for command in script.commands if isinstance(command, TakeAction)}
    found |= {name for command in script.commands if isinstance(command, PlaceWagers) for name in command.sides}
    paid = asyncio.run(_paid(database, script))
    found |= {"tax" for result in paid if "tax" in result.wager.lower()}
    return found | {"side win" for result in paid if not result.hand and result.net > 0}


def next_command(table: FoldedTable) -> TableCommand:
    """Return what the script does next: every side wager, and the rarest decision that is legal."""
    if table.is_between_rounds:
        if table.next_state.seats:
            return DealNow()
        sides = {wager.name: int(wager.limits.low) for wager in offered(table.next_state)}
        return PlaceBet(seat=1, main=int(table.tables.main.low) * 2, sides=sides)
    choices = {str(choice.action): choice for choice in legal(table.state)}
    if not choices:
        return PlaceWagers(seat=1, sides={wager.name: int(wager.limits.low) for wager in offered(table.state, 1)})
    action = next((name for name in _PREFERRED if name in choices), next(iter(choices)))
    low = choices[action].low
    return TakeAction(seat=1, action=action, amount=None if low is None else int(low))


async def play_script(script: Script, database: str, moment: Callable[[str], None], acknowledged: Path) -> None:
    """Send every command of a script, and note which were acknowledged."""
    async with services(ServerSettings(database=database), wall_clock, moment) as made:
        for number, command in enumerate(script.commands):
            await made.host.command(script.table, command, Actor(script.user, "Ann"), f"script-{number}")
            acknowledged.write_text(str(number + 1))


async def write_script(database: str, game: str) -> Script:
    """Open a table, sit down, and find the commands of a few rounds; they are not sent."""
    async with services(ServerSettings(database=database)) as made:
        user = await made.accounts.guest()
        actor = Actor(user.id, "Ann")
        opened = await made.host.open(holecard.rules(game), game, Pace(bet=600, act=600), actor, "open-the-table")
        await made.host.command(opened.table, Sit(seat=1), actor, "sit-down")
        hosted = await made.host.table(opened.table)
        return Script(user.id, opened.table, tuple(_commands(hosted.table.copy(), hosted.secret, actor)))


def _commands(table: FoldedTable, secret: SecretShoe | None, actor: Actor) -> Iterator[TableCommand]:
    while table.rounds < _ROUNDS or not table.is_between_rounds:
        command = next_command(table)
        try:
            decision = Dealer(table, secret, 0).decide(command, actor)
        except Refusal:
            assert isinstance(command, PlaceBet | PlaceWagers)
            command = command.model_copy(update={"sides": {}})
            decision = Dealer(table, secret, 0).decide(command, actor)
        for shoe in decision.new_shoes:
            secret = shoe
        for entry in decision.entries:
            table.apply(entry, 0)
        yield command


class Ended(NamedTuple):
    """How a run ended: the log without times, and all balances."""

    log: tuple[str, ...]
    balances: dict[str, int]


async def look(database: str) -> Ended:
    """Return how a run ended, after an audit; the table's own id does not count."""
    async with services(ServerSettings(database=database)) as made:
        found = await audit(made.reader)
        assert found.is_clean, found.problems
        (stream,) = await _tables(made.reader)
        rows, balances = await made.reader.entries(stream), await made.reader.balances()
        table = stream.partition(":")[2]
        return Ended(
            tuple(row.body for row in rows),
            {account.replace(table, "table"): cents for account, cents in balances.items()},
        )


async def stored_commands(database: str) -> int:
    """Return how many commands of the script are in the log; no server looks, because its clock would play on."""
    engine = connect(database)
    reader = StoreReader(engine)
    rows = [row for stream in await _tables(reader) for row in await reader.entries(stream)]
    await engine.dispose()
    return sum((row.command or "").startswith("script-") for row in rows)


async def _tables(reader: StoreReader) -> list[str]:
    return [stream for stream in await reader.streams() if stream.startswith("table:")]


@contextmanager
def killed_at(database: str, play: Play, moment: int, folder: Path) -> Iterator[tuple[bool, int]]:
    """Play the script in another process that is killed at a moment; yield whether it was, and what it acknowledged."""
    acknowledged = folder / "acknowledged"
    acknowledged.write_text("0")
    child = os.fork()
    if child == 0:
        seen = 0

        def kill(_moment: str) -> None:
            nonlocal seen
            seen += 1
            if seen == moment:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            asyncio.run(play(database, kill, acknowledged))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    yield os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, int(acknowledged.read_text())


def crash_everywhere(play: Play, fresh: Callable[[], str], folder: Path, step: int) -> int:
    """Kill at every `step`-th moment and compare with the uninterrupted run; return how many times it was killed."""
    whole = fresh()
    asyncio.run(play(whole, nothing, folder / "whole"))
    expected = asyncio.run(look(whole))
    moment = killed = 0
    while True:
        moment += step
        database = fresh()
        with killed_at(database, play, moment, folder) as (was_killed, acknowledged):
            if not was_killed:
                return killed
        killed += 1
        assert asyncio.run(stored_commands(database)) >= acknowledged
        asyncio.run(play(database, nothing, folder / "again"))
        assert asyncio.run(look(database)) == expected, f"after a crash at moment {moment}"


def copies_of(base: Path) -> Callable[[], str]:
    """Return a function that copies a database of SQLite and returns the address of the copy."""
    copies = iter(range(10_000))

    def fresh() -> str:
        copy = base.with_name(f"copy{next(copies)}.db")
        shutil.copy(base, copy)
        return f"sqlite+aiosqlite:///{copy}"

    return fresh


def crash_on_sqlite(game: str, folder: Path, step: int) -> int:
    base = folder / "base.db"
    script = asyncio.run(write_script(f"sqlite+aiosqlite:///{base}", game))
    return crash_everywhere(partial(play_script, script), copies_of(base), folder, step)


@pytest.mark.parametrize("game", quick(GAMES, "upcard-luck-21"))
def test_a_killed_server_loses_nothing(game: str, tmp_path: Path) -> None:
    assert crash_on_sqlite(game, tmp_path, 14) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_server_killed_at_any_moment_loses_nothing(game: str, tmp_path: Path) -> None:
    assert crash_on_sqlite(game, tmp_path, 1) > 20


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_server_killed_at_any_moment_loses_nothing_on_postgresql(
    game: str, tmp_path: Path, postgres_address: str
) -> None:
    base = new_database(postgres_address)
    script = asyncio.run(write_script(base, game))
    play = partial(play_script, script)
    assert crash_everywhere(play, lambda: new_database(postgres_address, base.rpartition("/")[2]), tmp_path, 1) > 20


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_scripts_hold_every_rare_decision(game: str, tmp_path: Path) -> None:
    assert GAMES[game] <= happens(game, tmp_path)


async def _paid(database: str, script: Script) -> list[Result]:
    async with services(ServerSettings(database=database)) as made:
        rounds = await made.reader.rounds_of(script.user, None, None)
        assert len(rounds) == _ROUNDS
        return [result for row in rounds for result in read_record(row["record"]).paid]
