"""Exact results of side wagers and insurance: how often each line wins, what it pays, and the EV of the wager.

Every number is a fraction of integer counts, except standard deviations, which are floats. Odds are paid exactly:
rounding a payment to whole cents, as a table does, is not applied.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import gcd, sqrt

from holecard.composition import Composition
from holecard.errors import Refusal, plural
from holecard.exact.main.dealer_multisets import EVERY_VALUE
from holecard.exact.results import IN_LOWEST_TERMS, InsuranceResult, LineResult, OnStage, WagerResult
from holecard.exact.wagers.dealer_counts import deals
from holecard.exact.wagers.wager_outcomes import WagerOutcomes, wager_outcomes
from holecard.kernels.cache import compiling
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import WagerOutcome, wager_terms
from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import EVERY_UPCARD, SideWager, format_upcards

#: Two cards for the player, two for the dealer.
FEWEST_CARDS = 4
AFTER_CHECK = "after the check: neither the player nor the dealer has a natural"
UNTIL_TURNED = "; the same at any moment until the hole card is turned, unless the cards seen decide it"


def wager_results(tables: Tables, shoe: Composition, on_stage: OnStage | None = None) -> tuple[WagerResult, ...]:
    """Return every side wager of a sheet that can be computed, in the order of the sheet; see `skipped_wagers`."""
    refuse_small(shoe)
    computed = [wager for wager in tables.wagers if reason_not_computed(tables, wager, shoe) is None]
    found = []
    for place, wager in enumerate(computed, start=1):
        if on_stage is not None:
            on_stage(f"side wager {wager.name}", place / (1 + len(computed)))
        with compiling("check"):
            found.append(wager_result(tables, wager, shoe))
    return tuple(found)


def wager_result(tables: Tables, wager: SideWager, shoe: Composition) -> WagerResult:
    """Return one side wager at the table of a sheet, whether or not it is one of the sheet's wagers."""
    return _result(wager, wager_outcomes(wager_terms(wager), tables, shoe))


def skipped_wagers(tables: Tables, shoe: Composition) -> tuple[tuple[str, str], ...]:
    """Return the wagers that `wager_results` leaves out, each with the reason."""
    refuse_small(shoe)
    reasons = ((wager.name, reason_not_computed(tables, wager, shoe)) for wager in tables.wagers)
    return tuple((name, why) for name, why in reasons if why is not None)


def insurance(tables: Tables, shoe: Composition) -> InsuranceResult | None:
    """Return insurance against an ace, before the dealer peeks, by the values of the player's two cards.

    None where it is not offered, or where this shoe has no ace for the dealer to show.
    """
    refuse_small(shoe)
    if tables.insurance is None or not shoe.values[0]:
        return None
    won = 1 + tables.insurance

    def value(hand: tuple[int, ...]) -> Fraction:
        """Return the EV given the hand: P(ten in the hole) times what a win returns, less the stake."""
        return Fraction(shoe.values[9] - hand.count(10), shoe.total - 1 - len(hand)) * won - 1

    hands = combinations_with_replacement(EVERY_VALUE, 2)
    dealt = [hand for hand in hands if deals((1, *hand), shoe.values)]
    return InsuranceResult(value(()), tuple((hand, value(hand)) for hand in dealt))


def refuse_small(shoe: Composition) -> None:
    """Refuse a shoe that no round can be dealt from."""
    if shoe.total < FEWEST_CARDS:
        raise Refusal(f"a shoe of {plural(shoe.total, 'card')} is too small: a deal takes {FEWEST_CARDS}")


def reason_not_computed(tables: Tables, wager: SideWager, shoe: Composition) -> str | None:
    """Return why a wager cannot be computed from a shoe, or None."""
    if shoe.suited is None and shoe.suited_before is None and wager_terms(wager).needs_suits:
        return "it depends on suits, and this shoe gives only ranks; write cards with their suits, such as 'As:6 Ah:6'"
    if not wager.offered_upcards:
        return "it is never offered: there is no upcard with which a line can pay"
    if wager.after_check and not any(deals(deal, shoe.values) for deal in _asked_after_check(tables, wager)):
        return f"it can never be placed: with this shoe somebody always has a natural{_unless_upcard(wager)}"
    return None


def _unless_upcard(wager: SideWager) -> str:
    offered = wager.offered_upcards
    return "" if offered == EVERY_UPCARD else f", or the upcard is not {format_upcards(offered)}"


def _asked_after_check(tables: Tables, wager: SideWager) -> Iterator[tuple[int, ...]]:
    """Yield the deals by value (the player's two, upcard, hole card) in which the wager is offered after the check."""
    for own in combinations_with_replacement(EVERY_VALUE, 2):
        for dealers in product(sorted(wager.offered_upcards), EVERY_VALUE):
            found = dealers[0] in tables.peeks_under and sorted(dealers) == [1, 10]
            if own != (1, 10) and not found:
                yield (*own, *dealers)


def _result(wager: SideWager, found: WagerOutcomes) -> WagerResult:
    payoffs = WagerPayoffs(wager)
    total = found.total
    ways, lines, taxes = _by_outcome(found)
    scale = gcd(total, *lines.values(), *taxes.values()) if found.counted == IN_LOWEST_TERMS else 1
    probabilities = {outcome: Fraction(number, total) for outcome, number in ways.items()}
    mean = payoffs.average(ways)
    square = sum(
        (payoffs.net(outcome) ** 2 * probability for outcome, probability in probabilities.items()), Fraction(0)
    )

    def line(name: str, pays: str, net: Fraction, number: int) -> LineResult:
        probability = Fraction(number, total)
        return LineResult(name, pays, net, number // scale, probability, net * probability)

    lost = ("token kept", "nothing") if wager.token else ("loses", "lose")
    return WagerResult(
        name=wager.name,
        unit=payoffs.unit,
        given=_given(wager),
        exact=mean,
        hit_frequency=sum(
            (probability for outcome, probability in probabilities.items() if payoffs.net(outcome) > 0), Fraction(0)
        ),
        standard_deviation=sqrt(square - mean**2),
        combinations=total // scale,
        counted=found.counted,
        lines=(
            *(line(one.name, str(one.pays), payoffs.paid(i), lines[i]) for i, one in enumerate(wager.lines)),
            line(*lost, payoffs.paid(None), lines[None]),
        ),
        taxes=tuple(line(one.name, str(one.pays), -payoffs.taxed(i), taxes[i]) for i, one in enumerate(wager.tax)),
        by_upcard=_by_upcard(found, payoffs) if wager.after_check else (),
        printed=wager.printed,
    )


def _given(wager: SideWager) -> str:
    """Return what the numbers of a wager that is placed after the check are given."""
    if not wager.after_check:
        return ""
    offered = wager.offered_upcards
    shown = "" if offered == EVERY_UPCARD else f", with {format_upcards(offered)} up"
    return f"{AFTER_CHECK}{shown}{UNTIL_TURNED if wager.until_turned else ''}"


def _by_outcome(found: WagerOutcomes) -> tuple[Counter[WagerOutcome], Counter[int | None], Counter[int | None]]:
    """Return the ways of each outcome, of each line and of each tax."""
    ways: Counter[WagerOutcome] = Counter()
    lines: Counter[int | None] = Counter()
    taxes: Counter[int | None] = Counter()
    for (_, outcome), number in found.ways.items():
        ways[outcome] += number
        lines[outcome.line] += number
        taxes[outcome.tax] += number
    return ways, lines, taxes


def _by_upcard(found: WagerOutcomes, payoffs: WagerPayoffs) -> tuple[tuple[int, Fraction], ...]:
    by_upcard: dict[int, Counter[WagerOutcome]] = defaultdict(Counter)
    for (upcard, outcome), number in found.ways.items():
        by_upcard[upcard][outcome] += number
    return tuple((upcard, payoffs.average(by_upcard[upcard])) for upcard in sorted(by_upcard))
