"""How wagers of one round vary together: fractions by hand, the simulator's own counts, and the table engine."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

import holecard
from holecard.charts.named_strategies import BASIC
from holecard.exact.strategies import strategies_of
from holecard.money import dollars
from holecard.sheets.schema import RuleSheet
from holecard.simulation.covariances import PARTS, Covariances, round_covariances
from holecard.table.table import Table

CHART = "mimic the dealer"
PAIR: dict[str, object] = {"name": "Pair", "lines": [{"hand": "pair", "pays": "11 to 1"}]}
SUITED: dict[str, object] = {"name": "Suited", "lines": [{"hand": "suited", "pays": "2 to 1"}]}
FIXED: dict[str, object] = {"name": "Fixed", "min": "$1", "max": "$50", "lines": [{"hand": "pair", "pays": "$4"}]}
BUST: dict[str, object] = {"name": "Bust", "lines": [{"dealer": "busts", "pays": "2 to 1"}]}


def one_deck(*wagers: dict[str, object]) -> RuleSheet:
    return holecard.rules("classic", {"shoe.decks": 1, "wager": list(wagers)})


def units(found: Covariances, one: str, other: str) -> tuple[float, float]:
    same, others = found.blocks(one, other)
    return float(same[0, 0]), float(others[0, 0])


def test_wagers_on_the_first_cards_vary_together_as_fractions_say() -> None:
    """Of one deck: a second card makes a pair in 3 of 51 cases and is suited in 12 of 51, never both."""
    found = round_covariances(one_deck(PAIR, SUITED), 200_000, strategy=CHART)
    pair, suited = Fraction(3, 51), Fraction(12, 51)
    both_pairs = pair * Fraction(12 * 4 * 3 + 2 * 1, 50 * 49)
    same, _ = units(found, "Pair", "Suited")
    assert same == pytest.approx(float(-12 * 3 * pair * suited), abs=4 * 12 * 3 * sqrt(pair * suited / 600_000))
    _, others = units(found, "Pair", "Pair")
    error = 144 * sqrt(both_pairs / 600_000)
    assert others == pytest.approx(float(144 * (both_pairs - pair**2)), abs=4 * error)
    own, _ = units(found, "Pair", "Pair")
    assert own == pytest.approx(float(144 * pair * (1 - pair)), rel=0.03)


def test_what_the_dealer_alone_decides_is_the_same_at_every_seat() -> None:
    found = round_covariances(one_deck(BUST), 20_000, strategy=CHART)
    for name in ("Bust", "Insurance"):
        own, others = units(found, name, name)
        assert own == pytest.approx(others) == pytest.approx(units(found, name, name)[0])
        assert own > 1


def test_fixed_payouts_vary_apart_from_the_stake() -> None:
    """With a pair, $4 and no loss; without, the stake and nothing else: like 1 and 4 times the same coin."""
    found = round_covariances(one_deck(FIXED), 50_000, strategy=CHART)
    (per_unit, mixed), (mixed_too, fixed) = found.blocks("Fixed", "Fixed")[0].tolist()
    assert per_unit == pytest.approx(3 / 51 * 48 / 51, rel=0.06)
    assert (mixed, mixed_too, fixed) == pytest.approx((4 * per_unit, 4 * per_unit, 16 * per_unit))


def test_the_rounds_are_those_of_the_simulator() -> None:
    """The same seed deals the same cards, so the variances are those of the counted results."""
    sheet = holecard.rules("quick-pay")
    found = round_covariances(sheet, 3_000, strategy=CHART)
    counted = holecard.simulate(sheet, CHART, rounds=3_000, seats=3)
    samples = {"main": [seat.histogram for seat in counted.seats]}
    for place, wager in enumerate(counted.main.wagers):
        samples[wager.name] = [seat.wagers[place].histogram for seat in counted.seats]
    for name, histograms in samples.items():
        nets = [(net, count) for histogram in histograms for net, count in histogram.items()]
        rounds = sum(count for _, count in nets)
        mean = sum(net * count for net, count in nets) / rounds
        variance = sum((net - mean) ** 2 * count for net, count in nets) / rounds
        assert units(found, name, name)[0] == pytest.approx(float(variance))


def test_the_covariances_are_symmetric_and_repeatable() -> None:
    one, two = (round_covariances("quick-pay", 2_000, strategy=CHART) for _ in range(2))
    for first, second in ((one.own, two.own), (one.others, two.others)):
        assert np.array_equal(first, second)
        assert np.allclose(first, first.T)
        assert first.shape == (PARTS * len(one.names),) * 2


@pytest.mark.slow
def test_two_seats_at_the_table_vary_together_as_in_the_sample() -> None:
    """The sum of two seats over a few thousand rounds of the table engine, by the same chart."""
    sheet, rng = holecard.rules("classic"), random.Random(5)
    found = round_covariances(sheet)
    own, others = units(found, "main", "main")
    (player,) = strategies_of(sheet, BASIC, 1)
    sums = []
    for _ in range(6_000):
        table = Table(sheet, bankroll="$1,000,000", seed=rng.getrandbits(60))
        for seat in (1, 2):
            table.bet(dollars(1000), seat=seat)
        table.deal()
        while table.phase != "done":
            table.act("no insurance" if table.phase == "insurance" else player.chart.act(table.state))
        sums.append(sum(int(result.net) for result in table.results) / 1000)
    mean = sum(sums) / len(sums)
    variance = sum((net - mean) ** 2 for net in sums) / len(sums)
    # Four standard errors of a variance from 6,000 rounds; the independent one would be 27% too small.
    assert variance == pytest.approx(2 * own + 2 * others, rel=0.11)
