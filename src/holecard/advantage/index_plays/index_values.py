"""What each cell of a chart contributes to the EV of the game, by the count that the player reads when deciding.

The game is solved from the expected shoe at several counts (`expected_shoe`). For every way to play a row, this gives
the EVs of its hands, by the sum of the tags of the cards that the player sees: the hand and the dealer's visible cards.
Between the solved counts, EVs are interpolated. Over all counts, hands come as often as from a full shoe; together with
one count, as often as this count is met in a shoe without the hand's cards. Each point of `count_distribution` then
puts its hands into the reading that the player has after these cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from holecard.advantage.index_plays.count_distribution import CountDistribution, count_readings
from holecard.advantage.index_plays.expected_shoe import (
    expected_cards,
    expected_excess_limits,
    expected_factors,
    solve_expected,
)
from holecard.charts.chart import Chart
from holecard.charts.layout import Row
from holecard.exact.charts.cell_weights import CellWeights, cell_weights
from holecard.exact.main.deal_probabilities import deal_probabilities
from holecard.exact.main.policy import start_columns
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.solved_game import game_ev
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.sheets.schema import RuleSheet

#: Solved counts, evenly spaced over the counts that occur.
_GRID = 25
_TEN = 9
#: [v] cards of one deck
_DECK = np.array([4.0] * 9 + [16.0])


@dataclass(frozen=True, eq=False)
class SolvedCounts:
    """A game solved at several counts."""

    sheet: RuleSheet
    distribution: CountDistribution
    unseen: float
    """cards not seen halfway to the cut card"""
    excess: Floats
    """[grid] the solved counts"""
    weights: tuple[CellWeights, ...]
    """[grid] EVs of hands that have been seen"""
    full: CellWeights
    """how often hands come from a full shoe"""
    evs: Floats
    """[grid] EV of the game, played by the chart"""

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
        """Return [point] values of the solved counts [grid], at the counts of the distribution before the round."""
        low, share = self.between(self.distribution.excess)
        found: Floats = values[low] * (1 - share) + values[low + 1] * share
        return found

    def of_hands(self, values: Floats, excess: Floats) -> Floats:
        """Return [point, group, start] values of the solved counts [grid, group, start], where `excess` says."""
        low, share = self.between(excess)
        group, start = np.indices(values.shape[1:])
        found: Floats = values[low, group, start] * (1 - share) + values[low + 1, group, start] * share
        return found


def solved_counts(sheet: RuleSheet, distribution: CountDistribution, chart: Chart, cut: int) -> SolvedCounts:
    """Solve the game at the counts of a distribution; `chart` says which pairs are split or kept."""
    count, cards = distribution.count, 52 * distribution.decks
    lowest, highest = expected_excess_limits(count, cards)
    excess = np.linspace(max(distribution.excess.min(), lowest), min(distribution.excess.max(), highest), _GRID)
    shoes = [expected_cards(count, cards, one) for one in excess.tolist()]
    weights = (cell_weights(solve_expected(sheet, shoe)) for shoe in (*shoes, np.full(52, float(distribution.decks))))
    *by_count, full = (_settled(one, chart) for one in weights)
    evs = np.array([game_ev(solve_expected(sheet, shoe, chart)) for shoe in shoes])
    return SolvedCounts(sheet, distribution, cards * (1 - cut / 200), excess, tuple(by_count), full, evs)


def _settled(weights: CellWeights, chart: Chart) -> CellWeights:
    columns = np.array(start_columns(weights.game, chart.layout))
    for row, cells in zip(chart.layout.rows, chart.cells, strict=True):
        if row.pair is not None:
            for column, cell in enumerate(cells):
                weights.settle_pair(row.pair, cell, columns == column)
    return weights


class HandGroups(NamedTuple):
    """Hands of a row by group: those with one sum of tags and one number of cards."""

    met: Floats
    """[group, start] how often they come"""
    evs: Floats
    """[grid, group, start] their average EV"""
    tags: Floats
    cards: Floats
    """[group, start] sum of the tags and number of the cards that the player sees"""

    def of(self, starts: Flags) -> HandGroups:
        """Return them against some starts only."""
        return HandGroups(self.met[:, starts], self.evs[:, :, starts], self.tags[:, starts], self.cards[:, starts])


@dataclass(eq=False)
class ReadingValues:
    """[reading, column] EV contributions of the ways to play each row, at one unit and with the bets of a spread."""

    solved: SolvedCounts
    chart: Chart
    bets: Floats
    """[point] units bet before the round"""
    _kept: dict[tuple[int, str], tuple[Floats, Floats]] = field(default_factory=dict)
    _by_group: dict[tuple[int, str], HandGroups] = field(default_factory=dict)
    _orders: dict[bytes, tuple[Integers, Integers, Integers]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        solved = self.solved
        game, distribution = solved.game, solved.distribution
        tags = np.array(distribution.count.tags, np.float64).reshape(13, 4).mean(axis=1)
        by_value = np.append(tags[:9], tags[9:].mean())
        self.columns = np.array(start_columns(game, self.chart.layout))
        hand_tags = np.round(game.hands.cards @ by_value, 9)
        #: [hand] number of its group: hands with one sum of tags and one number of cards
        keys = np.stack([hand_tags, game.hands.size.astype(np.float64)], axis=1)
        groups, self.group_of = np.unique(keys, axis=0, return_inverse=True)
        shown = np.array([[value - 1 for value in start] for start in game.dealer.shown])
        self.tags = groups[:, :1] + by_value[shown].sum(axis=1)[None]
        self.cards = groups[:, 1:] + shown.shape[1]
        every = self.solved.distribution.readings()
        #: Readings that occur: those before the round, and some more after the cards of the round.
        self.lowest = int(every.min()) - 3
        self.size = int(every.max()) + 3 - self.lowest + 1

    def of_cell(self, row: int, cell: str) -> tuple[Floats, Floats]:
        """Return the values if a row does what a cell says: flat bets, and bets by the spread."""
        key = row, cell
        if key not in self._kept:
            self._kept[key] = self._summed(self.by_group(row, cell))
        return self._kept[key]

    def by_group(self, row: int, cell: str) -> HandGroups:
        """Return the row's hands by group, if they do what a cell says."""
        key = row, cell
        if key not in self._by_group:
            self._by_group[key] = self._summed_by_group(self.chart.layout.rows[row], cell)
        return self._by_group[key]

    def _summed_by_group(self, row: Row, cell: str) -> HandGroups:
        solved = self.solved
        every = np.ones(self.columns.size, np.bool_)
        met, won = np.zeros(self.tags.shape), np.zeros((solved.excess.size, *self.tags.shape))
        often = list(solved.full.by_hand(row, cell, every))
        for hands, frequency, _ in often:
            groups, order, first = self._sorted(hands)
            met[groups] += np.add.reduceat(frequency[order], first, axis=0)
        for number, weights in enumerate(solved.weights):
            for (hands, frequency, _), (same, _, evs) in zip(often, weights.by_hand(row, cell, every), strict=True):
                assert np.array_equal(hands, same)
                groups, order, first = self._sorted(hands)
                won[number, groups] += np.add.reduceat(np.nan_to_num(frequency * evs)[order], first, axis=0)
        return self._groups(met, won)

    def _groups(self, met: Floats, won: Floats) -> HandGroups:
        used = np.flatnonzero(met.max(axis=1) > 1e-12)
        met, won = met[used], won[:, used]
        evs = np.divide(won, met, out=np.zeros_like(won), where=met > 1e-15)
        return HandGroups(met, evs, self.tags[used], np.broadcast_to(self.cards[used], self.tags[used].shape))

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
        return None if found is None else self._summed(found, one_column=True)

    def insurance_by_group(self) -> HandGroups | None:
        """Return two cards against an ace by group, with EVs of insurance per unit of the main wager."""
        solved, tables = self.solved, self.solved.sheet.tables
        shown = solved.game.dealer.shown
        if tables.insurance is None or (1,) not in shown:
            return None
        ace = shown.index((1,))
        low, high = np.array([(one, other) for one in range(1, 11) for other in range(one, 11)]).T
        hands = solved.game.hands.two[low - 1, high - 1]
        seen = solved.game.hands.cards[hands] + np.eye(10)[0]
        shoe = _DECK * solved.distribution.decks
        met, won = np.zeros(self.tags.shape), np.zeros((solved.excess.size, *self.tags.shape))
        probability = deal_probabilities(solved.game.dealer, shoe, low, high)[:, ace]
        np.add.at(met[:, ace], self.group_of[hands], probability)
        for number, excess in enumerate(solved.excess.tolist()):
            left = (shoe - seen) * expected_factors(solved.distribution.count, excess)
            evs = float(tables.insurance_share) * (float(1 + tables.insurance) * left[:, _TEN] / left.sum(axis=1) - 1)
            np.add.at(won[number, :, ace], self.group_of[hands], probability * evs)
        return self._groups(met, won)

    def _summed(self, groups: HandGroups, *, one_column: bool = False) -> tuple[Floats, Floats]:
        """Return [reading, column] sums over the points, groups and starts: at one unit, and with the bets."""
        solved, distribution = self.solved, self.solved.distribution
        columns = np.zeros_like(self.columns) if one_column else self.columns
        width = 1 if one_column else len(self.chart.layout.columns)
        shape = (-1, 1, 1)
        readings = readings_after(distribution, groups.tags, groups.cards) - self.lowest
        place = np.clip(readings, 0, self.size - 1) * width + columns
        evs = solved.of_hands(groups.evs, distribution.seen_excess(groups.tags, groups.cards))
        likelihood = distribution.likelihood(groups.tags, groups.cards)
        flat = evs * groups.met * likelihood * distribution.probability.reshape(shape)
        at_one, at_bets = (
            np.bincount(place.ravel(), weighted.ravel(), self.size * width).astype(np.float64)
            for weighted in (flat, flat * self.bets.reshape(shape))
        )
        return at_one.reshape(self.size, width), at_bets.reshape(self.size, width)


def readings_after(distribution: CountDistribution, tags: Floats, cards: Floats) -> Integers:
    """Return [point, group, start] the readings after cards with these tags [group, start] were seen."""
    total = distribution.total[:, None, None] + tags[None]
    return count_readings(distribution.count, distribution.decks, total, distribution.seen[:, None, None] + cards[None])
