"""The dealer's first cards and finished hands: exact probabilities and simulated counts, in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from holecard.composition import Composition, full
from holecard.deck import value_name
from holecard.exact.results import Analysis
from holecard.exact.wagers.dealer_counts import count_finishes, drawing_rule
from holecard.kernels.play.lookup import DEALER_CARDS
from holecard.simulation.results import Simulation
from holecard.simulation.statistics.comparisons import Claim, FrequencyClaim, HistogramClaim
from holecard.wagers.dealer_hands import DealerHand

_DEALER, _INSURANCE = "dealer", "insurance"
_HIGHEST_BUST, _MOST_CARDS = 26, 22


def dealer_claims(exact: Analysis, sampled: Simulation) -> Iterator[Claim]:
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
