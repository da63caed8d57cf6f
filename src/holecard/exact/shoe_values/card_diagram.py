"""Decision diagrams of the first cards, made once for each wager; `kernels.shoe_values.card_diagrams` evaluates them.

Cards are dealt to *hands* in which their order does not count: (2, 1) is the player's two cards and the upcard, (4,)
four cards wherever they lie. `gains` has one axis for every card, hand after hand, and does not change when cards of
one hand trade places.

The diagram is made backwards, from the last type of card to the first. Before type t, a partial deal is the cards of
types below t that each hand has. Its children are what it becomes with some cards of type t. Partial deals with the
same children are one node; one that nothing can make pay is node 0, a gain of 0.
"""

from __future__ import annotations

from itertools import product
from math import factorial, prod
from typing import TypeAlias

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.shoe_values.card_diagrams import Diagram

TYPES = 52
HandSizes: TypeAlias = tuple[int, ...]
_NOTHING = 0


def diagram_of(gains: Floats, sizes: HandSizes) -> Diagram | None:
    """Return the diagram of a table of gains; None where every gain is 0."""
    distinct, where = np.unique(np.concatenate([[0.0], gains.ravel()]), return_inverse=True)
    order = np.argsort(distinct != 0.0, kind="stable")  # a gain of 0 is node 0
    number = np.argsort(order)[where[1:]].reshape(gains.shape)
    maker = _Maker(sizes, number, len(distinct))
    root = maker.make()
    if root == _NOTHING:
        return None
    return maker.diagram(distinct[order], root)


class _Maker:
    """The nodes of one diagram while it is made."""

    def __init__(self, sizes: HandSizes, ended: Integers, gains: int) -> None:
        self.sizes = sizes
        self.nodes = gains
        self.card: list[int] = []
        self.edges: list[list[tuple[int, int, float]]] = []
        self.held = [held for held in product(*(range(most + 1) for most in sizes)) if held != sizes]
        #: By how many cards each hand holds: [types held] the node of the partial deal.
        self.state = {held: np.zeros((TYPES,) * sum(held), np.int64) for held in self.held} | {sizes: ended}

    def make(self) -> int:
        """Make all nodes and return the root."""
        for card in range(TYPES - 1, -1, -1):
            before = {held: self._before(held, card) for held in self.held}
            self.state.update(before)
        return int(self.state[(0,) * len(self.sizes)])

    def _before(self, held: HandSizes, card: int) -> Integers:
        """Return [types held, all below `card`] the node of a partial deal before the type is decided."""
        takes = list(product(*(range(most - has + 1) for most, has in zip(self.sizes, held, strict=True))))
        children = np.stack([self._after(held, take, card) for take in takes], axis=-1)
        rows = children.reshape(-1, len(takes))
        # A partial deal that only goes on without this type is the node that it goes on to.
        plain = ~rows[:, 1:].any(axis=1)
        found = rows[:, 0].copy()
        if not plain.all():
            distinct, of = _distinct_rows(rows[~plain], self.nodes)
            found[~plain] = self.nodes + of
            for row in distinct.tolist():
                self._add(card, takes, row)
        return found.reshape(children.shape[:-1])

    def _after(self, held: HandSizes, take: HandSizes, card: int) -> Integers:
        """Return the node that partial deals become when hands take cards of the type."""
        then = tuple(has + more for has, more in zip(held, take, strict=True))
        at: list[slice | int] = []
        for has, more in zip(held, take, strict=True):
            at += [slice(card)] * has + [card] * more
        return self.state[then][tuple(at)]

    def _add(self, card: int, takes: list[HandSizes], children: list[int]) -> None:
        self.card.append(card)
        self.edges.append(
            [
                (child, sum(take), 1 / prod(map(factorial, take)))
                for child, take in zip(children, takes, strict=True)
                if child != _NOTHING
            ]
        )
        self.nodes += 1

    def diagram(self, gains: Floats, root: int) -> Diagram:
        """Return the nodes that the root leads to; it is the last of them."""
        first = len(gains)
        needed = {root}
        for node in range(self.nodes - 1, first - 1, -1):
            if node in needed:
                needed.update(child for child, _, _ in self.edges[node - first])
        kept = [node for node in range(first, self.nodes) if node in needed]
        number = {node: node for node in range(first)} | {node: first + at for at, node in enumerate(kept)}
        edges = [self.edges[node - first] for node in kept]
        child, taken, factor = zip(*(edge for of_node in edges for edge in of_node), strict=True)
        return Diagram(
            gain=gains,
            card=np.array([self.card[node - first] for node in kept], np.int64),
            edges=np.cumsum([0, *map(len, edges)], dtype=np.int64),
            child=np.array([number[node] for node in child], np.int64),
            taken=np.array(taken, np.int64),
            factor=np.array(factor, np.float64),
        )


def _distinct_rows(rows: Integers, base: int) -> tuple[Integers, Integers]:
    """Return the distinct rows, and [row] which of them it is; entries are below `base`."""
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:
        # Rank after every column, so that keys stay small.
        key = np.unique(key * base + column, return_inverse=True)[1]
    _, examples, of = np.unique(key, return_index=True, return_inverse=True)
    return rows[examples], of
