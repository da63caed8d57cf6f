"""The dealer's unfinished hands, as the kernels walk them. They depend on the drawing rule alone, not on the shoe.

A *start* is what players see before they act: an upcard, or both cards where both are dealt face up. An unfinished hand
is what the dealer may have drawn to it without ending before, as a multiset of values. Its *pattern* says how each
value ends it: the settlement's dealer class, or OPEN where the dealer draws on.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.dealer_multisets import Multiset, finished, multiset, plus
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.exact.stand import Starts, Tree
from holecard.sheets.tables import DEALER_NATURAL, Mask, Tables, dealer_class

RANKS = 10
OPEN = -1


@dataclass(frozen=True, eq=False)
class Dealer:
    """Starts and unfinished hands of one drawing rule, for the kernels."""

    shown: tuple[tuple[int, ...], ...]
    """[start] the dealer's cards in sight, by value, the lower first"""
    finished: tuple[int, ...]
    """[start] the dealer class of a start that is finished as it lies, or OPEN"""
    starts: Starts
    tree: Tree
    patterns: NDArray[np.int64]
    """[pattern, rank] how a card of that rank ends the hand: a dealer class, or OPEN"""
    pattern_of: NDArray[np.int64]
    """[node] its pattern among all"""
    drawn: NDArray[np.float64]
    """[node, rank] its cards beside the start"""


@dataclass(frozen=True, slots=True)
class _Node:
    """An unfinished hand: cards drawn to the start in descending order, in how many orders they can come."""

    path: tuple[int, ...]
    ways: int
    pattern: tuple[int, ...]


def dealer_of(tables: Tables, only: tuple[int, ...] = ()) -> Dealer:
    """The dealer of a compiled sheet, with every start or only one."""
    return _dealer(tables.dealer_draws, tables.hole_card == "face up", tables.peeks_under, only)


@lru_cache(maxsize=256)
def _dealer(draws: Mask, both_up: bool, peeks_under: frozenset[int], only: tuple[int, ...]) -> Dealer:
    shown = (only,) if only else _shown(both_up)
    looked = frozenset() if both_up else peeks_under & NATURAL_UPCARDS
    by_start = [_nodes(draws, looked, multiset(values)) for values in shown]
    tree, patterns, pattern_of = _tree(by_start)
    return Dealer(
        shown=shown,
        finished=tuple(_ending(draws, multiset(values)) for values in shown),
        starts=Starts(
            cards=np.array([multiset(values) for values in shown], np.float64),
            natural=np.array([10 - values[0] if values[0] in looked else -1 for values in shown], np.int64),
        ),
        tree=tree,
        patterns=patterns,
        pattern_of=pattern_of,
        drawn=np.array(
            [[node.path.count(r) for r in range(RANKS)] for nodes in by_start for node in nodes], np.float64
        ).reshape(-1, RANKS),
    )


def _shown(both_up: bool) -> tuple[tuple[int, ...], ...]:
    """Every start the players act against: a natural in full sight ends the round before."""
    values = range(1, RANKS + 1)
    if not both_up:
        return tuple((value,) for value in values)
    return tuple((low, high) for low in values for high in range(low, RANKS + 1) if (low, high) != (1, 10))


def _ending(draws: Mask, hand: Multiset) -> int:
    """The dealer class a hand ends in, or OPEN: one card is never the end."""
    ended = finished(draws, hand) if sum(hand) > 1 else None
    return OPEN if ended is None else dealer_class(ended)


def _nodes(draws: Mask, looked: frozenset[int], start: Multiset) -> list[_Node]:
    """The unfinished hands of a start, parents before children, and what is only on the way to one (no ways)."""
    ways = _unfinished(draws, start)
    by_path = {}
    for hand, orders in ways.items():
        path = tuple(r for r in range(RANKS - 1, -1, -1) for _ in range(hand[r] - start[r]))
        by_path[path] = _Node(path, orders, _pattern(draws, looked, hand))
    on_the_way = {path[:length] for path in by_path for length in range(len(path))} - by_path.keys()
    nothing = (OPEN,) * RANKS
    return sorted([*by_path.values(), *(_Node(path, 0, nothing) for path in on_the_way)], key=lambda node: node.path)


def _unfinished(draws: Mask, start: Multiset) -> dict[Multiset, int]:
    """Every unfinished hand a start leads to, and in how many orders."""
    found: dict[Multiset, int] = {}
    level = {start: 1} if _ending(draws, start) == OPEN else {}
    while level:
        found.update(level)
        deeper: dict[Multiset, int] = defaultdict(int)
        for hand, orders in level.items():
            for rank in range(RANKS):
                longer = plus(hand, rank + 1)
                if _ending(draws, longer) == OPEN:
                    deeper[longer] += orders
        level = deeper
    return found


def _pattern(draws: Mask, looked: frozenset[int], hand: Multiset) -> tuple[int, ...]:
    """How each rank ends a hand; a natural the dealer has looked for is never played against, so it ends nothing."""
    endings = tuple(_ending(draws, plus(hand, rank + 1)) for rank in range(RANKS))
    if sum(hand) == 1 and hand.index(1) + 1 in looked:
        return tuple(OPEN if ending == DEALER_NATURAL else ending for ending in endings)
    return endings


def _tree(by_start: list[list[_Node]]) -> tuple[Tree, NDArray[np.int64], NDArray[np.int64]]:
    """The trees of all starts, one after the other; patterns are numbered within a start."""
    patterns: list[tuple[int, ...]] = []
    ends: list[tuple[int, int]] = [(0, 0)]
    pattern: list[int] = []
    for nodes in by_start:
        of_pattern: dict[tuple[int, ...], int] = {}
        pattern += [of_pattern.setdefault(node.pattern, len(of_pattern)) for node in nodes]
        patterns += of_pattern
        ends.append((len(pattern), len(patterns)))
    every = [node.path for nodes in by_start for node in nodes]
    tree = Tree(
        nodes=np.array([end[0] for end in ends], np.uint64),
        patterns=np.array([end[1] for end in ends], np.uint64),
        deepest=np.array([max((len(node.path) for node in nodes), default=0) for nodes in by_start], np.uint64),
        depth=np.array([len(path) for path in every], np.uint64),
        rank=np.array([path[-1] if path else 0 for path in every], np.uint64),
        used=np.array([path.count(path[-1]) - 1 if path else 0 for path in every], np.float64),
        pattern=np.array(pattern, np.uint64),
        ways=np.array([node.ways for nodes in by_start for node in nodes], np.float64),
    )
    first_pattern = np.repeat(np.array([end[1] for end in ends[:-1]]), [len(nodes) for nodes in by_start])
    return tree, np.array(patterns, np.int64).reshape(-1, RANKS), np.array(pattern, np.int64) + first_pattern
