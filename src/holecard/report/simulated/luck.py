"""A luck-adjusted simulation: the mean with the luck of the cards removed, next to the raw mean."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from holecard.errors import plural
from holecard.report.document import QUIET, Block, Document, Heading, Paragraph, facts
from holecard.report.numbers import UNKNOWN, decimals, signed
from holecard.report.parts import ev_text
from holecard.report.sheet import origin, settings
from holecard.report.simulated.estimates import error_note, estimate_data, house_edge
from holecard.report.simulated.simulation import NO_ROUND, run_data, run_heading, unit_note
from holecard.simulation.plays.luck_adjusted import LuckResult, LuckSimulation
from holecard.simulation.statistics.estimates import Estimate


def summary(found: LuckSimulation) -> str:
    """Return a line such as `LuckSimulation(classic, 1,000,000 rounds: ev -0.004345, standard error 0.000005)`."""
    return (
        f"LuckSimulation({origin(found.rules)}, {plural(found.rounds, 'round')}: {ev_text(found.result.luck_adjusted)})"
    )


def data(found: LuckSimulation) -> dict[str, Any]:
    """Return the data of `holecard simulate --reduce-variance --json`."""
    result = found.result
    return {
        **run_data(found),
        "strategy": found.strategy,
        "level": result.raw.level,
        "raw": estimate_data(result.raw),
        "luck_adjusted": estimate_data(result.luck_adjusted),
        "luck": {**estimate_data(result.luck), "z": result.luck_in_errors},
        "gain": result.gain,
        "settings": settings(found.rules),
    }


def rows(found: LuckSimulation) -> list[dict[str, Any]]:
    """Return one row for each of the three means."""
    result = found.result
    start = {"game": origin(found.rules), "strategy": found.strategy, "rounds": found.rounds}
    means = (("raw", result.raw), ("luck-adjusted", result.luck_adjusted), ("luck", result.luck))
    return [{**start, "estimate": name, **estimate_data(mean)} for name, mean in means]


def document(found: LuckSimulation) -> Document:
    """Return both means, and how many rounds the adjustment saves."""
    return Document(f"{found.rules.name}: luck-adjusted simulation", tuple(_blocks(found)))


def _blocks(found: LuckSimulation) -> Iterator[Block]:
    result = found.result
    yield from run_heading(found, ("strategy", found.strategy))
    if not found.rounds:
        yield Paragraph(NO_ROUND)
        return
    yield Heading("Main wager", unit_note(found.rules))
    yield facts(
        [
            ("raw", *_mean(result.raw)),
            ("luck-adjusted", *_mean(result.luck_adjusted)),
            _house_edge(result.luck_adjusted),
            ("gain", *_gain(result)),
            ("mean luck", *_mean(result.luck)),
        ]
    )
    yield Paragraph(f"Mean luck is 0 in expectation if the cards are dealt fairly: {_luck(result)}.", QUIET)


def _mean(found: Estimate) -> tuple[str, str]:
    places = decimals(found.standard_error)
    return signed(found.ev, places), error_note(found.standard_error, places)


def _house_edge(found: Estimate) -> tuple[str, str, str]:
    name, edge, interval = house_edge(found)
    return name, edge, f"luck-adjusted; {interval}" if interval else "luck-adjusted"


def _gain(result: LuckResult) -> tuple[str, str]:
    if math.isnan(result.gain):
        return UNKNOWN, f"{_few(result)} cannot show it"
    return f"{result.gain:,.{0 if result.gain >= 10 else 1}f}×", "fewer rounds for the same standard error"


def _luck(result: LuckResult) -> str:
    if math.isnan(result.luck_in_errors):
        return f"{_few(result)} cannot show it"
    return f"it is {abs(result.luck_in_errors):.1f} standard errors from 0"


def _few(result: LuckResult) -> str:
    return "one round" if result.raw.rounds == 1 else "so few rounds"
