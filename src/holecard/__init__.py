"""Holecard: the workbench for blackjack variants.

    import holecard

    table = holecard.Table("classic", bankroll="$500")
    table.bet("$10")
    table.deal()
    print(table.view(), table.legal())

Everything loads on first use, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holecard.advantage.compare_counting import CountingComparison, compare_counting
    from holecard.advantage.counting import counting
    from holecard.advantage.counting_result import Counting
    from holecard.charts.chart import Chart
    from holecard.coach.advice import Advice, advise
    from holecard.coach.review import Review, review
    from holecard.deck import Card, card, cards
    from holecard.errors import (
        ChartError,
        CountError,
        IllegalMove,
        OutOfTurn,
        RecordError,
        Refusal,
        SheetError,
        Unreadable,
        WagerRefused,
    )
    from holecard.exact.analysis import analyze
    from holecard.exact.best_strategy import strategy
    from holecard.exact.charts.best_chart import BestChart
    from holecard.exact.check_sheet import SheetCheck, check
    from holecard.exact.compare import RuleComparison, compare
    from holecard.exact.evaluate import Evaluation, evaluate
    from holecard.exact.results import Analysis
    from holecard.exact.wagers.house_odds import HouseOdds, house_odds
    from holecard.kernels.cache import CompilingKernels
    from holecard.money import Money
    from holecard.sheets.catalog import games
    from holecard.sheets.descriptions.describe import Description, describe
    from holecard.sheets.read import rules
    from holecard.sheets.schema import RuleSheet
    from holecard.sheets.tables import Tables
    from holecard.simulation.bankroll.bankroll_report import BankrollReport
    from holecard.simulation.bankroll.projection import bankroll
    from holecard.simulation.count_results import CountSimulation
    from holecard.simulation.luck_results import LuckSimulation
    from holecard.simulation.results import Simulation
    from holecard.simulation.simulate import simulate
    from holecard.simulation.simulate_count import simulate_count
    from holecard.simulation.simulate_luck import simulate_luck
    from holecard.simulation.sweep import Sweep, sweep
    from holecard.simulation.verify import Verification, verify
    from holecard.table.advance import advance, start
    from holecard.table.events import (
        Act,
        Action,
        Bet,
        CardDealt,
        Checked,
        Choice,
        Deal,
        HoleCardShown,
        Misdeal,
        NoMoreBets,
        Place,
        Result,
    )
    from holecard.table.legal import legal, why_not
    from holecard.table.notation.spot import Spot, spot
    from holecard.table.records.record import Record, read_record, replay
    from holecard.table.state import State
    from holecard.table.table import Table
    from holecard.table.views import View, view

__version__ = "0.1.0"

_HOMES = {
    "holecard.advantage.compare_counting": ("CountingComparison", "compare_counting"),
    "holecard.advantage.counting": ("counting",),
    "holecard.advantage.counting_result": ("Counting",),
    "holecard.charts.chart": ("Chart",),
    "holecard.coach.advice": ("Advice", "advise"),
    "holecard.coach.review": ("Review", "review"),
    "holecard.deck": ("Card", "card", "cards"),
    "holecard.errors": (
        "ChartError",
        "CountError",
        "IllegalMove",
        "OutOfTurn",
        "RecordError",
        "Refusal",
        "SheetError",
        "Unreadable",
        "WagerRefused",
    ),
    "holecard.exact.analysis": ("analyze",),
    "holecard.exact.best_strategy": ("strategy",),
    "holecard.exact.charts.best_chart": ("BestChart",),
    "holecard.exact.check_sheet": ("SheetCheck", "check"),
    "holecard.exact.compare": ("RuleComparison", "compare"),
    "holecard.exact.evaluate": ("Evaluation", "evaluate"),
    "holecard.exact.results": ("Analysis",),
    "holecard.exact.wagers.house_odds": ("HouseOdds", "house_odds"),
    "holecard.kernels.cache": ("CompilingKernels",),
    "holecard.money": ("Money",),
    "holecard.sheets.catalog": ("games",),
    "holecard.sheets.descriptions.describe": ("Description", "describe"),
    "holecard.sheets.read": ("rules",),
    "holecard.sheets.schema": ("RuleSheet",),
    "holecard.sheets.tables": ("Tables",),
    "holecard.simulation.bankroll.bankroll_report": ("BankrollReport",),
    "holecard.simulation.bankroll.projection": ("bankroll",),
    "holecard.simulation.count_results": ("CountSimulation",),
    "holecard.simulation.luck_results": ("LuckSimulation",),
    "holecard.simulation.results": ("Simulation",),
    "holecard.simulation.simulate": ("simulate",),
    "holecard.simulation.simulate_count": ("simulate_count",),
    "holecard.simulation.simulate_luck": ("simulate_luck",),
    "holecard.simulation.sweep": ("Sweep", "sweep"),
    "holecard.simulation.verify": ("Verification", "verify"),
    "holecard.table.advance": ("advance", "start"),
    "holecard.table.events": (
        "Act",
        "Action",
        "Bet",
        "CardDealt",
        "Checked",
        "Choice",
        "Deal",
        "HoleCardShown",
        "Misdeal",
        "NoMoreBets",
        "Place",
        "Result",
    ),
    "holecard.table.legal": ("legal", "why_not"),
    "holecard.table.notation.spot": ("Spot", "spot"),
    "holecard.table.records.record": ("Record", "read_record", "replay"),
    "holecard.table.state": ("State",),
    "holecard.table.table": ("Table",),
    "holecard.table.views": ("View", "view"),
}
_MODULES = ("gym", "report", "testing")
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Act",
    "Action",
    "Advice",
    "Analysis",
    "BankrollReport",
    "BestChart",
    "Bet",
    "Card",
    "CardDealt",
    "Chart",
    "ChartError",
    "Checked",
    "Choice",
    "CompilingKernels",
    "CountError",
    "CountSimulation",
    "Counting",
    "CountingComparison",
    "Deal",
    "Description",
    "Evaluation",
    "HoleCardShown",
    "HouseOdds",
    "IllegalMove",
    "LuckSimulation",
    "Misdeal",
    "Money",
    "NoMoreBets",
    "OutOfTurn",
    "Place",
    "Record",
    "RecordError",
    "Refusal",
    "Result",
    "Review",
    "RuleComparison",
    "RuleSheet",
    "SheetCheck",
    "SheetError",
    "Simulation",
    "Spot",
    "State",
    "Sweep",
    "Table",
    "Tables",
    "Unreadable",
    "Verification",
    "View",
    "WagerRefused",
    "advance",
    "advise",
    "analyze",
    "bankroll",
    "card",
    "cards",
    "check",
    "compare",
    "compare_counting",
    "counting",
    "describe",
    "evaluate",
    "games",
    "house_odds",
    "legal",
    "read_record",
    "replay",
    "review",
    "rules",
    "simulate",
    "simulate_count",
    "simulate_luck",
    "spot",
    "start",
    "strategy",
    "sweep",
    "verify",
    "view",
    "why_not",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"holecard.{name}")
    raise AttributeError(f"module 'holecard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
