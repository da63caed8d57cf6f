"""Exact gains of changing one cell of a chart, for all cells from a single solution of the game.

A hand never reaches the same row twice: hard totals only grow, and so do soft ones until they become hard for good. So
how often hands reach a row, and the EV of each action there, do not depend on what the row says: the EV of the game
is linear in it. The same holds for every level of a split (`splits.levels`), and splitting is a weighted sum of levels.
A pair's row is used for the first two cards, and for the pair that is made after a split and kept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.exact.main.deal_probabilities import splits_by_rank, tens_of_one_rank
from holecard.exact.main.initial_hands import InitialHand
from holecard.exact.main.policy import (
    HAND_KINDS,
    codes_by_kind,
    decide_initial_hands,
    hand_kinds,
    kind_total,
    pair_codes,
    start_columns,
)
from holecard.exact.main.prepared_game import TEN, PreparedGame
from holecard.exact.main.reach import decision_frequency, empty_reach
from holecard.exact.solved_game import SolvedGame, deal_evs
from holecard.exact.splits.pair_levels import Level, PairHands, pair_hands, pair_levels
from holecard.exact.splits.pair_weights import levels, weights
from holecard.exact.splits.split_ev import kept_pair_weights
from holecard.kernels.arrays import Flags, Floats, UInt8s
from holecard.kernels.exact.actions import DOUBLE_CODE, DOUBLE_UP_CODE, HIT_CODE, ActionEVs, Allowed, fill_action_evs
from holecard.kernels.exact.forward import forward
from holecard.kernels.exact.split_batch import SplitRows

#: What is done with the first two cards, given what the chart says.
FirstActions = Callable[[SolvedGame, Layout, InitialHand, list[str]], list[str]]


def as_charted(_played: SolvedGame, _layout: Layout, _initial_hand: InitialHand, actions: list[str]) -> list[str]:
    """Return what the chart does."""
    return actions


def column_evs(solved: SolvedGame, layout: Layout, initial: InitialHand, actions: list[str]) -> Floats:
    """Return [column] what the deals of an initial hand add to the EV of the game; -inf for an illegal action."""
    evs = deal_evs(solved, initial, actions)
    weighted = np.where(initial.probability > 0, initial.probability * np.where(np.isnan(evs), -np.inf, evs), 0.0)
    return _by_column(solved.game, layout, weighted)


def _by_column(game: PreparedGame, layout: Layout, by_start: Floats | Flags) -> Floats:
    """Return [column] the sum over its starts."""
    found = np.zeros(len(layout.columns))
    np.add.at(found, list(start_columns(game, layout)), by_start)
    return found


class SplitShoe:
    """What no chart changes: EVs of split hands that stand, and the weight of each level."""

    def __init__(self, solved: SolvedGame) -> None:
        game, counts = solved.game, solved.solution.counts
        self.pairs = [pair_hands(game, v) for v in solved.solution.splits]
        shares = [("all", game.original)]
        if not game.rows.split_alike:
            shares = [("original", game.original), ("added", game.added)]
        self.shares: list[tuple[str, SplitRows, dict[int, list[Level]]]] = [
            (share, rows, pair_levels(game, counts, self.pairs, rows) if self.pairs else {}) for share, rows in shares
        ]
        self.weights = {
            (pair.card, share): _level_weights(solved, pair.card, share) for pair in self.pairs for share, _ in shares
        }


def _level_weights(solved: SolvedGame, v: int, share: str) -> tuple[Floats, Floats, Floats]:
    """Return [level, start] weights of hands begun, of hands paired, and of tens paired in their rank and kept."""
    game, counts, starts = solved.game, solved.solution.counts, solved.game.dealer.starts
    cards, most = counts.sum() - starts.cards.sum(axis=1), game.most_hands(v)
    begun = np.zeros((levels(most), cards.size))
    if v != TEN or not splits_by_rank(game):
        return *weights(counts[v] - starts.cards[:, v], cards, most, share), begun
    paired, kept = begun.copy(), begun.copy()
    for start, cases in enumerate(tens_of_one_rank(game, solved.shoe)):
        whole = sum(probability for _, probability in cases)
        for pair_left, probability in cases:
            left, here = np.array([pair_left]), cards[start : start + 1]
            of_begun, of_paired = weights(left, here, most, share)
            of_kept = kept_pair_weights(left, here, most, share)
            begun[:, start] += probability / whole * of_begun[:, 0]
            paired[:, start] += probability / whole * (of_paired - of_kept)[:, 0]
            kept[:, start] += probability / whole * of_kept[:, 0]
    return begun, paired, kept


class CellGains:
    """One chart solved: what every row contributes to the EV of the game, for whatever a chart may say in it."""

    def __init__(self, solved: SolvedGame, chart: Chart, split: SplitShoe, first: FirstActions = as_charted) -> None:
        self.solved, self.game, self.layout = solved, solved.game, chart.layout
        self.chart, self.first = chart, first
        hands = self.game.hands
        shape = (4, hands.size.size, len(self.game.dealer.shown))
        #: [action, hand, start] EV contributions of first hands after a hit, split hands, and one-card aces
        self.later = {"first_hand": np.zeros(shape), "split_hand": np.zeros(shape), "one_card_ace": np.zeros(shape)}
        #: by v of the pair: [action, start] EV contributions of a pair that is kept after a split
        self.kept: dict[int, Floats] = {}
        self.split_probability: dict[int, Floats] = {}
        self._hit_on()
        for pair in split.pairs:
            self._split_on(pair, split)
        self.by_kind = {name: self._by_kind(name) for name in self.later}
        self.now = self.of_totals(chart)

    def _allowed(self, name: str) -> Allowed:
        return {
            "first_hand": self.game.first_hand,
            "split_hand": self.game.split_hand,
            "one_card_ace": self.game.one_card_ace,
        }[name]

    def _hit_on(self) -> None:
        """Add first hands after a hit."""
        game, solution = self.game, self.solved.solution
        probabilities = empty_reach(*self.later["first_hand"].shape[1:])
        for initial, actions in self.solved.decisions:
            if initial.is_natural:
                continue
            done = np.array(self.first(self.solved, self.layout, initial, actions))
            probabilities.hit[initial.hand] += np.where(done == "hit", initial.probability, 0.0)
            if initial.is_pair:
                self.split_probability[initial.low - 1] = np.where(done == "split", initial.probability, 0.0)
        forward(solution.counts, game.arrays, game.dealer.starts, solution.policies.first_hand, probabilities)
        frequency = np.where((game.hands.size > 2)[:, None], decision_frequency(probabilities), 0.0)
        standing, values = solution.stand_evs, solution.action_evs
        for action, ev in enumerate((standing.plain, values.hit, values.double, standing.doubled_up)):
            self.later["first_hand"][action] = frequency * ev

    def _split_on(self, pair: PairHands, split: SplitShoe) -> None:
        """Add hands made by splitting a pair: each level is played like first hands from a smaller shoe."""
        game, v = self.game, pair.card
        one_card = game.gets_one_card(v)
        policy = (self.solved.solution.policies.one_card_ace if one_card else self.solved.solution.policies.split_hand)[
            pair.which
        ]
        total = np.zeros((4, *policy.shape))
        kept_tens = np.zeros((4, policy.shape[1]))
        for share, rows, of_pair in split.shares:
            begun, paired, kept = split.weights[v, share]
            for number, level in enumerate(of_pair[v]):
                values = ActionEVs(*(np.zeros(policy.shape) for _ in range(3)))
                starts, bust = game.dealer.starts, (rows.bust, rows.doubled_bust)
                fill_action_evs(
                    level.counts, pair.hands, starts, level.stand_evs, pair.allowed, *bust, policy, True, values
                )
                frequency = self._frequency(pair, level, policy, begun[number], paired[number])
                evs = level.stand_evs.plain, values.hit, values.double, level.stand_evs.doubled_up
                for action, ev in enumerate(evs):
                    total[action] += frequency * ev
                    kept_tens[action] += kept[number] * ev[pair.two]
        by_rank = v == TEN and self.layout.pairs_by_rank
        self.kept[v] = kept_tens if by_rank else total[:, pair.two].copy()
        total[:, [pair.one] if by_rank else [pair.one, pair.two]] = (
            0.0  # they decide nothing, or decide by their own row
        )
        self.later["one_card_ace" if one_card else "split_hand"][:, pair.which] += total * self._probability(v)

    def _frequency(self, pair: PairHands, level: Level, policy: UInt8s, begun: Floats, paired: Floats) -> Floats:
        """Return [hand of the pair, start] the weight of a hand in the EV of a split."""
        probabilities = empty_reach(*policy.shape)
        probabilities.hit[pair.one] = begun
        into = {
            HIT_CODE: probabilities.hit,
            DOUBLE_CODE: probabilities.doubled,
            DOUBLE_UP_CODE: probabilities.stands_doubled_up,
        }
        for start, action in enumerate(policy[pair.two].tolist()):
            into.get(action, probabilities.stands)[pair.two, start] += paired[start]
        forward(level.counts, pair.hands, self.game.dealer.starts, policy, probabilities)
        return decision_frequency(probabilities)

    def _probability(self, v: int) -> Floats:
        """Return [start] P(the pair is dealt and split)."""
        return self.split_probability.get(v, np.zeros(len(self.game.dealer.shown)))

    def _by_kind(self, name: str) -> Floats:
        """Return [action, kind, start] the contributions of hands of one kind together."""
        kinds = hand_kinds(self.game, self._allowed(name))
        order = np.argsort(kinds, kind="stable")
        present, first = np.unique(kinds[order], return_index=True)
        found = np.zeros((4, HAND_KINDS, len(self.game.dealer.shown)))
        found[:, present] = np.add.reduceat(self.later[name][:, order], first, axis=1)
        return found

    def of_totals(self, chart: Chart) -> Floats:
        """Return [row, column] what a total's row contributes if it says what this chart says; pairs' rows stay."""
        game, layout = self.game, self.layout
        found = np.zeros((len(layout.rows), len(layout.columns)))
        for name, by_kind in self.by_kind.items():
            codes = codes_by_kind(game, chart, self._allowed(name)).astype(np.int64)
            picked = np.take_along_axis(by_kind, codes[None], axis=0)[0]
            for kind in np.flatnonzero(picked.any(axis=1)).tolist():
                self._add(found, kind_total(kind), picked[kind])
        for v in self.kept:
            self._add(found, self._total(int(game.hands.two[v, v])), self._probability(v) * self._kept(chart, v))
        for initial, actions in decide_initial_hands([initial for initial, _ in self.solved.decisions], chart, game):
            row = layout.row(*self._total(initial.hand))
            if row is not None and not initial.is_natural:
                done = self.first(self.solved, layout, initial, actions)
                found[row] += column_evs(self.solved, layout, initial, done)
        return found

    def changes_longer(self, chart: Chart) -> Flags:
        """Return [row, column] whether this chart does something else with a first hand of three or more cards."""
        game, layout = self.game, self.layout
        one, other = (codes_by_kind(game, by, game.first_hand) for by in (chart, self.chart))
        found = np.zeros((len(layout.rows), len(layout.columns)))
        for kind in np.unique(hand_kinds(game, game.first_hand)[game.hands.size > 2]).tolist():
            self._add(found, kind_total(kind), one[kind] != other[kind])
        return found > 0

    def of_pairs(self, chart: Chart) -> Floats:
        """Return [row, column] what a pair's row contributes if it says what this chart says; totals' rows stay."""
        game, layout = self.game, self.layout
        found = np.zeros((len(layout.rows), len(layout.columns)))
        pairs = [initial for initial, _ in self.solved.decisions if initial.is_pair and not initial.is_natural]
        for initial, actions in decide_initial_hands(pairs, chart, game):
            row, v = layout.pair_row(initial.low), initial.low - 1
            if row is not None:
                found[row] = column_evs(self.solved, layout, initial, actions)
                if v in self.kept:
                    split = np.where(np.array(actions) == "split", initial.probability, 0.0)
                    more = self._kept(chart, v) - self._kept(self.chart, v)
                    found[row] += _by_column(game, layout, split * more)
        return found

    def _kept(self, chart: Chart, v: int) -> Floats:
        """Return [start] the EV of a pair that is kept, played by a chart."""
        codes = pair_codes(
            self.game, chart, self.game.one_card_ace if self.game.gets_one_card(v) else self.game.split_hand, v + 1
        )
        kept: Floats = np.take_along_axis(self.kept[v], codes.astype(np.int64)[None], axis=0)[0]
        return kept

    def _total(self, hand: int) -> tuple[int, bool]:
        return int(self.game.hands.total[hand]), bool(self.game.hands.soft[hand])

    def _add(self, found: Floats, total: tuple[int, bool], by_start: Floats | Flags) -> None:
        row = self.layout.row(*total)
        if row is not None:
            found[row] += _by_column(self.game, self.layout, by_start)
