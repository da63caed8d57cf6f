"""Bets and amounts that the rules forbid and the table must refuse.

Before the deal: a side wager without the wager it needs, or above the main wager where that is its limit, and any wager
outside its limits. During a round: insurance above its share of the main wager, a double for more than the wager, and
wagers after the check above their limits, at once or in two steps; the largest of these must be accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import floor, gcd
from typing import NamedTuple

from holecard.deck import Card
from holecard.errors import Refusal
from holecard.money import dollars
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, Move, NoMoreBets, Place
from holecard.table.late_wagers import ASKING
from holecard.table.legal import why_not
from holecard.table.state import State
from holecard.table.table import Table
from holecard.wagers.pay_table import Limits, SideWager

_SEAT = 1
_ACE, _HIDDEN = 1, 8
_LOW_CARDS = range(2, 11)

# Before the deal


class _Forbidden(NamedTuple):
    """A bet before the deal, and the rule it breaks."""

    main: int
    sides: dict[str, int]
    rule: str


def wrongly_accepted(sheet: RuleSheet, main: int) -> Iterator[str]:
    """Yield the forbidden bets that the table accepts, as text; side wagers go with this main wager, in cents."""
    for bet in _forbidden(sheet.tables, main):
        try:
            Table(sheet).bet(dollars(bet.main), {name: dollars(stake) for name, stake in bet.sides.items()})
        except Refusal:
            continue
        placed = {sheet.tables.stakes[0]: bet.main, **bet.sides}
        bets = ", ".join(f"{name} {dollars(stake)}" for name, stake in placed.items())
        yield f"the table accepts {bets}; by the rules {bet.rule}"


def _forbidden(tables: Tables, main: int) -> Iterator[_Forbidden]:
    for stake in _outside(tables.main):
        yield _Forbidden(stake, {}, f"{tables.stakes[0]} is {tables.main}")
    by_name = {wager.name: wager for wager in tables.wagers}
    for wager in (tables.wagers[index] for index in tables.early_wagers):
        needed = _needed(by_name, wager)
        if wager.needs is not None:
            yield _Forbidden(main, {wager.name: wager.limits.low}, f"{wager.name} needs {wager.needs}")
        for stake in _outside(wager.limits):
            yield _Forbidden(main, {**needed, wager.name: stake}, f"{wager.name} is {wager.limits}")
        limits = wager.limits
        above = next((stake for stake in range(limits.low, limits.high + 1, limits.step) if stake > main), None)
        if wager.at_most_main and above is not None:
            yield _Forbidden(main, {**needed, wager.name: above}, f"{wager.name} is at most the main wager")


def _outside(limits: Limits) -> Iterator[int]:
    yield limits.high + limits.step
    if limits.low > limits.step:
        yield limits.low - limits.step


def _needed(by_name: dict[str, SideWager], wager: SideWager) -> dict[str, int]:
    """Return the wagers that must be placed with it, at their minimum."""
    found: dict[str, int] = {}
    name = wager.needs
    while name is not None and name not in found:
        found[name] = by_name[name].limits.low
        name = by_name[name].needs
    return found


# During a round


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
