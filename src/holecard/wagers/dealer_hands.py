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
    r"(?P<what>busts|natural|no natural|\d\d?(?:\s*-\s*\d\d?)?)(?:\s+in\s+(?P<cards>\d\d?)(?P<more>\+)?\s+cards?)?$",
    re.ASCII,
)


#: The lowest total a dealer's hand can end on (see `dealer.ends_on`), the highest alive, and 16 with a ten.
_LOWEST, _MOST, _HIGHEST_BUST = 12, 21, 26
_BUSTS = (22, 31)
_ANY_NUMBER = (2, 22)


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

    @property
    def means(self) -> str:
        """What the phrase was read as: "the dealer busts in 5 or more cards"."""
        if self.natural is not None:
            ends = "has a natural" if self.natural else "has no natural"
        elif (self.low, self.high) == _BUSTS:
            ends = "busts"
        else:
            amount = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
            ends = f"busts with {amount}" if self.low > _MOST else f"ends with {amount}"
        return f"the dealer {ends}{self._means_cards}"

    @property
    def _means_cards(self) -> str:
        if (self.fewest, self.most) == _ANY_NUMBER:
            return ""
        return f" in {self.fewest} or more cards" if self.most == _ANY_NUMBER[1] else f" in {self.fewest} cards"


def dealer_hand(text: str) -> DealerHand:
    """Read a phrase about the dealer's finished hand.

    >>> dealer_hand("busts in 5+ cards").fits(Finished(total=24, cards=6, natural=False))
    True
    >>> dealer_hand("busts in 5+ cards").means
    'the dealer busts in 5 or more cards'
    """
    match = _PHRASE.match(" ".join(text.lower().split()))
    if not match:
        raise Unreadable(
            f"{text!r} is not a dealer's hand; write '18', '17-21', 'busts', 'natural' or 'no natural', and how many "
            "cards: '16 in 3 cards', 'busts in 5+ cards'; where one of several hands is enough, one line for each"
        )
    fewest, most = _ANY_NUMBER
    if match["cards"]:
        fewest = int(match["cards"])
        most = most if match["more"] else fewest
    if fewest < 2:
        raise Unreadable(f"{text!r}: a dealer's hand has at least 2 cards")
    what = match["what"]
    if what == "busts":
        return DealerHand(text, *_BUSTS, fewest, most)
    if what == "natural":
        return DealerHand(text, _MOST, _MOST, fewest, most, natural=True)
    if what == "no natural":
        return DealerHand(text, 0, _BUSTS[1], fewest, most, natural=False)
    low, _, high = what.partition("-")
    return DealerHand(text, *_total_range(text, int(low), int(high or low)), fewest, most)


def _total_range(text: str, low: int, high: int) -> tuple[int, int]:
    """The totals a phrase names, all of them hands the dealer can finish with: 12 to 21, or a bust of 22 to 26."""
    if low > high:
        raise Unreadable(f"{text!r}: write the lower total first")
    if low < _LOWEST:
        raise Unreadable(
            f"{text!r}: a dealer's hand is never finished below {_LOWEST}; write a final total from {_LOWEST} to "
            f"{_MOST}, or name the wager's `upcard`"
        )
    if low <= _MOST < high:
        alive = f"{low}-{_MOST}" if low < _MOST else f"{low}"
        raise Unreadable(
            f"{text!r}: a hand above {_MOST} is bust; write {alive!r}, or 'busts', or one line for each of them"
        )
    if high > _HIGHEST_BUST:
        raise Unreadable(f"{text!r}: a dealer who busts has {_MOST + 1} to {_HIGHEST_BUST}; write 'busts'")
    return low, high
