"""The words of a sheet, read a second time: odds, money, totals, upcards, named hands and dealer's hands.

Nothing here calls the code that reads sheets for the table, the exact mathematics and the kernels: `verify` compares
the two readings. A word that is not known here is an error, so a new word has to be taught to both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from holecard.errors import Refusal

_RANKS = "a23456789tjqk"
_PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
_PLURALS += ["tens", "jacks", "queens", "kings"]
_WIN_WORDS = {
    "win": Fraction(1),
    "even money": Fraction(1),
    "push": Fraction(0),
    "lose half": Fraction(-1, 2),
    "lose": Fraction(-1),
}
#: SheetWords for a hand, in the order in which they are looked for.
_HAND_WORDS = re.compile(
    r"pair of (?P<of>\w+)"
    r"|(?P<cards>(?:[2-9tjqka]|10)[shdc](?: (?:[2-9tjqka]|10)[shdc])+)\b"
    r"|(?P<ranks>(?:[2-9tjqka]|10)(?: and (?:[2-9tjqka]|10))+)\b"
    r"|(?P<times>[012]) (?P<match>suited|unsuited) match(?:es)?(?: and)?\b"
    r"|(?P<plain>two pair|(?:three|four) of a kind|one colou?r|suited|unsuited|flush|straight|natural|blackjack|pair"
    r"|trips|any)\b"
    r"|(?:(?P<kind>hard|soft|total) )?(?P<low>\d+)(?: ?- ?(?P<high>\d+))?\b"
)
_DEALER_WORDS = re.compile(
    r"(?:(?P<bust>busts)|(?P<no>no )?(?P<natural>natural|blackjack)|(?P<low>\d+)(?: ?- ?(?P<high>\d+))?)"
    r"(?: in (?P<cards>\d+)(?P<more>\+)? cards?)?"
)

#: A card as (rank, suit): ranks 0..12 for A23456789TJQK, suits 0..3 for spades, hearts, diamonds, clubs.
PlainCard: TypeAlias = tuple[int, int]
Condition: TypeAlias = Callable[[Sequence[PlainCard]], bool]


def plain_odds(words: str) -> Fraction:
    """Return the net win of one unit: "3 to 2" is 3/2, "push" is 0."""
    text = " ".join(str(words).lower().split())
    if text in _WIN_WORDS:
        return _WIN_WORDS[text]
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(?:to|:) ?(\d+)", text)
    if match is None or int(match[2]) == 0:
        raise _unknown(words)
    return Fraction(match[1]) / int(match[2])


def plain_cents(words: str | int) -> int:
    """Return an amount in cents: "$2.50" and "2.50" are 250, 10 is 1000."""
    match = re.fullmatch(r"\$?\s*([\d,]+)(?:\.(\d\d?))?", str(words).strip())
    if match is None:
        raise _unknown(words)
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))


def plain_totals(words: str) -> set[tuple[int, bool]]:
    """Return the (total, soft) that "any", "none" or "hard 9-11, soft 18" allow."""
    both, text = (False, True), words.lower().strip()
    if text in ("any", "none"):
        return {(total, soft) for total in range(2, 22) for soft in both} if text == "any" else set()
    found: set[tuple[int, bool]] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(?:(hard|soft)\s+)?(\d+)(?:\s*-\s*(\d+))?", part.strip())
        if match is None:
            raise _unknown(words)
        softs = {"hard": (False,), "soft": (True,), None: both}[match[1]]
        found |= {(total, soft) for total in range(int(match[2]), int(match[3] or match[2]) + 1) for soft in softs}
    return found


def plain_upcards(words: str) -> set[int]:
    """Return the values (an ace is 1) that "any", "2-7" or "A, T" name."""
    if words.strip().lower() == "any":
        return set(range(1, 11))
    found: set[int] = set()
    for part in words.split(","):
        first, _, last = (end.strip() for end in part.partition("-"))
        found |= set(range(_value(first), _value(last or first) + 1))
    return found


def _value(rank: str) -> int:
    return min(_rank(rank) + 1, 10)


def _rank(word: str) -> int:
    return _RANKS.index(word.lower().replace("10", "t"))


class DealerEnding(NamedTuple):
    """What a phrase asks of the dealer's finished hand."""

    lowest: int
    highest: int
    fewest: int
    most: int
    natural: bool | None

    def holds(self, total: int, cards: int) -> bool:
        """Return whether a finished hand of this total and number of cards is asked for."""
        is_natural = (total, cards) == (21, 2)
        fits = self.lowest <= total <= self.highest and self.fewest <= cards <= self.most
        return fits and (self.natural is None or self.natural == is_natural)


@lru_cache(maxsize=1000)
def dealer_ending(words: str) -> DealerEnding:
    """Read "busts in 5+ cards", "16 in 3 cards", "17-21" or "no natural"."""
    match = _DEALER_WORDS.fullmatch(" ".join(words.lower().split()))
    if match is None:
        raise _unknown(words)
    fewest = int(match["cards"] or 2)
    most = fewest if match["cards"] and not match["more"] else 99
    if match["natural"]:
        return DealerEnding(0, 99, fewest, most, natural=not match["no"])
    low, high = (22, 99) if match["bust"] else (int(match["low"]), int(match["high"] or match["low"]))
    return DealerEnding(low, high, fewest, most, natural=None)


def hand_holds(words: str, cards: Sequence[PlainCard]) -> bool:
    """Return whether the cards are what a phrase such as "suited hard 11" asks for: every condition must hold."""
    return not any(not condition(cards) for condition in conditions(words))


@lru_cache(maxsize=1000)
def conditions(words: str) -> tuple[Condition, ...]:
    """Return the conditions of a phrase, one for each of its words."""
    text, found, start = " ".join(words.lower().split()), [], 0
    while start < len(text):
        match = _HAND_WORDS.match(text, start)
        if match is None:
            raise _unknown(words)
        found.append(_condition(match))
        start = match.end() + (text[match.end() : match.end() + 1] == " ")
    if not found:
        raise _unknown(words)
    return tuple(found)


def _condition(match: re.Match[str]) -> Condition:
    if match["of"]:
        wanted = _PLURALS.index(match["of"])
        return lambda cards: [rank for rank, _ in cards].count(wanted) >= 2
    if match["cards"]:
        exact = sorted((_rank(card[:-1]), "shdc".index(card[-1])) for card in match["cards"].split())
        return lambda cards: sorted(cards) == exact
    if match["ranks"]:
        ranks = sorted(_rank(rank) for rank in match["ranks"].split(" and "))
        return lambda cards: sorted(rank for rank, _ in cards) == ranks
    if match["times"]:
        times, in_suit = int(match["times"]), match["match"] == "suited"
        return lambda cards: times == sum(r == cards[2][0] and (s == cards[2][1]) == in_suit for r, s in cards[:2])
    if match["plain"]:
        return _PLAIN[match["plain"]]
    low, high, kind = int(match["low"]), int(match["high"] or match["low"]), match["kind"]

    def totals_right(cards: Sequence[PlainCard]) -> bool:
        total, soft = plain_count(cards)
        return low <= total <= high and (kind not in ("hard", "soft") or soft == (kind == "soft"))

    return totals_right


def plain_count(cards: Sequence[PlainCard]) -> tuple[int, bool]:
    """Return the total, and whether an ace counts as 11."""
    low = sum(min(rank + 1, 10) for rank, _ in cards)
    soft = low <= 11 and any(rank == 0 for rank, _ in cards)
    return (low + 10, True) if soft else (low, False)


def _repeats(cards: Sequence[PlainCard]) -> list[int]:
    ranks = [rank for rank, _ in cards]
    return sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)


def _in_a_row(cards: Sequence[PlainCard]) -> bool:
    low = sorted(rank for rank, _ in cards)
    high = sorted(13 if rank == 0 else rank for rank in low)
    return any(all(after == before + 1 for before, after in pairwise(run)) for run in (low, high))


def _one_suit(cards: Sequence[PlainCard]) -> bool:
    return len({suit for _, suit in cards}) == 1


def _one_color(cards: Sequence[PlainCard]) -> bool:
    return len({suit in (1, 2) for _, suit in cards}) == 1


def _natural(cards: Sequence[PlainCard]) -> bool:
    return sorted(min(rank, 9) for rank, _ in cards) == [0, 9]


_PLAIN: dict[str, Condition] = {
    "any": lambda _: True,
    "suited": _one_suit,
    "flush": _one_suit,
    "unsuited": lambda cards: not _one_suit(cards),
    "one color": _one_color,
    "one colour": _one_color,
    "natural": _natural,
    "blackjack": _natural,
    "pair": lambda cards: _repeats(cards)[0] >= 2,
    "two pair": lambda cards: _repeats(cards)[:2] == [2, 2],
    "trips": lambda cards: _repeats(cards)[0] >= 3,
    "three of a kind": lambda cards: _repeats(cards)[0] >= 3,
    "four of a kind": lambda cards: _repeats(cards)[0] >= 4,
    "straight": _in_a_row,
}


def _unknown(words: object) -> Refusal:
    return Refusal(f"the second reading of the sheet cannot read {words!r}")
