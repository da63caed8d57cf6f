"""Amounts during a round that the rules forbid and the table must refuse, and the largest that it must accept.

Insurance above its share of the main wager, a double for more than the wager, and wagers after the check above their
limits, at once or in two steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import floor, gcd
from typing import NamedTuple

from holecard.deck import Card
from holecard.money import dollars
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, Move, NoMoreBets, Place
from holecard.table.late_wagers import ASKING
from holecard.table.legal import why_not
from holecard.table.state import State
from holecard.wagers.pay_table import SideWager

_SEAT = 1
_ACE, _HIDDEN = 1, 8
_LOW_CARDS = range(2, 11)


class _Amount(NamedTuple):
    """A move, the state it is made in, and whether the rules allow it."""

    state: State
    move: Move
    allowed: bool
    rule: str


def wrong_amounts(sheet: RuleSheet, main: int) -> Iterator[str]:
    """Yield the forbidden amounts that the table accepts and the allowed ones that it refuses, as text."""
    for amounts in (_insured, _doubled, _late):
        for one in amounts(sheet.tables, main):
            if (why_not(one.state, one.move) is None) != one.allowed:
                yield f"the table {'refuses' if one.allowed else 'accepts'} {one.move}; by the rules {one.rule}"


def _dealt(tables: Tables, main: int, first: int, second: int, upcard: int) -> State:
    """Return a round of one seat, dealt these values."""
    state = start(tables)
    for move in (Bet(_SEAT, dollars(main)), NoMoreBets()):
        state = advance(state, move)
    for suit, value in enumerate((first, upcard, second, _HIDDEN)):
        if state.wants_card:
            state = advance(state, Deal(Card(4 * value - 4 + suit)))
    return state


def _insured(tables: Tables, main: int) -> Iterator[_Amount]:
    if tables.insurance is None:
        return
    state = _dealt(tables, main, 9, 7, _ACE)
    low, step = int(tables.insurance_low), gcd(int(tables.main.step), int(tables.insurance_low))
    most = floor(main * tables.insurance_share) // step * step
    rule = f"insurance is {dollars(low)} to {dollars(most)}"
    for amount in (most, most + step, low - step):
        yield _Amount(state, Act(_SEAT, "insurance", dollars(max(amount, 0))), low <= amount <= most, rule)


def _doubled(tables: Tables, main: int) -> Iterator[_Amount]:
    """Yield a double for the whole wager and for more, which is possible only where less is."""
    for first, second in product(_LOW_CARDS, repeat=2):
        if first < second and tables.may_double[first + second][False]:
            state = _passed(_dealt(tables, main, first, second, 7))
            if state.phase == "acting":
                wager, step = main * (1 + tables.has_companion), int(tables.main.step)
                for amount in (wager, wager + step):
                    allowed = tables.double_for_less and amount == wager
                    move = Act(_SEAT, "double", dollars(amount))
                    yield _Amount(state, move, allowed, f"a double is for {dollars(wager)}")
            return


def _passed(state: State) -> State:
    """Answer questions about more wagers with none."""
    while state.phase in ASKING and not state.wants_card:
        state = advance(state, Place(_SEAT, {}))
    return state


def _late(tables: Tables, main: int) -> Iterator[_Amount]:
    """Yield the most and more on every wager after the check that needs no other, and the most in two steps."""
    for wager in (tables.wagers[index] for index in tables.check_wagers):
        upcards = sorted(set(wager.offered_upcards) - {1, 10})
        if wager.needs is not None or not upcards:
            continue
        state = _dealt(tables, main, 9, 7, upcards[0])
        most, step = _most(wager, main), int(wager.limits.step)
        rule = f"{wager.name} is {dollars(int(wager.limits.low))} to {dollars(most)}"
        for amount in (most, most + step):
            yield _Amount(state, Place(_SEAT, {wager.name: dollars(amount)}), amount == most, rule)
        if wager.until_turned and why_not(state, Place(_SEAT, {wager.name: dollars(most)})) is None:
            after = advance(state, Place(_SEAT, {wager.name: dollars(most)}))
            for amount in (step, int(wager.limits.low)):
                yield _Amount(after, Place(_SEAT, {wager.name: dollars(amount)}), False, rule)


def _most(wager: SideWager, main: int) -> int:
    """Return the largest stake: in whole steps from the smallest, and where that is so at most the main wager."""
    low, step = int(wager.limits.low), int(wager.limits.step)
    high = min(int(wager.limits.high), main) if wager.at_most_main else int(wager.limits.high)
    return low + (high - low) // step * step
