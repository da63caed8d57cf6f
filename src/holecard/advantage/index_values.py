"""What each cell of a chart contributes to the EV of the game, by the count that the player reads when deciding.

The game is solved from the expected shoe at several counts before the round (`expected_shoe`), at one depth. For every
way to play a row, this gives the EV of its hands, by the sum of the tags of the cards that the player sees: the hand
and the dealer's visible cards. Between the solved counts, EVs are interpolated. Each point of `count_spread` then puts
its hands into the reading that the player has after these cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from holecard.advantage.count_spread import CountSpread, count_readings
from holecard.advantage.expected_shoe import expected_cards, expected_excess_limits, solve_expected
from holecard.charts.chart import Chart
from holecard.charts.layout import Row
from holecard.exact.charts.cell_weights import CellWeights, cell_weights
from holecard.exact.main.deal_probabilities import deal_probabilities
from holecard.exact.main.policy import start_columns
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.solved_game import game_ev
from holecard.kernels.arrays import Floats, Integers
from holecard.sheets.schema import RuleSheet

#: Solved counts, evenly spaced over the counts that occur.
_GRID = 25
_TEN = 9


@dataclass(frozen=True, eq=False)
class SolvedCounts:
    """A game solved at several counts before the round."""

    sheet: RuleSheet
    spread: CountSpread
    unseen: float
    """cards not seen, at the depth at which the game is solved"""
    excess: Floats
    """[grid] the solved counts"""
    weights: tuple[CellWeights, ...]
    evs: Floats
    """[grid] EV of the game"""
    counts: Floats
    """[grid, v] expected cards"""

    @property
    def game(self) -> PreparedGame:
        return self.weights[0].game

    def between(self, excess: Floats) -> tuple[Integers, Floats]:
        """Return the solved count below each excess, and how far it is to the next, from 0 to 1."""
        step = self.excess[1] - self.excess[0]
        place = np.clip((excess - self.excess[0]) / step, 0, self.excess.size - 1)
        low = np.minimum(place.astype(np.int64), self.excess.size - 2)
        return low, place - low

    def at_points(self, values: Floats) -> Floats:
        """Return [point, …] values of the solved counts [grid, …], at the points of the spread."""
        low, share = self.between(self.spread.excess)
        share = share.reshape(-1, *[1] * (values.ndim - 1))
        found: Floats = values[low] * (1 - share) + values[low + 1] * share
        return found


def solved_counts(sheet: RuleSheet, spread: CountSpread, chart: Chart, cut: int) -> SolvedCounts:
    """Solve the game at the counts of a spread, halfway to the cut card; `chart` says which pairs are split or kept."""
    unseen = 52 * spread.decks * (1 - cut / 200)
    lowest, highest = expected_excess_limits(spread.count, unseen)
    excess = np.linspace(max(spread.excess.min(), lowest), min(spread.excess.max(), highest), _GRID)
    weights, evs, counts = [], [], []
    for one in excess.tolist():
        solved = solve_expected(sheet, expected_cards(spread.count, unseen, one))
        weights.append(_settled(cell_weights(solved), chart))
        evs.append(game_ev(solved))
        counts.append(solved.solution.counts)
    return SolvedCounts(sheet, spread, unseen, excess, tuple(weights), np.array(evs), np.array(counts))


def _settled(weights: CellWeights, chart: Chart) -> CellWeights:
    columns = np.array(start_columns(weights.game, chart.layout))
    for row, cells in zip(chart.layout.rows, chart.cells, strict=True):
        if row.pair is not None:
            for column, cell in enumerate(cells):
                weights.settle_pair(row.pair, cell, columns == column)
    return weights


@dataclass(eq=False)
class ReadingValues:
    """[reading, column] EV contributions of the ways to play each row, at one unit and with the bets of a spread."""

    solved: SolvedCounts
    chart: Chart
    bets: Floats
    """[point] units bet before the round"""
    _kept: dict[tuple[int, str], tuple[Floats, Floats]] = field(default_factory=dict)
    _by_group: dict[tuple[int, str], tuple[Floats, Integers]] = field(default_factory=dict)
    _orders: dict[bytes, tuple[Integers, Integers, Integers]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        solved = self.solved
        game, spread = solved.game, solved.spread
        tags = np.array(spread.count.tags, np.float64).reshape(13, 4).mean(axis=1)
        by_value = np.append(tags[:9], tags[9:].mean())
        self.columns = np.array(start_columns(game, self.chart.layout))
        hand_tags = np.round(game.hands.cards @ by_value, 9)
        #: [hand] number of its group: hands with one sum of tags and one number of cards
        keys = np.stack([hand_tags, game.hands.size.astype(np.float64)], axis=1)
        groups, self.group_of = np.unique(keys, axis=0, return_inverse=True)
        shown = np.array([[value - 1 for value in start] for start in game.dealer.shown])
        self.tags = groups[:, :1] + by_value[shown].sum(axis=1)[None]
        self.cards = groups[:, 1:] + shown.shape[1]
        every = self.solved.spread.readings()
        #: Readings that occur: those before the round, and some more after the cards of the round.
        self.lowest = int(every.min()) - 3
        self.size = int(every.max()) + 3 - self.lowest + 1

    def of_cell(self, row: int, cell: str) -> tuple[Floats, Floats]:
        """Return the values if a row does what a cell says: flat bets, and bets by the spread."""
        key = row, cell
        if key not in self._kept:
            by_group, used = self.by_group(row, cell)
            self._kept[key] = self._summed(self.solved.at_points(by_group), used)
        return self._kept[key]

    def by_group(self, row: int, cell: str) -> tuple[Floats, Integers]:
        """Return [grid, group, start] EV contributions, and the groups that the row's hands belong to."""
        key = row, cell
        if key not in self._by_group:
            self._by_group[key] = self._summed_by_group(self.chart.layout.rows[row], cell)
        return self._by_group[key]

    def _summed_by_group(self, row: Row, cell: str) -> tuple[Floats, Integers]:
        solved = self.solved
        every = np.ones(self.columns.size, np.bool_)
        found = np.zeros((solved.excess.size, len(self.tags), self.columns.size))
        for number, weights in enumerate(solved.weights):
            for hands, evs in weights.by_hand(row, cell, every):
                groups, order, first = self._sorted(hands)
                found[number, groups] += np.add.reduceat(evs[order], first, axis=0)
        found = np.nan_to_num(found)
        used = np.flatnonzero(np.abs(found).max(axis=(0, 2)) > 1e-12)
        return found[:, used], used

    def _sorted(self, hands: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the groups of some hands, the hands in the order of their groups, and where each group begins."""
        key = hands.tobytes()
        if key not in self._orders:
            order = np.argsort(self.group_of[hands], kind="stable")
            groups, first = np.unique(self.group_of[hands][order], return_index=True)
            self._orders[key] = groups, order, first
        return self._orders[key]

    def insurance(self) -> tuple[Floats, Floats] | None:
        """Return [reading, 1] values of insurance; None where it is not offered."""
        found = self.insurance_by_group()
        return None if found is None else self._summed(self.solved.at_points(found[0]), found[1], one_column=True)

    def insurance_by_group(self) -> tuple[Floats, Integers] | None:
        """Return [grid, group, start] EV contributions of insurance per unit of the main wager, and the groups."""
        solved, tables = self.solved, self.solved.sheet.tables
        shown = solved.game.dealer.shown
        if tables.insurance is None or (1,) not in shown:
            return None
        ace = shown.index((1,))
        low, high = np.array([(one, other) for one in range(1, 11) for other in range(one, 11)]).T
        hands = solved.game.hands.two[low - 1, high - 1]
        tens_held = (low == 10).astype(np.int64) + (high == 10)
        found = np.zeros((solved.excess.size, len(self.tags), self.columns.size))
        for number, counts in enumerate(solved.counts):
            probability = deal_probabilities(solved.game.dealer, counts, low, high)[:, ace]
            ten = (counts[_TEN] - tens_held) / (counts.sum() - 3)
            evs = float(tables.insurance_share) * (float(1 + tables.insurance) * ten - 1)
            np.add.at(found[number, :, ace], self.group_of[hands], probability * evs)
        used = np.unique(self.group_of[hands])
        return found[:, used], used

    def _summed(self, values: Floats, used: Integers, *, one_column: bool = False) -> tuple[Floats, Floats]:
        """Return [reading, column] sums over the points, groups and starts: at one unit, and with the bets."""
        spread = self.solved.spread
        columns = np.zeros_like(self.columns) if one_column else self.columns
        width = 1 if one_column else len(self.chart.layout.columns)
        tags, cards = self.tags[used], np.broadcast_to(self.cards[used], self.tags[used].shape)
        shape = (-1, 1, 1)
        readings = spread_readings(spread, tags, cards) - self.lowest
        place = np.clip(readings, 0, self.size - 1) * width + columns
        flat = values * spread.probability.reshape(shape)
        at_one, at_bets = (
            np.bincount(place.ravel(), weighted.ravel(), self.size * width).astype(np.float64)
            for weighted in (flat, flat * self.bets.reshape(shape))
        )
        return at_one.reshape(self.size, width), at_bets.reshape(self.size, width)


def spread_readings(spread: CountSpread, tags: Floats, cards: Floats) -> Integers:
    """Return [point, group, start] the readings after cards with these tags [group, start] were seen."""
    total = spread.total[:, None, None] + tags[None]
    return count_readings(spread.count, spread.decks, total, spread.seen[:, None, None] + cards[None])
