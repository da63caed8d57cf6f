"""Named hands: the words a pay line uses for cards, such as "suited hard 11" or "straight flush".

A phrase is a conjunction: every word in it must hold of the wager's cards. Those cards come in the order
player's first, player's second, upcard, hole card, as far as the wager looks.

    As Js               exactly these cards, in any order
    3 and 8             exactly these ranks, in any order
    9-11, hard 11, 20   the cards' total, an ace counting 11 where it can (hard: no ace counts 11)
    natural             an ace and a ten-value card
    suited, unsuited    all of one suit, or not
    one colour          all red or all black
    pair                at least two of one rank; two pair; three or four of a kind
    pair of aces        two cards of that rank (aces, twos, … tens, jacks, queens, kings)
    straight, flush     over all the cards; an ace is high or low, never in the middle
    2 suited matches    how many of the player's two cards have the upcard's rank and suit (exactly 2)
    1 unsuited match    … its rank in another suit
    any                 every hand
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from holecard.cards import RANKS, Card, card
from holecard.errors import Unreadable, did_you_mean
from holecard.hands import Totals, count, is_natural, totals

Cards: TypeAlias = tuple[Card, ...]
Predicate: TypeAlias = Callable[[Cards], bool]

_PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
_PLURALS += ["tens", "jacks", "queens", "kings"]


def _suited(cards: Cards) -> bool:
    return len({c & 3 for c in cards}) == 1


def _one_colour(cards: Cards) -> bool:
    return len({c.is_red for c in cards}) == 1


def _straight(cards: Cards) -> bool:
    low = {c >> 2 for c in cards}
    high = {rank or 13 for rank in low}
    return len(low) == len(cards) and any(max(run) - min(run) == len(cards) - 1 for run in (low, high))


def _groups(cards: Cards) -> list[int]:
    return sorted(Counter(c >> 2 for c in cards).values(), reverse=True)


def _of_a_kind(at_least: int, cards: Cards) -> bool:
    return _groups(cards)[0] >= at_least


def _two_pair(cards: Cards) -> bool:
    return _groups(cards)[:2] == [2, 2]


def _unsuited(cards: Cards) -> bool:
    return not _suited(cards)


def _any(_cards: Cards) -> bool:
    return True


def _these_cards(wanted: list[Card], cards: Cards) -> bool:
    return sorted(cards) == wanted


def _these_ranks(wanted: list[int], cards: Cards) -> bool:
    return sorted(c >> 2 for c in cards) == wanted


def _total_among(wanted: Totals, cards: Cards) -> bool:
    return count(cards) in wanted


def _pair_of(rank: int, cards: Cards) -> bool:
    return sum(c >> 2 == rank for c in cards) >= 2


def _matches(number: int, suited: bool, cards: Cards) -> bool:
    upcard = cards[2]
    return number == sum(c >> 2 == upcard >> 2 and (c == upcard) == suited for c in cards[:2])


#: Plain words and how many cards they need to make sense.
_PLAIN: dict[str, tuple[Predicate, int]] = {
    "four of a kind": (partial(_of_a_kind, 4), 4),
    "three of a kind": (partial(_of_a_kind, 3), 3),
    "two pair": (_two_pair, 4),
    "one colour": (_one_colour, 2),
    "straight": (_straight, 3),
    "flush": (_suited, 3),
    "trips": (partial(_of_a_kind, 3), 3),
    "unsuited": (_unsuited, 2),
    "suited": (_suited, 2),
    "natural": (is_natural, 2),
    "pair": (partial(_of_a_kind, 2), 2),
    "any": (_any, 0),
}
#: What somebody may have meant who wrote no word.
_HINTS = ("straight flush", *_PLAIN)
_CARD = r"(?:10|[2-9tjqka])[shdc]"
_RANK = r"(?:10|[2-9tjqka])"
_CARDS = re.compile(rf"{_CARD}(?:\s+{_CARD})+\b")
_RANKS = re.compile(rf"{_RANK}(?:\s+and\s+{_RANK})+\b")
_MATCH = re.compile(r"([0-2])\s+(suited|unsuited)\s+match(?:es)?\b")
_PAIR_OF = re.compile(rf"pair of ({'|'.join(_PLURALS)})\b")
_TOTAL = re.compile(r"(?:(?:hard|soft)\s+)?\d\d?(?:\s*-\s*\d\d?)?\b", re.ASCII)


class Word(NamedTuple):
    """One of a phrase's words, such as "suited" or "hard 11"."""

    text: str
    holds: Predicate


@dataclass(frozen=True, slots=True)
class NamedHand:
    """A phrase of the sheet and what it asks of the cards: all its words must hold."""

    text: str
    words: tuple[Word, ...]

    def fits(self, cards: Cards) -> bool:
        return all(word.holds(cards) for word in self.words)


def named_hand(text: str, looks_at: int) -> NamedHand:
    """Read a phrase for a wager that looks at 2, 3 or 4 cards.

    >>> from holecard.cards import cards
    >>> named_hand("suited hard 11", 2).fits(cards("3s 8s"))
    True
    """
    rest = " ".join(text.lower().replace(",", " ").split())
    words: list[Word] = []
    while rest:
        predicate, used = _read_word(rest, text, looks_at)
        words.append(Word(rest[:used], predicate))
        rest = rest[used:].lstrip()
    if not words:
        raise Unreadable("a line needs a hand, such as 'suited pair' or 'hard 9-11'")
    return NamedHand(text, tuple(words))


def _read_word(rest: str, whole: str, looks_at: int) -> tuple[Predicate, int]:
    if match := _PAIR_OF.match(rest):
        return partial(_pair_of, _PLURALS.index(match[1])), match.end()
    if match := _CARDS.match(rest):
        wanted = sorted(card(word) for word in match[0].split())
        _needs_exactly(len(wanted), looks_at, whole)
        return partial(_these_cards, wanted), match.end()
    if match := _RANKS.match(rest):
        ranks = sorted(RANKS.index(r.strip().upper().replace("10", "T")) for r in match[0].split("and"))
        _needs_exactly(len(ranks), looks_at, whole)
        return partial(_these_ranks, ranks), match.end()
    if match := _MATCH.match(rest):
        _needs_at_least(3, looks_at, "matching the upcard", whole)
        return partial(_matches, int(match[1]), match[2] == "suited"), match.end()
    for word, (predicate, needs) in _PLAIN.items():
        if re.match(rf"{word}\b", rest):
            _needs_at_least(needs, looks_at, f"{word!r}", whole)
            return predicate, len(word)
    if match := _TOTAL.match(rest):
        return partial(_total_among, totals(match[0])), match.end()
    word = rest.split()[0]
    raise Unreadable(f"{whole!r}: {word!r} is no word for a hand; {did_you_mean(word, _HINTS)}")


def _needs_exactly(cards: int, looks_at: int, whole: str) -> None:
    if cards != looks_at:
        raise Unreadable(f"{whole!r} names {cards} cards, but this wager looks at {looks_at}")


def _needs_at_least(cards: int, looks_at: int, what: str, whole: str) -> None:
    if looks_at < cards:
        raise Unreadable(f"{whole!r}: {what} needs at least {cards} cards, but this wager looks at {looks_at}")
