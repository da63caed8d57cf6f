"""`analyze`: everything about one sheet dealt from one shoe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.composition import Composition, ShoeLike, composition, full
from holecard.errors import Refusal, plural
from holecard.exact.distribution.round_distribution import spread
from holecard.exact.error_bound import error_bound
from holecard.exact.main.initial_deals import counts_of, seen_naturals
from holecard.exact.main.initial_hands import Opening, openings, starting_choices
from holecard.exact.main.policy import EARLY_SURRENDER, Decided, decide_openings, plans_of
from holecard.exact.main.prepared_game import Game, game_of
from holecard.exact.main.solve import Solution, solve
from holecard.exact.results import (
    BEFORE_CHECK,
    BOTH_UP,
    BY_CHART,
    CONVENTION,
    HOLE_UNKNOWN,
    NO_NATURAL,
    OPTIMUM,
    SPLIT_OPTIMUM,
    Analysis,
    MainGame,
    StartingHand,
)
from holecard.exact.shoe_before_round import SeenLike, shoe_before_round
from holecard.exact.splits.optimum import optimal_split_values, refuse_many_hands
from holecard.exact.strategies import Strategy, StrategyLike, strategy_of
from holecard.exact.wagers.wager_values import insurance, skipped_wagers, wager_results
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.cache import compiling
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import ANY_DEALER, DEALER_NATURAL, NATURAL

Floats = NDArray[np.float64]

#: A hundred decks.
MOST_CARDS = 5200
#: How hands made by splitting are played: by one plan for their own cards (CDZ-), or by all the cards seen.
Splits: TypeAlias = Literal["fixed", "optimal"]


@dataclass(frozen=True)
class Played:
    """A game solved, and every first hand decided."""

    rules: RuleSheet
    shoe: Composition
    solution: Solution
    decided: Decided

    @property
    def game(self) -> Game:
        return self.solution.game


def analyze(
    game: RulesLike,
    shoe: ShoeLike | None = None,
    *,
    seen: SeenLike | None = None,
    strategy: StrategyLike | None = None,
    splits: Splits = "fixed",
    wagers: bool = True,
    threads: int = 1,
) -> Analysis:
    """The exact mathematics of a game: main wager, every starting hand, insurance, side wagers.

    `shoe` is what a round is dealt from; without it, the sheet's full decks. `seen` are cards that are out already.
    `strategy` is what the player follows: a chart, a chart's file, or a name such as "basic"; without it, the best play
    by the cards of the hand and the dealer's.

    `splits="optimal"` lets each hand made by splitting be played by all the cards seen, the other hand's among them:
    the values of splitting and of the game are those of the true optimum. It needs rules by which a pair makes at most
    two hands, and takes some seconds. Distribution and deviation stay those of the default, CDZ-.
    """
    _refuse_splits(splits, strategy)
    sheet = rules(game)
    cards = shoe_before_round(sheet, shoe, seen)
    if splits == "optimal":
        refuse_many_hands(game_of(sheet.tables))
    with compiling("analyze"):
        followed = None if strategy is None else strategy_of(sheet, strategy)
        return _analyze(sheet, cards, followed, splits, wagers, threads)


def _analyze(
    sheet: RuleSheet, cards: Composition, followed: Strategy | None, splits: Splits, wagers: bool, threads: int
) -> Analysis:
    strategy = None if followed is None else followed.chart
    fixed = play(sheet, cards, strategy, threads)
    played = fixed if splits == "fixed" else with_optimal_splits(fixed, threads)
    tables = played.rules.tables
    main = _main(fixed, threads)
    return Analysis(
        rules=played.rules,
        shoe=played.shoe,
        convention=SPLIT_OPTIMUM if splits == "optimal" else CONVENTION if strategy is None else BY_CHART,
        strategy=OPTIMUM if followed is None else followed.name,
        main=main if splits == "fixed" else _with_optimal_ev(main, played),
        hands=tuple(hand for opening, _ in played.decided for hand in _starting_hands(played, opening)),
        insurance=insurance(tables, played.shoe) if wagers else None,
        wagers=wager_results(tables, played.shoe) if wagers else (),
        skipped=skipped_wagers(tables, played.shoe) if wagers else (),
        chart=strategy,
    )


def main_value(
    game: RulesLike, shoe: ShoeLike | None = None, strategy: Chart | None = None, *, threads: int = 1
) -> float:
    """The main wager's expected net result per unit of initial stake, and nothing else: the quick way to an edge."""
    return value_of(play(game, shoe, strategy, threads))


def play(game: RulesLike, shoe: ShoeLike | None = None, strategy: Chart | None = None, threads: int = 1) -> Played:
    """Solve a game and decide every first hand."""
    if threads < 1:
        raise Refusal(f"{threads} threads cannot reckon; at least one is needed")
    sheet = rules(game)
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    ready = game_of(sheet.tables)
    refuse_size(ready, cards)
    plans = None if strategy is None else plans_of(ready, strategy)
    solution = solve(ready, counts_of(cards), plans, threads)
    return Played(sheet, cards, solution, decide_openings(openings(solution, cards), strategy, ready))


def with_optimal_splits(played: Played, threads: int = 1) -> Played:
    """The same game with hands made by splitting played by all the cards seen, and first hands decided anew."""
    game, counts = played.game, played.solution.counts
    values = optimal_split_values(game, counts, threads)
    dealt = [
        replace(opening, actions={**opening.actions, "split": values[opening.low - 1]})
        if "split" in opening.actions
        else opening
        for opening, _ in played.decided
    ]
    return replace(played, decided=decide_openings(dealt, None, game))


def _refuse_splits(splits: str, strategy: StrategyLike | None) -> None:
    if splits not in ("fixed", "optimal"):
        raise Refusal(f"splits can be 'fixed' or 'optimal', not {splits!r}")
    if splits == "optimal" and strategy is not None:
        raise Refusal("a chart fixes what is done after a split; leave out the chart, or splits='optimal'")


def refuse_size(game: Game, shoe: Composition) -> None:
    """A shoe must hold what the longest round takes: all the hands of a split, of low cards, and the dealer's.

    Nor may it be larger than anything that is dealt: values change no more then, and counts lose their exactness.
    """
    if shoe.total > MOST_CARDS:
        raise Refusal(f"a shoe of {plural(shoe.total, 'card')} is too large: the most is {MOST_CARDS:,}")
    most_hands = max(game.most_hands(rank) for rank in range(10))
    room = 20 * most_hands + 16
    cards = most_hands + 1
    for value, count in enumerate(shoe.values, start=1):
        fit = min(count, room // value)
        cards += fit
        room -= fit * value
    if shoe.total < cards:
        raise Refusal(
            f"a shoe of {plural(shoe.total, 'card')} ({shoe}) is too small: one round of this game can take {cards}"
        )


def start_values(played: Played) -> Floats:
    """[start] what rounds with this start add to the value of the game."""
    total = np.zeros(len(played.game.dealer.shown))
    for opening, actions in played.decided:
        total += opening.chance * deal_worths(played, opening, actions)
    return total


def value_of(played: Played) -> float:
    """Expected net result per unit of initial stake."""
    value = float(start_values(played).sum())
    if played.game.tables.hole_card == "face up":
        every = played.game.rows.every[StakesOnHand.ORIGINAL, :, DEALER_NATURAL]
        both, alone = seen_naturals(played.solution.counts)
        value += both * float(every[NATURAL]) + alone * float(every[ANY_DEALER])
    return value


def deal_worths(played: Played, opening: Opening, actions: list[str]) -> Floats:
    """[start] what a deal is worth, the dealer's known naturals included."""
    known = (1 - opening.unknown) * opening.against_natural
    if opening.is_natural:
        return played.solution.natural + known
    return np.array(
        [
            opening.before_check[start] if action == EARLY_SURRENDER else opening.actions[action][start] + known[start]
            for start, action in enumerate(actions)
        ]
    )


def _main(played: Played, threads: int) -> MainGame:
    found = spread(played.solution, played.shoe, played.decided, threads)
    ev = value_of(played)
    variance = max(found.square - ev**2, 0.0)
    variance_error = found.rounding * sum(float(net) ** 2 for net, _ in found.distribution)
    sd = sqrt(variance)
    names = played.game.tables.stakes[:2] if played.game.tables.has_companion else played.game.tables.stakes[:1]
    return MainGame(
        unit=" and ".join(names),
        ev=ev,
        error_bound=error_bound(played.solution, played.decided),
        average_stake=found.stake,
        distribution=found.distribution,
        cell_errors=found.errors,
        sd=sd,
        spread_error=variance_error / (2 * sd) if sd else 0.0,
        spread_method=found.method,
    )


def _with_optimal_ev(main: MainGame, played: Played) -> MainGame:
    """A second hand's value is carried through the draws of both hands: twice the bound of a hand played alone."""
    return replace(
        main,
        ev=value_of(played),
        error_bound=2 * error_bound(played.solution, played.decided),
        spread_method=f"of CDZ- play: {main.spread_method}",
        fixed_ev=main.ev,
    )


def _starting_hands(played: Played, opening: Opening) -> list[StartingHand]:
    if opening.is_natural:
        return []
    decides = (opening.chance * opening.unknown > 0) | ((opening.chance > 0) & ~np.isnan(opening.before_check))
    return [_starting_hand(played.game, opening, start) for start in np.flatnonzero(decides).tolist()]


def _starting_hand(game: Game, opening: Opening, start: int) -> StartingHand:
    before_check = not np.isnan(opening.before_check[start])
    chance = float(opening.chance[start])
    return StartingHand(
        player=(opening.high, opening.low) if opening.low != 1 else (1, opening.high),
        dealer=game.dealer.shown[start],
        chance=chance if before_check else chance * float(opening.unknown[start]),
        given=given(game, start, before_check=before_check),
        choices=starting_choices(opening, start),
        is_pair=opening.is_pair,
    )


def given(game: Game, start: int, *, before_check: bool) -> str:
    """What is known of the dealer's hole card when the player decides."""
    shown = game.dealer.shown[start]
    if len(shown) == 2:
        return BOTH_UP
    if before_check:
        return BEFORE_CHECK
    looked = game.dealer.starts.natural[start] >= 0
    return HOLE_UNKNOWN if shown[0] in NATURAL_UPCARDS and not looked else NO_NATURAL
