"""`holecard simulate --json` and `holecard verify --json`: keys, and their order, as docs/json.md promises them.

Nothing here depends on how long it took or who played: equal runs print equal JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holecard.cli.printing.format import exact_decimal
from holecard.simulation.statistics.estimates import Estimate, finite

if TYPE_CHECKING:
    from holecard.simulation.results import InsuranceResult, LineCount, SeatResult, Simulation, WagerSample
    from holecard.simulation.verify import Verification


def simulation_data(game: str, found: Simulation) -> dict[str, Any]:
    """Everything a run counted."""
    return {
        **_run(game, found),
        "level": found.main.level,
        "seats": [_seat(seat, found.fresh[number] if found.fresh else None) for number, seat in enumerate(found.seats)],
        "insurance": None if found.insurance is None else _insurance(found.insurance),
        "not_sampled": not_sampled(found),
        "settings": dict(found.rules.origin[1]),
    }


def verification_data(game: str, found: Verification) -> dict[str, Any]:
    """Every comparison, and what it was made of."""
    return {
        **_run(game, found.sampled),
        "strategy": found.sampled.main.strategy,
        "convention": found.exact.convention,
        **found.agreement.to_data(),
        "agrees": found.agrees,
        "replay": found.replay.to_data(),
        "not_compared": list(found.left_out),
        "settings": dict(found.sampled.rules.origin[1]),
        "wagers": {wager.name: {"printed": wager.printed} for wager in found.exact.rules.tables.wagers},
    }


def not_sampled(found: Simulation) -> list[str]:
    """Wagers of the game that a run says nothing about."""
    sampled = {wager.name for wager in found.main.wagers}
    return [wager.name for wager in found.rules.wager if wager.name not in sampled]


def _run(game: str, found: Simulation) -> dict[str, Any]:
    return {
        "game": game,
        "decks": found.rules.shoe.decks,
        "procedure": found.procedure,
        "seed": found.seed,
        "rounds": found.rounds,
        "asked": found.asked,
        "complete": found.complete,
    }


def _seat(seat: SeatResult, fresh: float | None) -> dict[str, Any]:
    return {
        "strategy": seat.strategy,
        **_estimate(seat.estimate),
        "average_stake": finite(seat.average_stake),
        "wins": seat.outcomes.wins,
        "pushes": seat.outcomes.pushes,
        "losses": seat.outcomes.losses,
        "histogram": _histogram(seat.histogram),
        "wagers": {wager.name: _wager(wager) for wager in seat.wagers},
        "fresh_shoe": fresh,
    }


def _wager(wager: WagerSample) -> dict[str, Any]:
    return {
        "unit": wager.unit,
        "printed": wager.printed,
        "placed": wager.estimate.rounds,
        **_estimate(wager.estimate),
        "histogram": _histogram(wager.histogram),
        "lines": [_line(line) for line in wager.lines],
        "taxes": [_line(line) for line in wager.taxes],
    }


def _line(line: LineCount) -> dict[str, Any]:
    return {"line": line.line, "pays": line.pays, "count": line.count}


def _insurance(insurance: InsuranceResult) -> dict[str, Any]:
    return {
        "taken": insurance.estimate.rounds,
        **_estimate(insurance.estimate),
        "histogram": _histogram(insurance.histogram),
    }


def _estimate(found: Estimate) -> dict[str, float | None]:
    return {
        "mean": finite(found.mean),
        "se": finite(found.se),
        "low": finite(found.low),
        "high": finite(found.high),
        "sd": finite(found.sd),
    }


def _histogram(counts: Mapping[Fraction, int]) -> dict[str, int]:
    return {exact_decimal(net): counts[net] for net in sorted(counts)}
