"""Random commands from several people at several tables and servers, against a plain model of the money.

The model knows only the log, the rules and whole numbers: it plays the logged moves with `holecard.table`, and adds up
what each person has won and lost, and what is on the tables.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

import holecard
from holecard.deck import Card, cards
from holecard.errors import Refusal
from holecard.server.accounts.sessions import User
from holecard.server.audit.audit import audit
from holecard.server.errors import CommandReused, NotEnoughMoney, SessionEnded
from holecard.server.game.commands import (
    AddSeed,
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
from holecard.server.game.entries import Pace
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.writer import CommandOutcome
from holecard.server.settings import ServerSettings
from holecard.server.web.services import Services, services
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import Deal, NoMoreBets
from holecard.table.legal import legal, offered
from holecard.table.notation.moves import read_bet, read_play
from holecard.table.state import State

_GAMES = ("quick-pay", "upcard-luck-21", "double-up")
#: Cents of every person: little, so that people run out of it, and enough for many rounds.
_LITTLE, _ENOUGH = 20_000, 500_000


# The model


@dataclass
class PlainTable:
    """A table that is played from its log: who won what, and what is on it."""

    sheet: RuleSheet
    state: State
    sitting: dict[int, str] = field(default_factory=dict)
    playing: dict[int, str] = field(default_factory=dict)
    won: Counter[str] = field(default_factory=Counter)
    counted: int = 0
    is_closed: bool = False

    def read(self, entry: dict[str, Any]) -> None:
        """Do what an entry of the log says."""
        match entry["kind"]:
            case "seat taken":
                assert entry["seat"] not in self.sitting
                self.sitting[entry["seat"]] = entry["user"]
            case "seat left":
                del self.sitting[entry["seat"]]
                self.take_back(entry["seat"])
            case "bet withdrawn":
                self.take_back(entry["seat"])
            case "moved":
                self.move(entry["move"], list(cards(entry["cards"])))
            case "closed":
                self.is_closed = True
            case other:
                assert other in ("opened", "shoe committed", "shoe revealed", "seed added")

    def take_back(self, seat: int) -> None:
        if self.state.phase == "betting":
            left = tuple(player for player in self.state.seats if player.number != seat)
            self.state = self.state._replace(seats=left)

    def move(self, words: str, dealt: list[Card]) -> None:
        if words == "no more bets":
            self.state = advance(self.state, NoMoreBets())
        elif self.state.phase in ("betting", "done"):
            if self.state.phase == "done":
                self.state, self.counted = start(self.sheet.tables), 0
            bet = read_bet(words)
            self.playing[bet.seat] = self.sitting[bet.seat]
            self.state = advance(self.state, bet)
        else:
            self.state = advance(self.state, read_play(words))
        while self.state.wants_card:
            self.state = advance(self.state, Deal(dealt.pop(0)))
        assert not dealt
        for result in self.state.results[self.counted :]:
            self.won[self.playing[result.seat]] += int(result.net)
        self.counted = len(self.state.results)

    def at_stake(self) -> Counter[str]:
        """Return what every person has on this table, without tax."""
        found: Counter[str] = Counter()
        for seat in self.state.seats if self.state.phase != "done" else ():
            hands = sum(int(hand.wagered) for hand in seat.hands if hand.status != "settled")
            sides = sum(int(side.stake) for side in seat.sides if side.open)
            found[self.playing[seat.number]] += hands + sides + int(seat.insurance)
        return found

    def most_tax(self) -> int:
        """Return more than the tax that all seats together may owe: it is held until the cards decide it."""
        taxed = [line for wager in self.sheet.tables.wagers for line in wager.tax]
        return 100 * sum(int(line.pays.fixed or 0) for line in taxed)


async def compare(made: Services, tables: dict[str, RuleSheet], users: list[str], *, is_over: bool) -> None:
    """Compare all balances with those of the model."""
    begin = made.settings.starting_money
    balances = await made.reader.balances()
    models = {}
    for table, sheet in tables.items():
        models[table] = PlainTable(sheet, start(sheet.tables))
        for row in await made.reader.entries(f"table:{table}"):
            models[table].read(json.loads(row.body))
    check_sums(balances)
    held: Counter[tuple[str, str]] = Counter()
    for account, cents in balances.items():
        kind, _, rest = account.partition(":")
        if kind == "held" and cents:
            table, _, seat = rest.rpartition(":")
            held[table, models[table].playing[int(seat)]] += cents
    for user in users:
        won = sum(model.won[user] for model in models.values())
        assert balances[f"player:{user}"] + sum(held[table, user] for table in tables) == begin + won
        for table, model in models.items():
            stake = model.at_stake()[user]
            assert stake <= held[table, user] <= stake + (0 if is_over else model.most_tax())
    for table, model in models.items():
        house = balances.get(f"house:{table}", 0)
        assert house == (0 if model.is_closed else -model.won.total())
    closed = sum(model.won.total() for model in models.values() if model.is_closed)
    assert balances["bank"] == -begin * len(users) - closed


def check_sums(balances: dict[str, int]) -> None:
    assert sum(balances.values()) == 0
    assert not [one for one, cents in balances.items() if cents < 0 and one.startswith(("player:", "held:"))]


# The stream


@dataclass
class Sent:
    """A command as somebody sent it."""

    token: str
    table: str
    command: TableCommand
    key: str
    outcome: CommandOutcome | None = None


class Stream:
    """People who send what they may and may not, at once, to servers that share a database."""

    def __init__(self, hosts: list[Services], rng: random.Random) -> None:
        self.hosts = hosts
        self.rng = rng
        self.people: dict[str, User] = {}
        self.sheets: dict[str, RuleSheet] = {}
        self.sent: list[Sent] = []
        self.refused: Counter[str] = Counter()
        self.number = 0

    async def begin(self, people: int) -> None:
        made = self.hosts[0]
        for _ in range(people):
            user = await made.accounts.guest()
            self.people[await made.accounts.sessions.begin(user)] = user
        for number, game in enumerate(_GAMES):
            user = list(self.people.values())[number % people]
            sheet = holecard.rules(game)
            opened = await made.host.open(sheet, game, Pace(bet=600, act=600), actor(user), self.key())
            self.sheets[opened.table] = sheet

    def key(self) -> str:
        self.number += 1
        return f"stream-{self.number}"

    async def batch(self, size: int) -> None:
        """Send commands at the same time, in no order."""
        batch = [await self.one() for _ in range(size)]
        batch += [self.changed(self.rng.choice(self.sent)) for _ in range(2) if self.sent]
        self.rng.shuffle(batch)
        await asyncio.gather(*(self.send(sent) for sent in batch))
        self.sent += batch

    def changed(self, before: Sent) -> Sent:
        """Return a command that was sent before: again, with another body, or by somebody else."""
        match self.rng.randrange(3):
            case 0:
                return Sent(before.token, before.table, before.command, before.key)
            case 1:
                return Sent(before.token, before.table, AddSeed(seed=f"other {self.key()}"), before.key)
            case _:
                return Sent(self.rng.choice(list(self.people)), before.table, before.command, before.key)

    async def one(self) -> Sent:
        """Return the next command: what the owner of a seat may do there, or something else."""
        rng = self.rng
        table = rng.choice(list(self.sheets))
        hosted = (await rng.choice(self.hosts).host.table(table)).table
        token = rng.choice(list(self.people))
        if rng.random() < 0.25:
            return Sent(rng.choice([token, "no such session"]), table, self.anything(), self.key())
        if not hosted.is_between_rounds and (asked := hosted.state.asked) is not None:
            sitter = hosted.seats.get(asked.number)
            owner = next((one for one, user in self.people.items() if sitter and user.id == sitter.user), token)
            return Sent(owner, table, answer_to(hosted, rng), self.key())
        own = hosted.seats_of(self.people[token].id)
        if not own or rng.random() < 0.1:
            return Sent(token, table, Sit(seat=rng.randint(1, 4)), self.key())
        waiting = set(hosted.seats) - {seat.number for seat in hosted.next_state.seats}
        command: TableCommand = DealNow()
        if waiting and not (rng.random() < 0.1):
            seat = rng.choice(sorted(waiting))
            token = next(one for one, user in self.people.items() if user.id == hosted.seats[seat].user)
            command = bet(hosted, seat, rng)
        elif rng.random() < 0.1:
            command = rng.choice([Leave(seat=own[0]), WithdrawBet(seat=own[0]), AddSeed(seed="lucky")])
        return Sent(token, table, command, self.key())

    def anything(self) -> TableCommand:
        """Return a command that nobody asked for."""
        rng, seat = self.rng, self.rng.randint(1, 7)
        amount = rng.choice([0, 1, 500, 1000, 12_345, 10**9])
        actions = ["hit", "stand", "double", "split", "insurance", "quick pay", "double up", "fly", ""]
        commands: list[TableCommand] = [
            Sit(seat=seat),
            Leave(seat=seat),
            PlaceBet(seat=seat, main=amount, sides=rng.choice([{}, {"No such wager": 100}, {"Insurance": amount}])),
            WithdrawBet(seat=seat),
            DealNow(),
            TakeAction(seat=seat, action=rng.choice(actions), amount=rng.choice([None, amount])),
            PlaceWagers(seat=seat, sides=rng.choice([{}, {"Hedge 18": amount}])),
            AddSeed(seed="any"),
        ]
        return rng.choice(commands)

    async def send(self, sent: Sent) -> None:
        """Send a command, and check what can be said about its answer at once."""
        made = self.rng.choice(self.hosts)
        before = next((one for one in self.sent if one.outcome and same_id(one, sent)), None)
        refused = await self._answer(made, sent)
        if refused is not None:
            self.refused[type(refused).__name__] += 1
        if before is not None:
            is_same = (before.table, before.command) == (sent.table, sent.command)
            assert sent.outcome == (before.outcome if is_same else None)
            assert is_same or isinstance(refused, CommandReused)

    async def _answer(self, made: Services, sent: Sent) -> Refusal | None:
        try:
            user = await made.accounts.sessions.user_of(sent.token)
            sent.outcome = await made.host.command(sent.table, sent.command, actor(user), sent.key)
        except Refusal as refused:
            return refused
        return None

    async def finish(self) -> None:
        """Play every round to its end, and take the bets back."""
        made = self.hosts[0]
        by_user = {user.id: token for token, user in self.people.items()}
        for table in self.sheets:
            await made.host.catch_up(table, 10**9)
            hosted = await made.host.table(table)
            while not hosted.table.is_between_rounds:
                asked = hosted.table.state.asked
                assert asked is not None
                sitter = hosted.table.seats.get(asked.number)
                if sitter is None:
                    await made.host.tick()
                    continue
                sent = Sent(by_user[sitter.user], table, answer_to(hosted.table, self.rng), self.key())
                await self.send(sent)
                self.sent.append(sent)
            for seat in [player.number for player in hosted.table.next_state.seats]:
                sent = Sent(by_user[hosted.table.seats[seat].user], table, WithdrawBet(seat=seat), self.key())
                await self.send(sent)
                assert sent.outcome
                self.sent.append(sent)

    async def check_log(self) -> None:
        """Every command that was answered with `done` is in the log once, where the answer says; no other is."""
        logged: dict[tuple[str, str], list[tuple[str, int]]] = {}
        for table in self.sheets:
            for row in await self.hosts[0].reader.entries(f"table:{table}"):
                if row.command is not None and row.sequence > 1:
                    logged.setdefault((str(row.actor), row.command), []).append((table, row.sequence))
        done = {
            (self.people[sent.token].id, sent.key): [(sent.outcome.table, sent.outcome.sequence)]
            for sent in self.sent
            if sent.outcome is not None
        }
        assert logged == done


def same_id(one: Sent, other: Sent) -> bool:
    return (one.token, one.key) == (other.token, other.key)


def actor(user: User) -> Actor:
    return Actor(user.id, user.name)


def bet(table: FoldedTable, seat: int, rng: random.Random) -> PlaceBet:
    """Return a bet that the rules mostly allow; whether there is money for it is another question."""
    wagers = [wager for wager in offered(table.next_state) if rng.random() < 0.3]
    sides = {wager.name: int(wager.limits.low) for wager in wagers}
    return PlaceBet(seat=seat, main=int(table.tables.main.low) * rng.choice([1, 1, 2, 5]), sides=sides)


def answer_to(table: FoldedTable, rng: random.Random) -> TableCommand:
    """Return an answer of the seat that is asked."""
    asked = table.state.asked
    assert asked is not None
    choices = legal(table.state)
    if not choices:
        wagers = [wager for wager in offered(table.state, asked.number) if rng.random() < 0.3]
        return PlaceWagers(seat=asked.number, sides={wager.name: int(wager.limits.low) for wager in wagers[:1]})
    choice = rng.choice(choices)
    amount = None if choice.low is None else int(rng.choice([choice.low, choice.high or choice.low]))
    return TakeAction(seat=asked.number, action=str(choice.action), amount=amount)


@asynccontextmanager
async def servers(database: str, count: int, money: int) -> AsyncIterator[list[Services]]:
    settings = ServerSettings(database=database, starting_money=money, skip_returns=True)
    async with services(settings) as one:
        if count == 1:
            yield [one]
        else:
            async with services(settings) as two:
                yield [one, two]


async def play_stream(database: str, seed: int, batches: int, count: int, money: int) -> Stream:
    """Send a random stream and compare with the model on the way and at the end."""
    async with servers(database, count, money) as hosts:
        stream = Stream(hosts, random.Random(seed))
        await stream.begin(3)
        users = [user.id for user in stream.people.values()]
        for number in range(1, batches + 1):
            await stream.batch(8)
            check_sums(await hosts[0].reader.balances())
            if number % 10 == 0:
                await compare(hosts[0], stream.sheets, users, is_over=False)
        await stream.finish()
        await compare(hosts[0], stream.sheets, users, is_over=True)
        await stream.check_log()
        closing = next(iter(stream.sheets))
        await hosts[0].host.command(closing, CloseTable(), actor(next(iter(stream.people.values()))), stream.key())
        await compare(hosts[0], stream.sheets, users, is_over=True)
        found = await audit(hosts[0].reader)
        assert found.is_clean, found.problems
        return stream


def test_random_commands_equal_the_model(database: str) -> None:
    stream = asyncio.run(play_stream(database, 1, 25, 2, _LITTLE))
    done = sum(sent.outcome is not None for sent in stream.sent)
    assert done > 30
    assert {"NotAllowed", "OutOfTurn", SessionEnded.__name__, CommandReused.__name__} <= set(stream.refused)


@pytest.mark.slow
@pytest.mark.parametrize("money", [_LITTLE, _ENOUGH])
@pytest.mark.parametrize("seed", [2, 3])
def test_long_streams_of_random_commands_equal_the_model(database: str, seed: int, money: int) -> None:
    stream = asyncio.run(play_stream(database, seed, 200, 2, money))
    assert sum(sent.outcome is not None for sent in stream.sent) > 100
    assert money == _ENOUGH or stream.refused[NotEnoughMoney.__name__] > 10
