"""Benchmarks of exact side wagers: time and counted work, compared with plain Python.

For wagers on the cards dealt, the plain version is a loop that looks up every set of card types in the pay table. For
wagers on the dealer's hand, it is a recursion that draws card by card, in fractions, with a cache; it runs once, and
its time is multiplied by the number of fast sums. All of them start from the 52 counts of a full shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from typing import NamedTuple
from unittest import mock

import holecard
from bench.timing import REPEATS, Job, alternate, load, seconds
from holecard.composition import full
from holecard.deck import DECK, Card
from holecard.exact.wagers import wager_outcomes as counting_module
from holecard.exact.wagers.dealer_counts import DrawingRule, count_finishes
from holecard.exact.wagers.wager_outcomes import wager_outcomes
from holecard.exact.wagers.wager_values import wager_results
from holecard.hands import Mask, add
from holecard.payoffs.card_counts import _categories
from holecard.payoffs.wager_terms import wager_terms
from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import SideWager

SHEETS = ("double-up", "face-up", "match-up", "quick-pay", "upcard-luck-21", "side-bets")


class Work(NamedTuple):
    """Counted work: sets of card types, or unfinished dealer hands and the number of sums over them."""

    sets: int
    hands: int = 0
    sums: int = 0

    def __str__(self) -> str:
        return f"{self.sums} x {self.hands} hands" if self.sums else f"{self.sets:,} sets"


def counted(wager: SideWager, tables: Tables, decks: int) -> Work:
    """Return the work of one computation, counted while it runs."""
    sizes: list[int] = []

    def counting(drawing: DrawingRule, *left: object, **more: object) -> object:
        sizes.append(len(drawing.hands))
        return count_finishes(drawing, *left, **more)  # type: ignore[arg-type]

    with mock.patch.object(counting_module, "count_finishes", counting):
        found = wager_outcomes(wager_terms(wager), tables, full(decks))
    size = wager_terms(wager).size
    sets = comb(52 + size - 1, size) if "upcard" not in found.counted else comb(53, 2) * 52 ** (size - 2)
    return Work(sets, max(sizes, default=0), len(sizes))


# The plain version


def plain_cards(wager: SideWager, decks: int, *, seats: bool) -> Counter[str]:
    """Count the combinations of every pay line over all sets of card types."""
    found: Counter[str] = Counter()
    for dealt, ways in _seated(decks) if seats else _sets(wager.looks_at, decks):
        line = wager.decided_line((*dealt, DECK[0]))
        found[line.name if line else "loses"] += ways
    return found


def _sets(size: int, decks: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    for dealt in combinations_with_replacement(DECK, size):
        yield dealt, prod(comb(decks, dealt.count(card)) for card in set(dealt))


def _seated(decks: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    for own, upcard in product(combinations_with_replacement(DECK, 2), DECK):
        pairs = comb(decks, 2) if own[0] == own[1] else decks * decks
        yield (*own, upcard), pairs * (decks - own.count(upcard))


def plain_dealer(draws: Mask, decks: int) -> dict[tuple[int, int], Fraction]:
    """Return the probabilities of the dealer's finished hands, (total, cards), computed card by card."""

    @cache
    def ends(total: int, soft: bool, cards: int, left: tuple[int, ...]) -> dict[tuple[int, int], Fraction]:
        if cards > 1 and (total > 21 or not draws[total][soft]):
            return {(total, cards): Fraction(1)}
        found: dict[tuple[int, int], Fraction] = {}
        for value, number in enumerate(left, start=1):
            if number:
                rest = (*left[: value - 1], number - 1, *left[value:])
                for hand, probability in ends(*add(total, soft, value), cards + 1, rest).items():
                    found[hand] = found.get(hand, Fraction(0)) + probability * Fraction(number, sum(left))
        return found

    return ends(0, False, 0, full(decks).values)


# Output


def side_wagers(repeats: int = REPEATS) -> None:
    """Measure every wager warm, with its work and the ratio to the plain version."""
    print(f"\nSide wagers from the suits of a full shoe, exact ({load()}; CPU time; `first` includes sorting)")
    print(f"  {'':24} {'first':>10} {'median':>10} {'best':>10}   {'target':9} {'counted work':>18}", end="")
    print(f" {'plain':>12} {'ratio':>7}")
    for sheet in SHEETS:
        tables = holecard.rules(sheet).tables
        for wager in tables.wagers:
            one_wager(wager, tables, repeats)
    _decks(repeats)


def one_wager(wager: SideWager, tables: Tables, repeats: int) -> None:
    """Print one line: a wager, and the plain version."""
    decks = tables.decks
    job = _job(wager, tables, decks)
    job()  # Compile the kernels if they are not compiled yet.
    _categories.cache_clear()
    first = seconds(job)
    (warm,) = alternate(job, repeats=repeats)
    work = counted(wager, tables, decks)
    if work.sums:
        plain = seconds(lambda: plain_dealer(tables.dealer_draws.usual, decks)) * work.sums
    else:
        seats = "upcard" in wager_outcomes(wager_terms(wager), tables, full(decks)).counted
        plain = seconds(lambda: plain_cards(wager, decks, seats=seats))
    print(
        f"  {wager.name:24} {1e3 * first:7.2f} ms {1e3 * warm.median:7.3f} ms {1e3 * warm.best:7.3f} ms   <= 2 ms  "
        f"{work!s:>19} {1e3 * plain:9.1f} ms {plain / warm.median:7,.0f}"
    )


def _job(wager: SideWager, tables: Tables, decks: int) -> Job:
    alone = replace(tables, wagers=(wager,))
    return lambda: wager_results(alone, full(decks))


def _decks(repeats: int) -> None:
    """Measure the growth from one deck to eight: the work is the same, but the numbers get longer."""
    print("\nSide wagers: one deck, eight decks, ratio")
    for sheet, name in (("face-up", "4-Card Bonus"), ("double-up", "Bonus 16")):
        tables = holecard.rules(sheet).tables
        wager = next(wager for wager in tables.wagers if wager.name == name)
        one, eight = alternate(*(_job(wager, tables, decks) for decks in (1, 8)), repeats=repeats)
        print(f"  {name:24} {1e3 * one.median:7.3f} ms {1e3 * eight.median:7.3f} ms   {eight.over(one):5.2f}")
