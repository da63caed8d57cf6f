"""`verify`: the exact numbers and the sampled ones, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from holecard.exact.analysis import analyze
from holecard.exact.composition import Composition, full
from holecard.exact.dealer_odds import drawing, finishing_odds
from holecard.exact.pay_terms import terms_of
from holecard.exact.results import Analysis, WagerResult
from holecard.exact.wager_outcomes import outcomes
from holecard.exact.wagers import Money
from holecard.kernels.rounds import DEALER_CARDS
from holecard.sheets.read import RulesLike, rules
from holecard.simulation.agreement import (
    FAMILY_LEVEL,
    Agreement,
    Claim,
    FrequencyClaim,
    HistogramClaim,
    MeanClaim,
    compare,
)
from holecard.simulation.estimates import Chances, shape
from holecard.simulation.results import Simulation, WagerSample
from holecard.simulation.simulate import simulate
from holecard.simulation.strategies import OPTIMAL, StrategyLike, strategy_of
from holecard.wagers.dealer_hands import dealer_hand

MAIN = "main wager"
DEALER = "dealer"
INSURANCE = "insurance"


@dataclass(frozen=True)
class Verification:
    """What was compared, and what came of it."""

    exact: Analysis
    sampled: Simulation
    agreement: Agreement
    left_out: tuple[str, ...]
    """wagers that were not sampled"""


def verify(
    game: RulesLike,
    strategy: StrategyLike = OPTIMAL,
    rounds: int = 1_000_000,
    seed: int = 1,
    *,
    against: RulesLike | None = None,
    level: float = FAMILY_LEVEL,
    **how: Any,
) -> Verification:
    """Compare the exact mathematics of a game with rounds of it, dealt and counted.

    `against` is another sheet for the exact side: what a test does that wants to see a wrong rule found. `how` goes to
    `simulate`.
    """
    sheet = rules(game)
    chart = strategy_of(sheet, strategy).chart
    exact = analyze(sheet if against is None else against, strategy=chart)
    sampled = simulate(sheet, chart, rounds, seed, draws_out=True, **how)
    sides = {wager.name for wager in sampled.main.wagers}
    left_out = tuple(wager.name for wager in exact.wagers if wager.name not in sides)
    return Verification(exact, sampled, compare(claims(exact, sampled), level), left_out)


def claims(exact: Analysis, sampled: Simulation) -> Iterator[Claim]:
    """Everything the exact side says that the sampled side counted."""
    main, seat, n = exact.main, sampled.main, sampled.rounds
    # A sample that missed a rare result would underestimate its own error, so the exact deviation judges.
    promised = shape(dict(main.distribution))
    se = main.sd / sqrt(n) if n else float("nan")
    yield MeanClaim(MAIN, "mean", main.ev, seat.estimate.mean, se, skew=promised.skew / sqrt(max(n, 1)))
    yield HistogramClaim(MAIN, "net results", dict(main.distribution), seat.histogram, margin=main.spread_error)
    yield HistogramClaim(DEALER, "opening cards", _opening_chances(exact), _named(sampled.dealers))
    yield HistogramClaim(DEALER, "finished hands", _ending_chances(exact), _named(sampled.endings))
    if exact.insurance is not None and sampled.insurance is not None:
        pays = max(sampled.insurance.histogram)
        wins = (exact.insurance.overall + 1) / (pays + 1)
        taken = sampled.insurance.estimate.rounds
        yield FrequencyClaim(INSURANCE, "wins", wins, sampled.insurance.histogram[pays], taken)
    by_name = {wager.name: wager for wager in exact.wagers}
    for wager in seat.wagers:
        if wager.name in by_name:
            yield from _wager_claims(by_name[wager.name], _wager_chances(exact, wager.name), wager)


def _wager_claims(exact: WagerResult, chances: Chances, sampled: WagerSample) -> Iterator[Claim]:
    """The mean, every net result, and how often every line and tax came."""
    placed = sampled.estimate.rounds
    se = exact.sd / sqrt(placed) if placed else float("nan")
    skew = shape(chances).skew / sqrt(max(placed, 1))
    yield MeanClaim(exact.name, "mean", exact.exact, sampled.estimate.mean, se, skew=skew)
    yield HistogramClaim(exact.name, "net results", chances, sampled.histogram)
    for said, counted in zip((*exact.lines, *exact.taxes), (*sampled.lines, *sampled.taxes), strict=True):
        yield FrequencyClaim(exact.name, f"{said.line} ({said.pays})", said.probability, counted.count, placed)


def _wager_chances(exact: Analysis, name: str) -> dict[Fraction, Fraction]:
    """The chance of every net result of a wager, the tax taken off."""
    tables = exact.rules.tables
    wager = next(wager for wager in tables.wagers if wager.name == name)
    money, found = Money(wager), outcomes(terms_of(wager), tables, exact.shoe)
    chances: dict[Fraction, Fraction] = {}
    for (_, outcome), ways in found.ways.items():
        net = money.of(outcome)
        chances[net] = chances.get(net, Fraction(0)) + Fraction(ways, found.total)
    return chances


def _named(counted: Mapping[tuple[int, ...], int]) -> dict[Fraction, int]:
    """Pairs as numbers: an upcard of 7 over a hole card of 2 is 702, a final 19 in 3 cards 1903."""
    return {_number(pair): count for pair, count in counted.items()}


def _opening_chances(exact: Analysis) -> dict[Fraction, Fraction]:
    shoe = full(exact.rules.shoe.decks)
    values = range(1, 11)
    if exact.rules.tables.hole_card == "none":
        return {_number((up,)): Fraction(shoe.values[up - 1], shoe.total) for up in values}
    return {_number((up, hole)): _two(shoe, up, hole) for up in values for hole in values}


def _ending_chances(exact: Analysis) -> dict[Fraction, Fraction]:
    """The dealer's finished hands, by total and cards."""
    pairs = [(total, cards) for total in range(4, 23) for cards in range(2, DEALER_CARDS + 1)]
    asked = tuple(dealer_hand(_phrase(*pair)) for pair in pairs)
    shoe = full(exact.rules.shoe.decks)
    odds = finishing_odds(drawing(exact.rules.tables.dealer_draws, asked, 1), shoe.values)
    found = dict.fromkeys(map(_number, pairs), Fraction(0))
    for (up,), finishes in odds.ways.items():
        for (number,), ways in finishes.items():
            found[_number(pairs[number])] += Fraction(shoe.values[up - 1] * ways, shoe.total * odds.total)
    return found


def _phrase(total: int, cards: int) -> str:
    what = "busts" if total > 21 else str(total)
    return f"{what} in {cards}{'+' if cards == DEALER_CARDS else ''} cards"


def _two(shoe: Composition, up: int, hole: int) -> Fraction:
    ways = shoe.values[up - 1] * (shoe.values[hole - 1] - (up == hole))
    return Fraction(ways, shoe.total * (shoe.total - 1))


def _number(cards: tuple[int, ...]) -> Fraction:
    return Fraction(100 * cards[0] + cards[1] if len(cards) == 2 else cards[0])
