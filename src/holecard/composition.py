"""The composition of a shoe: how many cards of each kind are left.

Ranks are always known. Suits are known if every card was given with its suit; some side wagers need them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TypeAlias

from holecard.deck import RANKS, SUITS, Card, card
from holecard.errors import Unreadable, shortly

_COUNTED = re.compile(r"(?P<card>[^\s:=*]+)\s*[:=*]\s*(?P<count>\S+)$")


@dataclass(frozen=True, repr=False)
class Composition:
    """Counts of the cards left: by rank (A23456789TJQK), and by card (4 * rank + suit) where suits are known."""

    ranks: tuple[int, ...]
    suited: tuple[int, ...] | None = None
    suited_before: tuple[int, ...] | None = None
    """Where cards known only by rank were taken out: the counts by card before. Each of them is equally likely to be
    any card of its rank."""

    def __post_init__(self) -> None:
        for counts, kinds in ((self.ranks, 13), (self.suited, 52), (self.suited_before, 52)):
            if counts is not None and (len(counts) != kinds or min(counts) < 0):
                raise Unreadable(f"{shortly(counts)}: a shoe has {kinds} counts here, each 0 or more")

    @cached_property
    def values(self) -> tuple[int, ...]:
        """[value - 1]: aces, twos, … nines, and all ten-value cards together."""
        return (*self.ranks[:9], sum(self.ranks[9:]))

    @cached_property
    def total(self) -> int:
        """All cards."""
        return sum(self.ranks)

    def without(self, cards: str | Iterable[Card]) -> Composition:
        """Return the shoe without these cards: "As Td", or ranks alone, "A, T", which makes the suits unknown."""
        removed = Counter(_words(cards))
        ranks = list(self.ranks)
        before = self.suited if self.suited is not None else self.suited_before
        suited, suits_known = None if before is None else list(before), self.suited is not None
        for word, count in removed.items():
            rank, which = _read_card(word)
            ranks[rank] -= count
            if which is None:
                suits_known = False
            elif suited is not None:
                suited[which] -= count
            if ranks[rank] < 0:
                raise _too_many(RANKS[rank], self.ranks[rank] - ranks[rank], self.ranks[rank])
            if before is not None and suited is not None and which is not None and suited[which] < 0:
                raise _too_many(word, count, before[which])
        counts = None if suited is None else tuple(suited)
        return Composition(tuple(ranks), counts if suits_known else None, None if suits_known else counts)

    def __repr__(self) -> str:
        return f"Composition({self.total} cards: {self})"

    def __str__(self) -> str:
        """Counts by rank, as `composition` reads them."""
        return " ".join(f"{rank}:{count}" for rank, count in zip(RANKS, self.ranks, strict=True) if count)


ShoeLike: TypeAlias = Composition | Mapping[str, int] | Iterable[Card] | str


def full(decks: int) -> Composition:
    """Return the composition of whole decks."""
    return Composition((4 * decks,) * 13, (decks,) * 52)


def composition(shoe: ShoeLike) -> Composition:
    """Read the cards left: counts by rank or card, or the cards themselves.

    >>> composition("A:20 2:24 T:90 K:6").total
    140
    >>> composition({"As": 2, "Kd": 1}).ranks[0]
    2
    """
    if isinstance(shoe, Composition):
        return shoe
    if isinstance(shoe, str):
        shoe = _read_counts(shoe)
    elif not isinstance(shoe, Mapping):
        if not isinstance(shoe, Iterable):
            raise Unreadable(
                f"{shortly(shoe)} is not a shoe; write 'A:20 2:24', counts by card, or the cards themselves"
            )
        shoe = Counter(str(c) for c in shoe)
    ranks, suited, suits_known = [0] * 13, [0] * 52, True
    for word, count in shoe.items():
        rank, which = _read_card(str(word))
        if not isinstance(count, (int, Integral)) or count < 0:
            raise Unreadable(f"{word}: {shortly(count)} is not a number of cards; write 0 or more")
        count = int(count)
        ranks[rank] += count
        if which is None:
            suits_known = False
        else:
            suited[which] += count
    return Composition(tuple(ranks), tuple(suited) if suits_known else None)


def _read_counts(text: str) -> dict[str, int]:
    """Read "A:20 2:24 T:90" as counts; cards without a count are one each."""
    counts: dict[str, int] = Counter()
    for word in re.split(r"[\s,;]+", text.strip()):
        match = _COUNTED.match(word)
        name, number = (match["card"], match["count"]) if match else (word, "1")
        if not re.fullmatch(r"-?\d{1,6}", number):
            raise Unreadable(
                f"{word!r}: {number!r} is not a number of cards; write 'A:20 2:24', or the cards themselves"
            )
        if int(number) < 0:
            raise Unreadable(f"{word!r}: a shoe cannot hold {number} cards of a kind; write 0 or more")
        counts[name] += int(number)
    return counts


def _too_many(name: str, wanted: int, held: int) -> Unreadable:
    return Unreadable(f"cannot remove {wanted} cards {name!r}: the shoe holds only {held}")


def _words(cards: str | Iterable[Card]) -> list[str]:
    if isinstance(cards, str):
        return [word for word in re.split(r"[\s,;|]+", cards.strip()) if word]
    return [str(c) for c in cards]


def _read_card(word: str) -> tuple[int, int | None]:
    """Return the rank, and the card if the suit is given."""
    name = word.strip().upper().replace("10", "T")
    if len(name) == 1 and name in RANKS:
        return RANKS.index(name), None
    try:
        which = card(word)
    except Unreadable:
        raise Unreadable(
            f"{word!r} is not a card; write a rank of {RANKS}, with a suit of {SUITS} or without, such as 'A' or 'As'"
        ) from None
    return which.rank, int(which)
