"""Result against expectation: exact EVs and deviations, added up over every wager of a person's rounds."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import sqrt
from typing import Any

import pytest
from fastapi.testclient import TestClient

import holecard
from holecard.server.compute.lane import Lane
from holecard.server.host.hosted_table import written_wagers
from holecard.server.money.returns import SeatWager, settled_by_seat
from holecard.server.records.expectations import (
    CovarianceBlock,
    Expectation,
    Expectations,
    KnownExpectations,
    exact_expectations,
    expectations,
)
from holecard.server.records.statistics import (
    BAND,
    Course,
    CoursePoint,
    PersonalSums,
    PlayedRound,
    of_round,
    stored_wagers,
)
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.sheets.schema import RuleSheet
from holecard.table.notation.moves import read_bet
from holecard.wagers.pay_table import SideWager
from tests.server.compute_here import PLENTY, WorkerHere, lane_here
from tests.server.fake_clock import FakeClock
from tests.server.test_replays import Watched

#: A coin that is bet on: each wager wins what it pays with a probability, or loses.
COINS = {"main": (Fraction(1, 2), Fraction(1)), "Long": (Fraction(1, 5), Fraction(3))}


def coin_expectation(name: str) -> Expectation:
    won, pays = COINS[name]
    ev = won * pays - (1 - won)
    variance = won * pays**2 + (1 - won) - ev**2
    return Expectation(float(ev), sqrt(variance))


@dataclass(frozen=True)
class CoinCourse:
    """All ways in which wagers on coins can end: the mean and the variance of the sum, in fractions."""

    stakes: tuple[tuple[str, int], ...]

    def moments(self) -> tuple[Fraction, Fraction]:
        mean = square = Fraction(0)
        for ends in product((True, False), repeat=len(self.stakes)):
            probability, net = Fraction(1), Fraction(0)
            for won, (name, stake) in zip(ends, self.stakes, strict=True):
                chance, pays = COINS[name]
                probability *= chance if won else 1 - chance
                net += stake * pays if won else -stake
            mean += probability * net
            square += probability * net**2
        return mean, square - mean**2


def sums_of(rounds: Sequence[PlayedRound], known: dict[str, Expectations]) -> PersonalSums:
    sums = PersonalSums(known)
    for played in rounds:
        sums.add(played)
    return sums


def test_the_sums_are_those_of_all_ways_in_which_the_wagers_can_end() -> None:
    stakes = ((("main", 1000),), (("main", 500), ("Long", 200)), (("main", 700), ("Long", 100), ("main", 300)))
    rounds = [
        PlayedRound(n, "coins", "s", tuple(SeatWager(seat, name, stake, 7) for seat, (name, stake) in enumerate(one)))
        for n, one in enumerate(stakes, start=1)
    ]
    known = {"s": {name: coin_expectation(name) for name in COINS}}
    for point, played in zip(sums_of(rounds, known).course.points(), ((), *stakes), strict=True):
        so_far = sum(stakes[: point.rounds], ())
        mean, variance = CoinCourse(so_far).moments()
        assert point.expected == pytest.approx(float(mean))
        assert point.deviation == pytest.approx(sqrt(variance))
        assert point.net == 7 * len(so_far)
        assert played in ((), *stakes)
    (game,) = sums_of(rounds, known).games
    for name, wager in game.wagers.items():
        own = tuple(one for played in stakes for one in played if one[0] == name)
        mean, variance = CoinCourse(own).moments()
        assert (wager.settled, wager.staked, wager.net) == (len(own), sum(stake for _, stake in own), 7 * len(own))
        assert wager.expected == pytest.approx(float(mean))
        assert wager.z == pytest.approx(float(wager.net - mean) / sqrt(variance))


def test_a_wager_without_an_expectation_is_counted_but_not_compared() -> None:
    rounds = [PlayedRound(1, "g", "s", (SeatWager(1, "main", 1000, -1000), SeatWager(1, "New", 500, 500)))]
    known: dict[str, Expectations] = {"s": {"main": Expectation(-0.01, 1.0)}}
    assert sums_of(rounds, known).course.points()[-1] == CoursePoint(1, 1, -1000, -10.0, 1000.0)
    assert sums_of(rounds, known).games[0].wagers["New"].net == 500
    assert sums_of(rounds, {}).course.points() == [CoursePoint(0, 0, 0, 0.0, 0.0)]


def test_a_long_course_is_thinned_and_keeps_its_ends_and_extremes() -> None:
    rng, course, points = random.Random(3), Course(), [CoursePoint(0, 0, 0, 0.0, 0.0)]
    for number in range(1, 5_000):
        net = rng.randrange(-5000, 5000)
        course.add(number, net, (-1.0, 4.0))
        points.append(CoursePoint(number, number, points[-1].net + net, -number, sqrt(4.0 * number)))
        if number in (399, 4_999):
            kept = course.points()
            assert all(point == points[point.rounds] for point in kept)
            assert len(kept) == 400 if number == 399 else len(kept) <= 400
            assert (kept[0], kept[-1]) == (points[0], points[-1])
            nets = [point.net for point in points]
            assert {max(point.net for point in kept), min(point.net for point in kept)} == {max(nets), min(nets)}
            assert max(b.rounds - a.rounds for a, b in pairwise(kept)) <= 14


# Exact expectations


@pytest.mark.slow
@pytest.mark.parametrize("game", ["quick-pay", "upcard-luck-21"])
def test_expectations_are_those_of_the_exact_analysis(game: str) -> None:
    sheet = holecard.rules(game)
    found, exact = expectations(sheet.content), holecard.analyze(sheet)
    assert found["main"][:5] == (exact.main.ev, exact.main.standard_deviation, 0, 0, 0)
    for wager in exact.wagers:
        lines = [(line.net, line.probability) for line in wager.lines]
        one = found[wager.name]
        stake = int(wager_of(sheet, wager.name).limits.low) / 100 if wager.unit.startswith("round") else 1
        assert one.ev * stake + one.fixed_ev == pytest.approx(float(wager.exact))
        if not wager.taxes:
            mean = sum(net * probability for net, probability in lines)
            variance = sum(net**2 * probability for net, probability in lines) - mean**2
            assert one.deviation == pytest.approx(sqrt(variance))
        for other in found:
            assert (other in one.same_seat) == (other != wager.name)
            assert other in one.other_seat


def wager_of(sheet: RuleSheet, name: str) -> SideWager:
    return next(wager for wager in sheet.tables.wagers if wager.name == name)


@pytest.mark.slow
def test_a_stake_on_a_fixed_payout_is_what_is_lost() -> None:
    """A pair, 3 of 51 second cards in one deck, pays $8; with $30 staked that wins -$27.76 on average."""
    wager = {"name": "W", "max": "$50", "lines": [{"hand": "pair", "pays": "$8"}]}
    token = {"name": "T", "max": "$50", "stake": "token", "lines": [{"hand": "pair", "pays": "$8"}]}
    sheet = holecard.rules("classic", {"shoe.decks": 1, "wager": [wager, token]})
    known = exact_expectations(holecard.analyze(sheet))
    won = Fraction(3, 51)
    for stake in (3000, 500):
        mean, variance = of_round([SeatWager(1, "W", stake, -stake)], known)
        assert mean == pytest.approx(float(won * 800 - (1 - won) * stake))
        assert variance == pytest.approx(float(won * (1 - won) * (800 + stake) ** 2))
        mean, variance = of_round([SeatWager(1, "T", stake, 0)], known)
        assert (mean, variance) == pytest.approx((float(won * 800), float(won * (1 - won) * 800**2)))


# Wagers of one round


#: Three dice decide everything: the dealer's for both seats, and one for each seat. A wager's result is its unit part
#: times the stake plus dollars.
FACES = range(3)


def dice_result(wager: str, dealer: int, own: int) -> tuple[Fraction, Fraction]:
    """Return the parts of a result: per unit staked, and in dollars."""
    if wager == "main":
        return Fraction(1 if own > dealer else -1 if own < dealer else 0), Fraction(0)
    return (Fraction(-1), Fraction(0)) if own else (Fraction(0), Fraction(4 + dealer))


def mean_of(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def dice_block(one: str, other: str, *, same_seat: bool) -> CovarianceBlock:
    """Return the covariances of two wagers over all throws."""
    throws = [throw for throw in product(FACES, repeat=3) if not same_seat or throw[1] == throw[2]]
    pairs = [(dice_result(one, dealer, first), dice_result(other, dealer, second)) for dealer, first, second in throws]
    found = [
        [
            mean_of([a[i] * b[j] for a, b in pairs])
            - mean_of([a[i] for a, _ in pairs]) * mean_of([b[j] for _, b in pairs])
            for j in (0, 1)
        ]
        for i in (0, 1)
    ]
    return (float(found[0][0]), float(found[0][1])), (float(found[1][0]), float(found[1][1]))


def dice_expectation(wager: str) -> Expectation:
    results = [dice_result(wager, dealer, own) for dealer, own in product(FACES, repeat=2)]
    (units, mixed), (_, fixed) = dice_block(wager, wager, same_seat=True)
    names = ("main", "Fixed")
    return Expectation(
        float(mean_of([unit for unit, _ in results])),
        sqrt(units),
        float(mean_of([dollars for _, dollars in results])),
        sqrt(fixed),
        mixed,
        {other: dice_block(wager, other, same_seat=True) for other in names if other != wager},
        {other: dice_block(wager, other, same_seat=False) for other in names},
    )


@pytest.mark.parametrize(
    "staked",
    [
        ((1, "main", 1000), (2, "main", 700)),
        ((1, "main", 1000), (1, "Fixed", 300)),
        ((1, "main", 1000), (1, "Fixed", 300), (2, "Fixed", 200)),
        ((1, "main", 500), (1, "Fixed", 300), (2, "main", 900), (2, "Fixed", 200)),
    ],
)
def test_wagers_of_a_round_vary_together(staked: tuple[tuple[int, str, int], ...]) -> None:
    """All throws of three dice, with the sum of all wagers, give the mean and the variance."""
    sums = []
    for dealer, *own in product(FACES, repeat=3):
        parts = [(stake, *dice_result(name, dealer, own[seat - 1])) for seat, name, stake in staked]
        sums.append(sum((stake * unit + 100 * dollars for stake, unit, dollars in parts), Fraction(0)))
    mean = mean_of(sums)
    variance = mean_of([(one - mean) ** 2 for one in sums])
    known = {name: dice_expectation(name) for name in ("main", "Fixed")}
    wagers = tuple(SeatWager(seat, name, stake, 0) for seat, name, stake in staked)
    assert of_round(wagers, known) == pytest.approx((float(mean), float(variance)))
    rounds = [PlayedRound(n, "g", "s", wagers) for n in (1, 2, 3)]
    last = sums_of(rounds, {"s": known}).course.points()[-1]
    assert (last.expected, last.deviation) == pytest.approx((float(3 * mean), sqrt(3 * variance)))
    (game,) = sums_of(rounds, {"s": known}).games
    for name, found in game.wagers.items():
        alone = of_round([wager for wager in wagers if wager.wager == name], known)
        assert (found.expected, found.variance) == pytest.approx((3 * alone[0], 3 * alone[1]))


@pytest.mark.slow
def test_insurance_wins_as_often_as_a_ten_is_under_an_ace() -> None:
    """Of the 51 other cards of one deck, 16 are tens, whatever the player holds on average; it pays 2 to 1."""
    found = expectations(holecard.rules("classic", {"shoe.decks": 1}).content)["Insurance"]
    won = Fraction(16, 51)
    mean = 2 * won - (1 - won)
    assert found.ev == pytest.approx(float(mean))
    assert found.deviation == pytest.approx(sqrt(4 * won + (1 - won) - mean**2))


def test_each_sheet_is_computed_once_and_a_slow_one_is_waited_for_no_longer_than_asked() -> None:
    """A computation whose process was lost is asked for again."""
    asked: list[str] = []
    release = asyncio.Event()

    async def compute(content: str) -> Expectations:
        asked.append(content)
        if content == "slow":
            await release.wait()
        if content == "wrong":
            raise holecard.Refusal("it cannot be analyzed")
        if content == "lost" and asked.count("lost") == 1:
            raise BrokenPipeError
        return {"main": Expectation(-0.01, 1.1)}

    async def run() -> None:
        several = Lane("here", [WorkerHere(compute) for _ in range(5)], PLENTY)
        known = KnownExpectations(several)
        sheets = {"a": "fast", "c": "wrong", "d": "lost", "b": "slow"}
        first = await known.of("ann", sheets, 0.01)
        while not {"a", "c"} <= first.keys():
            first = await known.of("ann", sheets, 0.01)
        assert "b" not in first
        assert not first["c"]
        release.set()
        assert (await known.of("ann", sheets, 5)).keys() == sheets.keys()
        await known.of("ann", sheets, 5)
        assert sorted(asked) == ["fast", "lost", "lost", "slow", "wrong"]
        await known.stop()

    asyncio.run(run())


# Over HTTP


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = ServerSettings(
        database=f"{tmp_path_factory.mktemp('statistics')}/holecard.db",
        skip_returns=True,
        messages_per_second=100_000,
        message_burst=100_000,
        guest_burst=1_000,
    )
    with TestClient(create_app(settings, FakeClock())) as found:
        yield found


def in_this_process(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute expectations here: the worker process is tested elsewhere."""

    monkeypatch.setattr(client.app.state.services.expectations, "_lane", lane_here())  # type: ignore[attr-defined]


def by_round(results: list[dict[str, Any]]) -> list[list[SeatWager]]:
    """Return each round's wagers: the hands of a seat as one, staked with $10 on each of two main wagers."""
    found: dict[int, dict[tuple[int, str], int]] = {}
    for result in results:
        wager = (result["seat"], "main" if result["hand"] else result["wager"])
        found.setdefault(result["round"], {})[wager] = 2 * 1000 if result["hand"] else result["stake"]
    return [[SeatWager(*wager, stake, 0) for wager, stake in wagers.items()] for wagers in found.values()]


@pytest.mark.slow
def test_the_statistics_of_a_person_are_those_of_that_persons_seats(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(client, monkeypatch)
    services = client.app.state.services  # type: ignore[attr-defined]
    watched = Watched(client, "quick-pay", {})
    watched.play(6, random.Random(2))
    exact = holecard.analyze("quick-pay")
    evs = {"main": exact.main.ev} | {wager.name: wager.ev for wager in exact.wagers}
    if exact.insurance is not None:
        evs["Insurance"] = exact.insurance.ev
    for person in (watched.ann, watched.bob):
        told = person.get("/api/v1/history/statistics").json()
        results = [
            result | {"round": number}
            for number in range(1, 7)
            for frame in person.get(f"/api/v1/tables/{watched.table}/rounds/{number}/replay").json()["frames"][-1:]
            for result in frame["view"]["results"]
            if result["seat"] in frame["view"]["yours"]
        ]
        (game,) = told["games"]
        assert (told["ready"], told["rounds"], game["rounds"]) == (True, 6, 6)
        assert told["net"] == sum(result["net"] for result in results) == told["points"][-1]["net"]
        seats = 2 if person is watched.ann else 1
        assert {wager["printed"] for wager in game["wagers"] if wager["wager"].startswith("Hedge")} == {False}
        for wager in game["wagers"]:
            assert wager["printed"] or not wager["is_main"]
            same = [result for result in results if bool(result["hand"]) == wager["is_main"]]
            same = [result for result in same if wager["is_main"] or result["wager"] == wager["wager"]]
            staked = 6 * seats * 2 * 1000 if wager["is_main"] else sum(result["stake"] for result in same)
            assert (wager["staked"], wager["net"]) == (staked, sum(result["net"] for result in same))
            ev = evs["main" if wager["is_main"] else wager["wager"]]
            assert wager["expected"] == pytest.approx(ev * staked)
        last = told["points"][-1]
        assert last["expected"] == pytest.approx(sum(wager["expected"] for wager in game["wagers"]))
        known = services.expectations._known[game["sheet"]]
        variance = sum(of_round(wagers, known)[1] for wagers in by_round(results))
        assert (last["high"] - last["low"]) / 2 == pytest.approx(BAND * sqrt(variance))
        assert told["points"] == game["points"]
        assert [point["rounds"] for point in told["points"]] == list(range(7))
    assert watched.eve.get("/api/v1/history/statistics").json()["games"] == []


def test_taxes_count_with_their_wager() -> None:
    record = """
game  = "upcard-luck-21"
bets  = ["seat 1: $10"]
cards = "As 6d Kh 9c"
paid  = [
  { seat = 1, hand = 0, wager = "Lucky", stake = "$5", net = "-$5", line = "nothing" },
  { seat = 1, hand = 0, wager = "Lucky tax", stake = "$0", net = "-$3", line = "tax" },
  { seat = 1, hand = 1, wager = "Bet", stake = "$10", net = "+$15", line = "natural" },
  { seat = 1, hand = 1, wager = "Double", stake = "$10", net = "+$10", line = "wins" },
]
"""
    read = holecard.read_record(record)
    mains = {
        companion: settled_by_seat(map(read_bet, read.bets), read.paid, has_companion=companion)
        for companion in (False, True)
    }
    written = written_wagers(mains[False])
    assert sorted(stored_wagers(written)) == [(1, "Lucky", 500, -800), (1, "main", 1000, 2500)]
    assert sorted(mains[True])[-1].stake == 2000
