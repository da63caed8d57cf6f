"""Operators at a table: a round is ended and every stake returned, a seat is freed; who, when and why is in the log."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from holecard.errors import OutOfTurn
from holecard.server.accounts.accounts import Accounts
from holecard.server.errors import NotAllowed
from holecard.server.game.commands import DealNow, EndRound, FreeSeat, PlaceBet, Sit, WithdrawBet
from holecard.server.game.decide import Actor
from holecard.server.game.entries import read_entry
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.services import services
from tests.selection import quick
from tests.server.driven_table import ANN, BOB, DrivenTable, random_decision
from tests.server.fake_clock import FakeClock
from tests.server.test_host import UNHURRIED, Player, clean, settings
from tests.server.test_web import Person, operator

CAROL = Actor("carol", "Carol", is_operator=True)
WHY = "the pay table was wrong"


@pytest.fixture
def client(sqlite: str) -> Iterator[TestClient]:
    with TestClient(create_app(ServerSettings(database=sqlite, skip_returns=True), FakeClock())) as found:
        yield found


def begun(driven: DrivenTable) -> Counter[str]:
    """Deal rounds until one waits for a decision; return what everybody had before it."""
    before: Counter[str] = Counter()
    while driven.table.is_between_rounds:
        before = Counter(driven.balances)
        driven.do(PlaceBet(seat=1, main=int(driven.table.tables.main.low)), ANN)
        driven.do(PlaceBet(seat=3, main=int(driven.table.tables.main.low)), BOB)
        driven.do(DealNow(), ANN)
    return before


@pytest.mark.parametrize("game", quick(["classic", "quick-pay", "double-up", "match-up"], "classic"))
def test_a_round_that_is_ended_returns_every_stake(game: str) -> None:
    """Whatever was placed and lost by then: everybody has what was there before the round, and what was won in it."""
    for seed in range(20):
        driven, rng = DrivenTable.open(game), random.Random(seed)
        before = begun(driven)
        for _ in range(rng.randrange(3)):
            if not driven.table.is_between_rounds:
                command = random_decision(driven.table, rng)
                driven.do(command, ANN if command.seat == 1 else BOB)
        if driven.table.is_between_rounds:
            continue
        won: Counter[str] = Counter()
        for one in driven.table.state.results:
            won[f"player:{driven.table.player_of(one.seat)}"] += max(0, int(one.net))
        driven.do(EndRound(reason=WHY), CAROL)
        assert driven.table.state.phase == "done"
        assert driven.table.was_voided
        assert driven.money.held == {}
        for account in ("player:ann", "player:bob"):
            assert driven.balances[account] == before[account] + won[account]
        kinds = [entry.kind for entry in driven.log[-4:]]
        assert kinds == ["operator acted", "round voided", "shoe revealed", "shoe committed"]
        driven.play_round(rng)  # the next round is dealt from a new shoe
        assert driven.refolded().sequence == driven.table.sequence


def test_bets_that_are_not_dealt_go_back() -> None:
    driven = DrivenTable.open("classic")
    driven.do(PlaceBet(seat=1, main=1000), ANN)
    shoe = driven.table.shoe
    driven.do(EndRound(reason=WHY), CAROL)
    assert (driven.balances["player:ann"], driven.money.held) == (0, {})
    assert driven.table.shoe is shoe
    with pytest.raises(OutOfTurn, match="there is no round to end, and no bet on the table"):
        driven.do(EndRound(reason=WHY), CAROL)


def test_a_freed_seat_is_played_by_the_clock_like_one_that_was_left() -> None:
    driven = DrivenTable.open("classic")
    begun(driven)
    asked = driven.table.state.asked
    assert asked is not None
    driven.do(FreeSeat(seat=asked.number, reason=WHY), CAROL)
    decision = driven.dealer.clock()
    assert decision is not None
    driven.add(decision)
    assert json.loads(driven.log[-1].model_dump_json())["by_clock"] is True
    with pytest.raises(NotAllowed, match="you do not sit at seat"):
        driven.do(WithdrawBet(seat=asked.number), ANN if asked.number == 1 else BOB)
    with pytest.raises(OutOfTurn, match=f"nobody sits at seat {asked.number}"):
        driven.do(FreeSeat(seat=asked.number, reason=WHY), CAROL)


def test_a_freed_seat_gets_its_bet_back() -> None:
    driven = DrivenTable.open("classic")
    driven.do(PlaceBet(seat=1, main=1000), ANN)
    driven.do(PlaceBet(seat=3, main=1000), BOB)
    driven.do(FreeSeat(seat=1, reason=WHY), CAROL)
    assert (driven.balances["player:ann"], driven.balances["player:bob"]) == (0, -1000)


@pytest.mark.parametrize("command", [EndRound(reason=WHY), FreeSeat(seat=3, reason=WHY)])
def test_nobody_else_may(command: EndRound | FreeSeat) -> None:
    driven = DrivenTable.open("classic")
    begun(driven)
    for actor in (ANN, BOB):
        with pytest.raises(NotAllowed, match="only operators"):
            driven.do(command, actor)


@pytest.mark.parametrize("reason", ["", "   ", "a\nb", "x" * 201, "tab\t"])
def test_a_reason_is_one_line_that_says_something(reason: str) -> None:
    with pytest.raises(ValidationError):
        EndRound(reason=reason)


def test_the_log_says_who_when_and_why_and_the_audit_follows(database: str) -> None:
    """In a server: repeated with the same id it happens once, and the money is where it was."""

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            player = Player(made.host, await made.accounts.guest(), UNHURRIED)
            table = await player.lose_early()
            boss = await _operator(made.accounts)
            hosted = await made.host.table(table)
            lost = sum(-int(result.net) for result in hosted.table.state.results if result.net < 0)
            held = sum(map(int, hosted.money.held.values()))
            before = await made.reader.balance(f"player:{player.user.id}")
            done = {
                (await made.host.command(table, EndRound(reason=WHY), boss, "end-it-once")).sequence for _ in range(3)
            }
            assert len(done) == 1
            assert await made.reader.balance(f"player:{player.user.id}") == before + held + lost
            row = (await made.reader.entries(f"table:{table}"))[done.pop() - 1]
            assert (row.actor, row.command, row.at) == (boss.user, "end-it-once", clock())
            assert read_entry(row.body).model_dump() == {
                "kind": "operator acted",
                "action": "end round",
                "seat": None,
                "reason": WHY,
            }
            await clean(made)
        async with services(settings(database), clock) as again:
            hosted = await again.host.table(table)
            assert hosted.table.was_voided
            await clean(again)

    asyncio.run(run())


async def _operator(accounts: Accounts) -> Actor:
    user = await accounts.register("Carol", "correct horse", "operator")
    return Actor(user.id, user.name, is_operator=True)


def test_two_processes_free_one_seat_once(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as one, services(settings(database), FakeClock()) as two:
            player = Player(one.host, await one.accounts.guest(), UNHURRIED)
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            boss = await _operator(one.accounts)
            command = FreeSeat(seat=1, reason=WHY)
            freed = (made.host.command(table, command, boss, "free-it-once") for made in (one, two) * 3)
            assert len(set(await asyncio.gather(*freed))) == 1
            assert await one.reader.balance(f"player:{player.user.id}") == 100_000
            await clean(two)

    asyncio.run(run())


def test_players_learn_why(client: TestClient) -> None:
    """Without who it was, and with the round as it is now."""
    ann, boss = Person(client), operator(client)
    table = ann.open()
    ann.command(table, do="sit", seat=1)
    with ann.socket(table) as socket:
        socket.until("balance")
        ann.command(table, do="bet", seat=1, main=1000)
        assert boss.command(table, do="free seat", seat=1, reason=WHY).status_code == 200
        told: list[dict[str, Any]] = []
        while not told or told[-1]["entry"]["kind"] != "seat left":
            told += [message for message in [socket.next()] if message["type"] == "entry"]
    acted = {"kind": "operator acted", "action": "free seat", "seat": 1, "reason": WHY}
    assert told[-2]["entry"] == acted
    assert told[-1]["view"]["seats"] == []
