"""A hand-made analysis, so that the position of every number is known, and its printed form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from holecard import report
from holecard.composition import full
from holecard.exact.deferred import Deferred
from holecard.exact.results import (
    CDZ_CONVENTION,
    NO_NATURAL,
    ActionEV,
    Analysis,
    InsuranceResult,
    LineResult,
    MainGame,
    NetResults,
    StartingHand,
    WagerResult,
)
from holecard.sheets.read import rules

F = Fraction


def line(name: str, pays: str, net: int, ways: int, of: int) -> LineResult:
    return LineResult(name, pays, F(net), ways, F(ways, of), F(net * ways, of))


MAIN = MainGame(
    unit="the Bet",
    ev=-0.05,
    error_bound=1.2e-13,
    net_results=Deferred.of(
        NetResults(
            average_stake=1.25,
            distribution=((F(-2), 0.125), (F(-1), 0.375), (F(0), 0.0625), (F(1, 3), 0.0625), (F(3, 2), 0.375)),
            probability_errors=(1e-13,) * 5,
            standard_deviation=1.25,
            standard_deviation_error=0.0,
            method="exact",
        )
    ),
)
HANDS = (
    StartingHand(
        (10, 6), (10,), 0.5, NO_NATURAL, (ActionEV("hit", -0.25), ActionEV("stand", -0.5), ActionEV("double", -1.5))
    ),
    StartingHand((8, 8), (1,), 0.125, NO_NATURAL, (ActionEV("split", -0.125), ActionEV("stand", -0.75)), is_pair=True),
    StartingHand((10, 10), (10,), 0.25, NO_NATURAL, (ActionEV("stand", 0.5), ActionEV("hit", -0.875)), is_pair=True),
)
LUCK = WagerResult(
    name="Luck",
    unit="unit staked",
    given="",
    exact=F(-202, 4043),
    hit_frequency=F(1, 8),
    standard_deviation=2.5,
    combinations=40,
    counted="a player's two cards",
    lines=(
        line("pair of aces", "30 to 1", 30, 1, 40),
        line("pair", "2 to 1", 2, 4, 40),
        line("lost", "lose", -1, 35, 40),
    ),
)
FORTUNE = WagerResult(
    name="Fortune",
    unit="round, in dollars",
    given="",
    exact=F(-1, 4),
    hit_frequency=F(1, 40),
    standard_deviation=3.5,
    combinations=40,
    counted="a player's two cards and the dealer's hand",
    lines=(line("natural", "$40", 40, 1, 40), line("nothing", "push", 0, 39, 40)),
    taxes=(line("hard 9-11", "tax $5", -5, 10, 40),),
)
HEDGE = WagerResult(
    name="Hedge",
    unit="unit staked",
    given="after the check",
    exact=F(-1, 19),
    hit_frequency=F(1, 7),
    standard_deviation=1.5,
    combinations=10**20,
    counted="an order of the shoe",
    lines=(line("18", "6 to 1", 6, 10**19, 10**20), line("lost", "lose", -1, 9 * 10**19, 10**20)),
    by_upcard=((2, F(-1, 18)), (1, F(-1, 21))),
    printed=False,
)


def made(**changes: Any) -> Analysis:
    parts: dict[str, Any] = {
        "rules": rules("classic"),
        "shoe": full(6),
        "convention": CDZ_CONVENTION,
        "strategy": "composition-dependent optimum",
        "main": MAIN,
        "hands": HANDS,
        "insurance": InsuranceResult(F(-23, 311), (((6, 10), F(-1, 13)), ((2, 2), F(1, 50)))),
        "wagers": (LUCK, FORTUNE, HEDGE),
        "skipped": (("Suits", "the shoe's suits are unknown"),),
    }
    return Analysis(**{**parts, **changes})


def printed(found: Analysis, **options: bool) -> str:
    return report.text(found, **options)
