"""`holecard bankroll`: what becomes of a bankroll, in numbers and as a plot."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from holecard.charts.caption import caption
from holecard.charts.chart import Chart
from holecard.cli.arguments import Game, Json, Settings, sheet
from holecard.cli.commands.simulate import Seed, read_strategies, say_strategy
from holecard.cli.options import follows, say_if_compiling
from holecard.cli.printing.format import bound, facts, grid, percent, title
from holecard.cli.printing.show import as_json, console
from holecard.cli.printing.show_analysis import heading
from holecard.cli.progress import Counter
from holecard.errors import Refusal
from holecard.kernels.cache import mark_warm
from holecard.money import cents, dollars
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.simulation.bankroll.projection import Plan, Point, Prospects
    from holecard.simulation.bankroll.ruin import WithoutEnd
    from holecard.exact.strategies import StrategyLike

#: What share of players owns no more, as the quantiles are headed.
_SHARES = ("5%", "25%", "50%", "75%", "95%")


def bankroll(
    game: Game,
    bankroll: Annotated[str, typer.Option(metavar="MONEY", help="What the player begins with.")],
    bet: Annotated[str, typer.Option(metavar="MONEY", help="The main wager of every round.")],
    settings: Settings = None,
    hours: Annotated[float, typer.Option(help="How long a session is.")] = 4,
    rounds_per_hour: Annotated[int, typer.Option(help="How fast is played.")] = 80,
    paths: Annotated[int, typer.Option(help="Sessions to sample, beside the exact numbers.")] = 10_000,
    seed: Seed = 1,
    confidence: Annotated[float, typer.Option(help="How sure the edge has to show, between 0 and 1.")] = 0.95,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="optimal (the best chart), 'mimic the dealer', 'never bust', or a chart's file.",
            show_default="the best play by every card",
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the bankroll over time.")] = None,
    json: Json = False,
) -> None:
    """Reckon what becomes of a bankroll: risk of ruin, quantiles over time, drawdown, hours until the edge shows.

    Each round is dealt from a fresh shoe. Ruined is who cannot cover one more bet, and stops.

    \b
    Examples:
      holecard bankroll GAME --bankroll '$1000' --bet '$10'
      holecard bankroll GAME --bankroll '$500' --bet '$25' --hours 8 --plot bankroll.svg
      holecard bankroll GAME --bankroll '$1000' --bet '$10' --strategy 'never bust'
      holecard bankroll GAME --bankroll '$1000' --bet '$10' --set settle.natural='6 to 5' --json
    """
    rules = sheet(game, settings)
    player = None if strategy is None else read_strategies([strategy], rules)[0]
    _refuse_nothing("--bankroll", bankroll)
    _refuse_nothing("--bet", bet)
    _refuse_ending(plot)
    say_if_compiling("bankroll")
    from holecard.simulation.bankroll.projection import (  # numba loads here, and only where it is needed
        prospects,
        steps,
    )

    chart, followed = _followed(strategy, player, rules)
    with Counter("reckoning", steps(paths)) as counter:
        found = prospects(
            rules,
            bankroll=bankroll,
            bet=bet,
            hours=hours,
            rounds_per_hour=rounds_per_hour,
            paths=paths,
            seed=seed,
            confidence=confidence,
            strategy=chart,
            threads=os.cpu_count() or 1,
            progress=counter.advance,
        )
    if counter.interrupted:
        raise KeyboardInterrupt
    found = replace(found, analysis=replace(found.analysis, strategy=followed))
    mark_warm("bankroll")
    if plot is not None:
        _draw(found, plot)
    if json:
        as_json(bankroll_data(game, found))
    else:
        show_bankroll(found)


def _followed(said: str | None, player: StrategyLike | None, rules: RuleSheet) -> tuple[Chart | None, str]:
    """The chart that is followed, None for the best play by every card, and what it is called."""
    from holecard.exact.strategies import strategy_of

    if said is None or player is None:
        return None, follows(None)
    followed = strategy_of(rules, player)
    return followed.chart, say_strategy(said, player, followed.name)


def _refuse_nothing(option: str, amount: str) -> None:
    """An unquoted $1000 reaches us as 000: the shell takes $1 for a name of its own."""
    if cents(amount) == 0:
        raise Refusal(f"{option}: {amount!r} is nothing; write an amount above 0, in quotes if it has a $: '$1000'")


def _refuse_ending(plot: Path | None) -> None:
    if plot is not None and plot.suffix.lower() != ".svg":
        raise Refusal(f"{plot}: the plot is drawn as SVG; end its name in .svg")


def _draw(found: Prospects, plot: Path) -> None:
    from holecard.report.bankroll_svg import to_svg

    try:
        plot.write_text(to_svg(found, caption(found.analysis.rules)), encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{plot}: cannot be written: {error.strerror}") from None


# For people


def show_bankroll(found: Prospects) -> None:
    """Everything, for people."""
    out, analysis = console(), found.analysis
    notes = [("strategy", analysis.strategy), ("splits", analysis.convention), ("rounds", found.convention)]
    heading(out, analysis.rules, analysis.shoe, notes)
    _session(out, found)
    _ruin(out, found)
    _ending(out, found)
    _over_time(out, found)
    _drawdown(out, found)
    _patience(out, found)


def _session(out: Console, found: Prospects) -> None:
    plan, main = found.plan, found.analysis.main
    each = "" if plan.stake == plan.bet else f", {dollars(plan.bet)} each on {main.unit}"
    title(out, f"{dollars(plan.bankroll)} at {dollars(plan.stake)} a round{each}", f"{_length(plan)}.")
    hour = plan.rounds_per_hour
    error = f" within {bound(main.spread_error)}" if main.spread_error else ""
    facts(
        out,
        [
            ("expected value", f"{main.ev:+.7f}", f"of a stake; {dollars(round(main.ev * hour * plan.stake))} an hour"),
            (
                "standard deviation",
                f"{main.sd:.7f}",
                f"of a stake{error}; {dollars(round(main.sd * hour**0.5 * plan.stake))} an hour",
            ),
        ],
    )


def _length(plan: Plan) -> str:
    rounds = "1 round" if plan.rounds == 1 else f"{plan.rounds:,} rounds"
    return f"{rounds}: {plan.hours:.5g} hours of {plan.rounds_per_hour}"


def _ruin(out: Console, found: Prospects) -> None:
    sampled, ending = found.sampled, found.ending
    remark = (
        f"Ruined is who has less than {dollars(found.plan.stake)} for the next round, and stops. Money to double or "
    )
    title(out, "Risk of ruin", f"{remark}split is always found, so that the last round can leave debts.")
    within = bound(ending.error)
    facts(
        out,
        [
            ("ruined", _tiny(found.points[-1].ruined, ending.error), f"exact within {within} for these net results"),
            (
                "sampled",
                percent(sampled.points[-1].ruined),
                f"of {sampled.paths:,} paths; standard error {percent(found.ruined_error)}",
            ),
            ("ruined with debts", _tiny(ending.owing, ending.error), "exact, too"),
            ("without end", *_say_without_end(found.without_end)),
        ],
    )


def _tiny(chance: float, error: float) -> str:
    """A chance in percent, with a power of ten where it is small; one that hides in its error is said to be below."""
    if chance <= error:
        return f"under {bound(200 * error)}%"
    return percent(chance) if chance >= 1e-6 else f"{100 * chance:.2e}%"


def _say_without_end(risk: WithoutEnd) -> tuple[str, str]:
    if risk.high == 0:
        return "impossible", "no round can be lost"
    if risk.adjustment is None:
        return "certain", "whoever plays on without an edge is ruined in the end"
    return _tiny(risk.high, 0), f"at most (Lundberg's bound), and at least {_tiny(risk.low, 0)}"


def _ending(out: Console, found: Prospects) -> None:
    ending = found.ending
    title(out, "At the end", "Of all players, ruined or not.")
    facts(
        out,
        [
            ("ahead", percent(ending.ahead), f"exact; {percent(found.sampled.ahead)} of the sampled paths"),
            ("even", percent(ending.even), ""),
            ("behind", percent(ending.behind), ""),
            ("average", dollars(round(ending.mean)), ""),
        ],
    )


def _over_time(out: Console, found: Prospects) -> None:
    remark = "Exact quantiles: such a share of all players owns no more. The ruined own what they were left with."
    title(out, "The bankroll over time", remark)
    pace = found.plan.rounds_per_hour
    rows = [(f"{p.played / pace:.4g}", *_rounded(p.quantiles), percent(p.ruined)) for p in found.rows]
    long = max(len(amount) for row in rows for amount in row) > 9
    grid(out, ("hours", *_SHARES, "ruined"), rows, gap=1 if long else 3)


def _rounded(amounts: tuple[int, ...]) -> list[str]:
    """Whole dollars, which is fine enough and fits the line."""
    return [dollars(round(amount, -2)) for amount in amounts]


def _drawdown(out: Console, found: Prospects) -> None:
    sampled = found.sampled
    remark = (
        f"The deepest fall below the highest point before it, in {sampled.paths:,} sampled paths (seed {sampled.seed})."
    )
    title(out, "Drawdown", remark)
    error = f"standard error {dollars(round(sampled.drawdown_error))}"
    facts(out, [("mean", dollars(round(sampled.drawdown)), error)])
    grid(out, ("", *_SHARES), [("deepest fall", *_rounded(sampled.drawdown_quantiles))])


def _patience(out: Console, found: Prospects) -> None:
    plan, ev = found.plan, found.analysis.main.ev
    edge, unlikely = ("gain", "loss") if ev > 0 else ("loss", "win")
    title(out, "Until the edge shows", "By the normal approximation, for a player who is never ruined.")
    interval = f"the {_confidence(plan.confidence)} interval around the edge no longer holds zero"
    facts(
        out,
        [
            (f"{edge} told from luck", *_say_rounds(found.patience.told_apart, plan), interval),
            (
                f"sure of no {unlikely}",
                *_say_rounds(found.patience.outcome_sure, plan),
                f"a {unlikely} in all is less likely than {_confidence(1 - plan.confidence)}",
            ),
        ],
    )


def _confidence(share: float) -> str:
    return f"{100 * share:.6g}%"


def _say_rounds(rounds: int | None, plan: Plan) -> tuple[str, str]:
    if rounds is None:
        return "never", ""
    hours = rounds / plan.rounds_per_hour
    return f"{rounds:,} rounds", f"{hours:,.0f} hours" if hours >= 10 else f"{hours:.2g} hours"


# For programs


def bankroll_data(game: str, found: Prospects) -> dict[str, Any]:
    """Keys, and their order, as docs/bankroll.md promises them."""
    analysis, plan, sampled = found.analysis, found.plan, found.sampled
    return {
        "game": game,
        "decks": analysis.rules.shoe.decks,
        "convention": f"{analysis.convention}; {found.convention}",
        "settings": dict(analysis.rules.origin[1]),
        "strategy": analysis.strategy,
        "bankroll": plan.bankroll,
        "bet": plan.bet,
        "stake": plan.stake,
        "rounds": plan.rounds,
        "rounds_per_hour": plan.rounds_per_hour,
        "hours": plan.hours,
        "ev": analysis.main.ev,
        "sd": analysis.main.sd,
        "ruin": {
            "chance": found.points[-1].ruined,
            "error": found.ending.error,
            "with_debts": found.ending.owing,
            "without_end": {"low": found.without_end.low, "high": found.without_end.high},
            "adjustment": found.without_end.adjustment,
        },
        "end": {
            "ahead": found.ending.ahead,
            "even": found.ending.even,
            "behind": found.ending.behind,
            "mean": round(found.ending.mean),
        },
        "over_time": [_row(point, plan) for point in found.rows],
        "sampled": {
            "paths": sampled.paths,
            "seed": sampled.seed,
            "ruined": sampled.points[-1].ruined,
            "ruined_error": found.ruined_error,
            "ahead": sampled.ahead,
            "drawdown": {
                "mean": round(sampled.drawdown),
                "error": round(sampled.drawdown_error),
                "quantiles": dict(zip(_SHARES, sampled.drawdown_quantiles, strict=True)),
            },
            "over_time": [_row(point, plan) for point in sampled.points],
        },
        "until_the_edge_shows": {
            "confidence": plan.confidence,
            "told_apart": _long(found.patience.told_apart, plan),
            "outcome_sure": _long(found.patience.outcome_sure, plan),
        },
    }


def _row(point: Point, plan: Plan) -> dict[str, Any]:
    return {
        "rounds": point.played,
        "hours": point.played / plan.rounds_per_hour,
        "quantiles": dict(zip(_SHARES, point.quantiles, strict=True)),
        "ruined": point.ruined,
    }


def _long(rounds: int | None, plan: Plan) -> dict[str, Any] | None:
    return None if rounds is None else {"rounds": rounds, "hours": rounds / plan.rounds_per_hour}
