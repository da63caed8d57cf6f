"""Number the situations of all charts at a table, as the kernels store them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.errors import Refusal
from holecard.kernels.play.lookup import RANK_COUNT, ROW, VALUE_COUNT
from holecard.sheets.tables import BUST, Tables
from holecard.simulation.compile.hand_nodes import (
    OF_RANK,
    UNRAISED,
    DealerView,
    End,
    Node,
    Open,
    Player,
    Split,
    dealer_view,
)

#: The batch kernel stores a node in 16 bits.
_MOST_NODES = 0xFFFF
#: Placeholder for the second card of a hand that is never split.
_NEVER_READ = End(UNRAISED, BUST, False), False
_PAIRS = [(first, second) for first in OF_RANK for second in OF_RANK]
#: The order of two different values does not matter, and a king plays like a ten.
_PLAYED_AS = [
    (one, two)
    if one.value == two.value
    else (OF_RANK[min(one.value, two.value) - 1], OF_RANK[max(one.value, two.value) - 1])
    for one, two in _PAIRS
]
TWO_VALUES = [(first, second) for first in range(1, VALUE_COUNT + 1) for second in range(1, VALUE_COUNT + 1)]


class Nodes(NamedTuple):
    """The nodes of all charts, and their numbers."""

    views: list[DealerView]
    first: list[Node]
    """[chart, view, rank, rank] of the first two cards"""
    second: list[tuple[Node, bool]]
    """[chart, view, rank, rank] of a split card and its second card, and whether it is resplit"""
    numbers: NodeNumbers


@lru_cache(maxsize=16)
def number_nodes(tables: Tables, charts: tuple[Chart, ...]) -> Nodes:
    """Return the nodes of players who follow these charts, numbered; programs with other side wagers share them."""
    views = list(dict.fromkeys(dealer_view(tables, *values) for values in TWO_VALUES))
    players = [Player(tables, chart, number) for number, chart in enumerate(charts)]
    deals = [(player, view, *pair) for player in players for view in views for pair in _PAIRS]
    first = [node for player in players for view in views for node in _first_nodes(player, view)]
    split = {(node.chart, node.view, node.rank) for node in first if isinstance(node, Split)}
    second = [
        player.second(view, one, two) if (player.number, view, one.rank) in split else _NEVER_READ
        for player, view, one, two in deals
    ]
    reached = _explore(players, [*first, *(node for node, _ in second)])
    return Nodes(views, first, second, NodeNumbers(reached, views, len(charts)))


def _first_nodes(player: Player, view: DealerView) -> list[Node]:
    """Return [rank, rank] nodes of the first two cards, computing each distinct one once."""
    known = {pair: player.first(view, *pair) for pair in dict.fromkeys(_PLAYED_AS)}
    return [known[pair] for pair in _PLAYED_AS]


class NodeNumbers:
    """Numbers of nodes: settled ends, ends that wait, open hands, then splits by chart, view and rank."""

    def __init__(self, reached: dict[Node, list[Node]], views: list[DealerView], charts: int) -> None:
        self.reached = reached
        self.charts = charts
        self.ends = sorted((node for node in reached if isinstance(node, End)), key=_order)
        open_ = [node for node in reached if isinstance(node, Open)]
        self.number: dict[Node, int] = {}
        for nodes in (self.ends, open_):
            for node in nodes:
                self.number[node] = len(self.number)
        self.splits = len(self.number)
        self.view = {view: index for index, view in enumerate(views)}
        if self.out_of_cards > _MOST_NODES:
            raise Refusal(
                f"these rules and {charts} charts make {self.out_of_cards:,} situations, but the limit is "
                f"{_MOST_NODES:,}; use fewer different strategies, or fewer index plays of side counts"
            )

    @property
    def out_of_cards(self) -> int:
        """The out-of-cards node, above all others."""
        return self.splits + self.charts * len(self.view) * RANK_COUNT

    def of(self, node: Node) -> int:
        if isinstance(node, Split):
            return self.splits + (node.chart * len(self.view) + self.view[node.view]) * RANK_COUNT + node.rank
        return self.number[node]

    def ends_from(self, begin: Sequence[Node]) -> set[int]:
        """Return the ends that can be reached from these nodes."""
        found: set[Node] = set()
        waiting = list(begin)
        while waiting:
            node = waiting.pop()
            if node not in found and not isinstance(node, Split):
                found.add(node)
                waiting += self.reached[node]
        return {self.number[node] for node in found if isinstance(node, End)}

    def after(self) -> NDArray[np.int32]:
        """Return [node, value] transitions; an end leads to itself, and "no card" leads to the out-of-cards node."""
        found = np.full((self.splits, ROW), self.out_of_cards, np.int32)
        for node, number in self.number.items():
            found[number, :VALUE_COUNT] = [self.of(then) for then in self.reached[node]] or number
        return found


def _order(end: End) -> tuple[bool, int, int, bool, float]:
    return end.waits, end.raised, end.player, end.cash is not None, float(end.cash or 0)


def _explore(players: list[Player], begin: list[Node]) -> dict[Node, list[Node]]:
    """Return every reachable end and open hand with its successor for each value; ends have none."""
    found: dict[Node, list[Node]] = {}
    waiting = begin
    while waiting:
        node = waiting.pop()
        if node in found or isinstance(node, Split):
            continue
        found[node] = (
            [players[node.chart].with_card(node, value) for value in range(1, VALUE_COUNT + 1)]
            if isinstance(node, Open)
            else []
        )
        waiting += found[node]
    return found
