"""EVs of one hand by plain recursion over every card, in fractions: slow, and without the code under test.

Cards are by value: "A", "2" to "9", "T". Payoffs are written a second time in `tests.oracle`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from holecard.sheets.schema import RuleSheet
from tests import oracle

VALUES = "A23456789T"
Counts = tuple[int, ...]


def without(counts: Counts, card: str) -> Counts:
    place = VALUES.index(card)
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])


def full_shoe(decks: int) -> Counts:
    return (*(4 * decks,) * 9, 16 * decks)


@dataclass(frozen=True)
class PlainHand:
    """A hand against an upcard; `unseen` are all other cards, and the stakes are of these kinds, in equal parts."""

    sheet: RuleSheet
    upcard: str
    stakes: tuple[str, ...] = (oracle.MAIN,)
    from_split: bool = False

    @property
    def peeks(self) -> bool:
        return self.sheet.dealer.hole_card == "peek" and self.upcard in "AT"

    def no_natural(self, unseen: Counts) -> Fraction:
        """P(no blackjack that the dealer would have found)."""
        if not self.peeks:
            return Fraction(1)
        partner = "T" if self.upcard == "A" else "A"
        return 1 - Fraction(unseen[VALUES.index(partner)], sum(unseen))

    def stand(self, cards: list[str], unseen: Counts, more: tuple[str, ...] = ()) -> Fraction:
        """The net result of standing per unit of stake, times P(no known blackjack); `more` are added stakes."""
        if oracle.total(cards) > 21:
            return -self.no_natural(unseen) * (1 + len(more))
        player = oracle.Finished(oracle.total(cards), oracle.is_natural(cards) and not self.from_split)
        value = Fraction(0)
        for dealer, probability in dealers_hands(self.sheet, (self.upcard,), unseen):
            if dealer.natural and self.peeks:
                continue
            nets = [oracle.wins(self.sheet, kind, player, dealer) for kind in self.stakes]
            added = [oracle.wins(self.sheet, kind, player, dealer) for kind in more]
            value += probability * (sum(nets) / Fraction(len(nets)) + sum(added))
        return value

    def drawn(self, unseen: Counts, then: Callable[[str, Counts], Fraction]) -> Fraction:
        """The average over the next card."""
        cards = sum(unseen)
        return sum(
            (
                Fraction(count, cards) * then(card, without(unseen, card))
                for card, count in zip(VALUES, unseen, strict=True)
                if count
            ),
            Fraction(0),
        )

    def hit(self, cards: list[str], unseen: Counts) -> Fraction:
        return self.drawn(unseen, lambda card, left: self.best([*cards, card], left))

    def best(self, cards: list[str], unseen: Counts) -> Fraction:
        stands = self.stand(cards, unseen)
        return stands if oracle.total(cards) >= 21 else max(stands, self.hit(cards, unseen))

    def one_card(self, cards: list[str], unseen: Counts, more: tuple[str, ...] = ()) -> Fraction:
        return self.drawn(unseen, lambda card, left: self.stand([*cards, card], left, more))


@cache
def dealers_hands(
    sheet: RuleSheet, cards: tuple[str, ...], unseen: Counts
) -> tuple[tuple[oracle.Finished, Fraction], ...]:
    """Every finished hand of the dealer with its probability."""
    if len(cards) > 1 and not oracle.draws(sheet, list(cards)):
        return ((oracle.Finished(oracle.total(list(cards)), oracle.is_natural(list(cards))), Fraction(1)),)
    found: dict[oracle.Finished, Fraction] = {}
    for card, count in zip(VALUES, unseen, strict=True):
        if count:
            longer = oracle.as_drawn(sheet, (*cards, card))
            for hand, probability in dealers_hands(sheet, longer, without(unseen, card)):
                found[hand] = found.get(hand, Fraction(0)) + Fraction(count, sum(unseen)) * probability
    return tuple(found.items())
