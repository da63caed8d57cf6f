"""`verify`: compare exact and simulated numbers, and replay some of the simulated rounds at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import nan, sqrt
from typing import Any

from holecard.charts.named_strategies import BASIC
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
from holecard.simulation.simulate import check_run, placed, simulate, workers_for
from holecard.simulation.statistics.agreement import FAMILY_LEVEL, Agreement, judge
from holecard.simulation.statistics.comparisons import LEAST_OFTEN, Claim, FrequencyClaim, HistogramClaim, MeanClaim
from holecard.simulation.statistics.estimates import Probabilities, shape
from holecard.simulation.witness.replay import REPLAYED_ROUNDS, Replay, check_count, replay_rounds, trying_everything
from holecard.wagers.dealer_hands import DealerHand

MAIN = "main wager"
_DEALER = "dealer"
_INSURANCE = "insurance"
#: Takes a tenth of a second; the mean is known within 0.2% of a stake.
_EVERY_ACTION_ROUNDS = 1_000_000
_HIGHEST_BUST, _MOST_CARDS = 26, 22


@dataclass(frozen=True, repr=False)
class Verification(Presented):
    """The comparisons and their verdict."""

    _report = "simulated.verification"

    exact: Analysis
    sampled: Simulation
    agreement: Agreement
    left_out: tuple[str, ...]
    """wagers that were not simulated"""
    replay: Replay

    @property
    def agrees(self) -> bool:
        """Whether exact and simulated numbers agree, and every replayed round agrees with the table."""
        return self.agreement.agrees and self.replay.agrees


def verify(
    game: RulesLike,
    strategy: StrategyLike = BASIC,
    rounds: int = 10_000_000,
    seed: int = 1,
    *,
    against: RulesLike | None = None,
    level: float = FAMILY_LEVEL,
    replay: int = REPLAYED_ROUNDS,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    **how: Any,
) -> Verification:
    """Compare the exact numbers of a game with simulated rounds, and replay some of them at the table.

    `replay` is the number of rounds to replay. `against` is another sheet for the exact numbers, to test that a wrong
    rule is detected. `executor`, `device` and `how` are passed to `simulate`.
    """
    sheet = rules(game)
    check_run(rounds, seed, device)
    check_count(replay)
    if how.get("procedure", FRESH) != FRESH:
        raise Refusal("exact numbers assume fresh shoes; leave out the procedure")
    # Connect first: report an unreachable cluster before spending seconds on exact numbers.
    with compiling("verify") as compilation, workers_for(executor, device) as workers:
        player = strategy_of(sheet, strategy)
        judged = sheet if against is None else rules(against)
        exact = analyze(judged, strategy=player)
        sampled = simulate(sheet, player, rounds, seed, executor=workers, device=device, draws_out=True, **how)
        compilation.finished = sampled.complete
    sides = {wager.name for wager in sampled.main.wagers}
    left_out = tuple(wager.name for wager in exact.wagers if wager.name not in sides)
    mean, *others = claims(exact, sampled)
    compared = judge([mean, every_action_claim(sheet, judged, seed, sampled.rounds), *others], level)
    wagers = placed(sheet, how.get("wagers"))
    # A run that ended early did not play all the rounds to choose from.
    count = replay if sampled.complete else 0
    replayed = replay_rounds(sheet, [player] * len(sampled.seats), seed, sampled.rounds, wagers, count)
    return Verification(exact, sampled, compared, left_out, replayed)


def every_action_claim(sheet: RuleSheet, judged: RuleSheet, seed: int, rounds: int) -> Claim:
    """Return the claim about the mean of a chart that tries every action, including those a best chart avoids.

    It plays separate rounds, enough that their own standard deviation is as good as the exact one. It is judged only if
    the run has enough `rounds` to judge its own mean, so that a run of one round agrees with nothing.
    """
    other = trying_everything(sheet, seed)
    exact = main_ev(judged, strategy=other.by_seat[0])
    found = other.simulated(0, _EVERY_ACTION_ROUNDS).seats[0].estimate
    return MeanClaim(
        MAIN, "mean, every action", exact, found.ev, found.standard_error if rounds >= LEAST_OFTEN else nan
    )


def claims(exact: Analysis, sampled: Simulation) -> Iterator[Claim]:
    """Yield every exact number that the simulation counted."""
    main, seat, n = exact.main, sampled.main, sampled.rounds
    promised = shape(dict(main.distribution))
    error = _error(promised.sd, n)
    yield MeanClaim(MAIN, "mean", main.ev, seat.estimate.ev, error, skew=promised.skew / sqrt(max(n, 1)))
    yield HistogramClaim(MAIN, "net results", dict(main.distribution), seat.histogram, margins=_margins(main))
    yield from _deviation(
        MAIN, main.standard_deviation, promised.sd, sum(e * float(net) ** 2 for net, e in _margins(main).items())
    )
    yield HistogramClaim(_DEALER, "opening cards", *_openings(exact, sampled))
    endings = {_ending(*hand): count for hand, count in sampled.endings.items()}
    yield HistogramClaim(_DEALER, "finished hands", _ending_probabilities(exact), endings)
    if exact.insurance is not None and sampled.insurance is not None:
        pays = max(sampled.insurance.histogram)
        wins = (exact.insurance.overall + 1) / (pays + 1)
        taken = sampled.insurance.estimate.rounds
        offered = exact.shoe.values[0] / exact.shoe.total
        yield FrequencyClaim(_INSURANCE, "wins", wins, sampled.insurance.histogram[pays], taken, share=offered)
    by_name = {wager.name: wager for wager in exact.wagers}
    for wager in seat.wagers:
        if wager.name in by_name:
            yield from _wager_claims(by_name[wager.name], _wager_probabilities(exact, wager.name), wager, n)


def _margins(main: MainGame) -> dict[Fraction, float]:
    """Return the possible error of the probability of each net result."""
    errors = main.probability_errors or (main.error_bound,) * len(main.distribution)
    return {net: error for (net, _), error in zip(main.distribution, errors, strict=True)}


def _wager_claims(
    exact: WagerResult, probabilities: Probabilities, sampled: WagerSample, rounds: int
) -> Iterator[Claim]:
    """Yield the mean, every net result, and the frequency of every line and tax."""
    placed = sampled.estimate.rounds
    share = placed / rounds if placed else 1.0
    promised = shape(probabilities)
    error, skew = _error(promised.sd, placed), promised.skew / sqrt(max(placed, 1))
    yield MeanClaim(exact.name, "mean", exact.exact, sampled.estimate.ev, error, skew=skew)
    yield HistogramClaim(exact.name, "net results", probabilities, sampled.histogram, share=share)
    yield from _deviation(exact.name, exact.standard_deviation, promised.sd)
    for said, counted in zip((*exact.lines, *exact.taxes), (*sampled.lines, *sampled.taxes), strict=True):
        what = f"{said.line} ({said.pays})"
        yield FrequencyClaim(exact.name, what, said.probability, counted.count, placed, share=share)


def _deviation(name: str, stated: float, promised: float, margin: float = 0.0) -> Iterator[Claim]:
    """Yield a failing claim if the stated deviation is not that of the distribution, which is compared with rounds."""
    if abs(stated - promised) > margin + 1e-9 * (1 + promised):
        yield MeanClaim(name, "standard deviation, compared with its distribution's", stated, promised, 0.0)


def _error(sd: float, rounds: int) -> float:
    """Return the standard error of a mean, from the exact deviation (a sample may have missed a rare result)."""
    return sd / sqrt(rounds) if rounds >= LEAST_OFTEN else nan


def _wager_probabilities(exact: Analysis, name: str) -> dict[Fraction, Fraction]:
    """Return the probability of every net result of a wager, after tax."""
    tables = exact.rules.tables
    wager = next(wager for wager in tables.wagers if wager.name == name)
    payoffs, found = WagerPayoffs(wager), wager_outcomes(wager_terms(wager), tables, exact.shoe)
    probabilities: dict[Fraction, Fraction] = {}
    for (_, outcome), ways in found.ways.items():
        net = payoffs.net(outcome)
        probabilities[net] = probabilities.get(net, Fraction(0)) + Fraction(ways, found.total)
    return probabilities


# The dealer's cards as text


def _openings(exact: Analysis, sampled: Simulation) -> tuple[dict[str, Fraction], dict[str, int]]:
    """Return probabilities and counts of the first two cards: "A up, T in the hole", or "A up, T next" without one."""
    shoe, where = full(exact.rules.shoe.decks), "next" if exact.rules.tables.hole_card == "none" else "in the hole"
    names = {two: f"{value_name(two[0])} up, {value_name(two[1])} {where}" for two in product(range(1, 11), repeat=2)}
    probabilities = {name: _two(shoe, *two) for two, name in names.items()}
    return probabilities, {names[up, second]: count for (up, second), count in sampled.dealers.items()}


def _two(shoe: Composition, up: int, second: int) -> Fraction:
    ways = shoe.values[up - 1] * (shoe.values[second - 1] - (up == second))
    return Fraction(ways, shoe.total * (shoe.total - 1))


def _ending(total: int, cards: int) -> str:
    """Return a dealer's final hand in words: "natural", "17 in 6 cards", "bust in 12 or more cards"."""
    if (total, cards) == (21, 2):
        return "natural"
    more = " or more" if cards == DEALER_CARDS else ""
    return f"{'bust' if total > 21 else total} in {cards}{more} cards"


def _ending_probabilities(exact: Analysis) -> dict[str, Fraction]:
    """Return the probabilities of the dealer's final hands by total and number of cards."""
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
    """Return the hand as in a pay line; 22 means any bust, and `DEALER_CARDS` that many or more."""
    high = _HIGHEST_BUST if total > 21 else total
    most = _MOST_CARDS if cards == DEALER_CARDS else cards
    return DealerHand(_ending(total, cards), total, high, cards, most)
