"""Compile rules and charts into the lookup tables that the kernels play from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holecard.charts.chart import Chart
from holecard.deck import DECK
from holecard.hands import Mask, add, is_natural_total, total_of
from holecard.kernels.lanes.rank_tables import RankTables
from holecard.kernels.play.lookup import (
    CLASS_COUNT,
    DEALER_ALONE,
    DEALER_OPEN,
    DEALER_SHORT,
    RANK_COUNT,
    VALUE_COUNT,
    Offsets,
)
from holecard.payoffs.split_limits import most_hands
from holecard.payoffs.stakes import StakesOnHand, hand_payoffs_in_parts, payoff_scale
from holecard.sheets.tables import ANY_DEALER, DEALER_NATURAL, Tables, dealer_class
from holecard.simulation.compile.hand_nodes import (
    UNRAISED,
    End,
    dealer_view,
)
from holecard.simulation.compile.live_wagers import LiveLines, live_lines_of
from holecard.simulation.compile.net_sums import NetSums, net_sums
from holecard.simulation.compile.node_numbers import TWO_VALUES, Nodes, number_nodes
from holecard.simulation.compile.rank_tables import rank_tables
from holecard.simulation.compile.wager_tables import WagerTable, wager_table
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import SideWager

#: The most parts a round may win in `lut`, and a hand where squares are summed over 10^9 shoes.
_MOST_PARTS, _MOST_IN_SHOES = 2**31 - 1, 2**14


@dataclass(frozen=True)
class Program:
    """The kernels' lookup table, and the meaning of its ends."""

    lut: NDArray[np.int32]
    offsets: Offsets
    ends: tuple[End, ...]
    nets: tuple[Fraction, ...]
    """[net] every net result of a round, exact, per unit of initial stake, ascending"""
    of_cell: NDArray[np.intp]
    """[end and dealer class] index into `nets` for a round without a split"""
    of_sum: NDArray[np.intp]
    """[sum of several hands] index into `nets` for a round with a split"""
    scale: int
    """Net results in `lut` are whole numbers of 1/scale of the initial stake, rounded where the odds are finer."""
    wagers: tuple[WagerTable, ...] = ()

    @property
    def wager_cells(self) -> int:
        """Number of cells of all wagers."""
        return sum(len(wager.cells) for wager in self.wagers)

    @cached_property
    def rank_tables(self) -> RankTables:
        """The part of `lut` that rounds in lockstep read."""
        return rank_tables(self.lut, self.offsets)


def compile_program(
    tables: Tables,
    charts: Sequence[Chart],
    wagers: Sequence[SideWager] = (),
    *,
    draws_out: bool = False,
    dealt_down: bool = False,
) -> Program:
    """Compile a sheet's tables for players who follow these charts and place these side wagers.

    `draws_out`: the dealer plays even when no hand waits, so that final hands can be counted. `dealt_down`: the next
    round uses the same shoe, so for side wagers the dealer draws only the cards that a table's dealer would draw. With
    fresh shoes that makes no difference, and drawing always is faster than checking.
    """
    return _compiled(tables, tuple(charts), tuple(wagers), draws_out, dealt_down)


@lru_cache(maxsize=16)
def _compiled(
    tables: Tables, charts: tuple[Chart, ...], wagers: tuple[SideWager, ...], draws_out: bool, dealt_down: bool
) -> Program:
    placed = tuple(wager_table(tables, wager) for wager in wagers)
    nodes = number_nodes(tables, charts)
    nets = _nets(tables, nodes.numbers.ends)
    sums = net_sums(nets, tables.split_hands, nodes.numbers.ends_from([node for node, _ in nodes.second]))
    exact = payoff_scale(tables)
    scale = _scale(exact, nets, _MOST_IN_SHOES if dealt_down else _MOST_PARTS // tables.split_hands)
    builder = _LutBuilder()
    _add_cards(builder, tables, dealt_down)
    _add_players(builder, tables, nodes)
    _add_dealer(builder, tables)
    builder.table("net", _rounded(nets, exact, scale))
    builder.table("kind", sums.kinds)
    builder.size("kinds", sums.after.shape[1])
    builder.table("sum_after", sums.after)
    builder.size("sums", len(sums.sums))
    builder.table("sum_net", _rounded(sums.sums, exact, scale))
    builder.table("stake", [1 if end.raised == UNRAISED else 2 for end in nodes.numbers.ends])
    builder.size("hands", tables.split_hands)
    builder.size("draws_out", int(draws_out or (not dealt_down and any(wager.needs_dealer for wager in placed))))
    _add_wagers(builder, placed, live_lines_of(tables, placed if dealt_down else ()))
    lut, offsets = builder.build()
    return Program(
        lut=lut,
        offsets=offsets,
        ends=tuple(nodes.numbers.ends),
        **_net_results(nets, sums, exact),
        scale=scale,
        wagers=placed,
    )


def _add_cards(builder: _LutBuilder, tables: Tables, dealt_down: bool) -> None:
    cards = [card for card in DECK for _ in range(tables.decks)]
    builder.size("cards", len(cards))
    builder.size("dealt_down", int(dealt_down))
    builder.table("value", [*(card.value - 1 for card in cards), VALUE_COUNT])
    builder.table("rank", [*(card.rank for card in cards), 0])
    builder.table("suit", [*(card.suit for card in cards), 0])


def _add_players(builder: _LutBuilder, tables: Tables, nodes: Nodes) -> None:
    numbers = nodes.numbers
    builder.table("dealer_view", [nodes.views.index(dealer_view(tables, *values)) for values in TWO_VALUES])
    builder.size("dealer_views", len(nodes.views))
    builder.table("first", [numbers.of(node) for node in nodes.first])
    builder.table("second", [numbers.of(node) for node, _ in nodes.second])
    builder.table("again", [again for _, again in nodes.second])
    builder.table("most", [most_hands(tables, rank) for rank in range(RANK_COUNT)])
    builder.table("after", numbers.after())
    builder.size("settled", sum(not end.waits for end in numbers.ends))
    builder.size("ends", len(numbers.ends))
    builder.size("splits", numbers.splits)


def _add_dealer(builder: _LutBuilder, tables: Tables) -> None:
    builder.table("dealer", _dealer_first(tables))
    builder.table("dealer_after", _dealer_after(tables))
    builder.size("has_hole", int(tables.hole_card != "none"))


class _LutBuilder:
    """Named tables laid out one after another in `lut`, and sizes."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[np.int32]] = []
        self.end = 0
        self.named: dict[str, int] = {}

    def add(self, table: ArrayLike) -> int:
        """Append a table; return its offset."""
        begin = self.end
        self.arrays.append(np.asarray(table, np.int32).ravel())
        self.end += self.arrays[-1].size
        return begin

    def table(self, name: str, table: ArrayLike) -> None:
        """Append a table that `Offsets` names."""
        self.named[name] = self.add(table)

    def size(self, name: str, size: int) -> None:
        """Record a size that `Offsets` names."""
        self.named[name] = size

    def build(self) -> tuple[NDArray[np.int32], Offsets]:
        return np.concatenate(self.arrays), Offsets(**self.named)


def _add_wagers(builder: _LutBuilder, wagers: tuple[WagerTable, ...], live: LiveLines) -> None:
    """Add the wagers' tables, then one record per wager (see `kernels.play.side_wagers`)."""
    builder.table("decidable", live.decidable)
    builder.size("wagers", len(wagers))
    records: list[int] = []
    cells = 0
    for number, wager in enumerate(wagers):
        classes, finishes = wager.made.shape[1], wager.outcomes.shape[2]
        suits, made, ends = builder.add(wager.suits), builder.add(wager.made), builder.add(wager.finishes)
        outcomes, lines = builder.add(wager.outcomes), builder.add(live.wagers[number] if live.wagers else ())
        records += [wager.looks_at, suits, classes, made, ends, finishes, outcomes, lines, cells]
        cells += len(wager.cells)
    builder.table("wager", records)


def _nets(tables: Tables, ends: list[End]) -> NDArray[np.int64]:
    """Return [original or added stakes, end, dealer class] net results in parts of 1/`payoff_scale`."""
    every, scale = hand_payoffs_in_parts(tables), payoff_scale(tables)
    found = np.empty((2, len(ends), CLASS_COUNT), np.int64)
    for added, stakes in enumerate((StakesOnHand.ORIGINAL, StakesOnHand.ADDED)):
        for number, end in enumerate(ends):
            if end.cash is not None:
                found[added, number] = int(end.cash * scale)
            elif end.waits:
                found[added, number] = every[stakes + end.raised, end.player]
            else:
                found[added, number] = every[stakes + end.raised, end.player, ANY_DEALER]
    return found


def _scale(exact: int, nets: NDArray[np.int64], limit: int) -> int:
    """Return the parts per stake for which every net result fits: the exact number, or a power of two below it."""
    most = int(np.abs(nets).max())
    if most <= limit:
        return exact
    scale = 1
    while 2 * scale * most <= limit * exact:
        scale *= 2
    return scale


def _rounded(nets: NDArray[np.int64], exact: int, scale: int) -> NDArray[np.int64]:
    """Convert net results from parts of 1/exact to parts of 1/scale."""
    return nets if scale == exact else np.rint(nets / exact * scale).astype(np.int64)


class _NetResults(TypedDict):
    nets: tuple[Fraction, ...]
    of_cell: NDArray[np.intp]
    of_sum: NDArray[np.intp]


def _net_results(nets: NDArray[np.int64], sums: NetSums, scale: int) -> _NetResults:
    """Return the distinct net results of a round, and the index of each cell and each sum among them."""
    alone = nets[0].ravel()
    every, place = np.unique(np.concatenate([alone, sums.sums]), return_inverse=True)
    return _NetResults(
        nets=tuple(Fraction(parts, scale) for parts in every.tolist()),
        of_cell=place[: alone.size],
        of_sum=place[alone.size :],
    )


def _dealer_first(tables: Tables) -> list[int]:
    """Return [upcard and hole card] dealer hands; without a hole card, the upcard alone."""
    if tables.hole_card == "none":
        return [DEALER_ALONE + up - 1 for up, _ in TWO_VALUES]
    return [_two_cards(tables, *values) for values in TWO_VALUES]


def _dealer_after(tables: Tables) -> list[list[int]]:
    """Return [unfinished hand, value or no card] transitions."""
    hands = [(total, soft) for total in range(22) for soft in (False, True)]
    values = range(1, VALUE_COUNT + 1)
    after = tables.dealer_draws.after
    drawn = [[_dealer_hand(after(*hand, 2), *add(*hand, value)) for value in values] for hand in hands]
    rows = drawn + [[_two_cards(tables, up, value) for value in values] for up in values]
    return [[*row, DEALER_SHORT] for row in rows]


def _two_cards(tables: Tables, first: int, second: int) -> int:
    total, soft = total_of((first, second))
    return DEALER_NATURAL if is_natural_total(total, 2) else _dealer_hand(tables.dealer_draws.usual, total, soft)


def _dealer_hand(mask: Mask, total: int, soft: bool) -> int:
    if total > 21:
        return dealer_class(Finished(total, 3, natural=False))
    if mask[total][soft]:
        return DEALER_OPEN + 2 * total + soft
    return dealer_class(Finished(total, 3, natural=False))
