"""Data types of the slow oracle: states, beliefs, the cards of a small shoe, and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, lcm
from typing import NamedTuple, TypeAlias

from holecard.deck import VALUES, Card, card
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance
from holecard.table.events import Act, Action, Move, Place
from holecard.table.legal import legal
from holecard.table.state import Hand, State

ORDER: tuple[Action, ...] = (
    *("stand", "hit", "double", "double up", "split", "quick pay"),
    # Asked before the check, and reported separately only where a natural is certain and nothing else can follow.
    "no surrender",
    "surrender",
)
Counts: TypeAlias = tuple[int, ...]
Values: TypeAlias = tuple[int, ...]
Cents: TypeAlias = tuple[int, ...]
#: Number of shoe orders by final net result and stakes, in cents.
Outcomes: TypeAlias = dict[tuple[int, int], int]
Worth: TypeAlias = dict[Action, Fraction]


class Seen(NamedTuple):
    """One possible state, the cards that remain in it, and the number of ways to reach it."""

    state: State
    left: Counts
    ways: int


Belief: TypeAlias = tuple[Seen, ...]


@dataclass(frozen=True)
class Start:
    """A starting hand with a decision. Cards are values (1 is an ace); EVs are per unit of initial stake."""

    player: Values
    dealer: Values
    """The visible dealer cards, the upcard first."""
    pair: str
    """The rank of a pair, or None."""
    probability: Fraction
    """The probability that a round has this decision."""
    worth: Worth
    """EVs given everything visible: without a dealer's natural after the check, but before the check for early
    surrender.
    """
    best: Action


@dataclass(frozen=True)
class Game:
    """The results of a sheet dealt from a shoe, per unit of initial stake."""

    ev: Fraction
    average_stake: Fraction
    distribution: dict[Fraction, Fraction]
    starts: tuple[Start, ...]


# States and beliefs


def move_on(state: State, move: Move) -> State:
    """The next state, declining insurance and side wagers."""
    state = advance(state, move)
    while state.asked and state.phase in ("insurance", "after the check", "last call"):
        state = advance(state, Act(1, "no insurance") if state.phase == "insurance" else Place(1))
    return state


def all_move_on(belief: Belief, action: Action) -> Belief:
    return tuple(seen._replace(state=move_on(seen.state, Act(1, action))) for seen in belief)


def orders_of(belief: Belief) -> int:
    return sum(seen.ways * factorial(sum(seen.left)) for seen in belief)


def hand_of(state: State) -> Hand:
    return state.seats[0].hands[state.hand]


def actions_of(state: State) -> list[Action]:
    return [choice.action for choice in legal(state)]


def first_best(worth: Worth, actions: Iterable[Action]) -> Action:
    """The best of these actions; among equals, the first in order."""
    return max(sorted(actions, key=ORDER.index), key=worth.__getitem__)


def in_sight(state: State) -> Values:
    return tuple(VALUES[c] for c in (state.dealer if state.hole_seen else state.dealer[:1]))


def staked_by(state: State) -> int:
    return sum(hand.wagered for hand in state.seats[0].hands)


def sum_of(outcomes: Outcomes) -> int:
    return sum(net * orders for (net, _), orders in outcomes.items())


# Cards and the sheet


def values_of(cards: Iterable[Card]) -> Values:
    return tuple(sorted(VALUES[c] for c in cards))


def texts_of(values: Values) -> list[str]:
    """Cards of these values, in the form that the text oracle uses."""
    return ["A23456789T"[value - 1] + "s" for value in values]


def less(left: Counts, kind: int) -> Counts:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def kinds_of(sheet: RuleSheet, shoe: Mapping[str, int]) -> tuple[tuple[Card, ...], Counts]:
    """One card of each kind with its count. All tens are one kind unless pairs are made by rank."""
    one_ten = sheet.player.split_by == "value"
    counts: Counter[Card] = Counter()
    for rank, count in shoe.items():
        counts[card(("T" if one_ten and rank in "TJQK" else rank) + "s")] += count
    found = sorted((c, count) for c, count in counts.items() if count)
    return tuple(c for c, _ in found), tuple(count for _, count in found)


def without_limits(sheet: RuleSheet) -> RuleSheet:
    return rules(sheet, {"main.min": "$0.01", "main.step": "$0.01", "main.max": "$1,000,000"})


def denominator_of(sheet: RuleSheet) -> int:
    """A number of cents such that payoffs on it, or on a multiple, are whole cents."""
    tables = sheet.tables
    cells = [cell for rows in tables.settlement for row in rows for cell in row]
    cells += [cell for row in (tables.surrender, *tables.quick_pay) for cell in row or ()]
    return lcm(*(cell.net.denominator for cell in cells))
