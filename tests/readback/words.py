"""Read small pieces of sentences: odds, money, totals, upcards, numbers, lists; apart from the product's readers."""

from __future__ import annotations

import re
from fractions import Fraction

from tests.readback.compiled_facts import HANDS

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ODDS = r"(?:\d+(?:\.\d+)? to \d+|even money)"
MONEY = r"\$[\d,]+(?:\.\d\d)?"
#: Odds as a verb: what happens to a stake.
DOES = rf"(?:is paid {ODDS}|wins {ODDS}|pays {ODDS}|pushes|is a push|loses(?: half| \d+/\d+)?)"
_RANKS = {"A": 1, "T": 10, "10": 10} | {str(rank): rank for rank in range(2, 10)}


def number(word: str) -> int:
    """Return what "six" or "11" means."""
    return NUMBERS.index(word.lower()) if word.lower() in NUMBERS else int(word)


def cents(words: str) -> int:
    """Return what "$1,000.50" means in cents."""
    whole, _, part = words.removeprefix("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(part or 0)


def odds(words: str) -> Fraction:
    """Return what "3 to 2" or "even money" wins per unit."""
    if words == "even money":
        return Fraction(1)
    win, _, stake = words.partition(" to ")
    return Fraction(win) / int(stake)


def net(verb: str) -> Fraction:
    """Return what "is paid 3 to 2", "pushes", "loses half" or "lose half" wins per unit."""
    if match := re.search(rf"({ODDS})$", verb):
        return odds(match[1])
    if verb in ("pushes", "is a push", "push"):
        return Fraction(0)
    lost = verb.removeprefix("lose").removeprefix("s").strip()
    return -({"": Fraction(1), "half": Fraction(1, 2)}.get(lost) or Fraction(lost))


def total(values: tuple[int, ...]) -> tuple[int, bool]:
    """Return the best total of cards by value, and whether an ace counts as 11 in it."""
    low = sum(values)
    return (low + 10, True) if 1 in values and low <= 11 else (low, False)


def hands(words: str) -> frozenset[tuple[int, bool]]:
    """Return the (total, soft) hands that "any" or "hard 9-11, soft 13-18" names."""
    if words == "any":
        return frozenset(HANDS)
    named = set()
    for part in words.split(", "):
        match = re.fullmatch(r"(?:(hard|soft) )?(\d+)(?:-(\d+))?", part)
        assert match, f"{part!r} names no total"
        low, high = int(match[2]), int(match[3] or match[2])
        softs = {"hard": (False,), "soft": (True,), None: (False, True)}[match[1]]
        named |= {(total, soft) for total in range(low, high + 1) for soft in softs}
    return frozenset(named) & frozenset(HANDS)


def limits(low: str | None, high: str | None, step: str | None, exactly: str | None) -> tuple[int, int, int | None]:
    """Return the limits of a stake, in cents; one that is exact has no step."""
    if exactly:
        return cents(exactly), cents(exactly), None
    assert low
    assert high
    return cents(low), cents(high), cents(step) if step else 100


def upcards(words: str) -> frozenset[int]:
    """Return the values that "2 to 7", "A, T" or "2, 3 or 9 to A" names."""
    if words in ("no upcard", "any upcard"):
        return frozenset(range(1, 11)) if words == "any upcard" else frozenset()
    named: set[int] = set()
    for part in re.split(r", | or ", words):
        low, _, high = part.partition(" to ")
        named |= set(_run(_RANKS[low], _RANKS[high or low]))
    return frozenset(named)


def _run(low: int, high: int) -> range | tuple[int, ...]:
    """Return the values from one card to another; an ace is the lowest card in "A to 3", the highest in "9 to A"."""
    return (*range(low, 11), 1) if high == 1 and low > 1 else range(low, high + 1)


def listed(words: str) -> tuple[str, ...]:
    """Return the parts of "a, b and c"."""
    *first, last = re.split(r" (?:and|or) ", words) if " and " in words or " or " in words else [words]
    return (*(part for group in first for part in group.split(", ")), last)
