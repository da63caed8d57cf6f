"""What changing one cell of a chart gains, exactly, for all cells from a single solution of the game.

A hand never comes to the same row twice: hard totals only grow, and so do soft ones until they become hard for good. So
how often hands come to a row, and what each action is then worth, do not depend on what the row says; the value of the
game is linear in it. The same holds for every level of a split (`split_levels`), and splitting is a weighted sum of
levels. A pair's row is met by the first two cards, and by the pair that is made after a split and kept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.exact.analysis import Played, deal_worths
from holecard.exact.distribution.round_distribution import no_flow
from holecard.exact.main.initial_deals import splits_by_rank, tens_of_one_rank
from holecard.exact.main.initial_hands import Opening
from holecard.exact.main.policy import (
    KINDS,
    codes_by_kind,
    decide_openings,
    hand_kinds,
    pair_codes,
    start_columns,
    total_of,
)
from holecard.exact.main.prepared_game import TEN, Game
from holecard.exact.splits.levels import Level, PairHands, pair_hands, pair_levels
from holecard.exact.splits.pair_weights import levels, weights
from holecard.exact.splits.split_ev import kept_weights
from holecard.kernels.exact.actions import DOUBLE, DOUBLE_UP, HIT, Allowed, Values, decide
from holecard.kernels.exact.forward import Flow, flow
from holecard.kernels.exact.split_pair import SplitRows

Floats = NDArray[np.float64]
#: What is done with the first two cards, given what the chart would do.
FirstActions = Callable[[Played, Layout, Opening, list[str]], list[str]]


def as_charted(_played: Played, _layout: Layout, _opening: Opening, actions: list[str]) -> list[str]:
    """What the chart does."""
    return actions


def column_values(played: Played, layout: Layout, opening: Opening, actions: list[str]) -> Floats:
    """[column] what the deals of an opening add to the value of the game; an illegal action is the worst there is."""
    worths = deal_worths(played, opening, actions)
    weighed = np.where(opening.chance > 0, opening.chance * np.where(np.isnan(worths), -np.inf, worths), 0.0)
    return _by_column(played.game, layout, weighed)


def _by_column(game: Game, layout: Layout, by_start: Floats | NDArray[np.bool_]) -> Floats:
    found = np.zeros(len(layout.columns))
    np.add.at(found, list(start_columns(game, layout)), by_start)
    return found


class SplitShoe:
    """What no chart changes: split hands as they stand, and how much each level counts."""

    def __init__(self, played: Played) -> None:
        game, counts = played.game, played.solution.counts
        self.pairs = [pair_hands(game, rank) for rank in played.solution.splits]
        shares = [("all", game.original)]
        if not game.rows.split_alike:
            shares = [("original", game.original), ("added", game.added)]
        self.shares: list[tuple[str, SplitRows, dict[int, list[Level]]]] = [
            (share, rows, pair_levels(game, counts, self.pairs, rows) if self.pairs else {}) for share, rows in shares
        ]
        self.weights = {
            (pair.rank, share): _level_weights(played, pair.rank, share) for pair in self.pairs for share, _ in shares
        }


def _level_weights(played: Played, rank: int, share: str) -> tuple[Floats, Floats, Floats]:
    """[level, start] of hands begun, of hands paired, and of tens paired in their rank that are kept."""
    game, counts, starts = played.game, played.solution.counts, played.game.dealer.starts
    cards, most = counts.sum() - starts.cards.sum(axis=1), game.most_hands(rank)
    begun = np.zeros((levels(most), cards.size))
    if rank != TEN or not splits_by_rank(game):
        return *weights(counts[rank] - starts.cards[:, rank], cards, most, share), begun
    paired, kept = begun.copy(), begun.copy()
    for start, cases in enumerate(tens_of_one_rank(game, played.shoe)):
        whole = sum(chance for _, chance in cases)
        for pair_left, chance in cases:
            left, here = np.array([pair_left]), cards[start : start + 1]
            of_begun, of_paired = weights(left, here, most, share)
            of_kept = kept_weights(left, here, most, share)
            begun[:, start] += chance / whole * of_begun[:, 0]
            paired[:, start] += chance / whole * (of_paired - of_kept)[:, 0]
            kept[:, start] += chance / whole * of_kept[:, 0]
    return begun, paired, kept


class CellGains:
    """One chart solved: what every row adds to the value of the game, for what any chart might say in it."""

    def __init__(self, played: Played, chart: Chart, split: SplitShoe, first: FirstActions = as_charted) -> None:
        self.played, self.game, self.layout = played, played.game, chart.layout
        self.chart, self.first = chart, first
        hands = self.game.hands
        shape = (4, hands.size.size, len(self.game.dealer.shown))
        #: [action, hand, start] for hands after a hit, made by splitting, and of split aces with one card
        self.later = {"before": np.zeros(shape), "after": np.zeros(shape), "lone": np.zeros(shape)}
        #: by rank of the pair: [action, start] of a pair that is kept, for each pair that is split
        self.kept: dict[int, Floats] = {}
        self.split_chance: dict[int, Floats] = {}
        self._hit_on()
        for pair in split.pairs:
            self._split_on(pair, split)
        self.by_kind = {name: self._by_kind(name) for name in self.later}
        self.now = self.of_totals(chart)

    def _allowed(self, name: str) -> Allowed:
        return {"before": self.game.before, "after": self.game.after, "lone": self.game.lone}[name]

    def _hit_on(self) -> None:
        """First hands after a hit."""
        game, solution = self.game, self.played.solution
        chances = no_flow(*self.later["before"].shape[1:])
        for opening, actions in self.played.decided:
            if opening.is_natural:
                continue
            done = np.array(self.first(self.played, self.layout, opening, actions))
            chances.hit[opening.hand] += np.where(done == "hit", opening.chance, 0.0)
            if opening.is_pair:
                self.split_chance[opening.low - 1] = np.where(done == "split", opening.chance, 0.0)
        flow(solution.counts, game.arrays, game.dealer.starts, solution.plans.before, chances)
        coming = np.where((game.hands.size > 2)[:, None], _coming(chances), 0.0)
        standing, values = solution.standing, solution.values
        for action, worth in enumerate((standing.plain, values.hit, values.double, standing.doubled_up)):
            self.later["before"][action] = coming * worth

    def _split_on(self, pair: PairHands, split: SplitShoe) -> None:
        """Hands made by splitting a pair: each level like first hands from a smaller shoe."""
        game, rank = self.game, pair.rank
        lone = game.is_lone(rank)
        plan = (self.played.solution.plans.lone if lone else self.played.solution.plans.after)[pair.which]
        total = np.zeros((4, *plan.shape))
        kept_tens = np.zeros((4, plan.shape[1]))
        for share, rows, of_pair in split.shares:
            begun, paired, kept = split.weights[rank, share]
            for number, level in enumerate(of_pair[rank]):
                values = Values(*(np.zeros(plan.shape) for _ in range(3)))
                starts, bust = game.dealer.starts, (rows.bust, rows.doubled_bust)
                decide(level.counts, pair.hands, starts, level.standing, pair.allowed, *bust, plan, True, values)
                coming = self._coming(pair, level, plan, begun[number], paired[number])
                worths = level.standing.plain, values.hit, values.double, level.standing.doubled_up
                for action, worth in enumerate(worths):
                    total[action] += coming * worth
                    kept_tens[action] += kept[number] * worth[pair.two]
        by_rank = rank == TEN and self.layout.pairs_by_rank
        self.kept[rank] = kept_tens if by_rank else total[:, pair.two].copy()
        total[:, [pair.one] if by_rank else [pair.one, pair.two]] = 0.0  # these decide nothing, or by their own row
        self.later["lone" if lone else "after"][:, pair.which] += total * self._chance(rank)

    def _coming(self, pair: PairHands, level: Level, plan: NDArray[np.uint8], begun: Floats, paired: Floats) -> Floats:
        """[hand of the pair, start] how much a hand counts in the value of a split."""
        chances = no_flow(*plan.shape)
        chances.hit[pair.one] = begun
        into = {HIT: chances.hit, DOUBLE: chances.doubled, DOUBLE_UP: chances.stands_doubled_up}
        for start, action in enumerate(plan[pair.two].tolist()):
            into.get(action, chances.stands)[pair.two, start] += paired[start]
        flow(level.counts, pair.hands, self.game.dealer.starts, plan, chances)
        return _coming(chances)

    def _chance(self, rank: int) -> Floats:
        """[start] how often a pair is dealt and split."""
        return self.split_chance.get(rank, np.zeros(len(self.game.dealer.shown)))

    def _by_kind(self, name: str) -> Floats:
        """[action, kind, start] hands of one kind together."""
        kinds = hand_kinds(self.game, self._allowed(name))
        order = np.argsort(kinds, kind="stable")
        present, first = np.unique(kinds[order], return_index=True)
        found = np.zeros((4, KINDS, len(self.game.dealer.shown)))
        found[:, present] = np.add.reduceat(self.later[name][:, order], first, axis=1)
        return found

    def of_totals(self, chart: Chart) -> Floats:
        """[row, column] what a total's row adds if it says what it says in this chart; pairs' rows are as they are."""
        game, layout = self.game, self.layout
        found = np.zeros((len(layout.rows), len(layout.columns)))
        for name, by_kind in self.by_kind.items():
            codes = codes_by_kind(game, chart, self._allowed(name)).astype(np.int64)
            picked = np.take_along_axis(by_kind, codes[None], axis=0)[0]
            for kind in np.flatnonzero(picked.any(axis=1)).tolist():
                self._add(found, total_of(kind), picked[kind])
        for rank in self.kept:
            self._add(found, self._total(int(game.hands.two[rank, rank])), self._chance(rank) * self._kept(chart, rank))
        for opening, actions in decide_openings([opening for opening, _ in self.played.decided], chart, game):
            row = layout.row(*self._total(opening.hand))
            if row is not None and not opening.is_natural:
                done = self.first(self.played, layout, opening, actions)
                found[row] += column_values(self.played, layout, opening, done)
        return found

    def changes_longer(self, chart: Chart) -> NDArray[np.bool_]:
        """[row, column] this chart does something else with a first hand of three cards or more."""
        game, layout = self.game, self.layout
        one, other = (codes_by_kind(game, by, game.before) for by in (chart, self.chart))
        found = np.zeros((len(layout.rows), len(layout.columns)))
        for kind in np.unique(hand_kinds(game, game.before)[game.hands.size > 2]).tolist():
            self._add(found, total_of(kind), one[kind] != other[kind])
        return found > 0

    def of_pairs(self, chart: Chart) -> Floats:
        """[row, column] what a pair's row adds if it says what it says in this chart; totals' rows are as they are."""
        game, layout = self.game, self.layout
        found = np.zeros((len(layout.rows), len(layout.columns)))
        pairs = [opening for opening, _ in self.played.decided if opening.is_pair and not opening.is_natural]
        for opening, actions in decide_openings(pairs, chart, game):
            row, rank = layout.pair_row(opening.low), opening.low - 1
            if row is not None:
                found[row] = column_values(self.played, layout, opening, actions)
                if rank in self.kept:
                    split = np.where(np.array(actions) == "split", opening.chance, 0.0)
                    more = self._kept(chart, rank) - self._kept(self.chart, rank)
                    found[row] += _by_column(game, layout, split * more)
        return found

    def _kept(self, chart: Chart, rank: int) -> Floats:
        """[start] what a pair that is kept is worth, played by a chart."""
        codes = pair_codes(self.game, chart, self.game.lone if self.game.is_lone(rank) else self.game.after, rank + 1)
        kept: Floats = np.take_along_axis(self.kept[rank], codes.astype(np.int64)[None], axis=0)[0]
        return kept

    def _total(self, hand: int) -> tuple[int, bool]:
        return int(self.game.hands.total[hand]), bool(self.game.hands.soft[hand])

    def _add(self, found: Floats, total: tuple[int, bool], by_start: Floats | NDArray[np.bool_]) -> None:
        row = self.layout.row(*total)
        if row is not None:
            found[row] += _by_column(self.game, self.layout, by_start)


def _coming(chances: Flow) -> Floats:
    """[hand, start] how often a hand decides."""
    return chances.hit + chances.doubled + chances.stands + chances.stands_doubled_up
