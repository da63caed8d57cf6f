"""What an operator's machine reads: counts, latencies, and an alarm where a game pays what chance does not explain."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Iterable

import pytest

import holecard
from holecard.deck import DECK, cards
from holecard.errors import Refusal
from holecard.server.errors import TooMany
from holecard.server.game.commands import DealNow, PlaceBet, Sit
from holecard.server.game.entries import Moved, SeatTaken, ShoeCommitted, TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.hosted_table import HostedTable, TableStep
from holecard.server.money.returns import MAIN_WAGER, Returns, add_up, settled
from holecard.server.money.transfers import TableMoney
from holecard.server.operation.metrics import LoopDelay, Metrics
from holecard.server.settings import ServerSettings
from holecard.server.web.services import services
from tests.selection import quick
from tests.server.compute_here import WorkerHere
from tests.server.driven_table import TABLE, DrivenTable
from tests.server.fake_clock import FakeClock
from tests.server.test_frames import is_revealed
from tests.server.test_host import Player


def lines(metrics: Metrics, returns: Returns | None = None) -> dict[str, float]:
    """Return the values by name and labels, without the times at which counting began."""
    found = {}
    for line in metrics.text(returns).decode().splitlines():
        name, _, value = line.rpartition(" ")
        if not line.startswith("#") and "_created" not in name:
            found[name] = float(value)
    return found


def folded(driven: DrivenTable, log: list[TableEntry]) -> Iterable[TableStep]:
    opened = log[0]
    assert isinstance(opened, TableOpened)
    table = FoldedTable(opened, driven.sheet, 0)
    for entry in log[1:]:
        table = table.copy()
        table.apply(entry, 1_000)
        yield TableStep(entry, table)


def returned_by(steps: Iterable[TableStep]) -> Returns:
    """Return what the rounds of these steps add up to."""
    returns: Returns = {}
    for step in steps:
        if step.table.has_just_finished:
            add_up(settled(step.table), returns)
    return returns


def alarms(metrics: Metrics, returns: Returns) -> list[float]:
    found = lines(metrics, returns)
    return [value for name, value in found.items() if name.startswith("holecard_return_alarm")]


# Counts


def test_commands_are_counted_by_outcome_and_timed(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            for command in (DealNow(), Sit(seat=1), PlaceBet(seat=2, main=1000), PlaceBet(seat=1, main=1)):
                with pytest.raises(Refusal):
                    await player.do(table, command)
            await player.do(table, PlaceBet(seat=1, main=1000))
            found = lines(made.metrics)
            assert found['holecard_commands_total{outcome="done"}'] == 2
            assert found['holecard_commands_total{outcome="not allowed"}'] == 1
            assert found['holecard_commands_total{outcome="wager refused"}'] == 1
            assert sum(value for name, value in found.items() if name.startswith("holecard_commands_total")) == 6
            assert found["holecard_decision_seconds_count"] == 6
            assert found["holecard_decision_seconds_sum"] > 0
            made.metrics.count_tables(made.host.tables)
            found = lines(made.metrics)
            assert found["holecard_money_at_risk_cents"] == 1000
            assert (found["holecard_open_tables"], found["holecard_open_rounds"]) == (1, 0)

    asyncio.run(run())


def test_computations_are_counted_by_lane(sqlite: str) -> None:
    """Ann asks for four charts of which one runs and two may wait."""

    async def run() -> None:
        settings = ServerSettings(database=sqlite, skip_returns=True, waiting_per_user=2)
        async with services(settings, FakeClock()) as made:
            release = asyncio.Event()
            charts = made.computing.charts
            charts._free = deque([WorkerHere(release.wait)])
            charts._workers = tuple(charts._free)
            asked = [charts.ask("ann", release.wait) for _ in range(3)]
            with pytest.raises(TooMany):
                charts.ask("ann", release.wait)
            made.metrics.count_computations([*made.computing.lanes, made.jobs])
            found = lines(made.metrics)
            lane = 'holecard_computations_{}{{lane="charts"}}'
            shown = [found[lane.format(what)] for what in ("waiting", "running", "refused_total")]
            assert shown == [2, 1, 1]
            assert found['holecard_computations_waiting{lane="jobs"}'] == 0
            release.set()
            await asyncio.gather(*(one.answer for one in asked))

    asyncio.run(run())


def test_finished_rounds_are_counted_once(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            for _ in range(5):
                await player.play_round(table, random.Random(1))
            assert lines(made.metrics)['holecard_rounds_total{game="classic"}'] == 5
            returns = await made.reader.returns()
            (returned,) = (found for key, found in returns.items() if key.wager == MAIN_WAGER)
            assert returned.rounds == 5
            assert returned.staked == 5 * int(holecard.rules("classic").tables.main.low)
            rounds = await made.reader.rounds_of(player.user.id, None, None)
            main = [line for row in rounds for line in holecard.read_record(row["record"]).paid if line.hand]
            assert returned.net == sum(int(line.net) for line in main)

    asyncio.run(run())


def test_a_round_counts_although_its_last_entry_settles_nothing() -> None:
    """Seat 1 surrenders and is settled; it ends the round when it passes on the last wagers."""
    table = FoldedTable(
        TableOpened(game="quick-pay", sheet="a" * 64, title="", by="ann"), holecard.rules("quick-pay"), 0
    )
    log: list[TableEntry] = [
        SeatTaken(seat=1, user="ann", name="Ann"),
        ShoeCommitted(shoe="shoe", construction="", commitment=""),
        Moved(move="seat 1: $10"),
        Moved(move="no more bets", burned="2h", cards="Ts 9h 6s 6d"),
        Moved(move="seat 1: surrender"),
        Moved(move="seat 1: pass"),
        Moved(move="seat 1: $10"),
    ]
    finished = []
    for entry in log:
        table.apply(entry, 0)
        finished.append(table.has_just_finished)
        if finished[-1]:
            assert table.new_results == ()
            assert [(one.stake, one.net) for one in settled(table)] == [(2000, -1000)]
    assert finished == [False] * 5 + [True, False]


def test_the_event_loop_is_measured_by_how_late_it_wakes_a_task() -> None:
    """Each sleep of a tenth of a second ends as late as the test says; the oldest are forgotten."""
    now, late = [100.0], iter([0.0, 0.5, 0.1, *[0.0] * 100])

    async def sleep(seconds: float) -> None:
        now[0] += seconds + next(late)

    async def run() -> None:
        delay = LoopDelay(lambda: now[0], sleep)
        with pytest.raises(RuntimeError, match="StopIteration"):  # no more sleeps
            await delay.measure()
        assert (delay.largest, delay.mean) == (pytest.approx(0.0), pytest.approx(0.0))
        late_again = iter([0.0, 0.5, 0.1])

        async def some(seconds: float) -> None:
            now[0] += seconds + next(late_again)

        delay = LoopDelay(lambda: now[0], some)
        with pytest.raises(RuntimeError, match="StopIteration"):
            await delay.measure()
        assert delay.largest == pytest.approx(0.5)
        assert delay.mean == pytest.approx(0.6 / 4)  # with the first look, which found no delay

    asyncio.run(run())


def test_commands_that_wait_and_connections_are_shown(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            assert made.appender.waiting == 0
            sitting = asyncio.ensure_future(player.do(table, Sit(seat=1)))
            while not made.appender.waiting:
                assert not sitting.done()
                await asyncio.sleep(0)
            made.metrics.count_work(made.appender.waiting, made.loop_delay)
            found = lines(made.metrics)
            assert found["holecard_waiting_commands"] == 1
            assert {'holecard_loop_delay_seconds{of="max"}', 'holecard_loop_delay_seconds{of="mean"}'} <= found.keys()
            await sitting
            assert made.appender.waiting == 0

    asyncio.run(run())


# Secrets


@pytest.mark.parametrize("game", quick(["classic", "quick-pay", "double-up"], "double-up"))
def test_metrics_are_the_same_whatever_the_hole_card(game: str) -> None:
    compared = 0
    for seed in range(3):
        driven = DrivenTable.open(game)
        driven.play_round(random.Random(seed))
        place = next(n for n, e in enumerate(driven.log) if isinstance(e, Moved) and e.move == "no more bets")
        deal = driven.log[place]
        assert isinstance(deal, Moved)
        told = [(is_revealed(table), text) for table, text in metrics_texts(driven, driven.log)]
        for card in DECK:
            dealt = list(map(str, cards(deal.cards)))
            dealt[5] = str(card)
            log = [*driven.log[:place], deal.model_copy(update={"cards": " ".join(dealt)}), *driven.log[place + 1 :]]
            try:
                for (revealed, text), (table, other) in zip(told, metrics_texts(driven, log), strict=False):
                    if revealed or is_revealed(table):
                        break
                    assert text == other
                    compared += 1
            except Refusal:
                continue  # after another hole card the dealer needs other cards
    assert compared > 50


def metrics_texts(driven: DrivenTable, log: list[TableEntry]) -> Iterable[tuple[FoldedTable, dict[str, float]]]:
    metrics, money = Metrics(), TableMoney(TABLE)
    hosted: HostedTable | None = None
    steps: list[TableStep] = []
    for step in folded(driven, log):
        money.transfers(step.table, step.entry)
        metrics.observe([step])
        hosted = HostedTable(TABLE, step, money, "", 0)
        metrics.count_tables([hosted])
        steps.append(step)
        yield step.table, lines(metrics, returned_by(steps))
