"""`analyze`: the exact mathematics of one rule sheet dealt from one shoe."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from holecard.composition import Composition, ShoeLike
from holecard.errors import Refusal, check_threads
from holecard.exact.deferred import Deferred
from holecard.exact.error_bound import error_bound
from holecard.exact.main.initial_hands import InitialHand, starting_choices
from holecard.exact.main.prepared_game import PreparedGame, prepared_game
from holecard.exact.results import (
    BEFORE_CHECK,
    BOTH_UP,
    CDZ_CONVENTION,
    CHART_CONVENTION,
    HOLE_UNKNOWN,
    NO_NATURAL,
    OPTIMAL_CONVENTION,
    OPTIMUM,
    Analysis,
    MainGame,
    NetResults,
    OnStage,
    StartingHand,
)
from holecard.exact.shoe_before_round import SeenLike, shoe_before_round
from holecard.exact.solved_game import SolvedGame, game_ev, solve_game, with_optimal_splits
from holecard.exact.wagers.wager_values import insurance, skipped_wagers, wager_results
from holecard.hands import NATURAL_UPCARDS
from holecard.kernels.cache import compiling
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.exact.strategies import Strategy, StrategyLike

#: How split hands are played: by one policy for their own cards (CDZ-), or by all the cards seen.
Splits: TypeAlias = Literal["fixed", "optimal"]


def analyze(
    game: RulesLike,
    shoe: ShoeLike | None = None,
    *,
    seen: SeenLike | None = None,
    strategy: StrategyLike | None = None,
    splits: Splits = "fixed",
    wagers: bool = True,
    threads: int = 1,
    on_stage: OnStage | None = None,
) -> Analysis:
    """Return the exact numbers of a game: the main wager, every starting hand, insurance, and the side wagers.

    `shoe` holds the cards that a round is dealt from; the default is the sheet's full decks. `seen` lists cards already
    out of the shoe. `strategy` is what the player follows: a chart, the file of one, or a name such as "basic"; the
    default, "optimal", is the best play for the cards of the hand and the dealer's face-up cards.

    With `splits="optimal"`, a hand made by splitting is played by all cards seen, including those of the other hand.
    The EVs of splitting and of the game are then those of the true optimum. This takes a few seconds and needs rules
    with which a pair makes at most two hands. The distribution and the standard deviation are still those of CDZ-.

    `on_stage` is called at the start of each stage, with its name and the share of the work that is done.
    """
    _refuse_splits(splits, strategy)
    check_threads(threads)
    sheet = rules(game)
    cards = shoe_before_round(sheet, shoe, seen)
    is_optimum = splits == "optimal"
    if is_optimum:
        from holecard.exact.splits.optimum import refuse_many_hands

        refuse_many_hands(prepared_game(sheet.tables))
    kernels = "analyze-optimum" if is_optimum else "analyze"
    with compiling(kernels if sheet.tables.split_hands > 1 else "evaluate"):
        followed = None if strategy is None else _followed(sheet, strategy)
        return _analyze(sheet, cards, followed, splits, wagers, threads, on_stage or _unheard)


def _analyze(
    sheet: RuleSheet,
    cards: Composition,
    followed: Strategy | None,
    splits: Splits,
    wagers: bool,
    threads: int,
    on_stage: OnStage,
) -> Analysis:
    on_stage("main game", 0.0)
    chart = None if followed is None else followed.chart
    fixed = solve_game(sheet, cards, chart, threads)
    solved = fixed if splits == "fixed" else with_optimal_splits(fixed, threads)
    tables = solved.rules.tables
    main = _main(fixed, threads)
    return Analysis(
        rules=solved.rules,
        shoe=solved.shoe,
        convention=OPTIMAL_CONVENTION
        if splits == "optimal"
        else CDZ_CONVENTION
        if followed is None
        else CHART_CONVENTION,
        strategy=OPTIMUM if followed is None else followed.name,
        main=main if splits == "fixed" else _with_optimal_ev(main, solved),
        hands=tuple(hand for initial, _ in solved.decisions for hand in _starting_hands(solved, initial)),
        insurance=insurance(tables, solved.shoe) if wagers else None,
        wagers=wager_results(tables, solved.shoe, on_stage) if wagers else (),
        skipped=skipped_wagers(tables, solved.shoe) if wagers else (),
        chart=chart,
    )


def _unheard(_stage: str, _share: float) -> None:
    """Tell nobody."""


def _followed(sheet: RuleSheet, strategy: StrategyLike) -> Strategy | None:
    from holecard.exact.strategies import followed_strategy

    return followed_strategy(sheet, strategy)


def _refuse_splits(splits: str, strategy: StrategyLike | None) -> None:
    if splits not in ("fixed", "optimal"):
        raise Refusal(f"splits must be 'fixed' or 'optimal', not {splits!r}")
    if splits == "optimal" and strategy is not None:
        from holecard.exact.strategies import is_optimal

        if not is_optimal(strategy):
            raise Refusal("a chart fixes what is done after a split: leave out either the chart or splits='optimal'")


def _main(solved: SolvedGame, threads: int) -> MainGame:
    names = solved.game.tables.stakes[:2] if solved.game.tables.has_companion else solved.game.tables.stakes[:1]
    return MainGame(
        unit=" and ".join(names),
        ev=game_ev(solved),
        error_bound=error_bound(solved.solution, solved.decisions),
        net_results=Deferred(lambda: _net_results(solved, threads)),
    )


def _net_results(solved: SolvedGame, threads: int) -> NetResults:
    from holecard.exact.distribution.round_distribution import round_distribution

    with compiling("distribution"):
        found = round_distribution(solved.solution, solved.shoe, solved.decisions, threads)
    variance = max(found.square - game_ev(solved) ** 2, 0.0)
    variance_error = found.rounding * sum(float(net) ** 2 for net, _ in found.distribution)
    standard_deviation = sqrt(variance)
    return NetResults(
        average_stake=found.stake,
        distribution=found.distribution,
        probability_errors=found.errors,
        standard_deviation=standard_deviation,
        standard_deviation_error=variance_error / (2 * standard_deviation) if standard_deviation else 0.0,
        method=found.method,
    )


def _with_optimal_ev(main: MainGame, solved: SolvedGame) -> MainGame:
    """Return the result with the EV of optimal play after splits.

    A second hand's EV is carried through the draws of both hands, so the bound is twice that of a hand played alone.
    """
    fixed = main.net_results
    return replace(
        main,
        ev=game_ev(solved),
        error_bound=2 * error_bound(solved.solution, solved.decisions),
        net_results=Deferred(lambda: replace(fixed.value, method=f"of CDZ- play: {fixed.value.method}")),
        fixed_ev=main.ev,
    )


def _starting_hands(solved: SolvedGame, initial: InitialHand) -> list[StartingHand]:
    if initial.is_natural:
        return []
    decides = (initial.probability * initial.no_natural > 0) | (
        (initial.probability > 0) & ~np.isnan(initial.early_surrender_ev)
    )
    return [_starting_hand(solved.game, initial, start) for start in np.flatnonzero(decides).tolist()]


def _starting_hand(game: PreparedGame, initial: InitialHand, start: int) -> StartingHand:
    before_check = not np.isnan(initial.early_surrender_ev[start])
    probability = float(initial.probability[start])
    return StartingHand(
        player=(initial.high, initial.low) if initial.low != 1 else (1, initial.high),
        dealer=game.dealer.shown[start],
        probability=probability if before_check else probability * float(initial.no_natural[start]),
        given=given(game, start, before_check=before_check),
        choices=starting_choices(initial, start),
        is_pair=initial.is_pair,
    )


def given(game: PreparedGame, start: int, *, before_check: bool) -> str:
    """Return what is known of the dealer's hole card when the player decides, in words."""
    shown = game.dealer.shown[start]
    if len(shown) == 2:
        return BOTH_UP
    if before_check:
        return BEFORE_CHECK
    peeked = game.dealer.starts.natural[start] >= 0
    return HOLE_UNKNOWN if shown[0] in NATURAL_UPCARDS and not peeked else NO_NATURAL
