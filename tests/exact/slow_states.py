"""What the slow oracle works with and returns: states, beliefs, the cards of a small shoe, and results."""

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
    # Asked before the look, and said for itself only where a natural is certain and nothing else can follow.
    "no surrender",
    "surrender",
)
Counts: TypeAlias = tuple[int, ...]
Values: TypeAlias = tuple[int, ...]
Cents: TypeAlias = tuple[int, ...]
#: Orders of the shoe by what they come to: net result and stakes at the end, in cents.
Outcomes: TypeAlias = dict[tuple[int, int], int]
Worth: TypeAlias = dict[Action, Fraction]


class Seen(NamedTuple):
    """One state that may be the true one, the cards then left, and in how many ways it came about."""

    state: State
    left: Counts
    ways: int


Belief: TypeAlias = tuple[Seen, ...]


@dataclass(frozen=True)
class Start:
    """A starting hand with something to decide. Cards by value (1 is an ace); EVs per unit of initial stake."""

    player: Values
    dealer: Values
    """The dealer's cards in sight, the upcard first."""
    pair: str
    """The rank of a pair, or nothing."""
    chance: Fraction
    """How often a round comes to this decision."""
    worth: Worth
    """Given all that is seen: no natural, where the dealer has looked. Before the look where surrender is early."""
    best: Action


@dataclass(frozen=True)
class Game:
    """A sheet dealt from a shoe, per unit of initial stake."""

    ev: Fraction
    average_stake: Fraction
    distribution: dict[Fraction, Fraction]
    starts: tuple[Start, ...]


# States and beliefs


def move_on(state: State, move: Move) -> State:
    """The next state, without insurance and side wagers where they are offered."""
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
    """The best of these actions, the first in order of equals."""
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
    """Cards of these values, as the words of the sheet are asked about them."""
    return ["A23456789T"[value - 1] + "s" for value in values]


def less(left: Counts, kind: int) -> Counts:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def kinds_of(sheet: RuleSheet, shoe: Mapping[str, int]) -> tuple[tuple[Card, ...], Counts]:
    """A card of each kind, and how many there are. Tens are of one kind unless pairs are made by rank."""
    one_ten = sheet.player.split_by == "value"
    counts: Counter[Card] = Counter()
    for rank, count in shoe.items():
        counts[card(("T" if one_ten and rank in "TJQK" else rank) + "s")] += count
    found = sorted((c, count) for c, count in counts.items() if count)
    return tuple(c for c, _ in found), tuple(count for _, count in found)


def without_limits(sheet: RuleSheet) -> RuleSheet:
    return rules(sheet, {"main.min": "$0.01", "main.step": "$0.01", "main.max": "$1,000,000"})


def denominator_of(sheet: RuleSheet) -> int:
    """A stake of this many cents, or of a multiple, is never paid a fraction of a cent."""
    tables = sheet.tables
    cells = [cell for rows in tables.settlement for row in rows for cell in row]
    cells += [cell for row in (tables.surrender, *tables.quick_pay) for cell in row or ()]
    return lcm(*(cell.net.denominator for cell in cells))
