"""What simulated rounds show: means, deviations, net results, stakes, lines of side wagers, and the dealer's hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import nan, sqrt

from holecard.composition import Composition, full
from holecard.deck import Card, value_name
from holecard.exact.results import Analysis, WagerResult
from holecard.exact.wagers.dealer_counts import count_finishes, drawing_rule
from holecard.exact.wagers.wager_outcomes import wager_outcomes
from holecard.kernels.play.lookup import DEALER_CARDS
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import wager_terms
from holecard.simulation.results import SeatResult, Simulation, WagerSample
from holecard.simulation.statistics.comparisons import (
    LEAST_OFTEN,
    Claim,
    DeviationClaim,
    FrequencyClaim,
    HistogramClaim,
    MeanClaim,
)
from holecard.simulation.statistics.estimates import Probabilities, shape
from holecard.simulation.witness.plain_charts import PlainChart
from holecard.simulation.witness.plain_hands import is_natural
from holecard.wagers.dealer_hands import DealerHand

MAIN = "main wager"
_DEALER, _INSURANCE = "dealer", "insurance"
_HIGHEST_BUST, _MOST_CARDS = 26, 22
_ROUNDING = 1e-9


def claims(exact: Analysis, sampled: Simulation) -> Iterator[Claim]:
    """Yield every exact number that the simulation counted."""
    yield from main_claims(exact, sampled.main, sampled.rounds)
    yield from _dealer_claims(exact, sampled)
    by_name = {wager.name: wager for wager in exact.wagers}
    for wager in sampled.main.wagers:
        if wager.name in by_name:
            yield from _wager_claims(by_name[wager.name], wager_probabilities(exact, wager.name), wager, sampled.rounds)


def main_claims(exact: Analysis, seat: SeatResult, rounds: int) -> Iterator[Claim]:
    """Yield the mean, deviation and net results of the main wager, and the average stake."""
    main = exact.main
    # That they add up to 1 is among the shown numbers.
    whole = sum(probability for _, probability in main.distribution)
    probabilities = {net: probability / whole for net, probability in main.distribution}
    promised = shape(probabilities)
    error = standard_error(promised.sd, rounds)
    yield MeanClaim(MAIN, "mean", main.ev, seat.estimate.ev, error, skew=promised.skew / sqrt(max(rounds, 1)))
    yield DeviationClaim(MAIN, "standard deviation", main.standard_deviation, probabilities, seat.histogram)
    yield HistogramClaim(MAIN, "net results", probabilities, seat.histogram, margins=margins(exact))
    # From 1 to m units are at stake; so with a mean of s, their variance is at most (s - 1)(m - s).
    stake = main.average_stake
    variance = max(stake - 1, 0.0) * (2 * exact.rules.tables.split_hands - stake)
    error = standard_error(sqrt(variance), rounds)
    yield MeanClaim(MAIN, "average stake", stake, seat.average_stake, error, margin=_ROUNDING)


def margins(exact: Analysis) -> dict[Fraction, float]:
    """Return the possible error of the probability of each net result, as stated, but within what is allowed."""
    main, largest = exact.main, largest_margin(exact)
    stated = main.probability_errors or (main.error_bound,) * len(main.distribution)
    return {net: min(error, largest) for (net, _), error in zip(main.distribution, stated, strict=True)}


def largest_margin(exact: Analysis) -> float:
    """Return the largest error that may be stated for a probability: a hundredth of that of three or more hands.

    Only rounds with three or more hands are not summed exactly. What is stated for them comes from the code that is
    judged, so that a mistake would widen it until it is forgiven; this bound is counted over the first cards.
    """
    tables, shoe, chart = exact.rules.tables, exact.shoe, exact.chart
    if tables.split_hands <= 2 or chart is None:
        return _ROUNDING
    plain, many = PlainChart(chart), 0.0
    for pair, *dealer in product(range(1, 11), repeat=3 if plain.both_up else 2):
        shown = [Card(4 * value - 4) for value in dealer]
        if not is_natural(shown) and plain.letters([Card(4 * pair - 4)] * 2, False, shown)[:1] == "P":
            many += _three_hands(shoe.values, pair, *dealer)
    return 0.01 * many + _ROUNDING


def _three_hands(values: Sequence[int], pair: int, *dealer: int) -> float:
    """Return an upper bound of the probability that this pair is dealt against these cards, and pairs again."""
    left, cards, probability = list(values), sum(values), 1.0
    for value in (pair, pair, *dealer):
        probability *= max(left[value - 1], 0) / cards
        left[value - 1] -= 1
        cards -= 1
    return probability * min(1.0, 2 * max(left[pair - 1], 0) / cards)


def _wager_claims(
    exact: WagerResult, probabilities: Probabilities, sampled: WagerSample, rounds: int
) -> Iterator[Claim]:
    """Yield the mean, the deviation, every net result, and the frequency of every line and tax."""
    placed = sampled.estimate.rounds
    share = placed / rounds if placed else 1.0
    promised = shape(probabilities)
    error, skew = standard_error(promised.sd, placed), promised.skew / sqrt(max(placed, 1))
    yield MeanClaim(exact.name, "mean", exact.exact, sampled.estimate.ev, error, skew=skew)
    yield DeviationClaim(exact.name, "standard deviation", exact.standard_deviation, probabilities, sampled.histogram)
    yield HistogramClaim(exact.name, "net results", probabilities, sampled.histogram, share=share)
    for said, counted in zip((*exact.lines, *exact.taxes), (*sampled.lines, *sampled.taxes), strict=True):
        what = f"{said.line} ({said.pays})"
        yield FrequencyClaim(exact.name, what, said.probability, counted.count, placed, share=share)


def standard_error(sd: float, rounds: int) -> float:
    """Return the standard error of a mean, from the exact deviation (a sample may have missed a rare result)."""
    return sd / sqrt(rounds) if rounds >= LEAST_OFTEN else nan


def wager_probabilities(exact: Analysis, name: str) -> Mapping[Fraction, Fraction]:
    """Return the probability of every net result of a wager, after tax."""
    tables = exact.rules.tables
    wager = next(wager for wager in tables.wagers if wager.name == name)
    payoffs, found = WagerPayoffs(wager), wager_outcomes(wager_terms(wager), tables, exact.shoe)
    probabilities: dict[Fraction, Fraction] = {}
    for (_, outcome), ways in found.ways.items():
        net = payoffs.net(outcome)
        probabilities[net] = probabilities.get(net, Fraction(0)) + Fraction(ways, found.total)
    return probabilities


# The dealer


def _dealer_claims(exact: Analysis, sampled: Simulation) -> Iterator[Claim]:
    """Yield the dealer's first cards, final hands if the dealer always draws out, and insurance."""
    yield HistogramClaim(_DEALER, "opening cards", *_openings(exact, sampled))
    if sampled.endings:
        endings = {_ending(*hand): count for hand, count in sampled.endings.items()}
        yield HistogramClaim(_DEALER, "finished hands", _ending_probabilities(exact), endings)
    if exact.insurance is not None and sampled.insurance is not None:
        pays = max(sampled.insurance.histogram)
        wins = (exact.insurance.overall + 1) / (pays + 1)
        taken = sampled.insurance.estimate.rounds
        offered = exact.shoe.values[0] / exact.shoe.total
        yield FrequencyClaim(_INSURANCE, "wins", wins, sampled.insurance.histogram[pays], taken, share=offered)


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
