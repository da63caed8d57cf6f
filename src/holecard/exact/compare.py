"""`compare`: the house edge of every wager for each game of a grid of settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holecard.charts.chart import Chart
from holecard.composition import Composition, ShoeLike
from holecard.errors import Refusal
from holecard.exact.results import CDZ_CONVENTION, CHART_CONVENTION, OPTIMUM, WagerResult
from holecard.exact.shoe_before_round import SeenLike, shoe_before_round
from holecard.exact.strategies import Strategy, StrategyLike, check_strategy, followed_strategy, is_optimal
from holecard.kernels.cache import compiling
from holecard.presentation import Brief, Presented
from holecard.sheets.grid import Grid, Vary, grid
from holecard.sheets.override import full_path
from holecard.sheets.read import RulesLike
from holecard.sheets.schema import RuleSheet


@dataclass(frozen=True, slots=True, repr=False)
class ComparedGame(Brief):
    """One game of a grid, and the EV of its wagers."""

    rules: RuleSheet
    labels: tuple[str, ...]
    """the varied settings, as written"""
    shoe: Composition
    ev: float
    error_bound: float
    """The exact EV is within this of `ev`."""
    wagers: tuple[WagerResult, ...]
    skipped: tuple[tuple[str, str], ...]
    """Wagers that could not be computed, and why."""

    @property
    def house_edge(self) -> float:
        return -self.ev


@dataclass(frozen=True, slots=True, repr=False)
class RuleComparison(Presented):
    """The games of a grid with the EV of every wager."""

    _report = "exact.comparison"

    grid: Grid
    games: tuple[ComparedGame, ...]
    """in the order of the grid; fewer than it has when Ctrl-C ended the comparison early"""
    convention: str
    strategy: str
    dealt: str
    """the cards of every round, in words"""

    @property
    def complete(self) -> bool:
        return len(self.games) == len(self.grid.points)


def compare(
    game: RulesLike | Sequence[RulesLike],
    vary: Vary | None = None,
    *,
    settings: Mapping[str, object] | None = None,
    shoe: ShoeLike | None = None,
    seen: SeenLike | None = None,
    strategy: StrategyLike | None = None,
    on_progress: Callable[[], None] = lambda: None,
) -> RuleComparison:
    """Return exact house edges for all combinations of settings: `compare("classic", {"decks": [1, 2, 6]})`.

    `game` may also be several games, which are compared with each other. `settings` apply to every game; `shoe`, `seen`
    and `strategy` are as for `analyze`. `on_progress` is called after each game; Ctrl-C ends the comparison early and
    returns the games that are done.
    """
    asked = grid(game, vary, settings)
    if shoe is not None and any(full_path(key) == ("shoe", "decks") for key in asked.keys):
        raise Refusal("decks cannot be varied with a given shoe, whose cards do not depend on the number of decks")
    shoes = [shoe_before_round(point.rules, shoe, seen) for point in asked.points]
    # What a chart may contain depends on the rules, so it must fit every game.
    for point in asked.points:
        check_strategy(point.rules, strategy, may_be_optimal=True)
    done: list[ComparedGame] = []
    names: list[str] = []
    try:
        with compiling("compare"):
            for found, name in _solved(asked, shoes, strategy):
                done.append(found)
                names.append(name)
                on_progress()
    except KeyboardInterrupt:
        pass
    return RuleComparison(
        grid=asked,
        games=tuple(done),
        convention=CDZ_CONVENTION if is_optimal(strategy) else CHART_CONVENTION,
        strategy=names[0] if names else OPTIMUM if is_optimal(strategy) else str(strategy),
        dealt=_dealt(shoe, seen),
    )


def _solved(asked: Grid, shoes: list[Composition], strategy: StrategyLike | None) -> Iterator[tuple[ComparedGame, str]]:
    for point, shoe in zip(asked.points, shoes, strict=True):
        followed = followed_strategy(point.rules, strategy)
        yield (
            compared_game(point.rules, point.labels, shoe, None if followed is None else followed.chart),
            _name(followed),
        )


def _name(strategy: Strategy | None) -> str:
    return OPTIMUM if strategy is None else strategy.name


def compared_game(
    rules: RuleSheet, labels: tuple[str, ...], shoe: Composition, chart: Chart | None = None
) -> ComparedGame:
    """Return the EVs alone, which take much less time than a whole analysis."""
    from holecard.exact.error_bound import error_bound
    from holecard.exact.solved_game import game_ev, solve_game
    from holecard.exact.wagers.wager_values import skipped_wagers, wager_results

    solved = solve_game(rules, shoe, chart)
    return ComparedGame(
        rules=rules,
        labels=labels,
        shoe=shoe,
        ev=game_ev(solved),
        error_bound=error_bound(solved.solution, solved.decisions),
        wagers=wager_results(rules.tables, shoe),
        skipped=skipped_wagers(rules.tables, shoe),
    )


def _dealt(shoe: ShoeLike | None, seen: SeenLike | None) -> str:
    if shoe is None and seen is None:
        return "a fresh shoe each round"
    cards = "full decks" if shoe is None else str(shoe)
    out = "" if seen is None else f", without {seen if isinstance(seen, str) else ' '.join(seen)}"
    return f"each round from {cards}{out}"
