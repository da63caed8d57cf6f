"""The dealer's unfinished hands as a tree for the kernels. They depend on the drawing rule alone, not on the shoe.

A *start* is what players see before they act: an upcard, or both cards where both are dealt face up. An unfinished hand
is what the dealer may have drawn to the start so far, as a multiset of values. Its *pattern* says how each value
finishes it: the dealer class of the settlement tables, or OPEN where the dealer draws on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holecard.exact.main.dealer_multisets import Multiset, finished_multiset, multiset, plus
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.exact.stand import DealerStarts, DealerTree
from holecard.sheets.tables import DEALER_NATURAL, Mask, Tables, dealer_class

#: Values of cards: ace, 2 … 9, ten.
N_VALUES = 10
OPEN = -1


@dataclass(frozen=True, eq=False)
class DealerModel:
    """Starts and unfinished hands of one drawing rule, for the kernels."""

    shown: tuple[tuple[int, ...], ...]
    """[start] the dealer's cards in sight, by value, the lower first"""
    finished: tuple[int, ...]
    """[start] the dealer class of a start that is a finished hand, or OPEN"""
    starts: DealerStarts
    tree: DealerTree
    patterns: Integers
    """[pattern, v] how a card finishes the hand: a dealer class, or OPEN"""
    pattern_of: Integers
    """[node] its pattern"""
    drawn: Floats
    """[node, v] its cards besides the start"""


@dataclass(frozen=True, slots=True)
class _Node:
    """An unfinished hand: the cards drawn to the start in descending order, and in how many orders they can come."""

    path: tuple[int, ...]
    ways: int
    pattern: tuple[int, ...]


def dealer_model(tables: Tables, only: tuple[int, ...] = ()) -> DealerModel:
    """Return the dealer of a compiled sheet, with every start or with only one."""
    return _dealer(tables.dealer_draws, tables.hole_card == "face up", tables.peeks_under, only)


@lru_cache(maxsize=256)
def _dealer(draws: Mask, both_up: bool, peeks_under: frozenset[int], only: tuple[int, ...]) -> DealerModel:
    shown = (only,) if only else _shown(both_up)
    peeked = frozenset() if both_up else peeks_under & NATURAL_UPCARDS
    by_start = [_nodes(draws, peeked, multiset(values)) for values in shown]
    tree, patterns, pattern_of = _tree(by_start)
    return DealerModel(
        shown=shown,
        finished=tuple(_outcome(draws, multiset(values)) for values in shown),
        starts=DealerStarts(
            cards=np.array([multiset(values) for values in shown], np.float64),
            natural=np.array([10 - values[0] if values[0] in peeked else -1 for values in shown], np.int64),
        ),
        tree=tree,
        patterns=patterns,
        pattern_of=pattern_of,
        drawn=np.array(
            [[node.path.count(r) for r in range(N_VALUES)] for nodes in by_start for node in nodes], np.float64
        ).reshape(-1, N_VALUES),
    )


def _shown(both_up: bool) -> tuple[tuple[int, ...], ...]:
    """Return every start that players act against; a natural in full sight ends the round earlier."""
    values = range(1, N_VALUES + 1)
    if not both_up:
        return tuple((value,) for value in values)
    return tuple((low, high) for low in values for high in range(low, N_VALUES + 1) if (low, high) != (1, 10))


def _outcome(draws: Mask, hand: Multiset) -> int:
    """Return the dealer class of a finished hand, or OPEN; one card is never finished."""
    ended = finished_multiset(draws, hand) if sum(hand) > 1 else None
    return OPEN if ended is None else dealer_class(ended)


def _nodes(draws: Mask, peeked: frozenset[int], start: Multiset) -> list[_Node]:
    """Return the unfinished hands of a start, parents before children; a node with 0 ways only leads to others."""
    ways = _unfinished(draws, start)
    by_path = {}
    for hand, orders in ways.items():
        path = tuple(r for r in range(N_VALUES - 1, -1, -1) for _ in range(hand[r] - start[r]))
        by_path[path] = _Node(path, orders, _pattern(draws, peeked, hand))
    on_the_way = {path[:length] for path in by_path for length in range(len(path))} - by_path.keys()
    nothing = (OPEN,) * N_VALUES
    return sorted([*by_path.values(), *(_Node(path, 0, nothing) for path in on_the_way)], key=lambda node: node.path)


def _unfinished(draws: Mask, start: Multiset) -> dict[Multiset, int]:
    """Return every unfinished hand that a start leads to, and the number of orders."""
    found: dict[Multiset, int] = {}
    level = {start: 1} if _outcome(draws, start) == OPEN else {}
    while level:
        found.update(level)
        deeper: dict[Multiset, int] = defaultdict(int)
        for hand, orders in level.items():
            for v in range(N_VALUES):
                longer = plus(hand, v + 1)
                if _outcome(draws, longer) == OPEN:
                    deeper[longer] += orders
        level = deeper
    return found


def _pattern(draws: Mask, peeked: frozenset[int], hand: Multiset) -> tuple[int, ...]:
    """Return how each value finishes a hand; a natural that the dealer has peeked for is never played against."""
    outcomes = tuple(_outcome(draws, plus(hand, v + 1)) for v in range(N_VALUES))
    if sum(hand) == 1 and hand.index(1) + 1 in peeked:
        return tuple(OPEN if outcome == DEALER_NATURAL else outcome for outcome in outcomes)
    return outcomes


def _tree(by_start: list[list[_Node]]) -> tuple[DealerTree, Integers, Integers]:
    """Return the trees of all starts in sequence; patterns are numbered within a start."""
    patterns: list[tuple[int, ...]] = []
    ends: list[tuple[int, int]] = [(0, 0)]
    pattern: list[int] = []
    for nodes in by_start:
        of_pattern: dict[tuple[int, ...], int] = {}
        pattern += [of_pattern.setdefault(node.pattern, len(of_pattern)) for node in nodes]
        patterns += of_pattern
        ends.append((len(pattern), len(patterns)))
    every = [node.path for nodes in by_start for node in nodes]
    tree = DealerTree(
        nodes=np.array([end[0] for end in ends], np.uint64),
        patterns=np.array([end[1] for end in ends], np.uint64),
        deepest=np.array([max((len(node.path) for node in nodes), default=0) for nodes in by_start], np.uint64),
        depth=np.array([len(path) for path in every], np.uint64),
        card=np.array([path[-1] if path else 0 for path in every], np.uint64),
        used=np.array([path.count(path[-1]) - 1 if path else 0 for path in every], np.float64),
        pattern=np.array(pattern, np.uint64),
        ways=np.array([node.ways for nodes in by_start for node in nodes], np.float64),
    )
    first_pattern = np.repeat(np.array([end[1] for end in ends[:-1]]), [len(nodes) for nodes in by_start])
    return tree, np.array(patterns, np.int64).reshape(-1, N_VALUES), np.array(pattern, np.int64) + first_pattern
