"""A side wager taken apart: what it asks of the cards looked at, of the upcard, and of the dealer's finished hand.

What a line asks stays in `SideWager` and `Line`: here each line is made a wager of its own, with its hand left out, and
that wager is asked whether it can pay with an upcard. Which hands the cards make is counted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from holecard.deck import DECK, VALUES
from holecard.payoffs.card_counts import Look, Made
from holecard.wagers.dealer_hands import DealerHand, dealer_hand
from holecard.wagers.named_hands import named_hand
from holecard.wagers.pay_table import Line, SideWager

NATURAL = dealer_hand("natural")
#: Kinds of cards where every value counts.
BY_VALUE = tuple(range(1, 11))
_OWN_NATURAL = "natural"
_ANY_HAND = named_hand("any", 2)
_UPCARDS = tuple((DECK[0], DECK[0], DECK[VALUES.index(value)]) for value in range(1, 11))


class Outcome(NamedTuple):
    """What a wager comes to: the line that pays and the tax due, by number; None is none."""

    line: int | None
    tax: int | None


#: None: the wager could not be placed.
Placed: TypeAlias = Outcome | None


class Settling(NamedTuple):
    """How a wager settles after a deal: the first dealer's hand that fits decides, else what stands last."""

    cases: tuple[tuple[DealerHand, Placed], ...]
    otherwise: Placed


class Terms:
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
        self._alone = [replace(wager, lines=(replace(line, hand=None),)) for line in wager.lines]
        self._due = [replace(wager, tax=(replace(line, hand=_ANY_HAND),)) for line in wager.tax]
        self._settlings: dict[tuple[Made, int, bool], Settling] = {}

    @property
    def asks_suits(self) -> bool:
        return self.look(BY_VALUE).asks_suits

    def look(self, kinds: tuple[int, ...]) -> Look:
        """What is asked of the cards looked at when beside the hands their kinds matter."""
        return Look(self.size, self.hands, self.own, kinds)

    def upcard_kinds(self) -> tuple[int, ...]:
        """[value - 1] upcards numbered so that two of one number are alike for every line and every tax."""
        alike: dict[tuple[bool, ...], int] = {}
        can = [tuple([self._can_pay(i, up) for i in self._lines()] + self._taxes_due(up)) for up in BY_VALUE]
        return tuple(alike.setdefault(which, len(alike)) for which in can)

    def settling(self, made: Made, upcard: int, *, looked: bool) -> Settling:
        """How it settles once these hands are made; `looked`: a dealer's natural ends the round before it is placed."""
        key = (made, upcard, looked)
        if key not in self._settlings:
            self._settlings[key] = self._settling(made, upcard, looked)
        return self._settlings[key]

    def _settling(self, made: Made, upcard: int, looked: bool) -> Settling:
        if made & self._natural:
            return Settling((), None)
        tax = self._tax(made, upcard)
        cases: list[tuple[DealerHand, Placed]] = [(NATURAL, None)] if self.wager.after_check and looked else []
        for number in self._lines():
            if self._needs[number] & ~made == 0 and self._can_pay(number, upcard):
                dealer = self.wager.lines[number].dealer
                if dealer is None:
                    return Settling(tuple(cases), Outcome(number, tax))
                cases.append((dealer, Outcome(number, tax)))
        return Settling(tuple(cases), Outcome(None, tax))

    def _lines(self) -> range:
        return range(len(self.wager.lines))

    def _can_pay(self, number: int, upcard: int) -> bool:
        return bool(self._alone[number].live_lines(_UPCARDS[upcard - 1]))

    def _taxes_due(self, upcard: int) -> list[bool]:
        return [wager.tax_due(_UPCARDS[upcard - 1]) is not None for wager in self._due]

    def _tax(self, made: Made, upcard: int) -> int | None:
        due = enumerate(self._taxes_due(upcard))
        return next((number for number, is_due in due if is_due and self._tax_needs[number] & ~made == 0), None)


@lru_cache(maxsize=256)
def terms_of(wager: SideWager) -> Terms:
    """The terms of a wager, taken apart once."""
    return Terms(wager)


def _texts(lines: Iterable[Line]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.hand.text for line in lines if line.hand))
