"""What a pay line can ask of the dealer's finished hand: "16 in 3 cards", "busts in 5+ cards", "natural"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from holecard.errors import Unreadable
from holecard.hands import NATURAL_UPCARDS


class Finished(NamedTuple):
    """The dealer's finished hand, as far as a wager can ask: total (over 21: bust), cards, natural."""

    total: int
    cards: int
    natural: bool

    def __str__(self) -> str:
        if self.natural:
            return "dealer has a natural"
        does = "busts" if self.total > 21 else f"has {self.total}"
        return f"dealer {does} in {self.cards} cards"


_PHRASE = re.compile(
    r"(?P<what>busts|natural|no natural|\d\d?(?:\s*-\s*\d\d?)?)(?:\s+in\s+(?P<cards>\d\d?)(?P<more>\+)?\s+cards?)?$"
)


@dataclass(frozen=True, slots=True)
class DealerHand:
    """A phrase about the dealer's finished hand."""

    text: str
    low: int
    high: int
    fewest: int = 2
    most: int = 22
    natural: bool | None = None

    def possible_with(self, upcard: int) -> bool:
        """An upcard (by value) other than an ace or a ten rules out a natural."""
        return not self.natural or upcard in NATURAL_UPCARDS

    def drawn_to(self, cards: int) -> bool:
        """A dealer who has this many cards may still get there by drawing."""
        return cards < 2 if self.natural else cards < self.most

    def awaits(self, unfinished: Finished) -> bool:
        """One more card for a dealer who draws to this hand may decide it.

        That is so, too, where the unfinished hand would fit: it has to be finished to be paid on.
        """
        return self.drawn_to(unfinished.cards) or self.fits(unfinished)

    def fits(self, hand: Finished) -> bool:
        return (
            self.low <= hand.total <= self.high
            and self.fewest <= hand.cards <= self.most
            and self.natural in (None, hand.natural)
        )


def dealer_hand(text: str) -> DealerHand:
    """Read a phrase about the dealer's finished hand.

    >>> dealer_hand("busts in 5+ cards").fits(Finished(total=24, cards=6, natural=False))
    True
    """
    match = _PHRASE.match(" ".join(text.lower().split()))
    if not match:
        raise Unreadable(
            f"{text!r} is no dealer's hand; write '18', '17-21', 'busts', 'natural' or 'no natural', "
            "and how many cards: '16 in 3 cards', 'busts in 5+ cards'"
        )
    fewest, most = 2, 22
    if match["cards"]:
        fewest = int(match["cards"])
        most = 22 if match["more"] else fewest
    if fewest < 2:
        raise Unreadable(f"{text!r}: a dealer's hand has at least 2 cards")
    what = match["what"]
    if what == "busts":
        return DealerHand(text, 22, 31, fewest, most)
    if what == "natural":
        return DealerHand(text, 21, 21, fewest, most, natural=True)
    if what == "no natural":
        return DealerHand(text, 0, 31, fewest, most, natural=False)
    low, _, high = what.partition("-")
    if int(low) > int(high or low):
        raise Unreadable(f"{text!r}: write the lower total first")
    return DealerHand(text, int(low), int(high or low), fewest, most)
