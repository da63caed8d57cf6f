"""What is done with every hand against every start: the best action, or what a chart says."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from holecard.exact.main.initial_hands import ACTION_ORDER, InitialHand
from holecard.exact.main.prepared_game import TEN, PreparedGame
from holecard.exact.main.solve import Policies
from holecard.kernels.arrays import Integers, UInt8s
from holecard.kernels.exact.actions import DOUBLE_CODE, DOUBLE_UP_CODE, HIT_CODE, STAND_CODE, TIE, ActionCodes, Allowed

if TYPE_CHECKING:
    from holecard.charts.chart import Chart
    from holecard.charts.layout import Layout

EARLY_SURRENDER = "early surrender"
CODES = {"stand": STAND_CODE, "hit": HIT_CODE, "double": DOUBLE_CODE, "double up": DOUBLE_UP_CODE}

Decisions = list[tuple[InitialHand, list[str]]]


def decide_initial_hands(initial_hands: list[InitialHand], chart: Chart | None, game: PreparedGame) -> Decisions:
    """Return what is done with every initial hand: the best action, or what the chart says; nothing with a natural."""
    decided = [initial for initial in initial_hands if not initial.is_natural]
    chosen = iter(_best(decided) if chart is None else [_by_chart(initial, chart, game) for initial in decided])
    return [
        (initial, [""] * initial.probability.size if initial.is_natural else next(chosen)) for initial in initial_hands
    ]


def _best(initial_hands: list[InitialHand]) -> list[list[str]]:
    """Return [initial hand, start] the best action; of equal ones, the first in ACTION_ORDER."""
    if not initial_hands:
        return []
    nowhere = np.full(initial_hands[0].probability.size, np.nan)
    best = np.array([initial.actions["stand"] for initial in initial_hands])
    which = np.zeros(best.shape, np.int64)
    for number, action in enumerate(ACTION_ORDER[1:], start=1):
        ev = np.array([initial.actions.get(action, nowhere) for initial in initial_hands])
        better = ev > best + TIE  # False where the action is not legal: NaN is not greater
        best, which = np.where(better, ev, best), np.where(better, number, which)
    known = np.array([(1 - initial.no_natural) * initial.payoff_against_natural for initial in initial_hands])
    early = np.array([initial.early_surrender_ev for initial in initial_hands]) > best + known + TIE
    names = (*ACTION_ORDER, EARLY_SURRENDER)
    return [[names[number] for number in row] for row in np.where(early, len(ACTION_ORDER), which).tolist()]


def _by_chart(initial: InitialHand, chart: Chart, game: PreparedGame) -> list[str]:
    """Return [start] what the chart does with an initial hand; it is asked about early surrender first."""
    total, soft = int(game.hands.total[initial.hand]), bool(game.hands.soft[initial.hand])
    pair, two = initial.low if initial.is_pair else None, (initial.low, initial.high)
    early = np.logical_not(np.isnan(initial.early_surrender_ev)).tolist()
    asked = chart.choose_by_column(total, soft, pair, ("surrender", "no surrender"), two)
    is_legal = np.logical_not(np.isnan(np.array(list(initial.actions.values())))).T.tolist()
    by_legal: dict[tuple[bool, ...], tuple[str, ...]] = {}
    found = []
    for column, is_early, open_ in zip(start_columns(game, chart.layout), early, map(tuple, is_legal), strict=True):
        if is_early and asked[column] == "surrender":
            found.append(EARLY_SURRENDER)
            continue
        if open_ not in by_legal:
            legal = tuple(compress(initial.actions, open_))
            by_legal[open_] = chart.choose_by_column(total, soft, pair, legal, two)
        found.append(by_legal[open_][column])
    return found


def start_columns(game: PreparedGame, layout: Layout) -> tuple[int, ...]:
    """Return [start] the chart's column."""
    return layout.columns_of(game.dealer.shown)


def policies_of(game: PreparedGame, chart: Chart) -> Policies:
    """Return the chart as policies: for first hands after a hit, split hands, and split aces that get one card."""
    allowed = (game.first_hand, game.split_hand, game.one_card_ace)
    first_hand, split_hand, one_card_ace = (_policy(game, chart, actions) for actions in allowed)
    return Policies(first_hand, split_hand, one_card_ace, _tens_of_one_rank(game, chart, split_hand))


def _policy(game: PreparedGame, chart: Chart, allowed: Allowed) -> ActionCodes:
    policy: ActionCodes = codes_by_kind(game, chart, allowed)[hand_kinds(game, allowed)]
    for value in range(1, 11):
        # Where pairs go by rank, the hand of two tens means tens of different rank, which are not a pair.
        if value < 10 or not chart.layout.pairs_by_rank:
            policy[game.hands.two[value - 1, value - 1]] = pair_codes(game, chart, allowed, value)
    return policy


#: Number of kinds of hands: 8 sets of allowed actions for each total, hard or soft.
HAND_KINDS = 8 * 2 * 22


def hand_kinds(game: PreparedGame, allowed: Allowed) -> Integers:
    """Return [hand] its kind; hands of one kind have the same total and may do the same things."""
    kinds: Integers = allowed.hit + 2 * allowed.double + 4 * allowed.double_up
    return kinds + 8 * (2 * game.hands.total + game.hands.soft)


def kind_total(kind: int) -> tuple[int, bool]:
    """Return the total of a kind, and whether it is soft."""
    total, soft = divmod(kind // 8, 2)
    return total, bool(soft)


def codes_by_kind(game: PreparedGame, chart: Chart, allowed: Allowed) -> ActionCodes:
    """Return [kind, start] the action of hands that are not pairs."""
    by_kind = np.zeros((HAND_KINDS, len(game.dealer.shown)), np.uint8)
    for kind in np.unique(hand_kinds(game, allowed)[game.hands.size >= 2]).tolist():
        by_kind[kind] = _codes(game, chart, *kind_total(kind), None, _legal(kind & 1, kind & 2, kind & 4))
    return by_kind


def _codes(
    game: PreparedGame, chart: Chart, total: int, soft: bool, pair: int | None, legal: tuple[str, ...]
) -> UInt8s:
    """Return [start] the action of the chart."""
    by_column = np.array([CODES[action] for action in chart.choose_by_column(total, soft, pair, legal)], np.uint8)
    codes: UInt8s = by_column[list(start_columns(game, chart.layout))]
    return codes


def _legal(hit: bool, double: bool, double_up: bool) -> tuple[str, ...]:
    may = (("hit", hit), ("double", double), ("double up", double_up), ("stand", True))
    return tuple(action for action, is_open in may if is_open)


def pair_codes(game: PreparedGame, chart: Chart, allowed: Allowed, value: int) -> UInt8s:
    """Return [start] the action of a pair that cannot be split again; it still follows its own row of the chart."""
    hand = int(game.hands.two[value - 1, value - 1])
    legal = _legal(allowed.hit[hand], allowed.double[hand], allowed.double_up[hand])
    return _codes(game, chart, int(game.hands.total[hand]), bool(game.hands.soft[hand]), value, legal)


def _tens_of_one_rank(game: PreparedGame, chart: Chart, split_hand: ActionCodes) -> UInt8s | None:
    """Return [start] the action of such tens once they cannot be split again, or None where all tens do the same."""
    if not chart.layout.pairs_by_rank or game.most_hands(TEN) < 2:
        return None
    codes = pair_codes(game, chart, game.split_hand, 10)
    return None if (codes == split_hand[game.hands.two[TEN, TEN]]).all() else codes
