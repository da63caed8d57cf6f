"""A count: a tag for every card, and how the tags of all cards seen become the number that a player uses.

With R the sum of the tags of the cards seen, U the cards not seen, n the decks and s the sum of a deck's tags,

    running    start · n + pivot + R
    true       (52 · R - s · seen) · per / (52 · U)

A true count is the excess of the tags seen over their average, per `per` cards not seen; with balanced tags (s = 0) it
is R · per / U. U counts the cards in the shoe, burned cards, and a hole card that is face down. Players use a whole
number: the count is rounded, down unless the count says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm
from numbers import Integral
from typing import Literal, TypeAlias, get_args

from holecard.deck import DECK
from holecard.errors import CountError, Problem, shortly
from holecard.presentation import Brief

CountKind: TypeAlias = Literal["true", "running"]
CountRounding: TypeAlias = Literal["down", "toward zero", "nearest"]
COUNT_KINDS: tuple[str, ...] = get_args(CountKind)
COUNT_ROUNDINGS: tuple[str, ...] = get_args(CountRounding)
#: Cards per unit of a true count, by the words of a file.
PER_CARDS = {"deck": 52, "half deck": 26}
#: The largest tag, the largest denominator, and the largest tag as a whole number: tables hold all counts that occur.
_MOST_TAG, _MOST_DENOMINATOR, _MOST_WHOLE = 100, 20, 1_000_000
_MOST_POINTS = 1_000
#: What a tag can be, for refusals.
TAG_RULE = (
    f"a number from -{_MOST_TAG} to {_MOST_TAG}, whole or a fraction with a denominator of up to {_MOST_DENOMINATOR}"
)


@dataclass(frozen=True, repr=False)
class Count(Brief):
    """A count by name; `tags` has a value for each of the 52 cards, numbered as in `deck`."""

    name: str
    tags: tuple[Fraction, ...]
    kind: CountKind = "true"
    per: int = 52
    """cards per unit of a true count: 52 for decks, 26 for half decks"""
    start: Fraction = Fraction(0)
    """of a running count: its value before the first card, per deck"""
    pivot: Fraction = Fraction(0)
    """of a running count: added once, whatever the number of decks"""
    rounding: CountRounding = "down"

    def __post_init__(self) -> None:
        if problems := [Problem(*problem) for problem in _problems(self)]:
            raise CountError(f"the count {shortly(self.name)}", problems)

    @property
    def imbalance(self) -> Fraction:
        """The sum of the tags of a deck."""
        return sum(self.tags, Fraction(0))

    @property
    def balanced(self) -> bool:
        """Whether the tags of a deck sum to zero."""
        return self.imbalance == 0

    @cached_property
    def by_rank(self) -> tuple[Fraction, ...] | None:
        """[rank, ace first] the tags, if they do not depend on suits; else None."""
        ranks = self.tags[::4]
        return ranks if all(self.tags[card] == ranks[card.rank] for card in DECK) else None

    @cached_property
    def scale(self) -> int:
        """The least number by which all tags become whole numbers."""
        return lcm(*(tag.denominator for tag in self.tags))

    @cached_property
    def whole_tags(self) -> tuple[int, ...]:
        """[card] tag times `scale`."""
        return tuple(int(tag * self.scale) for tag in self.tags)

    def value(self, whole_sum: int, seen: int, decks: int) -> Fraction:
        """Return the count before rounding; `whole_sum` is the sum of `whole_tags` over the `seen` cards."""
        total = Fraction(whole_sum, self.scale)
        if self.kind == "running":
            return self.start * decks + self.pivot + total
        unseen = max(1, 52 * decks - seen)
        return (total - self.imbalance * seen / 52) * self.per / unseen

    def reading(self, whole_sum: int, seen: int, decks: int) -> int:
        """Return the whole number that a player uses."""
        value = self.value(whole_sum, seen, decks)
        if self.rounding == "nearest":
            return floor(value + Fraction(1, 2))
        return floor(value) if self.rounding == "down" or value >= 0 else ceil(value)


def is_tag(given: object) -> bool:
    """Return whether this is a number that can be a tag."""
    if isinstance(given, bool) or not isinstance(given, int | Fraction):
        return False
    return -_MOST_TAG <= given <= _MOST_TAG and given.denominator <= _MOST_DENOMINATOR


def is_points(given: object) -> bool:
    """Return whether this is a number at which a running count can start."""
    return isinstance(given, int | Fraction) and not isinstance(given, bool) and -_MOST_POINTS <= given <= _MOST_POINTS


def is_whole(given: object, low: int, high: int) -> bool:
    """Return whether this is a whole number from `low` to `high`."""
    return isinstance(given, Integral) and not isinstance(given, bool) and low <= int(given) <= high


def _problems(count: Count) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the values of a count: the field, and what it can be."""
    if not isinstance(count.tags, tuple) or len(count.tags) != len(DECK):
        yield (
            "tags",
            f"give a tuple with a tag for each of the {len(DECK)} cards; `count_by_rank` takes one for each rank",
        )
    elif wrong := [tag for tag in count.tags if not is_tag(tag)]:
        yield "tags", f"{shortly(wrong[0])} is not a tag; give {TAG_RULE}"
    elif not any(count.tags):
        yield "tags", "all tags are 0; give the cards that are counted another tag"
    elif len(set(count.tags)) == 1:
        yield "tags", "all tags are equal, which says nothing about the cards left; change some"
    elif count.scale * max(map(abs, count.tags)) > _MOST_WHOLE:
        yield "tags", f"the common denominator of all tags, {count.scale:,}, is too large; use fewer denominators"
    for key, given, known in (("kind", count.kind, COUNT_KINDS), ("rounding", count.rounding, COUNT_ROUNDINGS)):
        if given not in known:
            yield key, f"{shortly(given)} is not valid; it can be {', '.join(map(repr, known))}"
    if not is_whole(count.per, 1, 10**6):
        yield "per", f"{shortly(count.per)} is not a number of cards; give 52 for decks or 26 for half decks"
    for key, points in (("start", count.start), ("pivot", count.pivot)):
        if not is_points(points):
            yield key, f"{shortly(points)} is not a number of points; give a whole number or a Fraction, for example -4"
        elif count.kind == "true" and points:
            yield key, not_for(key, "true")
    if count.kind == "running" and count.per != PER_CARDS["deck"]:
        yield "per", not_for("per", "running")


def not_for(key: str, kind: str) -> str:
    """Return why a setting does not fit a kind of count."""
    other = next(name for name in COUNT_KINDS if name != kind)
    return f'{key} is for {other} counts; remove it, or write kind = "{other}"'


def count_by_rank(name: str, tags: tuple[Fraction | int, ...]) -> Count:
    """Return a true count per deck with these 13 tags, ace first.

    >>> count_by_rank("tens", (0, 0, 0, 0, 4, 4, 0, 0, 0, -2, -2, -2, -2)).balanced
    True
    """
    return Count(name, tuple(Fraction(tag) for tag in tags for _ in range(4)))
