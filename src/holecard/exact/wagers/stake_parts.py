"""How the result of a side wager depends on its stake, exactly.

Odds grow with the stake, and so does a loss. A fixed payout and a tax do not, and a token is never lost. So a net
result is `unit` times the stake plus `fixed` dollars, and both depend on the cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import NamedTuple, TypeAlias

from holecard.composition import Composition
from holecard.exact.wagers.wager_outcomes import wager_outcomes
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import WagerOutcome, wager_terms
from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import SideWager

_Nets: TypeAlias = Mapping[WagerOutcome, Fraction]


class Part(NamedTuple):
    """One part of a net result."""

    ev: float
    deviation: float
    farthest: float
    """One result is never farther from an average than this."""
    best: float
    """The average with the upcard for which it is highest; like `ev` where the wager is placed before the deal."""


class StakeParts(NamedTuple):
    """The part per unit staked, the part in dollars, and their covariance."""

    unit: Part
    fixed: Part
    covariance: float


def stake_parts(tables: Tables, wager: SideWager, shoe: Composition) -> StakeParts:
    """Return the parts of a wager from a shoe."""
    payoffs = WagerPayoffs(wager)
    ways: Counter[WagerOutcome] = Counter()
    by_upcard: dict[int, Counter[WagerOutcome]] = defaultdict(Counter)
    for (upcard, outcome), number in wager_outcomes(wager_terms(wager), tables, shoe).ways.items():
        ways[outcome] += number
        by_upcard[upcard][outcome] += number
    seen = list(by_upcard.values()) if wager.after_check else [ways]
    units, fixed = ({outcome: payoffs.parts(outcome)[which] for outcome in ways} for which in (0, 1))
    together = _mean({outcome: units[outcome] * fixed[outcome] for outcome in ways}, ways)
    return StakeParts(
        _part(units, ways, seen), _part(fixed, ways, seen), float(together - _mean(units, ways) * _mean(fixed, ways))
    )


def _part(
    nets: Mapping[WagerOutcome, Fraction], ways: Counter[WagerOutcome], seen: list[Counter[WagerOutcome]]
) -> Part:
    mean, means = _mean(nets, ways), [_mean(nets, some) for some in seen]
    return Part(
        ev=float(mean),
        deviation=sqrt(_mean({outcome: (net - mean) ** 2 for outcome, net in nets.items()}, ways)),
        farthest=float(max(map(abs, nets.values())) + max(map(abs, (mean, *means)))),
        best=float(max(means)),
    )


def _mean(nets: _Nets, ways: Counter[WagerOutcome]) -> Fraction:
    return sum((nets[outcome] * number for outcome, number in ways.items()), Fraction(0)) / ways.total()
