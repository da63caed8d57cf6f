"""Numbers that `simulate` shows, worked out again from how often each result came: means, errors, intervals, counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, TypeAlias

from holecard.simulation.results import Simulation
from holecard.simulation.statistics.estimates import sd_se

_ShownNumber: TypeAlias = tuple[str, float, float]
#: Half the width of an interval in standard errors, by its level.
_HALF_WIDTHS = {0.9: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004}
_FEWEST = 2


def sampled_numbers(sampled: Simulation) -> Iterator[_ShownNumber]:
    """Yield (name, number as shown, number worked out again) of a run with fresh shoes."""
    data = sampled.to_dict()
    for seat, result in zip(data["seats"], sampled.seats, strict=True):
        yield from _estimate("main wager", seat, data["level"])
        yield "simulated main wager, error of the deviation", *_deviation_error(seat, sd_se(result.histogram))
        counts = _nets(seat["counts"])
        for what, sign in (("wins", 1), ("pushes", 0), ("losses", -1)):
            shown = sum(count for net, count in counts.items() if (net > 0) - (net < 0) == sign)
            yield f"simulated main wager, {what}", seat[what], shown
        yield "simulated main wager, rounds", data["rounds"], sum(counts.values())
        if sampled.rounds:
            yield "simulated main wager, average stake", seat["average_stake"], result.staked / sampled.rounds
        for name, wager in seat["wagers"].items():
            yield from _estimate(name, wager, data["level"])
            yield f"simulated {name}, placed", wager["placed"], sum(wager["counts"].values())
            yield f"simulated {name}, lines", wager["placed"], sum(line["count"] for line in wager["lines"])
    if data["insurance"] is not None:
        yield from _estimate("insurance", data["insurance"], data["level"])
        yield "simulated insurance, taken", data["insurance"]["taken"], sum(data["insurance"]["counts"].values())


def _nets(counts: Mapping[str, int]) -> dict[Fraction, int]:
    return {Fraction(net): count for net, count in counts.items()}


def _estimate(name: str, shown: Mapping[str, Any], level: float) -> Iterator[_ShownNumber]:
    """Check a mean, its error and its interval."""
    counts = _nets(shown["counts"])
    rounds = sum(counts.values())
    if rounds < _FEWEST:
        return
    mean = sum(net * count for net, count in counts.items()) / rounds
    deviation = sqrt(sum((net - mean) ** 2 * count for net, count in counts.items()) / (rounds - 1))
    error, ev = deviation / sqrt(rounds), float(mean)
    again = {"ev": ev, "house_edge": -ev, "standard_deviation": deviation, "standard_error": error}
    if level in _HALF_WIDTHS:
        again |= {"low": ev - _HALF_WIDTHS[level] * error, "high": ev + _HALF_WIDTHS[level] * error}
    for what, number in again.items():
        yield f"simulated {name}, {what.replace('_', ' ')}", shown[what], number


def _deviation_error(seat: Mapping[str, Any], shown: float) -> tuple[float, float]:
    """Return the standard error of the standard deviation as shown, and from the second and the fourth moment."""
    counts = _nets(seat["counts"])
    rounds = sum(counts.values())
    if rounds < _FEWEST:
        return 0.0, 0.0
    mean = sum(net * count for net, count in counts.items()) / rounds
    second, fourth = (sum((net - mean) ** power * count for net, count in counts.items()) / rounds for power in (2, 4))
    variance = float((fourth - second**2 * Fraction(rounds - 3, rounds - 1)) / rounds)
    return shown, sqrt(variance / (4 * float(second) * rounds / (rounds - 1))) if second else 0.0
