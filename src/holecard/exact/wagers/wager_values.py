"""Side wagers and insurance exactly: what each line wins, how often, and what the whole wager is worth.

Every number is a fraction of whole counts, standard deviations alone are floats. Odds are paid exactly: the rounding of
a payment to whole cents, which a table does, is not applied.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import gcd, sqrt

from holecard.composition import Composition
from holecard.errors import Refusal, plural
from holecard.exact.main.dealer_multisets import VALUES
from holecard.exact.results import Insurance, LineResult, WagerResult
from holecard.exact.wagers.dealer_counts import deals
from holecard.exact.wagers.wager_outcomes import IN_LOWEST_TERMS, Outcomes, outcomes
from holecard.money import dollars
from holecard.payoffs.wager_terms import Outcome, terms_of
from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import SideWager

#: Two cards for the player, two for the dealer.
FEWEST_CARDS = 4
AFTER_CHECK = "after the check: neither the player nor the dealer has a natural"
UNTIL_TURNED = f"{AFTER_CHECK}; the same at any moment until the hole card is turned, unless the cards seen decide it"


def wager_results(tables: Tables, shoe: Composition) -> tuple[WagerResult, ...]:
    """Every side wager of a sheet that can be reckoned, in the order of the sheet; see `skipped_wagers`."""
    refuse_small(shoe)
    reckoned = (wager for wager in tables.wagers if why_not(tables, wager, shoe) is None)
    return tuple(wager_result(tables, wager, shoe) for wager in reckoned)


def wager_result(tables: Tables, wager: SideWager, shoe: Composition) -> WagerResult:
    """One side wager at the table of a sheet, whether or not it is the sheet's own."""
    return _result(wager, outcomes(terms_of(wager), tables, shoe))


def skipped_wagers(tables: Tables, shoe: Composition) -> tuple[tuple[str, str], ...]:
    """The wagers that `wager_results` leaves out, each with the reason."""
    refuse_small(shoe)
    reasons = ((wager.name, why_not(tables, wager, shoe)) for wager in tables.wagers)
    return tuple((name, why) for name, why in reasons if why is not None)


def insurance(tables: Tables, shoe: Composition) -> Insurance | None:
    """Insurance against an ace, before the dealer looks, by the values of the player's two cards.

    None where it is not offered, or where this shoe has no ace for the dealer to show.
    """
    refuse_small(shoe)
    if tables.insurance is None or not shoe.values[0]:
        return None
    won = 1 + tables.insurance

    def value(hand: tuple[int, ...]) -> Fraction:
        """Of the cards that the player and the upcard leave, so many are tens."""
        return Fraction(shoe.values[9] - hand.count(10), shoe.total - 1 - len(hand)) * won - 1

    hands = combinations_with_replacement(VALUES, 2)
    dealt = [hand for hand in hands if deals((1, *hand), shoe.values)]
    return Insurance(value(()), tuple((hand, value(hand)) for hand in dealt))


def refuse_small(shoe: Composition) -> None:
    """Refuse a shoe that no round can be dealt from."""
    if shoe.total < FEWEST_CARDS:
        raise Refusal(f"a shoe of {plural(shoe.total, 'card')} is too small: a deal takes {FEWEST_CARDS}")


def why_not(tables: Tables, wager: SideWager, shoe: Composition) -> str | None:
    """Why a wager cannot be reckoned from a shoe."""
    if shoe.suited is None and terms_of(wager).asks_suits:
        return "it asks for suits, and this shoe says only ranks; write cards with their suits, such as 'As:6 Ah:6'"
    if wager.after_check and not any(deals(deal, shoe.values) for deal in _asked_after_check(tables)):
        return "no deal from this shoe lets it be placed: somebody always has a natural"
    return None


def _asked_after_check(tables: Tables) -> Iterator[tuple[int, ...]]:
    """Deals by value (the player's two, upcard, hole card) in which the player is asked after the check."""
    for own in combinations_with_replacement(VALUES, 2):
        for dealers in product(VALUES, repeat=2):
            found = dealers[0] in tables.peeks_under and sorted(dealers) == [1, 10]
            if own != (1, 10) and not found:
                yield (*own, *dealers)


@dataclass(frozen=True)
class Money:
    """What a wager wins, net: per unit staked, or in dollars where a payout is a fixed amount or the stake a token."""

    wager: SideWager

    @cached_property
    def in_dollars(self) -> bool:
        return self.wager.token or any(line.pays.fixed is not None for line in self.wager.lines)

    @cached_property
    def stake(self) -> Fraction:
        """A unit, or the smallest stake in dollars."""
        return Fraction(self.wager.limits.low, 100) if self.in_dollars else Fraction(1)

    @property
    def unit(self) -> str:
        if not self.in_dollars:
            return "unit staked"
        staked = "" if self.wager.token else f" with {dollars(self.wager.limits.low)} staked"
        return f"round{staked}, in dollars"

    def average(self, ways: Mapping[Outcome, int]) -> Fraction:
        """The expected net win."""
        return sum((self.of(outcome) * number for outcome, number in ways.items()), Fraction(0)) / sum(ways.values())

    def of(self, outcome: Outcome) -> Fraction:
        """Net of the tax."""
        return self.paid(outcome.line) - self.taxed(outcome.tax)

    def paid(self, number: int | None) -> Fraction:
        if number is None:
            return Fraction(0) if self.wager.token else -self.stake
        pays = self.wager.lines[number].pays
        return self.stake * pays.odds if pays.fixed is None else Fraction(pays.fixed, 100)

    def taxed(self, number: int | None) -> Fraction:
        return Fraction(0) if number is None else Fraction(self.wager.tax[number].pays.fixed or 0, 100)


def _result(wager: SideWager, found: Outcomes) -> WagerResult:
    money = Money(wager)
    total = found.total
    ways, lines, taxes = _by_outcome(found)
    scale = gcd(total, *lines.values(), *taxes.values()) if found.counted == IN_LOWEST_TERMS else 1
    chances = {outcome: Fraction(number, total) for outcome, number in ways.items()}
    mean = money.average(ways)
    square = sum((money.of(outcome) ** 2 * chance for outcome, chance in chances.items()), Fraction(0))

    def line(name: str, pays: str, net: Fraction, number: int) -> LineResult:
        chance = Fraction(number, total)
        return LineResult(name, pays, net, number // scale, chance, net * chance)

    lost = ("token kept", "nothing") if wager.token else ("loses", "lose")
    return WagerResult(
        name=wager.name,
        unit=money.unit,
        given=UNTIL_TURNED if wager.until_turned else AFTER_CHECK if wager.after_check else "",
        exact=mean,
        hit_frequency=sum((chance for outcome, chance in chances.items() if money.of(outcome) > 0), Fraction(0)),
        sd=sqrt(square - mean**2),
        combinations=total // scale,
        counted=found.counted,
        lines=(
            *(line(one.name, str(one.pays), money.paid(i), lines[i]) for i, one in enumerate(wager.lines)),
            line(*lost, money.paid(None), lines[None]),
        ),
        taxes=tuple(line(one.name, str(one.pays), -money.taxed(i), taxes[i]) for i, one in enumerate(wager.tax)),
        by_upcard=_by_upcard(found, money) if wager.after_check else (),
        printed=wager.printed,
    )


def _by_outcome(found: Outcomes) -> tuple[Counter[Outcome], Counter[int | None], Counter[int | None]]:
    """Ways of each outcome, of each line and of each tax."""
    ways: Counter[Outcome] = Counter()
    lines: Counter[int | None] = Counter()
    taxes: Counter[int | None] = Counter()
    for (_, outcome), number in found.ways.items():
        ways[outcome] += number
        lines[outcome.line] += number
        taxes[outcome.tax] += number
    return ways, lines, taxes


def _by_upcard(found: Outcomes, money: Money) -> tuple[tuple[int, Fraction], ...]:
    by_upcard: dict[int, Counter[Outcome]] = defaultdict(Counter)
    for (upcard, outcome), number in found.ways.items():
        by_upcard[upcard][outcome] += number
    return tuple((upcard, money.average(by_upcard[upcard])) for upcard in sorted(by_upcard))
