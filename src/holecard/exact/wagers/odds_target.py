"""What a house wants of its tables, as numbers or as people write them: an edge of 0.05 or "5%", steps of "1/2"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any, TypeAlias

from holecard.errors import Refusal, Unreadable, check_whole, shortly

#: A number, or a text with one: 0.05, "5%", "0.05".
ShareLike: TypeAlias = float | Fraction | str
MOST_DECKS = 16


@dataclass(frozen=True, slots=True)
class OddsTarget:
    """What a house wants of its tables: the edge over all upcards, within how much, and the step of the odds."""

    edge: Fraction = Fraction(1, 20)
    within: Fraction = Fraction(3, 400)
    step: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        """Read what was given, and refuse what is not possible."""
        for name, read, what in (
            ("edge", share_of, "the edge"),
            ("within", share_of, "the band around the edge"),
            ("step", step_of, "the step"),
        ):
            object.__setattr__(self, name, read(getattr(self, name), what))
        if not 0 < self.edge < 1:
            raise Refusal(f"the edge must be between 0 and 1 (5% or 0.05), not {self.edge}{_percent_sign(self.edge)}")
        if not 0 <= self.within < 1:
            raise Refusal(f"the band around the edge must be between 0 and 1 (1% or 0.01), not {self.within}")
        if self.step <= 0:
            raise Refusal(f"the step of the odds must be above 0, such as 1/2, not {self.step}")


def _percent_sign(share: Fraction) -> str:
    """Return the correction of a percentage without its sign; empty where it would not help."""
    number = f"{float(share):g}"
    return f"; {number} means {float(100 * share):g}%, so write {number}%" if 1 <= share < 100 else ""


def target_of(given: OddsTarget | ShareLike | None) -> OddsTarget:
    """Return a target, or that of an edge alone."""
    if given is None:
        return OddsTarget()
    return given if isinstance(given, OddsTarget) else OddsTarget(share_of(given, "the edge"))


def share_of(given: ShareLike, what: str) -> Fraction:
    """Return a share as a fraction, with the digits that were written.

    >>> share_of("5%", "the edge"), share_of(0.05, "the edge")
    (Fraction(1, 20), Fraction(1, 20))
    """
    if isinstance(given, str):
        match = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,9})?)\s*(%?)\s*", given)
        if match:
            return Fraction(match[1]) / (100 if match[2] else 1)
    elif (number := _fraction(given)) is not None:
        return number
    raise Unreadable(f"{what} {shortly(given)} is not a percentage; write 5% or 0.05")


def step_of(given: ShareLike, what: str) -> Fraction:
    """Return a step of odds as a fraction: of "1/2", 1 or 0.1."""
    if isinstance(given, str):
        text = given.strip()
        if re.fullmatch(r"\d{1,3}(?:\.\d{1,4}|/\d{1,4})?", text) and not re.search(r"/0+$", text):
            return Fraction(text)
    elif (number := _fraction(given)) is not None:
        return number
    raise Unreadable(f"{what} {shortly(given)} is not a step of odds; write 1/2, 1 or 0.1")


def _fraction(given: object) -> Fraction | None:
    """Return a number as it is written: 0.05 is 1/20. None for what is not a number."""
    if isinstance(given, bool) or not isinstance(given, Real | Decimal) or not isfinite(given):
        return None
    return Fraction(given) if isinstance(given, Rational) else Fraction(str(float(given)))


def decks_of(given: object) -> tuple[int, ...]:
    """Return numbers of decks, each once, of one number or of several."""
    listed: list[Any] = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    for number in listed:
        check_whole("decks", number, "6")
    if not listed or not all(1 <= number <= MOST_DECKS for number in listed):
        raise Refusal(f"decks must be 1 to {MOST_DECKS}, such as 6 or (6, 8), not {shortly(given)}")
    return tuple(dict.fromkeys(listed))
