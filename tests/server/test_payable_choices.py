"""What a player is offered, advised and charged for is what the player can pay for, and the server takes just that."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

import holecard
from holecard.money import Money
from holecard.server.errors import NotEnoughMoney
from holecard.server.fairness.shoes import LoggedShoe
from holecard.server.game.commands import DealNow, PlaceBet, PlaceWagers, Sit, TakeAction
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.frames import table_view
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from holecard.table.events import Act
from holecard.table.prices import free_before, within_means
from holecard.table.state import State
from tests.browser.stacked_server import StackFile, stack_shoes
from tests.selection import quick
from tests.server.compute_here import compute_here
from tests.server.driven_table import random_bet, random_decision
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player, clean, settings
from tests.server.test_web import Person

#: 11 against a 6, then a deuce; the dealer has 16 and draws a 5.
_ELEVEN = "6s 6h 5d Td 2c 5h"
_BET = 50_000


@pytest.fixture
def chosen_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StackFile:
    """The cards that the shoes of this process deal next."""
    for name in ("_fair_index", "burn"):
        monkeypatch.setattr(LoggedShoe, name, getattr(LoggedShoe, name))  # so that it is put back
    found = StackFile(tmp_path / "cards.json")
    stack_shoes(found)
    return found


class Eleven:
    """A guest who has 11 against a 6 on the table, after betting $500."""

    def __init__(self, client: TestClient, cards: StackFile) -> None:
        compute_here(client)
        self.person = Person(client)
        self.table = self.person.open()
        self.do(do="sit", seat=1)
        self.do(do="bet", seat=1, main=_BET)
        cards.write(_ELEVEN)
        self.do(do="deal")

    def do(self, **command: Any) -> None:
        done = self.person.command(self.table, **command)
        assert done.status_code == 200, done.text

    def prices(self) -> dict[str, int]:
        with self.person.socket(self.table) as socket:
            view = next(one["view"] for one in socket.until("balance") if one["type"] == "snapshot")
        return {choice["action"]: choice["price"] for choice in view["choices"]}

    def coach(self) -> dict[str, Any]:
        return dict(self.person.get(f"/api/v1/tables/{self.table}/coach").json())

    def review(self) -> dict[str, Any]:
        return dict(self.person.get(f"/api/v1/tables/{self.table}/rounds/1/review").json())


@pytest.mark.parametrize("has", quick([_BET, 2 * _BET - 1, 2 * _BET], 2 * _BET - 1))
def test_a_double_that_cannot_be_paid_is_neither_best_nor_missed(
    tmp_path: Path, chosen_cards: StackFile, has: int
) -> None:
    can_pay = has == 2 * _BET
    made = ServerSettings(database=f"{tmp_path}/holecard.db", skip_returns=True, starting_money=has)
    with TestClient(create_app(made, FakeClock())) as client:
        player = Eleven(client, chosen_cards)
        assert player.prices() == {"hit": 0, "stand": 0, "double": _BET}
        advised = player.coach()["actions"]
        assert {one["action"] for one in advised} == {"hit", "stand"} | ({"double"} if can_pay else set())
        assert [one["action"] for one in advised if one["best"]] == ["double" if can_pay else "hit"]
        if not can_pay:
            refused = player.person.command(player.table, do="act", seat=1, action="double").json()
            assert refused["code"] == "not enough money"
        player.do(do="act", seat=1, action="hit")
        best, missed = ("double", advised[0]["cents"] - advised[1]["cents"]) if can_pay else ("hit", 0.0)

        def check(hit: dict[str, Any]) -> None:
            assert (hit["action"], hit["best"], hit["cost"]) == ("hit", best, pytest.approx(missed))
            assert hit["values"] == advised

        check(player.coach()["last"])
        player.do(do="act", seat=1, action="stand")
        if not can_pay and has == _BET:
            assert player.person.post("/api/v1/buy-in").status_code == 200  # what came later changes nothing
        assert {one["action"] for one in player.coach()["last"]["values"]} == {"hit", "stand"}
        review = player.review()
        check(review["decisions"][0])
        assert review["counts_money"] is True
        assert review["skill"] == pytest.approx(-missed - review["decisions"][1]["cost"])


class _Decided(NamedTuple):
    """A decision, and the free money before it."""

    state: State
    act: Act
    free: int


class _Poor:
    """Somebody on two seats who has little money, and decides at random."""

    def __init__(self, made: Services, player: Player, table: str, rng: random.Random) -> None:
        self.made, self.player, self.table, self.rng = made, player, table, rng
        self.seen: Counter[str] = Counter()

    async def free(self) -> int:
        return await self.made.reader.balance(f"player:{self.player.user.id}")

    async def refused(self, command: TakeAction) -> None:
        with pytest.raises(NotEnoughMoney):
            await self.player.do(self.table, command)

    async def play_round(self) -> None:
        hosted = await self.made.host.table(self.table)
        for seat in (1, 3):
            low = PlaceBet(seat=seat, main=int(hosted.table.tables.main.low))
            try:
                await self.player.do(self.table, random_bet(hosted.table, seat, self.rng) if seat == 3 else low)
            except NotEnoughMoney:
                await self.player.do(self.table, low)
        await self.player.do(self.table, DealNow())
        decided: list[_Decided] = []
        while hosted.table.state.phase != "done":
            made = await self.decide(hosted.table)
            decided += [made] if made else []
        after = hosted.table.state
        for state, act, free in decided:
            left = Money.cents(await self.free())
            assert free_before(state, act, (1, 3), after, left) == free

    async def decide(self, table: FoldedTable) -> _Decided | None:
        free, state = await self.free(), table.state
        choices = table_view(table, (1, 3))["choices"]
        if not choices:
            try:
                await self.player.do(self.table, random_decision(table, self.rng))
            except NotEnoughMoney:
                assert state.asked is not None
                await self.player.do(self.table, PlaceWagers(seat=state.asked.number))
            return None
        assert state.asked is not None
        seat = state.asked.number
        for one in choices:
            if one["price"] > free:
                await self.refused(TakeAction(seat=seat, action=one["action"], amount=one["low"]))
                self.seen["greyed"] += 1
            elif one["high"] is not None and one["high"] > free:
                await self.refused(TakeAction(seat=seat, action=one["action"], amount=one["high"]))
                self.seen["limited"] += 1
        payable = within_means(state, holecard.legal(state), Money.cents(free))
        assert [one.action for one in payable] == [one["action"] for one in choices if one["price"] <= free]
        costly = [choice for choice in payable if choice.action in ("double", "split", "double up", "insurance")]
        choice = self.rng.choice(costly or payable)
        amount = None if choice.high is None else int(choice.high)
        await self.player.do(self.table, TakeAction(seat=seat, action=str(choice.action), amount=amount))
        self.seen["paid"] += bool(costly)
        return _Decided(state, Act(seat, choice.action, choice.high), free)


@pytest.mark.parametrize("game", quick(holecard.games(), "classic", holecard.games()[-1]))
def test_the_server_takes_every_choice_that_is_not_greyed_and_refuses_the_others(sqlite: str, game: str) -> None:
    """And what was free before each decision follows from what is left after the round."""
    tables = holecard.rules(game).tables
    low = int(tables.main.low) * (2 if tables.has_companion else 1)
    rng = random.Random(game)
    seen: Counter[str] = Counter()

    async def run() -> None:
        async with services(settings(sqlite, starting_money=3 * low + 150), FakeClock()) as made:
            while seen["greyed"] < 5 or seen["paid"] < 3:
                player = Player(made.host, await made.accounts.guest())
                table = await player.open(game)
                for seat in (1, 3):
                    await player.do(table, Sit(seat=seat))
                poor = _Poor(made, player, table, rng)
                await poor.play_round()
                seen.update(poor.seen)
            await clean(made)

    asyncio.run(run())
