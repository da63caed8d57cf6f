"""Read the tags of a count from a table of a file.

    "2-6" = 1        ranks from 2 to 6
    T = -1           all cards worth ten, unless J, Q or K has a tag of its own
    "red 7" = 1      the two red sevens; also "black 7"
    Ah = 2           one card
    h = -1           all hearts
    red = 1          all red cards; also black
    others = 0       all cards without a tag; 0 unless given
    9 = "-1/3"       a fraction that is not a decimal

Of several tags for one card, the one for fewer cards counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from holecard.counts.count import TAG_RULE, is_tag
from holecard.deck import DECK, RANKS, SUITS, Card
from holecard.errors import shortly

_RANKS = re.compile(r"(?:(red|black) +)?(10|[A2-9TJQK])(?: *- *(10|[A2-9TJQK]))?", re.IGNORECASE)
_OTHERS = "others"
_COLORS = ("red", "black")


def read_tags(given: object) -> tuple[tuple[Fraction, ...], list[tuple[str, str]]]:
    """Return the tags of the 52 cards, and the problems: the key ("" for all) and what is wrong with it."""
    if not isinstance(given, Mapping) or not given:
        return (), [("", 'write the tags of the cards, for example { "2-6" = 1, T = -1, A = -1 }')]
    problems: list[tuple[str, str]] = []
    found: dict[Card, tuple[int, str, Fraction]] = {}
    for key, value in given.items():
        tag, cards = fraction_of(value), _cards(key, given)
        if tag is None or not is_tag(tag):
            problems.append((key, f"{shortly(value)} is not a tag; write {TAG_RULE}, such as 0.5 or '1/3'"))
        elif not cards:
            what = (
                f"write ranks of {RANKS} ('T', '2-6', 'red 7'), cards ('Ah'), suits ('h'), 'red', 'black' or 'others'"
            )
            problems.append((key, f"{shortly(key)} is not a card; {what}"))
        else:
            problems += _enter(found, key, cards, tag)
    return tuple(found[card][2] if card in found else Fraction(0) for card in DECK), problems


def _enter(
    found: dict[Card, tuple[int, str, Fraction]], key: str, cards: list[Card], tag: Fraction
) -> Iterator[tuple[str, str]]:
    """Enter a tag for the cards for which no narrower key has one; yield a problem where another key is as narrow."""
    for card in cards:
        known = found.get(card)
        if known is not None and known[0] == len(cards) and known[2] != tag:
            yield key, f"{card!r} already has the tag {known[2]} from {known[1]!r}"
            return
        if known is None or len(cards) < known[0]:
            found[card] = len(cards), key, tag


def fraction_of(value: object) -> Fraction | None:
    """Return a number of a file, which can be a text such as '1/3'; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def _cards(key: str, given: Mapping[str, object]) -> list[Card]:
    """Return the cards that a key names; none if it names no card."""
    if key == _OTHERS:
        return list(DECK)
    if key.lower() in _COLORS:
        return [card for card in DECK if card.is_red == (key.lower() == "red")]
    if key in SUITS:
        return [card for card in DECK if card.suit == SUITS.index(key)]
    if len(key) > 1 and key[-1] in SUITS and (match := _RANKS.fullmatch(key[:-1])) and not match[1]:
        wanted = _ranks(match, given) if match[3] else {_rank(match[2])}
        return [card for card in DECK if card.suit == SUITS.index(key[-1]) and card.rank in wanted]
    match = _RANKS.fullmatch(key)
    if not match:
        return []
    color = None if match[1] is None else match[1].lower() == "red"
    ranks = _ranks(match, given)
    return [card for card in DECK if card.rank in ranks and color in (None, card.is_red)]


def _ranks(match: re.Match[str], given: Mapping[str, object]) -> set[int]:
    first, last = _rank(match[2]), _rank(match[3] or match[2])
    if match[3] and last == 0:  # an ace ends a range as the highest card: "T-A"
        return {*range(first, len(RANKS)), 0}
    if last == RANKS.index("T") and not any(key.upper() in ("J", "Q", "K") for key in given):
        last = len(RANKS) - 1
    return set(range(first, last + 1))


def _rank(text: str) -> int:
    return RANKS.index(text.upper().replace("10", "T"))
