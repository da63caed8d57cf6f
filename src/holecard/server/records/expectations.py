"""What the wagers of a sheet return on average, and how much they vary: exact, from the sheet's full shoe.

The main game counts for its first stake, played in the best way: doubles and splits are in its deviation. Insurance
counts over all deals with an ace up. A wager that is placed after cards are seen counts with its average over all of
them.
"""

from __future__ import annotations

import json
from math import sqrt
from typing import NamedTuple, TypeAlias

from holecard.server.money.returns import MAIN_WAGER

INSURANCE = "Insurance"


class Expectation(NamedTuple):
    """What one unit staked returns; one round, in dollars, where `per_round`."""

    ev: float
    deviation: float
    per_round: bool = False


#: By wager; the main game is called "main".
Expectations: TypeAlias = dict[str, Expectation]


def expectations(content: str) -> Expectations:
    """Return the exact expectations of a sheet, by its content; this takes about a second."""
    from holecard.exact.analysis import analyze
    from holecard.sheets.read import from_data

    found = analyze(from_data(json.loads(content), "the sheet"))
    made = {MAIN_WAGER: Expectation(found.main.ev, found.main.standard_deviation)}
    if found.insurance is not None:
        odds = found.rules.tables.insurance
        assert odds is not None
        won = (found.insurance.overall + 1) / (1 + odds)
        made[INSURANCE] = Expectation(found.insurance.ev, float(1 + odds) * sqrt(won * (1 - won)))
    for wager in found.wagers:
        made[wager.name] = Expectation(wager.ev, wager.standard_deviation, "dollars" in wager.unit)
    return made
