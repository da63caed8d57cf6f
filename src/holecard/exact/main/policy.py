"""A chart as the kernels follow it: what is done with every hand against every start."""

from __future__ import annotations

from itertools import compress

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.exact.main.initial_hands import ACTIONS, Opening
from holecard.exact.main.prepared_game import TEN, Game
from holecard.exact.main.solve import Plans
from holecard.kernels.exact.actions import DOUBLE, DOUBLE_UP, HIT, STAND, TIE, Allowed, Plan

EARLY_SURRENDER = "early surrender"
CODES = {"stand": STAND, "hit": HIT, "double": DOUBLE, "double up": DOUBLE_UP}

Decided = list[tuple[Opening, list[str]]]


def decide_openings(openings: list[Opening], chart: Chart | None, game: Game) -> Decided:
    """What is done with every first hand: the best there is, or what the chart says; nothing with a natural."""
    played = [opening for opening in openings if not opening.is_natural]
    chosen = iter(_best(played) if chart is None else [_by_chart(opening, chart, game) for opening in played])
    return [(opening, [""] * opening.chance.size if opening.is_natural else next(chosen)) for opening in openings]


def _best(openings: list[Opening]) -> list[list[str]]:
    """[opening, start] the best action; of equals, the first in ACTIONS."""
    if not openings:
        return []
    nowhere = np.full(openings[0].chance.size, np.nan)
    best = np.array([opening.actions["stand"] for opening in openings])
    which = np.zeros(best.shape, np.int64)
    for number, action in enumerate(ACTIONS[1:], start=1):
        worth = np.array([opening.actions.get(action, nowhere) for opening in openings])
        better = worth > best + TIE  # never so where it is not legal: nothing is more than nan is
        best, which = np.where(better, worth, best), np.where(better, number, which)
    known = np.array([(1 - opening.unknown) * opening.against_natural for opening in openings])
    early = np.array([opening.before_check for opening in openings]) > best + known + TIE
    names = (*ACTIONS, EARLY_SURRENDER)
    return [[names[number] for number in row] for row in np.where(early, len(ACTIONS), which).tolist()]


def _by_chart(opening: Opening, chart: Chart, game: Game) -> list[str]:
    """[start] what the chart does with a first hand; asked before the check, it surrenders or is asked again."""
    total, soft = int(game.hands.total[opening.hand]), bool(game.hands.soft[opening.hand])
    pair, two = opening.low if opening.is_pair else None, (opening.low, opening.high)
    early = np.logical_not(np.isnan(opening.before_check)).tolist()
    asked = chart.choose_by_column(total, soft, pair, ("surrender", "no surrender"), two)
    is_legal = np.logical_not(np.isnan(np.array(list(opening.actions.values())))).T.tolist()
    by_legal: dict[tuple[bool, ...], tuple[str, ...]] = {}
    found = []
    for column, is_early, open_ in zip(start_columns(game, chart.layout), early, map(tuple, is_legal), strict=True):
        if is_early and asked[column] == "surrender":
            found.append(EARLY_SURRENDER)
            continue
        if open_ not in by_legal:
            legal = tuple(compress(opening.actions, open_))
            by_legal[open_] = chart.choose_by_column(total, soft, pair, legal, two)
        found.append(by_legal[open_][column])
    return found


def start_columns(game: Game, layout: Layout) -> tuple[int, ...]:
    """[start] the chart's column."""
    return layout.columns_of(game.dealer.shown)


def plans_of(game: Game, chart: Chart) -> Plans:
    """The chart for first hands after a hit, for hands made by splitting, and for split aces with one card."""
    before, after, lone = (_plan(game, chart, allowed) for allowed in (game.before, game.after, game.lone))
    return Plans(before, after, lone, _tens_of_one_rank(game, chart, after))


def _plan(game: Game, chart: Chart, allowed: Allowed) -> Plan:
    plan: Plan = codes_by_kind(game, chart, allowed)[hand_kinds(game, allowed)]
    for value in range(1, 11):
        # Tens of different rank are not a pair where ranks count, and the hand of two tens is planned for them.
        if value < 10 or not chart.layout.pairs_by_rank:
            plan[game.hands.two[value - 1, value - 1]] = pair_codes(game, chart, allowed, value)
    return plan


#: More than any kind of hand.
KINDS = 8 * 2 * 22


def hand_kinds(game: Game, allowed: Allowed) -> NDArray[np.int64]:
    """[hand] its kind: hands with one total that may do the same things do the same."""
    kinds: NDArray[np.int64] = allowed.hit + 2 * allowed.double + 4 * allowed.double_up
    return kinds + 8 * (2 * game.hands.total + game.hands.soft)


def total_of(kind: int) -> tuple[int, bool]:
    """A kind's total, and whether it is soft."""
    total, soft = divmod(kind // 8, 2)
    return total, bool(soft)


def codes_by_kind(game: Game, chart: Chart, allowed: Allowed) -> Plan:
    """[kind, start] what is done with hands of a kind that are not pairs."""
    by_kind = np.zeros((KINDS, len(game.dealer.shown)), np.uint8)
    for kind in np.unique(hand_kinds(game, allowed)[game.hands.size >= 2]).tolist():
        by_kind[kind] = _codes(game, chart, *total_of(kind), None, _legal(kind & 1, kind & 2, kind & 4))
    return by_kind


def _codes(
    game: Game, chart: Chart, total: int, soft: bool, pair: int | None, legal: tuple[str, ...]
) -> NDArray[np.uint8]:
    """[start] what the chart does."""
    by_column = np.array([CODES[action] for action in chart.choose_by_column(total, soft, pair, legal)], np.uint8)
    codes: NDArray[np.uint8] = by_column[list(start_columns(game, chart.layout))]
    return codes


def _legal(hit: bool, double: bool, double_up: bool) -> tuple[str, ...]:
    may = (("hit", hit), ("double", double), ("double up", double_up), ("stand", True))
    return tuple(action for action, is_open in may if is_open)


def pair_codes(game: Game, chart: Chart, allowed: Allowed, value: int) -> NDArray[np.uint8]:
    """[start] what a pair that cannot be split again does: it still has its own row."""
    hand = int(game.hands.two[value - 1, value - 1])
    legal = _legal(allowed.hit[hand], allowed.double[hand], allowed.double_up[hand])
    return _codes(game, chart, int(game.hands.total[hand]), bool(game.hands.soft[hand]), value, legal)


def _tens_of_one_rank(game: Game, chart: Chart, after: Plan) -> NDArray[np.uint8] | None:
    """[start] what they do once they cannot be split again; None where all tens do the same."""
    if not chart.layout.pairs_by_rank or game.most_hands(TEN) < 2:
        return None
    codes = pair_codes(game, chart, game.after, 10)
    return None if (codes == after[game.hands.two[TEN, TEN]]).all() else codes
