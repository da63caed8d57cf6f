"""`holecard.strategy`: the public function that returns the best chart; `exact.charts` searches for it."""

from __future__ import annotations

from holecard.composition import ShoeLike
from holecard.exact.charts.best_chart import BestChart
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.charts.exception_search import with_exceptions
from holecard.exact.results import OnStage
from holecard.exact.shoe_before_round import SeenLike, shoe_before_round
from holecard.kernels.cache import compiling
from holecard.sheets.read import RulesLike, rules


def strategy(
    game: RulesLike,
    shoe: ShoeLike | None = None,
    *,
    seen: SeenLike | None = None,
    exceptions: bool = False,
    on_stage: OnStage | None = None,
) -> BestChart:
    """Return the best chart by totals and pairs, its EV, and how much it gives up against composition-dependent play.

    `exceptions` adds two-card hands that are better played differently from their total. `on_stage` is called at the
    start of each stage, with its name and the share of the work that is done.
    """
    sheet = rules(game)
    cards = shoe_before_round(sheet, shoe, seen)
    best = cached_best_chart(sheet, cards, on_stage)
    if not exceptions:
        return best
    with compiling("strategy"):
        return with_exceptions(best, sheet, cards)
