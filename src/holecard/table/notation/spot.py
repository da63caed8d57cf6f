"""A hand against the dealer's cards as one line of text, a spot: "T,6 v T". Suits are optional.

Where both dealer cards are face up, both are written.

A hand made by splitting is marked: "8,3 v 6 after split".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from holecard.deck import RANKS, SUITS, value_name, value_of
from holecard.errors import Unreadable, shortly
from holecard.hands import total_of
from holecard.table.views import View

_AFTER_SPLIT = " after split"
_CARD = re.compile(rf"(10|[{RANKS}])([{SUITS}]?)", re.IGNORECASE)
_CARDS = re.compile(rf"((10|[{RANKS}])[{SUITS}]?)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spot:
    """A player's cards against the dealer's, as ranks with or without suits."""

    player: tuple[str, ...]
    dealer: tuple[str, ...]
    after_split: bool = False

    @property
    def total(self) -> tuple[int, bool]:
        """The total of the player's cards, and whether it is soft."""
        return total_of(map(value_of, self.player))

    @property
    def values(self) -> str:
        """The spot by card values, the lowest last, as a strategy chart reads it."""
        ordered = sorted((value_of(card) for card in self.player), reverse=True)
        against = ",".join(value_name(value_of(card)) for card in self.dealer)
        return f"{','.join(map(value_name, ordered))} v {against}"

    def __str__(self) -> str:
        text = f"{','.join(self.player)} v {','.join(self.dealer)}"
        return text + _AFTER_SPLIT if self.after_split else text


def spot(text: str) -> Spot:
    """Read a situation: your cards, v, and the dealer's face-up cards.

    >>> spot("T,6 v T"), spot("T,6 v T").total
    (Spot(player=('T', '6'), dealer=('T',), after_split=False), (16, False))
    """
    if not isinstance(text, str):
        raise Unreadable(f"{shortly(text)} is not a text; write your cards, v, and the dealer's, as in 'T,6 v T'")
    words = " ".join(text.split())
    after_split = words.lower().endswith(_AFTER_SPLIT)
    if after_split:
        words = words[: -len(_AFTER_SPLIT)]
    player, versus, dealer = (
        re.split(r"\s(v|vs)\s", words, maxsplit=1) if re.search(r"\s(v|vs)\s", words) else ("",) * 3
    )
    if not versus:
        raise Unreadable(f"cannot read {text!r} as a hand; write your cards, v, and the dealer's upcard: 'T,6 v T'")
    hand, against = _ranks(player, text), _ranks(dealer, text)
    if len(hand) < 2 or not 1 <= len(against) <= 2:
        raise Unreadable(
            f"{text!r}: write at least two of your cards, v, and one dealer card, or two if both are face up"
        )
    return Spot(hand, against, after_split)


def spot_of(view: View) -> Spot:
    """Return the spot of the hand whose turn it is, as that seat sees it."""
    seat = next((s for s in view.seats if s.number == view.asked), None)
    if seat is None or view.hand is None:
        raise Unreadable("no seat has a hand to decide now")
    hand = seat.hands[view.hand - 1]
    return Spot(
        tuple(str(card) for card in hand.cards if card is not None),
        tuple(str(card) for card in view.dealer if card is not None),
        after_split=len(seat.hands) > 1,
    )


def _ranks(text: str, whole: str) -> tuple[str, ...]:
    """Read cards with commas or blanks between them, or with nothing: "T,6", "T6", "Th6d"."""
    found: list[str] = []
    for word in re.split(r"[\s,]+", text.strip()):
        if not _CARDS.fullmatch(word):
            raise Unreadable(
                f"{whole!r}: {word!r} is not a card; write a rank of {RANKS}, with a suit of {SUITS} or without"
            )
        found += [rank.upper().replace("10", "T") + suit.lower() for rank, suit in _CARD.findall(word)]
    return tuple(found)
