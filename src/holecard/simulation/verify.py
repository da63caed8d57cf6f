"""`verify`: the exact numbers and the sampled ones side by side, and rounds of the sample replayed at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import nan, sqrt
from typing import Any

from holecard.charts.named_strategies import OPTIMAL
from holecard.composition import Composition, full
from holecard.deck import value_name
from holecard.errors import Refusal
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis, MainGame, WagerResult
from holecard.exact.solved_game import main_ev
from holecard.exact.strategies import StrategyLike, strategy_of
from holecard.exact.wagers.dealer_counts import count_finishes, drawing_rule
from holecard.exact.wagers.wager_outcomes import wager_outcomes
from holecard.kernels.cache import compiling
from holecard.kernels.play.lookup import DEALER_CARDS
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import wager_terms
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.plays.fresh_shoes import Device
from holecard.simulation.procedures import FRESH
from holecard.simulation.results import Simulation, WagerSample
from holecard.simulation.run.executors import ExecutorLike
from holecard.simulation.simulate import check_run, crew_of, placed, simulate
from holecard.simulation.statistics.agreement import FAMILY_LEVEL, Agreement, compare
from holecard.simulation.statistics.comparisons import LEAST_OFTEN, Claim, FrequencyClaim, HistogramClaim, MeanClaim
from holecard.simulation.statistics.estimates import Probabilities, shape
from holecard.simulation.witness.replay import ROUNDS, Replay, check_count, replay_rounds, trying_everything
from holecard.wagers.dealer_hands import DealerHand

MAIN = "main wager"
DEALER = "dealer"
INSURANCE = "insurance"
#: A tenth of a second; the mean is known within 0.2% of a stake.
_EVERY_ACTION_ROUNDS = 1_000_000
_HIGHEST_BUST, _MOST_CARDS = 26, 22


@dataclass(frozen=True, repr=False)
class Verification(Presented):
    """What was compared, and what came of it."""

    _report = "verification"

    exact: Analysis
    sampled: Simulation
    agreement: Agreement
    left_out: tuple[str, ...]
    """wagers that were not sampled"""
    replay: Replay

    @property
    def agrees(self) -> bool:
        """Exact and sampled numbers agree, and every round replayed came to the same at the table."""
        return self.agreement.agrees and self.replay.agrees


def verify(
    game: RulesLike,
    strategy: StrategyLike = OPTIMAL,
    rounds: int = 10_000_000,
    seed: int = 1,
    *,
    against: RulesLike | None = None,
    level: float = FAMILY_LEVEL,
    replay: int = ROUNDS,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    **how: Any,
) -> Verification:
    """Compare the exact mathematics of a game with rounds of it, dealt and counted; replay some of them at the table.

    `replay` is how many of the rounds are played again, see `replay`. `against` is another sheet for the exact side:
    what a test does that wants to see a wrong rule found. `executor`, `device` and `how` go to `simulate`.
    """
    sheet = rules(game)
    check_run(rounds, seed, device)
    check_count(replay)
    if how.get("procedure", FRESH) != FRESH:
        raise Refusal("exact numbers are of fresh shoes: leave the procedure out")
    # Who plays is asked first: a cluster that does not answer is refused before seconds are spent on exact numbers.
    with compiling("verify") as compilation, crew_of(executor, device) as crew:
        player = strategy_of(sheet, strategy)
        judged = sheet if against is None else rules(against)
        exact = analyze(judged, strategy=player)
        sampled = simulate(sheet, player, rounds, seed, executor=crew, device=device, draws_out=True, **how)
        compilation.finished = sampled.complete
    sides = {wager.name for wager in sampled.main.wagers}
    left_out = tuple(wager.name for wager in exact.wagers if wager.name not in sides)
    mean, *others = claims(exact, sampled)
    compared = compare([mean, every_action_claim(sheet, judged, seed, sampled.rounds), *others], level)
    wagers = placed(sheet, how.get("wagers"))
    # A run that was ended early did not play all the rounds that are chosen from.
    count = replay if sampled.complete else 0
    replayed = replay_rounds(sheet, [player] * len(sampled.seats), seed, sampled.rounds, wagers, count)
    return Verification(exact, sampled, compared, left_out, replayed)


def every_action_claim(sheet: RuleSheet, judged: RuleSheet, seed: int, rounds: int) -> Claim:
    """The mean of a chart that tries every action: what a best chart avoids is compared, too.

    It has rounds of its own, so many that their own standard deviation is as good as the exact one. Yet it is judged
    only where a run has `rounds` enough to judge its mean, so that a run of one round agrees with nothing.
    """
    other = trying_everything(sheet, seed)
    exact = main_ev(judged, strategy=other.by_seat[0])
    found = other.simulated(0, _EVERY_ACTION_ROUNDS).seats[0].estimate
    return MeanClaim(MAIN, "mean, every action", exact, found.mean, found.se if rounds >= LEAST_OFTEN else nan)


def claims(exact: Analysis, sampled: Simulation) -> Iterator[Claim]:
    """Everything the exact side says that the sampled side counted."""
    main, seat, n = exact.main, sampled.main, sampled.rounds
    promised = shape(dict(main.distribution))
    error = _error(promised.sd, n)
    yield MeanClaim(MAIN, "mean", main.ev, seat.estimate.mean, error, skew=promised.skew / sqrt(max(n, 1)))
    yield HistogramClaim(MAIN, "net results", dict(main.distribution), seat.histogram, margins=_margins(main))
    yield from _deviation(
        MAIN, main.standard_deviation, promised.sd, sum(e * float(net) ** 2 for net, e in _margins(main).items())
    )
    yield HistogramClaim(DEALER, "opening cards", *_openings(exact, sampled))
    endings = {_ending(*hand): count for hand, count in sampled.endings.items()}
    yield HistogramClaim(DEALER, "finished hands", _ending_chances(exact), endings)
    if exact.insurance is not None and sampled.insurance is not None:
        pays = max(sampled.insurance.histogram)
        wins = (exact.insurance.overall + 1) / (pays + 1)
        taken = sampled.insurance.estimate.rounds
        offered = exact.shoe.values[0] / exact.shoe.total
        yield FrequencyClaim(INSURANCE, "wins", wins, sampled.insurance.histogram[pays], taken, share=offered)
    by_name = {wager.name: wager for wager in exact.wagers}
    for wager in seat.wagers:
        if wager.name in by_name:
            yield from _wager_claims(by_name[wager.name], _wager_chances(exact, wager.name), wager, n)


def _margins(main: MainGame) -> dict[Fraction, float]:
    """How far the probability of each net result may be off."""
    errors = main.probability_errors or (main.error_bound,) * len(main.distribution)
    return {net: error for (net, _), error in zip(main.distribution, errors, strict=True)}


def _wager_claims(exact: WagerResult, chances: Probabilities, sampled: WagerSample, rounds: int) -> Iterator[Claim]:
    """The mean, every net result, and how often every line and tax came."""
    placed = sampled.estimate.rounds
    share = placed / rounds if placed else 1.0
    promised = shape(chances)
    error, skew = _error(promised.sd, placed), promised.skew / sqrt(max(placed, 1))
    yield MeanClaim(exact.name, "mean", exact.exact, sampled.estimate.mean, error, skew=skew)
    yield HistogramClaim(exact.name, "net results", chances, sampled.histogram, share=share)
    yield from _deviation(exact.name, exact.standard_deviation, promised.sd)
    for said, counted in zip((*exact.lines, *exact.taxes), (*sampled.lines, *sampled.taxes), strict=True):
        what = f"{said.line} ({said.pays})"
        yield FrequencyClaim(exact.name, what, said.probability, counted.count, placed, share=share)


def _deviation(name: str, stated: float, promised: float, margin: float = 0.0) -> Iterator[Claim]:
    """A claim where the stated deviation is not that of the distribution, which is compared with the rounds."""
    if abs(stated - promised) > margin + 1e-9 * (1 + promised):
        yield MeanClaim(name, "standard deviation, beside its distribution's", stated, promised, 0.0)


def _error(sd: float, rounds: int) -> float:
    """Of a mean; by the exact deviation, for a sample that missed a rare result would underestimate its own error."""
    return sd / sqrt(rounds) if rounds >= LEAST_OFTEN else nan


def _wager_chances(exact: Analysis, name: str) -> dict[Fraction, Fraction]:
    """The chance of every net result of a wager, the tax taken off."""
    tables = exact.rules.tables
    wager = next(wager for wager in tables.wagers if wager.name == name)
    payoffs, found = WagerPayoffs(wager), wager_outcomes(wager_terms(wager), tables, exact.shoe)
    chances: dict[Fraction, Fraction] = {}
    for (_, outcome), ways in found.ways.items():
        net = payoffs.net(outcome)
        chances[net] = chances.get(net, Fraction(0)) + Fraction(ways, found.total)
    return chances


# The dealer's cards in words


def _openings(exact: Analysis, sampled: Simulation) -> tuple[dict[str, Fraction], dict[str, int]]:
    """How likely and how often the first two were: "A up, T in the hole", or "A up, T next" where none is dealt."""
    shoe, where = full(exact.rules.shoe.decks), "next" if exact.rules.tables.hole_card == "none" else "in the hole"
    names = {two: f"{value_name(two[0])} up, {value_name(two[1])} {where}" for two in product(range(1, 11), repeat=2)}
    chances = {name: _two(shoe, *two) for two, name in names.items()}
    return chances, {names[up, second]: count for (up, second), count in sampled.dealers.items()}


def _two(shoe: Composition, up: int, second: int) -> Fraction:
    ways = shoe.values[up - 1] * (shoe.values[second - 1] - (up == second))
    return Fraction(ways, shoe.total * (shoe.total - 1))


def _ending(total: int, cards: int) -> str:
    """ "natural", "17 in 6 cards", "bust in 12 or more cards"."""
    if (total, cards) == (21, 2):
        return "natural"
    more = " or more" if cards == DEALER_CARDS else ""
    return f"{'bust' if total > 21 else total} in {cards}{more} cards"


def _ending_chances(exact: Analysis) -> dict[str, Fraction]:
    """The dealer's finished hands, by total and cards."""
    pairs = [(total, cards) for total in range(4, 23) for cards in range(2, DEALER_CARDS + 1)]
    asked = tuple(_hand(*pair) for pair in pairs)
    shoe = full(exact.rules.shoe.decks)
    odds = count_finishes(drawing_rule(exact.rules.tables.dealer_draws, asked, 1), shoe.values)
    found = {_ending(*pair): Fraction(0) for pair in pairs}
    for (up,), finishes in odds.ways.items():
        for (number,), ways in finishes.items():
            found[_ending(*pairs[number])] += Fraction(shoe.values[up - 1] * ways, shoe.total * odds.total)
    return found


def _hand(total: int, cards: int) -> DealerHand:
    """As a pay line asks for it; 22 is any bust, and `DEALER_CARDS` is that many or more."""
    high = _HIGHEST_BUST if total > 21 else total
    most = _MOST_CARDS if cards == DEALER_CARDS else cards
    return DealerHand(_ending(total, cards), total, high, cards, most)
