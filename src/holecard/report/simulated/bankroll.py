"""A bankroll: risk of ruin, quantiles over time, drawdown, and the rounds until the edge shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holecard.charts.caption import caption
from holecard.money import dollars
from holecard.report.bankroll_svg import bankroll_to_svg
from holecard.report.document import Block, Document, Figure, Heading, facts, table
from holecard.report.numbers import bound, confidence, percent
from holecard.report.sheet import identity, origin, settings, settings_text, shoe_text, title_and_facts
from holecard.simulation.bankroll.bankroll_report import BankrollReport, Plan, Point
from holecard.simulation.bankroll.ruin import EndlessPlay

#: The share of players who own no more, as the quantiles are headed.
_SHARES = ("5%", "25%", "50%", "75%", "95%")


def summary(found: BankrollReport) -> str:
    """Return a line such as `Bankroll(classic, $1,000 at $10 for 320 rounds: 0.0411% ruined)`."""
    plan = found.plan
    stake = f"{dollars(plan.bankroll)} at {dollars(plan.stake)} for {plan.rounds:,} rounds"
    return f"Bankroll({origin(found.analysis.rules)}, {stake}: {_tiny(found.points[-1].ruined, 0)} ruined)"


def svg(found: BankrollReport) -> str:
    """Return the bankroll over time as a drawing."""
    return bankroll_to_svg(found, caption(found.analysis.rules))


# For people


def document(found: BankrollReport, *, drawing: bool = True) -> Document:
    """Return all tables, and the drawing where one can be shown."""
    return Document(f"{found.analysis.rules.name}: bankroll", tuple(_blocks(found, drawing)))


def _blocks(found: BankrollReport, drawing: bool) -> Iterator[Block]:
    analysis = found.analysis
    yield from title_and_facts(
        analysis.rules,
        ("shoe", shoe_text(analysis.rules, analysis.shoe)),
        ("settings", settings_text(analysis.rules)),
        ("strategy", analysis.strategy),
        ("splits", analysis.convention),
        ("rounds", found.convention),
    )
    yield from _session(found)
    if drawing:
        yield Figure(svg(found))
    yield from _ruin(found)
    yield from _ending(found)
    yield from _over_time(found)
    yield from _drawdown(found)
    yield from _until_the_edge_shows(found)


def _session(found: BankrollReport) -> Iterator[Block]:
    plan, main = found.plan, found.analysis.main
    each = "" if plan.stake == plan.bet else f", {dollars(plan.bet)} each on {main.unit}"
    yield Heading(f"{dollars(plan.bankroll)} at {dollars(plan.stake)} per round{each}", f"{_length(plan)}.")
    hour = plan.rounds_per_hour
    error = f" within {bound(main.standard_deviation_error)}" if main.standard_deviation_error else ""
    by_hour = (
        dollars(round(main.ev * hour * plan.stake)),
        dollars(round(main.standard_deviation * hour**0.5 * plan.stake)),
    )
    yield facts(
        [
            ("expected value", f"{main.ev:+.7f}", f"of a stake; {by_hour[0]} per hour"),
            ("standard deviation", f"{main.standard_deviation:.7f}", f"of a stake{error}; {by_hour[1]} per hour"),
        ]
    )


def _length(plan: Plan) -> str:
    rounds = "1 round" if plan.rounds == 1 else f"{plan.rounds:,} rounds"
    return f"{rounds}: {plan.hours:.5g} hours of {plan.rounds_per_hour}"


def _ruin(found: BankrollReport) -> Iterator[Block]:
    sampled, ending = found.sampled, found.ending
    yield Heading(
        "Risk of ruin",
        f"A player who has less than {dollars(found.plan.stake)} for the next bet is ruined and stops. Money to double "
        "or split is always available, so the last round can leave a debt.",
    )
    yield facts(
        [
            (
                "ruined",
                _tiny(found.points[-1].ruined, ending.error),
                f"exact to within {bound(ending.error)} for these net results",
            ),
            (
                "sampled",
                percent(sampled.points[-1].ruined),
                f"of {sampled.paths:,} paths; standard error {percent(found.ruined_error)}",
            ),
            ("ruined, owing money", _tiny(ending.owing, ending.error), "exact"),
            ("playing forever", *_without_end(found.endless_play)),
        ]
    )


def _tiny(probability: float, error: float) -> str:
    """Return a probability in percent, with a power of ten if it is small; "under" if it is below its error."""
    if probability <= error:
        return f"under {bound(200 * error)}%" if error else percent(probability)
    return percent(probability) if probability >= 1e-6 else f"{100 * probability:.2e}%"


def _without_end(risk: EndlessPlay) -> tuple[str, str]:
    if risk.high == 0:
        return "impossible", "no round can be lost"
    if risk.adjustment is None:
        return "certain", "without an edge, ruin is certain"
    return _tiny(risk.high, 0), f"at most (Lundberg's bound), and at least {_tiny(risk.low, 0)}"


def _ending(found: BankrollReport) -> Iterator[Block]:
    ending = found.ending
    yield Heading("At the end", "Of all players, ruined or not.")
    yield facts(
        [
            ("ahead", percent(ending.ahead), f"exact; {percent(found.sampled.ahead)} of the sampled paths"),
            ("even", percent(ending.even), ""),
            ("behind", percent(ending.behind), ""),
            ("average", dollars(round(ending.mean)), ""),
        ]
    )


def _over_time(found: BankrollReport) -> Iterator[Block]:
    yield Heading(
        "The bankroll over time",
        "Exact quantiles: this share of players has this much or less. Ruined players keep what they had left.",
    )
    pace = found.plan.rounds_per_hour
    lines = [(f"{p.played / pace:.4g}", *_rounded(p.quantiles), percent(p.ruined)) for p in found.rows]
    long = max(len(amount) for line in lines for amount in line) > 9
    yield table(("hours", *_SHARES, "ruined"), lines, gap=1 if long else 3)


def _rounded(amounts: tuple[int, ...]) -> list[str]:
    """Return amounts in whole dollars, which fit the line."""
    return [dollars(round(amount, -2)) for amount in amounts]


def _drawdown(found: BankrollReport) -> Iterator[Block]:
    sampled = found.sampled
    yield Heading(
        "Drawdown",
        f"The deepest drop below an earlier peak, in {sampled.paths:,} sampled paths (seed {sampled.seed}).",
    )
    error = f"standard error {dollars(round(sampled.drawdown_error))}"
    yield facts([("mean", dollars(round(sampled.drawdown)), error)])
    yield table(("", *_SHARES), [("deepest drop", *_rounded(sampled.drawdown_quantiles))])


def _until_the_edge_shows(found: BankrollReport) -> Iterator[Block]:
    plan, ev = found.plan, found.analysis.main.ev
    edge, unlikely = ("gain", "loss") if ev > 0 else ("loss", "win")
    yield Heading("Until the edge shows", "By the normal approximation, for a player who is never ruined.")
    yield facts(
        [
            (
                f"{edge} distinct from luck",
                *_rounds(found.rounds_to_detect.edge_detectable, plan),
                f"the {confidence(plan.confidence)} interval around the edge no longer contains zero",
            ),
            (
                f"{unlikely} improbable",
                *_rounds(found.rounds_to_detect.outcome_sure, plan),
                f"an overall {unlikely} has a probability below {confidence(1 - plan.confidence)}",
            ),
        ]
    )


def _rounds(rounds: int | None, plan: Plan) -> tuple[str, str]:
    if rounds is None:
        return "never", ""
    hours = rounds / plan.rounds_per_hour
    return f"{rounds:,} rounds", f"{hours:,.0f} hours" if hours >= 10 else f"{hours:.2g} hours"


# For programs


def data(found: BankrollReport) -> dict[str, Any]:
    """Return the data of `holecard bankroll --json`; money in cents."""
    analysis, plan, sampled = found.analysis, found.plan, found.sampled
    return {
        **identity(analysis.rules),
        "decks": analysis.rules.shoe.decks,
        "convention": f"{analysis.convention}; {found.convention}",
        "settings": settings(analysis.rules),
        "strategy": analysis.strategy,
        "bankroll": plan.bankroll,
        "bet": plan.bet,
        "stake": plan.stake,
        "rounds": plan.rounds,
        "rounds_per_hour": plan.rounds_per_hour,
        "hours": plan.hours,
        "ev": analysis.main.ev,
        "standard_deviation": analysis.main.standard_deviation,
        "ruin": {
            "probability": found.points[-1].ruined,
            "error_bound": found.ending.error,
            "with_debts": found.ending.owing,
            "without_end": {"low": found.endless_play.low, "high": found.endless_play.high},
            "adjustment": found.endless_play.adjustment,
        },
        "end": {
            "ahead": found.ending.ahead,
            "even": found.ending.even,
            "behind": found.ending.behind,
            "mean": round(found.ending.mean),
        },
        "over_time": [_point(point, plan) for point in found.rows],
        "sampled": {
            "paths": sampled.paths,
            "seed": sampled.seed,
            "ruined": sampled.points[-1].ruined,
            "ruined_standard_error": found.ruined_error,
            "ahead": sampled.ahead,
            "drawdown": {
                "mean": round(sampled.drawdown),
                "standard_error": round(sampled.drawdown_error),
                "quantiles": dict(zip(_SHARES, sampled.drawdown_quantiles, strict=True)),
            },
            "over_time": [_point(point, plan) for point in sampled.points],
        },
        "until_the_edge_shows": {
            "confidence": plan.confidence,
            "edge_detectable": _duration(found.rounds_to_detect.edge_detectable, plan),
            "outcome_sure": _duration(found.rounds_to_detect.outcome_sure, plan),
        },
    }


def rows(found: BankrollReport) -> list[dict[str, Any]]:
    """Return one row for each moment of the session: exact quantiles in dollars, and the share of ruined players."""
    pace = found.plan.rounds_per_hour
    return [
        {
            "game": origin(found.analysis.rules),
            "rounds": point.played,
            "hours": point.played / pace,
            **{f"{share} in dollars": cents / 100 for share, cents in zip(_SHARES, point.quantiles, strict=True)},
            "ruined": point.ruined,
        }
        for point in found.rows
    ]


def _point(point: Point, plan: Plan) -> dict[str, Any]:
    return {
        "rounds": point.played,
        "hours": point.played / plan.rounds_per_hour,
        "quantiles": dict(zip(_SHARES, point.quantiles, strict=True)),
        "ruined": point.ruined,
    }


def _duration(rounds: int | None, plan: Plan) -> dict[str, Any] | None:
    return None if rounds is None else {"rounds": rounds, "hours": rounds / plan.rounds_per_hour}
