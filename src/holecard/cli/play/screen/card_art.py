"""Cards as small overlapping boxes, three lines high, and as running text.

╭───╭───╮
│10♥│A♠ │
╰───╰───╯
"""

from __future__ import annotations

from typing import NamedTuple

from rich.text import Text

from holecard.deck import RANKS, Card
from holecard.table.views import SeenCards

_FRAME, _RED, _BACK = "dim", "bold red", "blue"


class Signs(NamedTuple):
    """The characters that cards and marks are drawn with."""

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
    """Return suit signs if the output's encoding has them, and letters otherwise."""
    try:
        "".join(map(str, PRINTED)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return LETTERS
    return PRINTED


def face(card: Card, signs: Signs) -> str:
    """Return a card as running text: "10♥", "A♠"."""
    rank = RANKS[card.rank].replace("T", "10")
    return rank + signs.suits[card.suit]


def faces(cards: SeenCards, signs: Signs) -> str:
    """Return the cards that are seen as running text."""
    return " ".join(face(card, signs) for card in cards if card is not None)


def cards_in_line(cards: SeenCards, signs: Signs) -> Text:
    """Return all cards in one line, a back for each card that is not seen."""
    shown = [_inside(card, signs) for card in cards]
    for text in shown:
        text.rstrip()
    return Text(" ").join(shown)


def card_boxes(cards: SeenCards, signs: Signs) -> tuple[Text, Text, Text]:
    """Return the top, middle and bottom line of the boxes; each card takes 4 columns, and the last one 5."""
    middle = Text()
    for card in cards:
        middle.append(signs.side, _FRAME).append_text(_inside(card, signs))
    middle.append(signs.side, _FRAME)
    return _edge(signs.top, len(cards)), middle, _edge(signs.bottom, len(cards))


def _inside(card: Card | None, signs: Signs) -> Text:
    if card is None:
        return Text(signs.back, _BACK)
    return Text(face(card, signs).ljust(3), _RED if card.is_red else "bold")


def _edge(sign: tuple[str, str], cards: int) -> Text:
    return Text(sign[0] * cards + sign[1], _FRAME)
