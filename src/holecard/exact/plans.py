"""A chart as the kernels follow it: what is done with every hand against every start."""

from __future__ import annotations

import numpy as np

from holecard.exact.game import Game
from holecard.exact.openings import Opening, best_of
from holecard.exact.solve import Plans
from holecard.kernels.deciding import DOUBLE, DOUBLE_UP, HIT, STAND, TIE, Allowed, Plan
from holecard.strategy.chart import Chart

EARLY_SURRENDER = "early surrender"
CODES = {"stand": STAND, "hit": HIT, "double": DOUBLE, "double up": DOUBLE_UP}

Decided = list[tuple[Opening, list[str]]]


def decide_openings(openings: list[Opening], chart: Chart | None, game: Game) -> Decided:
    """What is done with every first hand: the best there is, or what the chart says."""
    return [(opening, _choices(opening, chart, game)) for opening in openings]


def _choices(opening: Opening, chart: Chart | None, game: Game) -> list[str]:
    if opening.is_natural:
        return ["" for _ in opening.chance]
    if chart is None:
        return _best_choices(opening)
    total, soft = int(game.hands.total[opening.hand]), bool(game.hands.soft[opening.hand])
    pair = opening.low if opening.is_pair else None
    found = []
    for start, shown in enumerate(game.dealer.shown):
        if not np.isnan(opening.before_check[start]) and (
            chart.choose(total, soft, pair, shown, ("surrender", "no surrender")) == "surrender"
        ):
            found.append(EARLY_SURRENDER)
            continue
        legal = [action for action, worth in opening.actions.items() if not np.isnan(worth[start])]
        found.append(chart.choose(total, soft, pair, shown, legal))
    return found


def _best_choices(opening: Opening) -> list[str]:
    names, best = best_of(opening)
    going_on = best + (1 - opening.unknown) * opening.against_natural
    for start in np.flatnonzero(opening.before_check > going_on + TIE):
        names[start] = EARLY_SURRENDER
    return names


def plans_of(game: Game, chart: Chart) -> Plans:
    """The chart for first hands after a hit, for hands made by splitting, and for split aces with one card."""
    return Plans(_plan(game, chart, game.before), _plan(game, chart, game.after), _plan(game, chart, game.lone))


def _plan(game: Game, chart: Chart, allowed: Allowed) -> Plan:
    hands, shown = game.hands, game.dealer.shown
    plan = np.zeros((hands.size.size, len(shown)), np.uint8)
    open_ = allowed.hit.astype(int) + 2 * allowed.double + 4 * allowed.double_up
    keys = np.stack([open_, hands.total, hands.soft.astype(int)], axis=1)
    for key in np.unique(keys[open_ > 0], axis=0):
        legal = [action for action, bit in (("hit", 1), ("double", 2), ("double up", 4)) if key[0] & bit]
        here = (keys == key).all(axis=1)
        for start, cards in enumerate(shown):
            wanted = chart.choose(int(key[1]), bool(key[2]), None, cards, [*legal, "stand"])
            plan[here, start] = CODES[wanted]
    for value in range(1, 11):
        _plan_pair(game, chart, allowed, value, plan)
    return plan


def _plan_pair(game: Game, chart: Chart, allowed: Allowed, value: int, plan: Plan) -> None:
    """A pair that cannot be split again still has its own row; tens of different rank have not, and decide for tens."""
    if value == 10 and chart.layout.pairs_by_rank:
        return
    hand = int(game.hands.two[value - 1, value - 1])
    legal = [
        a
        for a, may in (("hit", allowed.hit), ("double", allowed.double), ("double up", allowed.double_up))
        if may[hand]
    ]
    total, soft = int(game.hands.total[hand]), bool(game.hands.soft[hand])
    for start, cards in enumerate(game.dealer.shown):
        plan[hand, start] = CODES[chart.choose(total, soft, value, cards, [*legal, "stand"])]
