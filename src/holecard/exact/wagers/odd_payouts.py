"""Pay tables that deserve a second look: a rarer line that pays less than a more frequent one, and a large house edge.

A line's probability is that of being the line that pays: only the first that matches does. Lines for different upcards
are not compared, because a player who sees the upcard knows which of them can pay.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from holecard.errors import plural
from holecard.exact.results import LineResult, WagerResult
from holecard.money import dollars
from holecard.wagers.pay_table import SideWager, format_upcards

#: A wager that keeps more than this share of the stakes is named.
MOST_KEPT = Fraction(1, 4)


def odd_payouts(name: str, wager: SideWager, found: WagerResult, decks: int) -> Iterator[str]:
    """Yield what is odd about a pay table, in sentences with exact numbers; `name` says which table of the wager."""
    given = f"from {plural(decks, 'deck')}" + (f", {found.given.partition(';')[0]}" if found.given else "")
    lines = sorted(zip(wager.lines, found.lines, strict=False), key=lambda pair: sorted(pair[0].upcards))
    for upcards, group in groupby(lines, key=lambda pair: pair[0].upcards):
        with_upcard = f" with {format_upcards(upcards)} up" if len(upcards) == 1 else ""
        for rarer, other in _inversions([result for _, result in group]):
            yield (
                f"{name}: {_quoted(rarer, with_upcard)} pays {rarer.pays}, less than {_quoted(other, with_upcard)} "
                f"({other.pays}), which is {_times(other.probability / rarer.probability)} as frequent "
                f"({_share(other.probability)} against {_share(rarer.probability)}, {given})"
            )
    yield from _edge(name, wager, found, given)


def _inversions(lines: list[LineResult]) -> Iterator[tuple[LineResult, LineResult]]:
    """Yield each line that pays less than a more frequent one, with the one of these that pays most."""
    for line in lines:
        above = [other for other in lines if other.net > line.net and other.probability > line.probability > 0]
        if above:
            yield line, max(above, key=lambda other: (other.net, other.probability))


def _edge(name: str, wager: SideWager, found: WagerResult, given: str) -> Iterator[str]:
    staked, of = found.tax, "the taxes"
    if not wager.token:
        in_dollars = "dollars" in found.unit
        staked, of = Fraction(wager.limits.low, 100) if in_dollars else Fraction(1), "the stakes"
        of = f"{of} at {dollars(wager.limits.low)}" if in_dollars else of
    if staked and -found.exact / staked > MOST_KEPT:
        kept = float(-found.exact / staked)
        yield f"{name}: the house keeps {kept:.2%} of {of}, more than {float(MOST_KEPT):.0%} ({given})"


def _quoted(line: LineResult, with_upcard: str) -> str:
    return f"{line.line.removesuffix(with_upcard)!r}{with_upcard}"


def _times(ratio: Fraction) -> str:
    return f"{float(ratio):.3g} times"


def _share(probability: Fraction) -> str:
    return f"{float(100 * probability):.3g}%"
