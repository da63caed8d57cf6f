"""How a side wager's result depends on its stake: fractions by hand, and the exact results at the smallest stake."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

import holecard
from holecard.composition import full
from holecard.exact.wagers.stake_parts import StakeParts, stake_parts
from holecard.exact.wagers.wager_values import wager_result
from holecard.payoffs.wager_payoffs import WagerPayoffs

#: In one deck, 3 of the 51 second cards make a pair.
PAIR = Fraction(3, 51)


def parts_of(**wager: object) -> StakeParts:
    sheet = holecard.rules("classic", {"shoe.decks": 1, "wager": [{"name": "W", "max": "$50", **wager}]})
    return stake_parts(sheet.tables, sheet.tables.wagers[0], full(1))


def test_a_fixed_payout_loses_the_stake_and_wins_the_amount() -> None:
    unit, fixed, covariance = parts_of(min="$5", lines=[{"hand": "pair", "pays": "$8"}])
    assert (unit.ev, fixed.ev) == pytest.approx((float(PAIR - 1), float(8 * PAIR)))
    spread = float(PAIR * (1 - PAIR))
    assert (unit.deviation, fixed.deviation) == pytest.approx((sqrt(spread), 8 * sqrt(spread)))
    assert covariance == pytest.approx(8 * spread)
    assert (unit.best, fixed.best) == (unit.ev, fixed.ev)


def test_a_token_is_kept() -> None:
    unit, fixed, covariance = parts_of(min="$5", stake="token", lines=[{"hand": "pair", "pays": "$8"}])
    assert unit[:2] == (0.0, 0.0)
    assert fixed.ev == pytest.approx(float(8 * PAIR))
    assert covariance == 0


def test_odds_and_amounts_mix() -> None:
    """A natural pays an amount, a pair pays odds, and everything else loses the stake."""
    unit, fixed, covariance = parts_of(lines=[{"hand": "natural", "pays": "$40"}, {"hand": "pair", "pays": "3 to 1"}])
    natural = Fraction(2 * 4 * 16, 52 * 51)
    mean = 3 * PAIR - (1 - PAIR - natural)
    assert (unit.ev, fixed.ev) == pytest.approx((float(mean), float(40 * natural)))
    assert covariance == pytest.approx(float(-mean * 40 * natural))
    assert unit.farthest == pytest.approx(float(3 + abs(mean)))
    assert fixed.farthest == pytest.approx(float(40 + 40 * natural))


@pytest.mark.parametrize("game", holecard.games(examples=True))
def test_with_the_smallest_stake_the_parts_are_the_exact_result(game: str) -> None:
    sheet = holecard.rules(game)
    shoe = full(sheet.shoe.decks)
    for wager in sheet.tables.wagers:
        payoffs = WagerPayoffs(wager)
        if not payoffs.in_dollars:
            continue
        exact, stake = wager_result(sheet.tables, wager, shoe), float(payoffs.stake)
        unit, fixed, covariance = stake_parts(sheet.tables, wager, shoe)
        assert unit.ev * stake + fixed.ev == pytest.approx(exact.ev)
        variance = (unit.deviation * stake) ** 2 + 2 * stake * covariance + fixed.deviation**2
        assert sqrt(variance) == pytest.approx(exact.standard_deviation)
