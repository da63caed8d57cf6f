"""A chart played through the engine, every deal of a small shoe in turn: no mathematics but counting cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from holecard.cards import card
from holecard.sheets.schema import RuleSheet
from holecard.strategy.chart import Chart
from holecard.table.events import Act, Bet, Deal, NoMoreBets, Place
from holecard.table.round import advance, start
from holecard.table.state import State


def walk(sheet: RuleSheet, chart: Chart, shoe: Mapping[str, int], stake: int) -> dict[Fraction, Fraction]:
    """Net result of a round in units of the initial stake, and its chance, when a seat follows the chart."""
    state = advance(advance(start(sheet.tables), Bet(1, stake)), NoMoreBets())
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    _on(state, chart, dict(shoe), Fraction(1), found)
    units = sum(state.seats[0].hands[0].stakes)
    return {Fraction(net, units): chance for net, chance in found.items()}


def _on(state: State, chart: Chart, left: dict[str, int], chance: Fraction, found: dict[Fraction, Fraction]) -> None:
    if state.phase == "done":
        found[Fraction(sum(result.net for result in state.results))] += chance
    elif state.wants_card:
        cards = sum(left.values())
        for rank, count in left.items():
            if count:
                rest = {**left, rank: count - 1}
                _on(advance(state, Deal(card(f"{rank}s"))), chart, rest, chance * Fraction(count, cards), found)
    elif state.phase in ("after the check", "last call"):
        _on(advance(state, Place(1)), chart, left, chance, found)
    else:
        _on(advance(state, Act(1, chart.act(state))), chart, left, chance, found)
