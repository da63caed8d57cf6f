"""Distributions of net results contain only possible results, also with fine odds."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

import holecard
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.exact.distribution.net_distribution import NetDistribution
from holecard.exact.distribution.split_distribution import SplitPair, split_distribution
from holecard.exact.main.dealer_outcomes import dealer_outcomes
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.solved_game import solve_game
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import DEALER_BUST, NATURAL
from tests.simulation.charts import splitting


def _nets(settings: dict[str, Any] | None = None, game: str = "classic") -> NetDistribution:
    return NetDistribution(prepared_game(holecard.rules(game, settings or {}).tables))


def test_results_add_up_whatever_the_order() -> None:
    """Compared with a dictionary of fractions; results are new, known, or both in one call."""
    nets, expected, dealt = _nets({"settle.natural": "1.3333 to 1"}), {}, random.Random(7)
    for _ in range(200):
        parts = [dealt.choice([-20_000, -10_000, 0, 10_000, 13_333, dealt.randrange(10**6)]) for _ in range(3)]
        nets.add(np.array(parts), np.array([0.25, 0.5, 1.0]))
        for one, probability in zip(parts, (0.25, 0.5, 1.0), strict=True):
            net = Fraction(one, 10_000)
            expected[net] = expected.get(net, 0.0) + probability
    assert dict(nets.distribution()) == expected
    assert [net for net, _ in nets.distribution()] == sorted(expected)


def test_one_distribution_takes_up_another() -> None:
    one, other = _nets(), _nets()
    one.add_fraction(Fraction(3, 2), 0.5)
    other.add_fraction(Fraction(-1), 0.125)
    other.add_fraction(Fraction(3, 2), 0.25)
    one.add_all(other)
    assert one.distribution() == ((Fraction(-1), 0.125), (Fraction(3, 2), 0.75))


@pytest.mark.parametrize("values", [(-2, -1, 0, 1, 2), (-20_000, -10_000, 0, 10_000, 12_345), (-1, 0, 10**9, 10**12)])
def test_sums_of_independent_results(values: tuple[int, ...]) -> None:
    """Every combination of results of three hands, summed one by one; results are adjacent, apart, or far apart."""
    parts = np.array(values)
    probabilities = np.array([2.0**-k for k in range(1, len(values) + 1)])
    expected: dict[int, float] = {}
    for ends in product(range(len(values)), repeat=3):
        net = sum(values[end] for end in ends)
        expected[net] = expected.get(net, 0.0) + prod(float(probabilities[end]) for end in ends)
    sums, of_sums = _nets().sums_of([(parts, probabilities)] * 3)
    found = {net: probability for net, probability in zip(sums.tolist(), of_sums.tolist(), strict=True) if probability}
    assert found == pytest.approx(expected, rel=1e-15)


def test_parts_are_exact_where_floats_are_not() -> None:
    """Odds in billionths and in ninths, on two wagers: more digits than a product of floats would keep."""
    nets = _nets({"settle.natural": "999999999 to 999999998", "main.companion.natural": "7 to 9"}, "quick-pay")
    natural = int(nets.payoffs[StakesOnHand.ORIGINAL, NATURAL, DEALER_BUST])
    assert Fraction(natural, nets.scale) == (Fraction(999_999_999, 999_999_998) + Fraction(7, 9)) / 2


FINE: list[tuple[str, dict[str, Any]]] = [
    ("classic", {"settle.natural": "1.3333 to 1"}),
    ("classic", {"settle.natural": "999999999 to 999999998"}),
    ("quick-pay", {"player.quick_pay": {"20": "9999 to 10000", "19": "5 to 13", "18": "1 to 7"}}),
]


@pytest.mark.parametrize(("game", "settings"), FINE)
def test_a_split_pair_holds_few_results_with_fine_odds(game: str, settings: dict[str, Any]) -> None:
    """Eights against a six: without naturals or Quick Pay; few entries are empty."""
    held = []
    for rules in (holecard.rules(game), holecard.rules(game, settings)):
        played = solve_game(rules, strategy=mimic_the_dealer(rules.tables))
        counts = played.solution.counts
        pair = SplitPair(7, 5, 1.0, float(counts[7]))
        found = split_distribution(played.game, dealer_outcomes(played.game), counts, played.solution.policies, pair)
        held.append(found.net_results.probabilities.size)
    assert max(held) < 200


@pytest.mark.slow
def test_fine_odds_move_one_result_only() -> None:
    """A natural at 1.3333 instead of 1.5; every other result keeps its probability."""
    coarse, fine = (
        dict(holecard.analyze(rules, strategy=splitting(rules.tables), wagers=False).main.distribution)
        for rules in (holecard.rules("classic"), holecard.rules("classic", {"settle.natural": "1.3333 to 1"}))
    )
    coarse[Fraction(13333, 10_000)] = coarse.pop(Fraction(3, 2))
    assert fine == coarse
