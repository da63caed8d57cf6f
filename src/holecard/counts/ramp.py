"""A ramp: the bet in units for every count, without gaps.

A file writes it as a player's card does, one line for each count or range of counts:

    [bets]
    "below 1" = 1
    1 = 2
    "2 to 3" = 4
    "4 and above" = 12
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from holecard.counts.count import is_whole
from holecard.errors import CountError, Problem, shortly

_LINE = re.compile(
    r"below (?P<below>[+-]?\d{1,4})"
    r"|(?P<low>[+-]?\d{1,4}) and (?:above|up)"
    r"|(?P<first>[+-]?\d{1,4})(?: to (?P<last>[+-]?\d{1,4}))?"
)
#: The largest bet, and the finest.
_MOST, _FINEST = 10_000, 100
_FAR = 10**6
_BET_RULE = f"units from 0 to {_MOST:,}, for example 2 or 0.5"


@dataclass(frozen=True)
class Ramp:
    """`bets[i]` units from the count `starts[i - 1]` up to below `starts[i]`; the first bet is for all lower counts."""

    starts: tuple[int, ...] = ()
    bets: tuple[Fraction, ...] = (Fraction(1),)

    def __post_init__(self) -> None:
        if problems := [Problem(*problem) for problem in _problems(self)]:
            raise CountError("the bets", problems)

    def bet(self, count: int) -> Fraction:
        """Return the bet in units at a count.

        >>> Ramp((1, 4), (Fraction(1), Fraction(2), Fraction(12))).bet(3)
        Fraction(2, 1)
        """
        return self.bets[bisect_right(self.starts, count)]

    @property
    def is_flat(self) -> bool:
        """Whether the bet is always the same."""
        return len(set(self.bets)) == 1


def _problems(ramp: Ramp) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the values of a ramp: the field, and what it can be."""
    if wrong := [start for start in ramp.starts if not is_whole(start, -_FAR, _FAR)]:
        yield "starts", f"{shortly(wrong[0])} is not a count; give whole numbers"
    elif any(low >= high for low, high in pairwise(ramp.starts)):
        yield "starts", f"{shortly(ramp.starts)} must ascend; give each count once, the lowest first"
    if len(ramp.bets) != len(ramp.starts) + 1:
        yield (
            "bets",
            f"{len(ramp.bets)} bets for {len(ramp.starts)} starts; give {len(ramp.starts) + 1}, the first below all",
        )
    if wrong_bets := [bet for bet in ramp.bets if not _is_bet(bet)]:
        yield "bets", f"{shortly(wrong_bets[0])} is not a bet; give {_BET_RULE.replace('0.5', 'Fraction(1, 2)')}"


def _is_bet(given: object) -> bool:
    if isinstance(given, bool) or not isinstance(given, int | Fraction):
        return False
    return 0 <= given <= _MOST and given.denominator <= _FINEST


#: One unit at every count.
FLAT = Ramp()


class _Step(NamedTuple):
    low: int
    high: int
    bet: Fraction
    key: str


def read_ramp(given: object) -> tuple[Ramp | None, list[tuple[str, str]]]:
    """Return the ramp of a table of a file, and the problems: the key ("" for all) and what is wrong with it."""
    if not isinstance(given, Mapping) or not given:
        return None, [("", 'write a bet for every count, for example { "below 1" = 1, 1 = 2, "2 and above" = 8 }')]
    steps: list[_Step] = []
    problems: list[tuple[str, str]] = []
    for key, value in given.items():
        step = _step(key, value)
        if isinstance(step, str):
            problems.append((key, step))
        else:
            steps.append(step)
    steps.sort()
    problems = problems or list(_gaps(steps))
    if problems:
        return None, problems
    return Ramp(tuple(step.low for step in steps[1:]), tuple(step.bet for step in steps)), []


def units(value: object) -> Fraction | None:
    """Return a number of units, 0 or more; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        bet = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
    return bet if _is_bet(bet) else None


def _step(key: str, value: object) -> _Step | str:
    match, bet = _LINE.fullmatch(" ".join(key.lower().split())), units(value)
    if not match:
        return f"{shortly(key)} is not a count; write 'below 1', '1', '2 to 3' or '4 and above'"
    if bet is None:
        return f"{shortly(value)} is not a bet; write {_BET_RULE}"
    if match["below"]:
        return _Step(-_FAR, int(match["below"]) - 1, bet, key)
    if match["low"]:
        return _Step(int(match["low"]), _FAR, bet, key)
    first = int(match["first"])
    last = int(match["last"] or first)
    if last < first:
        return f"{key!r} runs from high to low; write '{last} to {first}'"
    return _Step(first, last, bet, key)


def _gaps(steps: list[_Step]) -> Iterator[tuple[str, str]]:
    """Yield gaps and overlaps; `steps` are in ascending order."""
    first, last = steps[0], max(steps, key=lambda step: step.high)
    if first.low > -_FAR:
        yield first.key, f"no bet for counts below {first.low}; write 'below {first.low}' = 1"
    for one, other in pairwise(steps):
        if other.low <= one.high:
            yield other.key, f"{other.key!r} and {one.key!r} overlap; give each count one bet"
        elif other.low > one.high + 1:
            lacks = (
                f"count {one.high + 1}" if other.low == one.high + 2 else f"counts {one.high + 1} to {other.low - 1}"
            )
            yield other.key, f"no bet for {lacks}, between {one.key!r} and {other.key!r}"
    if last.high < _FAR:
        yield last.key, f"no bet for counts above {last.high}; write '{last.high + 1} and above' = {last.bet}"
