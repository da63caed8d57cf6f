"""A luck-adjusted simulation: the mean with the luck of the cards removed, next to the raw mean."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from holecard.errors import plural
from holecard.report.document import QUIET, Block, Document, Heading, Paragraph, facts, table
from holecard.report.numbers import UNKNOWN, decimals, known, signed
from holecard.report.parts import ev_text
from holecard.report.sheet import origin, settings
from holecard.report.simulated.estimates import error_note, estimate_data, house_edge
from holecard.report.simulated.simulation import (
    COMPARED,
    NO_ROUND,
    SEATS_NOTE,
    run_data,
    run_heading,
    seat_facts,
    unit_note,
)
from holecard.simulation.luck_results import LuckResult, LuckSimulation
from holecard.simulation.statistics.estimates import Estimate


def summary(found: LuckSimulation) -> str:
    """Return a line such as `LuckSimulation(classic, 1,000,000 rounds: ev -0.004345, standard error 0.000005)`."""
    return (
        f"LuckSimulation({origin(found.rules)}, {plural(found.rounds, 'round')}: {ev_text(found.result.luck_adjusted)})"
    )


def data(found: LuckSimulation) -> dict[str, Any]:
    """Return the data of `holecard simulate --reduce-variance --json`."""
    same = len(set(found.strategies)) == 1
    return {
        **run_data(found),
        "strategy": found.strategies[0] if same else None,
        "level": found.result.raw.level,
        **_result(found.result, found.fresh_ev),
        "seats": [
            {"strategy": name, **_result(seat, found.fresh[number] if found.fresh else None)}
            for number, (name, seat) in enumerate(zip(found.strategies, found.seats, strict=True))
        ],
        "settings": settings(found.rules),
    }


def _result(result: LuckResult, fresh: float | None) -> dict[str, Any]:
    return {
        "raw": estimate_data(result.raw),
        "luck_adjusted": estimate_data(result.luck_adjusted),
        "luck": {**estimate_data(result.luck), "z": result.luck_in_errors},
        "gain": result.gain,
        "fresh_shoe_ev": fresh,
    }


def rows(found: LuckSimulation) -> list[dict[str, Any]]:
    """Return one row for each of the three means of each seat."""
    return [
        {
            "game": origin(found.rules),
            "seat": number,
            "strategy": name,
            "rounds": found.rounds,
            "estimate": kind,
            **estimate_data(mean),
        }
        for number, (name, seat) in enumerate(zip(found.strategies, found.seats, strict=True), 1)
        for kind, mean in (("raw", seat.raw), ("luck-adjusted", seat.luck_adjusted), ("luck", seat.luck))
    ]


def document(found: LuckSimulation) -> Document:
    """Return both means, and how many rounds the adjustment saves."""
    return Document(f"{found.rules.name}: luck-adjusted simulation", tuple(_blocks(found)))


def _blocks(found: LuckSimulation) -> Iterator[Block]:
    result = found.result
    yield from run_heading(found, *seat_facts(found.strategies))
    if not found.rounds:
        yield Paragraph(NO_ROUND)
        return
    several = len(found.seats) > 1
    yield Heading("Main wager" if not several else "Main wager, mean of all seats", unit_note(found.rules))
    unit = "shoe" if found.fresh else "round"
    yield facts(
        [
            ("raw", *_mean(result.raw, unit)),
            ("luck-adjusted", *_mean(result.luck_adjusted, unit)),
            _house_edge(result.luck_adjusted),
            ("gain", *_gain(result)),
            ("mean luck", *_mean(result.luck, unit)),
        ]
    )
    if found.fresh_ev is not None:
        yield from _compared_with_fresh(result.luck_adjusted, found.fresh_ev)
    if several:
        yield from _each_seat(found)
    yield Paragraph(f"Mean luck is 0 in expectation if the cards are dealt fairly: {_luck(result)}.", QUIET)


def _compared_with_fresh(adjusted: Estimate, exact: float) -> Iterator[Block]:
    """Yield the difference that the procedure makes to the EV: with a cut card, the cut-card effect."""
    places = decimals(adjusted.standard_error)
    yield Heading(COMPARED)
    yield facts(
        [
            ("expected value", signed(exact, places), "exactly"),
            (
                "this procedure",
                signed(adjusted.ev - exact, places),
                f"luck-adjusted; {error_note(adjusted.standard_error, places, 'shoe')}",
            ),
        ]
    )


def _each_seat(found: LuckSimulation) -> Iterator[Block]:
    yield Heading("The seats", SEATS_NOTE)
    lines = []
    for number, seat in enumerate(found.seats, 1):
        adjusted, raw = seat.luck_adjusted, seat.raw
        places, raw_places = decimals(adjusted.standard_error), decimals(raw.standard_error)
        means = (signed(adjusted.ev, places), known(adjusted.standard_error, places))
        lines.append((f"seat {number}", *means, signed(raw.ev, raw_places), known(raw.standard_error, raw_places)))
    yield table(("", "luck-adjusted", "standard error", "raw", "standard error"), lines)


def _mean(found: Estimate, unit: str) -> tuple[str, str]:
    places = decimals(found.standard_error)
    return signed(found.ev, places), error_note(found.standard_error, places, unit)


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
