"""A stake is taken before anything is won with it, so the answer to a wager never depends on cards nobody has seen."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest

import holecard
from holecard.money import Money, dollars
from holecard.server.errors import NotEnoughMoney
from holecard.server.game.commands import DealNow, PlaceBet, PlaceWagers, Sit, TakeAction
from holecard.server.game.folded_table import FoldedTable
from holecard.server.web.services import Services, services
from holecard.table.legal import legal, offered
from tests.selection import quick
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player, clean, settings

#: What a player can pay for in the middle of a round, by game.
_PAID_FOR = {
    "classic": {"double", "split", "insurance"},
    "quick-pay": {"double", "place"},
    "double-up": {"double up"},
    "match-up": {"double", "split"},
    "upcard-luck-21": {"double", "insurance"},
}
_FREE = ("stand", "no insurance", "no surrender", "hit")


def costly(table: FoldedTable) -> Iterator[tuple[str, TakeAction | PlaceWagers, int]]:
    """Yield what the seat that is asked can stake now: its name, the command, and what it costs."""
    asked = table.state.asked
    assert asked is not None
    for choice in legal(table.state):
        if choice.action in ("double", "split", "double up", "insurance"):
            amount = None if choice.high is None else int(choice.high)
            hand = asked.hands[table.state.hand]
            same = int(hand.stakes[0] + hand.stakes[1])  # the main wager, and the second one that some games have
            yield str(choice.action), TakeAction(seat=asked.number, action=choice.action, amount=amount), amount or same
    for wager in offered(table.state, asked.number):
        stake = int(wager.limits.low)
        yield "place", PlaceWagers(seat=asked.number, sides={wager.name: stake}), stake


def costs_nothing(table: FoldedTable) -> TakeAction | PlaceWagers:
    """Return an answer of the seat that is asked that stakes nothing."""
    asked = table.state.asked
    assert asked is not None
    actions = {str(choice.action) for choice in legal(table.state)}
    action = next((action for action in _FREE if action in actions), None)
    return TakeAction(seat=asked.number, action=action) if action else PlaceWagers(seat=asked.number)


async def dealt(made: Services, game: str, seats: int) -> tuple[Player, str]:
    """Deal hands to somebody who has bet all money that there is."""
    player = Player(made.host, await made.accounts.guest())
    table = await player.open(game)
    low = int(holecard.rules(game).tables.main.low)
    for seat in range(1, seats + 1):
        await player.do(table, Sit(seat=seat))
        await player.do(table, PlaceBet(seat=seat, main=low))
    await player.do(table, DealNow())
    return player, table


@pytest.mark.parametrize("game", quick(_PAID_FOR, "match-up"))
def test_nobody_who_has_nothing_stakes_anything_whatever_the_hidden_cards_are(sqlite: str, game: str) -> None:
    tables = holecard.rules(game).tables
    money = tables.seats * int(tables.main.low) * (2 if tables.has_companion else 1)
    refused: Counter[str] = Counter()

    async def run() -> None:
        async with services(settings(sqlite, starting_money=money), FakeClock()) as made:
            while set(refused) < _PAID_FOR[game] or refused.total() < 8:
                player, table = await dealt(made, game, tables.seats)
                hosted = await made.host.table(table)
                while hosted.table.state.phase != "done":
                    free = await made.reader.balance(f"player:{player.user.id}")
                    for name, command, cost in costly(hosted.table) if not free else ():
                        words = f"you have \\$0 to wager, and this takes \\{dollars(Money.cents(cost))}$"
                        with pytest.raises(NotEnoughMoney, match=words):
                            await player.do(table, command)
                        refused[name] += 1
                    await player.do(table, costs_nothing(hosted.table))
            await clean(made)

    asyncio.run(run())


def test_what_one_table_may_win_covers_no_stake_of_another(database: str) -> None:
    """Doubles at two tables at once, by somebody who has nothing, and then by somebody who can pay one of them."""

    async def run() -> None:
        outcomes: Counter[tuple[int, bool]] = Counter()
        async with services(settings(database, starting_money=4000), FakeClock()) as made:
            for main in (2000, 1300) * 30:
                if outcomes[0, False] > 1 and outcomes[1, True] > 0:
                    break
                free = 4000 - 2 * main
                player = Player(made.host, await made.accounts.guest())
                two = [await made.host.table(await player.open("classic")) for _ in range(2)]
                for hosted in two:
                    await player.do(hosted.id, Sit(seat=1))
                    await player.do(hosted.id, PlaceBet(seat=1, main=main))
                    await player.do(hosted.id, DealNow())
                if any("double" not in {choice.action for choice in legal(h.table.state)} for h in two):
                    continue
                double = TakeAction(seat=1, action="double")
                found = await asyncio.gather(*(player.do(h.id, double) for h in two), return_exceptions=True)
                doubled = [h for h, answer in zip(two, found, strict=True) if isinstance(answer, int)]
                assert all(isinstance(answer, int | NotEnoughMoney) for answer in found)
                nets = [sum(int(result.net) for result in h.table.state.results) for h in doubled]
                assert len(doubled) <= (1 if free else 0) or max(nets) >= 0 < free
                outcomes[len(doubled), bool(free)] += 1
            await clean(made)
        assert outcomes[0, False] > 1
        assert outcomes[1, True] > 0
        assert not outcomes[0, True]

    asyncio.run(run())
