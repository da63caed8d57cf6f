"""The alarm of returns: a correct game does not raise it, and a rigged one does."""

from __future__ import annotations

import random
from fractions import Fraction
from math import log, sqrt

import pytest

import holecard
from holecard.server.game.entries import Moved, SeatTaken, ShoeCommitted, ShoeRevealed, TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable
from holecard.server.host.hosted_table import TableStep
from holecard.server.money.returns import MAIN_WAGER, Returned, Theory, WagerKey, settled, short_name
from holecard.server.operation.metrics import Metrics
from holecard.server.operation.theories import theory_of
from holecard.server.store import schema
from holecard.table.events import Bet, Place
from tests.server.driven_table import DrivenTable
from tests.server.test_metrics import alarms, folded, returned_by


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


@pytest.mark.slow
def test_a_fixed_payout_wins_the_same_with_every_stake_and_loses_the_stake() -> None:
    """In one deck, 3 of 51 second cards make a pair, which pays $8."""
    wager = {"name": "W", "max": "$50", "lines": [{"hand": "pair", "pays": "$8"}]}
    theory = theory_of(holecard.rules("classic", {"shoe.decks": 1, "wager": [wager]}))["W"]
    won, stakes = Fraction(3, 51), (3000, 500, 500)
    means = [won * 800 - (1 - won) * stake for stake in stakes]
    variances = [won * (1 - won) * (800 + stake) ** 2 for stake in stakes]
    returned = Returned()
    for stake in stakes:
        returned.add(stake, -stake)
    assert returned.expected(theory) == pytest.approx(float(sum(means)))
    assert returned.z(theory) == pytest.approx(float(-4000 - sum(means)) / sqrt(sum(variances)))
    size, reach = log(2e6), (1 + (1 - 3 / 51)) * 3000 + (8 + 8 * 3 / 51) * 100
    jump = reach * size / 3
    assert returned.bound(theory) == pytest.approx(jump + sqrt(jump**2 + 2 * size * float(sum(variances))))


@pytest.mark.slow
def test_a_token_never_loses_its_stake() -> None:
    wager = {"name": "W", "max": "$50", "stake": "token", "lines": [{"hand": "pair", "pays": "$8"}]}
    theory = theory_of(holecard.rules("classic", {"shoe.decks": 1, "wager": [wager]}))["W"]
    returned = Returned()
    for stake in (3000, 500):
        returned.add(stake, 0)
    assert returned.expected(theory) == pytest.approx(2 * 800 * 3 / 51)


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
