"""A side wager split into its conditions on the first cards, on the upcard, and on the dealer's finished hand.

The conditions of a line stay in `SideWager` and `Line`. Here each line becomes a wager without its named hand, and that
wager is asked whether it can pay with an upcard. `made_hands` finds which named hands the cards make.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from holecard.deck import DECK, VALUES
from holecard.payoffs.made_hands import CardQuery, HandBits
from holecard.wagers.dealer_hands import DealerHand, dealer_hand
from holecard.wagers.named_hands import named_hand
from holecard.wagers.pay_table import Line, SideWager

DEALER_NATURAL_HAND = dealer_hand("natural")
#: Kinds of cards where every value is a kind.
BY_VALUE = tuple(range(1, 11))
_OWN_NATURAL = "natural"
_ANY_HAND = named_hand("any", 2)
_UPCARDS = tuple((DECK[0], DECK[0], DECK[VALUES.index(value)]) for value in range(1, 11))


class WagerOutcome(NamedTuple):
    """How a wager ends: the number of the line that pays and of the tax due; None where there is none."""

    line: int | None
    tax: int | None


#: None where the wager could not be placed.
PlacedOutcome: TypeAlias = WagerOutcome | None


class Resolution(NamedTuple):
    """How a wager ends after a deal: the first dealer's hand that fits decides, else `otherwise`."""

    cases: tuple[tuple[DealerHand, PlacedOutcome], ...]
    otherwise: PlacedOutcome


class WagerTerms:
    """The terms of one wager. Lines and taxes go by their numbers on the pay table."""

    def __init__(self, wager: SideWager) -> None:
        self.wager = wager
        self.hands = _texts(wager.lines)
        self.own = _texts(wager.tax) + ((_OWN_NATURAL,) if wager.after_check else ())
        self.size = wager.looks_at if self.hands else 2
        self.dealer_hands = tuple(dict.fromkeys(line.dealer for line in wager.lines if line.dealer))
        bits = {hand: 1 << bit for bit, hand in enumerate(self.hands)}
        own_bits = {hand: 1 << bit for bit, hand in enumerate(self.own, start=len(self.hands))}
        self._needs = [bits[line.hand.text] if line.hand else 0 for line in wager.lines]
        self._tax_needs = [own_bits[line.hand.text] if line.hand else 0 for line in wager.tax]
        self._natural = own_bits[_OWN_NATURAL] if wager.after_check else 0
        self._offered = wager.offered_upcards
        self._alone = [replace(wager, lines=(replace(line, hand=None),)) for line in wager.lines]
        self._due = [replace(wager, tax=(replace(line, hand=_ANY_HAND),)) for line in wager.tax]
        self._resolutions: dict[tuple[HandBits, int, bool], Resolution] = {}

    @property
    def needs_suits(self) -> bool:
        return self.card_query(BY_VALUE).needs_suits

    def card_query(self, kinds: tuple[int, ...]) -> CardQuery:
        """Return what is asked of the first cards when their kinds matter besides the named hands."""
        return CardQuery(self.size, self.hands, self.own, kinds)

    def upcard_kinds(self) -> tuple[int, ...]:
        """Return [value - 1] numbers for upcards; equal numbers are equivalent for every line and tax."""
        alike: dict[tuple[bool, ...], int] = {}
        can = [tuple([self._can_pay(i, up) for i in self._lines()] + self._taxes_due(up)) for up in BY_VALUE]
        return tuple(alike.setdefault(which, len(alike)) for which in can)

    def resolve(self, hand_bits: HandBits, upcard: int, *, peeked: bool) -> Resolution:
        """Return how the wager ends with these hands made; `peeked`: it is not placed against a dealer's natural."""
        key = (hand_bits, upcard, peeked)
        if key not in self._resolutions:
            self._resolutions[key] = self._resolve(hand_bits, upcard, peeked)
        return self._resolutions[key]

    def _resolve(self, hand_bits: HandBits, upcard: int, peeked: bool) -> Resolution:
        if hand_bits & self._natural or upcard not in self._offered:
            return Resolution((), None)
        tax = self._tax(hand_bits, upcard)
        cases: list[tuple[DealerHand, PlacedOutcome]] = (
            [(DEALER_NATURAL_HAND, None)] if self.wager.after_check and peeked else []
        )
        for number in self._lines():
            if self._needs[number] & ~hand_bits == 0 and self._can_pay(number, upcard):
                dealer = self.wager.lines[number].dealer
                if dealer is None:
                    return Resolution(tuple(cases), WagerOutcome(number, tax))
                cases.append((dealer, WagerOutcome(number, tax)))
        return Resolution(tuple(cases), WagerOutcome(None, tax))

    def _lines(self) -> range:
        return range(len(self.wager.lines))

    def _can_pay(self, number: int, upcard: int) -> bool:
        return bool(self._alone[number].live_lines(_UPCARDS[upcard - 1]))

    def _taxes_due(self, upcard: int) -> list[bool]:
        return [wager.tax_due(_UPCARDS[upcard - 1]) is not None for wager in self._due]

    def _tax(self, hand_bits: HandBits, upcard: int) -> int | None:
        due = enumerate(self._taxes_due(upcard))
        return next((number for number, is_due in due if is_due and self._tax_needs[number] & ~hand_bits == 0), None)


@lru_cache(maxsize=256)
def wager_terms(wager: SideWager) -> WagerTerms:
    """Return the terms of a wager; the result is cached."""
    return WagerTerms(wager)


def _texts(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.hand.text for line in lines if line.hand))
