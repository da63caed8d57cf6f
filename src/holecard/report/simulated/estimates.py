"""Sampled means on paper and as data: a mean is written with two digits more than its standard error leaves certain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holecard.report.numbers import confidence, decimals, exact_decimal, known, percent, precise_dollars, signed
from holecard.simulation.statistics.estimates import Estimate


def estimate_data(found: Estimate) -> dict[str, Any]:
    """Return an estimate per unit; what is not known is null."""
    return {
        "ev": found.ev,
        "house_edge": -found.ev,
        "standard_error": found.standard_error,
        "low": found.low,
        "high": found.high,
        "standard_deviation": found.standard_deviation,
    }


def counts_data(counts: Mapping[Fraction, int]) -> dict[str, int]:
    """Return how often each net result came, the lowest first."""
    return {exact_decimal(net): counts[net] for net in sorted(counts)}


def ev_and_edge(found: Estimate, alone: str = "round") -> list[tuple[str, str, str]]:
    """Return the mean with its error, and the house edge with its interval."""
    places = decimals(found.standard_error)
    return [
        ("expected value", signed(found.ev, places), error_note(found.standard_error, places, alone)),
        house_edge(found),
    ]


def house_edge(found: Estimate) -> tuple[str, str, str]:
    """Return the number in percent, with the interval."""
    places = max(decimals(found.standard_error) - 2, 0)
    ends = [percent(-end, places) for end in (found.high, found.low)]
    return "house edge", percent(-found.ev, places), _interval(found, ends)


def ev_in_dollars(found: Estimate) -> list[tuple[str, str, str]]:
    """Return the mean of a round, where amounts are fixed."""
    places = max(decimals(found.standard_error), 2)
    ends = [precise_dollars(end, places) for end in (found.low, found.high)]
    return [
        ("expected value", precise_dollars(found.ev, places), f"per round; {error_note(found.standard_error, places)}"),
        ("", "", _interval(found, ends)),
    ]


def _interval(found: Estimate, ends: list[str]) -> str:
    return f"{confidence(found.level)} interval {ends[0]} to {ends[1]}" if math.isfinite(found.standard_error) else ""


def deviation(found: Estimate, error: float) -> tuple[str, str]:
    """Return the standard deviation of a round, and its own standard error."""
    places = decimals(error)
    return known(found.standard_deviation, places), error_note(error, places)


def error_note(error: float, places: int, alone: str = "round") -> str:
    """Return a standard error; one round or shoe has none."""
    return f"standard error {error:.{places}f}" if math.isfinite(error) else f"one {alone} has no standard error"
