"""`compare_counting`: what a counter can take from a game, by number of decks and seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from holecard.advantage.counting import check_cut, check_seats, counting
from holecard.advantage.counting_result import Counting, CountingPlan, WagerCounting
from holecard.counts.read_count import CountLike
from holecard.errors import Refusal, shortly
from holecard.money import MoneyLike
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

#: Called with the number of tables that are done, and of EVs of the next one: known, and all.
OnTables: TypeAlias = Callable[[int, int, int], None]
#: Nine tables then take at most about two minutes on two cores.
DEFAULT_COMPARED_SHOES = 150


@dataclass(frozen=True, repr=False)
class CountingComparison(Presented):
    """What a counter can take from tables with different numbers of decks and seats."""

    _report = "counting.comparison"

    rules: RuleSheet
    """the game, with its own number of decks"""
    decks: tuple[int, ...]
    seats: tuple[int, ...]
    tables: tuple[Counting, ...]
    """by decks, then by seats, without index plays; fewer than asked for when Ctrl-C ended the comparison early"""

    @property
    def plan(self) -> CountingPlan:
        """What is assumed of the first table; the others differ by their seats."""
        return self.tables[0].plan

    @property
    def complete(self) -> bool:
        return len(self.tables) == len(self.decks) * len(self.seats)

    def table(self, decks: int, seats: int) -> Counting:
        """Return the table with these numbers of decks and seats."""
        by_numbers = {(one.rules.shoe.decks, one.plan.seats): one for one in self.tables}
        if (decks, seats) in by_numbers:
            return by_numbers[decks, seats]
        there = ", ".join(f"({one}, {other})" for one, other in by_numbers)
        raise Refusal(f"there is no table with (decks, seats) {shortly((decks, seats))}; there are {there}")

    def wager(self, name: str) -> tuple[WagerCounting, ...]:
        """Return a wager at each of the tables."""
        return tuple(one.wager(name) for one in self.tables)


def compare_counting(
    game: RulesLike,
    *,
    decks: Sequence[int] | None = None,
    seats: Sequence[int] = (1,),
    count: CountLike | None = None,
    wagers: Sequence[str] = (),
    cut: int | None = None,
    spread: int = 8,
    bet: MoneyLike = "$25",
    pace: int = 80,
    shoes: int = DEFAULT_COMPARED_SHOES,
    seed: int = 1,
    threads: int | None = None,
    device: str = "cpu",
    on_progress: OnTables | None = None,
) -> CountingComparison:
    """Return what a counter can take from tables with these numbers of decks and seats, in all combinations.

    Each table is what `counting` returns with the same arguments and `plays=False`; `decks` are the sheet's unless
    given. `on_progress` is called with the number of tables done, and of EVs known and of all for the next one. Ctrl-C
    ends the comparison early and returns the tables that are done; values of the next one are kept on disk.
    """
    sheet = rules(game)
    asked_decks = None if decks is None else _numbers("decks", decks)
    asked_seats = _numbers("seats", seats)
    sheets = [rules(game, {"shoe.decks": number}) for number in asked_decks] if asked_decks else [sheet]
    cells = list(product(sheets, asked_seats))
    for one, number in cells:  # before anything is computed
        check_seats(one, number)
        if isinstance(cut, int):
            check_cut(one, number, cut)
    done: list[Counting] = []

    def show(known: int, whole: int) -> None:
        if on_progress is not None:
            on_progress(len(done), known, whole)

    try:
        for one, number in cells:
            found = counting(
                one,
                count=count,
                wagers=wagers,
                cut=cut,
                seats=number,
                spread=spread,
                bet=bet,
                pace=pace,
                shoes=shoes,
                seed=seed,
                threads=threads,
                device=device,
                plays=False,
                on_progress=show,
            )
            done.append(found)
    except KeyboardInterrupt:
        if not done:
            raise
    return CountingComparison(sheet, asked_decks or (sheet.shoe.decks,), asked_seats, tuple(done))


def _numbers(name: str, given: object) -> tuple[int, ...]:
    """Return the numbers, each once."""
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
    if not listed or not all(isinstance(number, int) and not isinstance(number, bool) for number in listed):
        raise Refusal(f"{name}: {shortly(given)} is not a list of numbers; write them as in (1, 3, 7)")
    return tuple(dict.fromkeys(listed))
