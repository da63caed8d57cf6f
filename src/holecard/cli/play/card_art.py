"""Cards as a fan of small boxes, three lines high: they overlap, and the last one lies on top.

╭───╭───╮
│10♥│A♠ │
╰───╰───╯
"""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text

from holecard.deck import RANKS, Card
from holecard.table.views import SeenCards

_FRAME, _RED = "dim", "bold red"


class Signs(NamedTuple):
    """What cards and marks are drawn with."""

    suits: str
    back: str
    top: tuple[str, str]
    side: str
    bottom: tuple[str, str]
    pointer: str
    dot: str
    rule: str


PRINTED = Signs("♠♥♦♣", "░░░", ("╭───", "╮"), "│", ("╰───", "╯"), "►", "·", "─")
LETTERS = Signs("shdc", "###", ("+---", "+"), "|", ("+---", "+"), ">", "-", "-")


def signs_for(encoding: str) -> Signs:
    """Suit signs where the output can print them, letters where it cannot."""
    try:
        "".join(map(str, PRINTED)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return LETTERS
    return PRINTED


def face(card: Card, signs: Signs) -> str:
    """A card in running text: "10♥", "A♠"."""
    rank = RANKS[card.rank].replace("T", "10")
    return rank + signs.suits[card.suit]


def faces(cards: SeenCards, signs: Signs) -> str:
    """The cards that are seen, in running text."""
    return " ".join(face(card, signs) for card in cards if card is not None)


def fan(cards: SeenCards, signs: Signs) -> tuple[Text, Text, Text]:
    """Top, middle and bottom line; 4 columns for each card and one more."""
    middle = Text()
    for card in cards:
        middle.append(signs.side, _FRAME).append_text(_inside(card, signs))
    middle.append(signs.side, _FRAME)
    return _edge(signs.top, len(cards)), middle, _edge(signs.bottom, len(cards))


def _inside(card: Card | None, signs: Signs) -> Text:
    if card is None:
        return Text(signs.back, "blue")
    return Text(face(card, signs).ljust(3), _RED if card.is_red else "bold")


def _edge(sign: tuple[str, str], cards: int) -> Text:
    return Text(sign[0] * cards + sign[1], _FRAME)
