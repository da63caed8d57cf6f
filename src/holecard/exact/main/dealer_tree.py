"""The dealer's unfinished hands as a tree for the kernels. They depend on the drawing rule alone, not on the shoe.

A *start* is what players see before they act: an upcard, or both cards where both are dealt face up. An unfinished hand
is what the dealer may have drawn to the start so far, as a multiset of values. Its *pattern* says how each value
finishes it: the dealer class of the settlement tables, or OPEN where the dealer draws on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from holecard.exact.main.dealer_multisets import finished, multiset
from holecard.hands import NATURAL_UPCARDS, DealerDraws, Mask, add, total_of
from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.exact.stand import DealerStarts, DealerTree
from holecard.sheets.tables import DEALER_NATURAL, Tables, dealer_class

#: Values of cards: ace, 2 … 9, ten.
N_VALUES = 10
OPEN = -1
#: The cards drawn to a start in descending order, as values less one.
Path: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class DealerModel:
    """Starts and unfinished hands of one drawing rule, for the kernels."""

    shown: tuple[tuple[int, ...], ...]
    """[start] the visible dealer cards, by value, the lower first"""
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
    """An unfinished hand: the cards drawn to the start, and in how many orders they can come."""

    path: Path
    ways: int
    pattern: tuple[int, ...]


def dealer_model(tables: Tables, only: tuple[int, ...] = ()) -> DealerModel:
    """Return the dealer of a compiled sheet, with every start or with only one."""
    return _dealer(tables.dealer_draws, tables.hole_card == "face up", tables.peeks_under, only)


@lru_cache(maxsize=256)
def _dealer(draws: DealerDraws, both_up: bool, peeks_under: frozenset[int], only: tuple[int, ...]) -> DealerModel:
    shown = (only,) if only else _shown(both_up)
    peeked = frozenset() if both_up else peeks_under & NATURAL_UPCARDS
    by_start = [_nodes(draws, peeked, values) for values in shown]
    tree, patterns, pattern_of = _tree(by_start)
    return DealerModel(
        shown=shown,
        finished=tuple(_outcome(draws.usual, *total_of(values), len(values)) for values in shown),
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
    """Return every start that players act against; a visible natural ends the round earlier."""
    values = range(1, N_VALUES + 1)
    if not both_up:
        return tuple((value,) for value in values)
    return tuple((low, high) for low in values for high in range(low, N_VALUES + 1) if (low, high) != (1, 10))


def _nodes(draws: DealerDraws, peeked: frozenset[int], start: tuple[int, ...]) -> list[_Node]:
    """Return the unfinished hands of a start, parents before children; a node with 0 ways only leads to others."""
    nodes: dict[Path, _Node] = {}
    total: dict[Path, tuple[int, bool]] = {(): total_of(start)}
    level: dict[Path, int] = {(): 1} if _outcome(draws.usual, *total[()], len(start)) == OPEN else {}
    while level:
        deeper: dict[Path, int] = defaultdict(int)
        for path, orders in level.items():
            pattern = _pattern(draws, *total[path], len(start) + len(path) == 1)
            for v, outcome in enumerate(pattern):
                if outcome == OPEN:
                    longer = tuple(sorted((*path, v), reverse=True))
                    deeper[longer] += orders
                    total[longer] = add(*total[path], v + 1)
            if not path and len(start) == 1 and start[0] in peeked:
                # A natural that the dealer has peeked for is never played against.
                pattern = tuple(OPEN if outcome == DEALER_NATURAL else outcome for outcome in pattern)
            nodes[path] = _Node(path, orders, pattern)
        level = deeper
    on_the_way = {path[:length] for path in nodes for length in range(len(path))} - nodes.keys()
    nothing = (OPEN,) * N_VALUES
    return sorted([*nodes.values(), *(_Node(path, 0, nothing) for path in on_the_way)], key=lambda node: node.path)


def _outcome(mask: Mask, total: int, soft: bool, size: int) -> int:
    """Return the dealer class of a finished hand, or OPEN; one card is never finished."""
    ended = finished(mask, total, soft, size) if size > 1 else None
    return OPEN if ended is None else dealer_class(ended)


@lru_cache(maxsize=4096)
def _pattern(draws: DealerDraws, total: int, soft: bool, is_one_card: bool) -> tuple[int, ...]:
    """Return how each value finishes a hand; of its size only matters whether one more card can make a natural."""
    cards = 1 if is_one_card else 2
    mask = draws.after(total, soft, cards)
    return tuple(_outcome(mask, *add(total, soft, v + 1), cards + 1) for v in range(N_VALUES))


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
