"""Phrases about the dealer's finished hand: "16 in 3 cards", "busts in 5+ cards", "natural".

A phrase has two parts: how the hand ends (`_ending` reads it) and, optionally, with how many cards (`_card_range`).
`DealerHand` stores both as ranges, and everything else reads the ranges.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from holecard.errors import LIMITS_PAGE, Unreadable
from holecard.hands import NATURAL_UPCARDS

#: The lowest total a dealer's hand can end on (`dealer.ends_on`), the highest that is not a bust, and 16 with a ten.
_LOWEST, _HIGHEST, _HIGHEST_BUST = 12, 21, 26
#: Every bust.
_BUSTS = (22, 31)
_MOST_CARDS = 22
_ANY_NUMBER = (2, _MOST_CARDS)

_PHRASE = re.compile(
    r"(?P<ending>busts|(?:no )?(?:natural|blackjack)|\d\d?(?:\s*-\s*\d\d?)?)(?:\s+in\s+(?P<cards>\d\d?\+?)\s+cards?)?",
    re.ASCII,
)


class Finished(NamedTuple):
    """The dealer's finished hand, as far as a wager can ask: total (over 21: bust), number of cards, natural."""

    total: int
    cards: int
    natural: bool

    def __str__(self) -> str:
        if self.natural:
            return "dealer has a natural"
        does = "busts" if self.total > _HIGHEST else f"has {self.total}"
        return f"dealer {does} in {self.cards} cards"


@dataclass(frozen=True, slots=True)
class DealerHand:
    """What a phrase asks for: a total from `low` to `high` in `fewest` to `most` cards."""

    text: str
    low: int
    high: int
    fewest: int = 2
    most: int = _MOST_CARDS
    natural: bool | None = None
    """Whether the hand must be a natural, must not be one, or may be either (None)."""

    def fits(self, hand: Finished) -> bool:
        """Return whether a finished hand is what the phrase asks for."""
        return (
            self.low <= hand.total <= self.high
            and self.fewest <= hand.cards <= self.most
            and self.natural in (None, hand.natural)
        )

    def possible_with(self, upcard: int) -> bool:
        """Return whether an upcard (its value) leaves the hand possible: only an ace and a ten can become a natural."""
        return not self.natural or upcard in NATURAL_UPCARDS

    def drawn_to(self, cards: int) -> bool:
        """Return whether a dealer with this many cards can still reach the hand by drawing."""
        return cards < 2 if self.natural else cards < self.most

    def can_still_hit(self, unfinished: Finished) -> bool:
        """Return whether one more card for a dealer who must draw can decide the phrase.

        It can even where the unfinished hand would fit, because only a finished hand is paid.
        """
        return self.drawn_to(unfinished.cards) or self.fits(unfinished)

    @property
    def means(self) -> str:
        """The phrase in plain words: "the dealer busts in 5 or more cards"."""
        return f"the dealer {self._ending_in_words}{self._cards_in_words}"

    @property
    def _ending_in_words(self) -> str:
        if self.natural is not None:
            return "has a natural" if self.natural else "has no natural"
        if (self.low, self.high) == _BUSTS:
            return "busts"
        amount = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        return f"busts with {amount}" if self.low > _HIGHEST else f"ends with {amount}"

    @property
    def _cards_in_words(self) -> str:
        if (self.fewest, self.most) == _ANY_NUMBER:
            return ""
        if self.most == _MOST_CARDS:
            return f" in {self.fewest} or more cards"
        return f" in {self.fewest} cards" if self.fewest == self.most else f" in {self.fewest} to {self.most} cards"


def dealer_hand(text: str) -> DealerHand:
    """Read a phrase about the dealer's finished hand.

    >>> dealer_hand("busts in 5+ cards").fits(Finished(total=24, cards=6, natural=False))
    True
    >>> dealer_hand("busts in 5+ cards").means
    'the dealer busts in 5 or more cards'
    """
    match = _PHRASE.fullmatch(" ".join(text.lower().split()))
    if not match:
        _refuse(text)
    fewest, most = _card_range(text, match["cards"])
    if match["ending"].endswith(("natural", "blackjack")):
        is_natural = not match["ending"].startswith("no ")
        low, high = (_HIGHEST, _HIGHEST) if is_natural else (0, _BUSTS[1])
        return DealerHand(text, low, high, fewest, most, natural=is_natural)
    return DealerHand(text, *_ending(text, match["ending"]), fewest, most)


_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
#: What placards print about a dealer's hand, as patterns, and how a sheet writes it.
_PLACARD_WORDS: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"[–—−]": "-",
    rf"\b({'|'.join(_COUNTS)})(?= cards?\b|-card| or more)": lambda match: str(_COUNTS[match[1]]),
    r"^(?:the )?dealer(?:'s)? (?:hand )?(?:has |with |gets )?(?:an? |any )?|^(?:an? |any )": "",
    r"^black jack\b|^bj\b|^natural 21\b": "natural",
    r"^(?:no|not(?: an?)?|does not) bust$": f"{_LOWEST}-{_HIGHEST}",
    r"\bbust(?:ed|ing)?\b|^over 21$|^more than 21$|^22 or more$|^22\+$": "busts",
    r"^(\d\d?\+?)[- ]cards? (.+)$": r"\2 in \1 cards",
    r"\b(?:with|using|of) (?=\d)": "in ",
    r"^(.+ in \d)(?: or more|\+)?$": lambda match: f"{match[0].replace(' or more', '+')} cards",
    r"\b(\d\d?) (?:or|and) (?:more|up) cards": r"\1+ cards",
    r"\bcards or more\b": "+ cards",
    r"\bat least (\d\d?) cards": r"\1+ cards",
    r"^busts (\d\+?)(?: cards)?$": r"busts in \1 cards",
    r"^not (?:an? )?(natural|blackjack)$": r"no \1",
    r"^(?:total(?: of)?|exactly) (?=\d)": "",
    r"(?<=\d) \+": "+",
    r"^(\d\d?) ?(?:\+|(?:or|and) (?:more|higher|better|up|above))": rf"\1-{_HIGHEST}",
    r"^(\d\d?) (?:to|through|thru) (\d\d?)\b": r"\1-\2",
    r"^(?:at least) (\d\d?)\b": rf"\1-{_HIGHEST}",
    r"^(?:more than|over|above) (\d\d?)\b": lambda match: f"{int(match[1]) + 1}-{_HIGHEST}",
    r"^(?:less than|under|below) (\d\d?)\b": lambda match: f"{_LOWEST}-{int(match[1]) - 1}",
    r"^(\d\d) (?:or|and) (\d\d)$": lambda match: (
        "-".join(match.groups()) if int(match[2]) == int(match[1]) + 1 else match[0]
    ),
    r"^busts (?:with|on|in) (2\d)$": r"\1",
}


def dealer_words(text: str) -> str:
    """Return a placard's words about the dealer's hand as a sheet writes them; empty if it has no words for them.

    >>> dealer_words("five card bust"), dealer_words("pair")
    ('busts in 5 cards', '')
    """
    spelled = " ".join(text.lower().split())
    for pattern, words in _PLACARD_WORDS.items():
        spelled = " ".join(re.sub(pattern, words, spelled).split())
    if not _PHRASE.fullmatch(spelled):
        return ""
    try:
        return dealer_hand(spelled).text
    except Unreadable:
        return ""


def _refuse(text: str) -> NoReturn:
    """Refuse what is not a dealer's hand, with the words of a sheet where a placard has others."""
    whole = " ".join(text.lower().split())
    if spelled := dealer_words(whole):
        raise Unreadable(f"{text!r} is not written like this; write {spelled!r}")
    if match := re.search(r"\bin (\d\d?) ?(?:-|–|to|or) ?(\d\d?) cards", whole):
        each = whole[: match.start()] + f"in {match[1]} cards"
        raise Unreadable(
            f"{text!r}: a line has one number of cards, or a lowest one ('in 5+ cards'); write one line for each, "
            f"such as {each!r}"
        )
    if re.search(r"\b(?:hard|soft)\b", whole):
        raise Unreadable(
            f"{text!r}: a line cannot ask whether the dealer's hand is hard or soft; write the total alone; "
            f"see {LIMITS_PAGE}"
        )
    if re.search(r"\b(?:up-?card|shows?|showing)\b", whole):
        raise Unreadable(f"{text!r}: `dealer` is the dealer's finished hand; the upcards are the wager's `upcard`")
    raise Unreadable(
        f"{text!r} is not a dealer's hand; write '18', '17-21', 'busts', 'natural' or 'no natural', and how many "
        "cards: '16 in 3 cards', 'busts in 5+ cards'; if any of several hands pays, write one line for each"
    )


def _card_range(text: str, cards: str | None) -> tuple[int, int]:
    """Return the fewest and the most cards that "3" and "5+" allow; any number if the phrase gives none."""
    if cards is None:
        return _ANY_NUMBER
    fewest = int(cards.removesuffix("+"))
    if fewest < 2:
        raise Unreadable(f"{text!r}: a dealer's hand has at least 2 cards")
    return fewest, _MOST_CARDS if cards.endswith("+") else fewest


def _ending(text: str, ending: str) -> tuple[int, int]:
    """Return the totals that "busts", "18" and "17-21" allow: 12 to 21, or a bust with 22 to 26."""
    if ending == "busts":
        return _BUSTS
    first, _, last = ending.partition("-")
    low, high = int(first), int(last or first)
    if low > high:
        raise Unreadable(f"{text!r}: write the lower total first")
    if low < _LOWEST:
        raise Unreadable(
            f"{text!r}: a dealer's hand never ends below {_LOWEST}; write a final total from {_LOWEST} to "
            f"{_HIGHEST}, or set the wager's `upcard`"
        )
    if low <= _HIGHEST < high:
        alive = f"{low}-{_HIGHEST}" if low < _HIGHEST else f"{low}"
        raise Unreadable(
            f"{text!r}: a hand above {_HIGHEST} is a bust; write {alive!r}, or 'busts', or one line for each of them"
        )
    if high > _HIGHEST_BUST:
        raise Unreadable(f"{text!r}: a dealer who busts has {_HIGHEST + 1} to {_HIGHEST_BUST}; write 'busts'")
    return low, high
