"""What an operator's machine reads: counts, latencies, and an alarm where a game pays what chance does not explain."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable
from dataclasses import asdict
from math import log, sqrt
from multiprocessing import Pipe

import pytest

import holecard
from holecard.deck import DECK, cards
from holecard.errors import Refusal
from holecard.server.game.commands import DealNow, PlaceBet, Sit
from holecard.server.game.entries import Moved, SeatTaken, ShoeCommitted, ShoeRevealed, TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.hosted_table import HostedTable, TableStep
from holecard.server.money.returns import MAIN_WAGER, Returned, Returns, Theory, WagerKey, add_up, settled, short_name
from holecard.server.money.transfers import TableMoney
from holecard.server.operation.metrics import Metrics
from holecard.server.operation.theories import Theories, send_theory, theory_of
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.web.services import services
from holecard.table.events import Bet, Place
from tests.server.driven_table import TABLE, DrivenTable
from tests.server.fake_clock import FakeClock
from tests.server.test_frames import is_revealed
from tests.server.test_host import Player

pytestmark = pytest.mark.usefixtures("known_shoes")


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


def test_finished_rounds_are_counted_once(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            for _ in range(5):
                await player.play_round(table, random.Random(1))
            assert lines(made.metrics)['holecard_rounds_total{game="classic"}'] == 5
            (returned,) = (await made.reader.returns()).values()
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


# Returns


def test_honest_play_does_not_alarm_and_a_rigged_game_does() -> None:
    """A wager that pays 3 to 1 with probability 0.2375 has EV -0.05 and standard deviation 1.702."""
    theory, rng = Theory(-0.05, 1.7021, 3.05), random.Random(11)
    honest, generous, greedy = Returned(), Returned(), Returned()
    for _ in range(20_000):
        stake = rng.choice((500, 1000, 10_000))
        draw = rng.random()
        honest.add(stake, 3 * stake if draw < 0.2375 else -stake)
        generous.add(stake, 3 * stake if draw < 0.29 else -stake)
        greedy.add(stake, 3 * stake if draw < 0.18 else -stake)
    assert abs(honest.z(theory)) < 3
    assert not honest.is_alarming(theory)
    assert generous.is_alarming(theory)
    assert greedy.is_alarming(theory)
    best = Theory(-0.05, 1.7021, 3.05, is_best=True)
    assert generous.is_alarming(best)
    assert not greedy.is_alarming(best)


def test_a_correct_wager_that_seldom_pays_much_does_not_alarm() -> None:
    """1,000 to 1 with probability 1/1,250: at five deviations, the first win would alarm for thousands of rounds."""
    probability, rng = 1 / 1_250, random.Random(5)
    ev = 1_001 * probability - 1
    theory = Theory(ev, 1_001 * sqrt(probability * (1 - probability)), 1_000 - ev)
    after_win = 0.0
    for _ in range(2_000):
        returned = Returned()
        for _ in range(rng.choice((1, 3, 50))):
            won = rng.random() < probability
            returned.add(1_000, 1_000_000 if won else -1_000)
            after_win = max(after_win, returned.z(theory))
            assert not returned.is_alarming(theory)
    assert after_win > 5
    rigged = Returned()
    while not rigged.is_alarming(theory):
        rigged.add(1_000, 1_000_000 if rng.random() < 10 * probability else -1_000)
    assert rigged.rounds < 10_000


def test_the_bound_is_bernsteins_inequality() -> None:
    """For one coin toss of $1, tossed 400 times: V = 400, M = 1, L = 14.51."""
    returned = Returned()
    for toss in range(400):
        returned.add(100, 100 if toss % 2 else -100)
    size = log(2e6)
    assert returned.bound(Theory(0.0, 1.0, 1.0)) == pytest.approx(100 * (size / 3 + sqrt(size**2 / 9 + 800 * size)))


def test_a_fixed_payout_is_compared_per_round_in_dollars() -> None:
    theory, returned = Theory(-0.5, 3.0, 4.5, per_round=True), Returned()
    for net in (-100, -100, 400, -100):
        returned.add(100, net)
    assert returned.expected(theory) == -200
    assert returned.z(theory) == pytest.approx((100 + 200) / (300 * 2))


@pytest.mark.parametrize("game", holecard.games(examples=True))
def test_what_is_counted_is_what_was_paid(game: str) -> None:
    driven = DrivenTable.open(game)
    for seed in range(6):
        driven.play_round(random.Random(seed))
        found = list(settled(driven.table))
        assert sum(one.net for one in found) == sum(int(result.net) for result in driven.table.state.results)
        names = {wager.name for wager in driven.table.tables.wagers} | {MAIN_WAGER, "insurance", "Insurance"}
        assert {one.key.wager for one in found} <= names
        assert all(one.stake > 0 for one in found)
        moves = [move for move in driven.table.moves if isinstance(move, Bet | Place)]
        for name in names - {MAIN_WAGER, "insurance", "Insurance"}:
            placed = sum(int(move.sides.get(name, 0)) for move in moves)
            assert sum(one.stake for one in found if one.key.wager == name) == placed


def test_a_long_name_of_a_wager_fits_into_the_database_and_stays_its_own() -> None:
    longest = schema.returns.c.wager.type.length  # type: ignore[attr-defined]
    assert short_name("Pairs") == "Pairs"
    assert short_name("x" * longest) == "x" * longest
    one, other = short_name("x" * 5_000 + "1"), short_name("x" * 5_000 + "2")
    assert one != other
    assert max(len(one), len(other)) <= longest


def test_a_game_that_pays_too_much_raises_the_alarm() -> None:
    """The theory of another game: side wagers that should lose nearly always."""
    driven, metrics = DrivenTable.open("upcard-luck-21"), Metrics()
    rng = random.Random(3)
    for _ in range(40):
        driven.play_round(rng)
    returns = returned_by(folded(driven, driven.log))
    sheet = driven.table.opened.sheet
    assert not alarms(metrics, returns)
    metrics.learn(sheet, {key.wager: Theory(0.0, 1e6, 1e6) for key in returns})
    assert alarms(metrics, returns) == [0] * len(returns)
    metrics.learn(sheet, {key.wager: Theory(-0.9999, 0.01, 0.01) for key in returns})
    assert any(alarms(metrics, returns))


def test_a_history_in_which_somebody_always_has_blackjack_raises_the_alarm() -> None:
    """A hundred blackjacks in a row: the log is a possible one, and chance does not explain it."""
    sheet = holecard.rules("classic", {"shoe.procedure": "fresh each round"})
    opened = TableOpened(game="classic", sheet="a" * 64, title="", by="ann")
    table = FoldedTable(opened, sheet, 0)
    log: list[TableEntry] = [SeatTaken(seat=1, user="ann", name="Ann")]
    for number in range(100):
        log.append(ShoeCommitted(shoe=f"shoe-{number}", construction="", commitment=""))
        log.append(Moved(move="seat 1: $10"))
        log.append(Moved(move="no more bets", cards="As 9h Ks 8d"))
        log.append(ShoeRevealed(shoe=f"shoe-{number}", seed=""))
    metrics = Metrics()
    metrics.learn(opened.sheet, {MAIN_WAGER: Theory(-0.005, 1.15, 8.0, is_best=True)})
    steps: list[TableStep] = []
    rings = []
    for entry in log:
        table = table.copy()
        table.apply(entry, 1_000)
        steps.append(TableStep(entry, table))
        rings.append(any(alarms(metrics, returned_by(steps))))
    key = WagerKey("classic", opened.sheet, MAIN_WAGER)
    assert returned_by(steps) == {key: Returned(100, 100_000, 100_000_000, 150_000, 1_000)}
    assert not any(rings[:40])
    assert rings[-1]


@pytest.mark.slow
def test_honest_rounds_agree_with_the_exact_theory() -> None:
    driven, metrics, rng = DrivenTable.open("classic"), Metrics(), random.Random(5)
    for _ in range(1_500):
        driven.play_round(rng)
    metrics.learn(driven.table.opened.sheet, theory_of(driven.sheet))
    found = alarms(metrics, returned_by(folded(driven, driven.log)))
    assert found
    assert not any(found)


def test_a_theory_is_computed_once_and_kept(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    async def compute(_target: object, arguments: tuple[object, ...], _seconds: float) -> tuple[str]:
        computed.append(arguments)
        return (
            json.dumps(
                {
                    MAIN_WAGER: {
                        "ev": -0.005,
                        "standard_deviation": 1.15,
                        "farthest": 8.0,
                        "is_best": True,
                        "per_round": False,
                    }
                }
            ),
        )

    monkeypatch.setattr("holecard.server.operation.theories.answer_of", compute)

    async def run() -> None:
        for number in range(2):
            async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
                theories = Theories(made.reader, made.appender, made.returns, made.metrics, delay=0)
                task = asyncio.create_task(theories.run())
                if number == 0:  # the second server finds the sheet in the database when it starts
                    player = Player(made.host, await made.accounts.guest())
                    table = await player.open("classic")
                    await player.do(table, Sit(seat=1))
                    await player.play_round(table, random.Random(1))
                    for _ in range(2):
                        made.metrics.text(await made.returns.now())
                for _ in range(100):
                    if made.metrics.theories:
                        break
                    await asyncio.sleep(0.01)
                assert next(iter(made.metrics.theories.values()))[MAIN_WAGER] == Theory(-0.005, 1.15, 8.0, is_best=True)
                task.cancel()
        assert len(computed) == 1

    asyncio.run(run())


def test_sheets_of_holecard_are_first_and_a_process_that_cannot_start_is_tried_again(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, changed = holecard.rules("classic"), holecard.rules("classic", {"settle.natural": "6 to 5"})
    asked: list[tuple[str, int]] = []
    answer = (json.dumps({MAIN_WAGER: asdict(Theory(-0.005, 1.15, 8.0))}),)

    async def compute(_target: object, arguments: tuple[str, int], _seconds: float) -> tuple[str]:
        asked.append(arguments)
        if len(asked) == 1:
            raise OSError(11, "Resource temporarily unavailable")
        return answer

    monkeypatch.setattr("holecard.server.operation.theories.answer_of", compute)

    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            theories = Theories(made.reader, made.appender, made.returns, made.metrics, delay=0, megabytes=2000)
            for sheet in (changed, own):
                await made.appender.keep(schema.sheets, {"hash": sheet.sha256, "content": sheet.content})
                theories.want(sheet.sha256)
            task = asyncio.create_task(theories.run())
            while len(made.metrics.theories) < 2:
                theories.want(own.sha256)
                await asyncio.sleep(0.01)
                assert not task.done()
            task.cancel()

    asyncio.run(asyncio.wait_for(run(), 20))
    assert asked[0] == (own.content, 2000)
    assert sorted(content for content, _ in asked[1:]) == sorted((own.content, changed.content))


def test_a_theory_may_not_take_all_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def explode(_sheet: object) -> None:
        assert limits == [2000]
        raise MemoryError

    monkeypatch.setattr("holecard.server.operation.theories.limit_memory", limits.append)
    monkeypatch.setattr("holecard.server.operation.theories.theory_of", explode)
    monkeypatch.setattr("os.nice", lambda _by: None)
    here, there = Pipe()
    send_theory(holecard.rules("classic").content, 2000, there)
    with here, pytest.raises(EOFError):
        here.recv()


@pytest.mark.slow
def test_a_theory_comes_from_a_process_of_its_own(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True)) as made:
            theories = Theories(made.reader, made.appender, made.returns, made.metrics, delay=0)
            sheet = holecard.rules("classic")
            await made.appender.keep(schema.sheets, {"hash": "a" * 64, "content": sheet.content})
            theories.want("a" * 64)
            task = asyncio.create_task(theories.run())
            for _ in range(3000):
                if made.metrics.theories:
                    break
                await asyncio.sleep(0.1)
            task.cancel()
            exact = holecard.analyze(sheet)
            main = made.metrics.theories["a" * 64][MAIN_WAGER]
            assert (main.ev, main.standard_deviation) == (exact.main.ev, exact.main.standard_deviation)

    asyncio.run(run())


# Secrets


@pytest.mark.parametrize("game", ["classic", "quick-pay", "double-up"])
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
