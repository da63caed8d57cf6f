"""What a simulation counted, and how it compares with the exact numbers, on paper.

A mean is written with as many digits as its standard error leaves meaning to, and two more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from holecard.cli.printing.format import (
    chance,
    dollars_and,
    exact_decimal,
    facts,
    grid,
    percent,
    say,
    signed,
    title,
)
from holecard.cli.printing.house_tables import FOOTNOTE, SENTENCE, any_marked, mark, marked
from holecard.cli.printing.show import console
from holecard.cli.printing.simulation_data import not_sampled
from holecard.sheets.schema import RuleSheet
from holecard.simulation.statistics.estimates import Estimate, sd_se

if TYPE_CHECKING:
    from holecard.simulation.plays.luck_adjusted import LuckSimulation
    from holecard.simulation.results import InsuranceResult, SeatResult, Simulation, WagerSample
    from holecard.simulation.statistics.agreement import Agreement
    from holecard.simulation.statistics.comparisons import Comparison
    from holecard.simulation.verify import Verification
    from holecard.simulation.witness.replay import Replay

UNKNOWN = "-"
NO_ROUND = "No round was played."
_IN_DOLLARS = "dollars"
#: Rounds of one shoe depend on each other; only the mean's error is reckoned from whole shoes.
_AS_IF_FRESH = " Errors here are those of independent rounds, which rounds of one shoe are not quite."


def decimals(se: float) -> int:
    """Places after the point that show two digits of a standard error; six where there is none.

    >>> decimals(0.0116), decimals(0.00026)
    (3, 5)
    """
    return min(max(1 - math.floor(math.log10(se)), 2), 15) if 0 < se < math.inf else 6


def millions(number: float) -> str:
    """12,300,000 is "12.3", and a billion "1,000"."""
    return f"{number / 1e6:,.{0 if number >= 1e8 else 1}f}"


# Simulated


def show_simulation(found: Simulation) -> None:
    """Everything, for people."""
    out = console()
    heading(out, found, _strategies(found))
    if not found.rounds:
        say(out, NO_ROUND, "")
        return
    remark = _AS_IF_FRESH if found.fresh else ""
    if len(found.seats) > 1:
        _seats(out, found)
    for number, seat in enumerate(found.seats, 1):
        _main_wager(out, found, seat, f"Seat {number}" if len(found.seats) > 1 else "Main wager")
        if found.fresh:
            _beside_fresh(out, seat, found.fresh[number - 1])
        _net_results(out, seat.histogram, remark)
        for wager in seat.wagers:
            _side_wager(out, wager, f"Seat {number}: {wager.name}" if len(found.seats) > 1 else wager.name, remark)
    if found.insurance is not None:
        _insurance(out, found.insurance, remark)
    _left_out(out, "Not sampled", not_sampled(found), found.rules)


def heading(out: Console, found: Simulation | LuckSimulation, notes: Iterable[tuple[str, str]]) -> None:
    """Game, settings, how it was dealt and how much."""
    out.print(Text(found.rules.name, style="bold"))
    settings = ", ".join(f"{word} = {value}" for word, value in found.rules.origin[1].items())
    asked = "" if found.complete else f" of {found.asked:,}: stopped early"
    rounds = f"{found.rounds:,}{asked}, seed {found.seed}"
    lines = [("dealt", found.procedure), ("settings", settings), *notes, ("rounds", rounds)]
    facts(out, [(name, words) for name, words in lines if words])


def unit_of(rules: RuleSheet) -> str:
    """What the numbers of a main wager are per."""
    tables = rules.tables
    return f"Per unit of initial stake ({' and '.join(tables.stakes[: 2 if tables.has_companion else 1])})."


def _strategies(found: Simulation) -> list[tuple[str, str]]:
    """What everybody follows, or each seat."""
    names = [seat.strategy for seat in found.seats]
    if len(set(names)) == 1:
        return [("strategy", names[0]), ("seats", str(len(names)) if len(names) > 1 else "")]
    return [(f"seat {number}", name) for number, name in enumerate(names, 1)]


def _seats(out: Console, found: Simulation) -> None:
    """All seats at a glance."""
    remark = "Expected value per unit of initial stake. Seats share the cards, so that their results hang together."
    title(out, "The seats", remark)
    rows = [(f"seat {number}", *_at_a_glance(seat.estimate)) for number, seat in enumerate(found.seats, 1)]
    grid(out, ("", "mean", "standard error", f"{_level(found.main.level)} from", "to"), rows)


def _at_a_glance(found: Estimate) -> list[str]:
    places = decimals(found.se)
    error = f"{found.se:.{places}f}" if math.isfinite(found.se) else UNKNOWN
    ends = (signed(end, places) if math.isfinite(end) else UNKNOWN for end in (found.low, found.high))
    return [signed(found.mean, places), error, *ends]


def _main_wager(out: Console, found: Simulation, seat: SeatResult, name: str) -> None:
    title(out, name, unit_of(found.rules))
    ended = seat.outcomes
    facts(
        out,
        [
            *_mean(seat.estimate, _alone(seat)),
            ("standard deviation", *_spread(seat.estimate, sd_se(seat.histogram))),
            ("average stake", f"{seat.average_stake:.6f}", "at the end of a round, doubles and splits included"),
            ("rounds won", percent(ended.wins / found.rounds), f"{ended.wins:,}"),
            ("pushed", percent(ended.pushes / found.rounds), f"{ended.pushes:,}"),
            ("lost", percent(ended.losses / found.rounds), f"{ended.losses:,}"),
        ],
    )


def _beside_fresh(out: Console, seat: SeatResult, exact: float) -> None:
    """What the procedure does to the mean."""
    title(out, "Beside a fresh shoe for every round")
    found = seat.estimate
    places = decimals(found.se)
    facts(
        out,
        [
            ("expected value", signed(exact, places), "exactly"),
            ("this procedure", signed(found.mean - exact, places), error(found.se, places, _alone(seat))),
        ],
    )


def _alone(seat: SeatResult) -> str:
    """What says nothing of the mean's error if there is but one of it."""
    return "round" if seat.shoes is None else "shoe"


def _mean(found: Estimate, alone: str = "round") -> list[tuple[str, str, str]]:
    """The mean with its error, and the house's edge with the interval."""
    places = decimals(found.se)
    return [("expected value", signed(found.mean, places), error(found.se, places, alone)), house_edge(found)]


def house_edge(found: Estimate) -> tuple[str, str, str]:
    """In percent, with the interval."""
    places = max(decimals(found.se) - 2, 0)
    ends = [percent(-end, places) for end in (found.high, found.low)]
    return "house edge", percent(-found.mean, places), _interval(found, ends)


def _mean_in_dollars(found: Estimate) -> list[tuple[str, str, str]]:
    """What a round is worth, where amounts are fixed."""
    places = max(decimals(found.se), 2)
    ends = [dollars_and(end, places) for end in (found.low, found.high)]
    return [
        ("expected value", dollars_and(found.mean, places), f"a round; {error(found.se, places)}"),
        ("", "", _interval(found, ends)),
    ]


def _interval(found: Estimate, ends: list[str]) -> str:
    return f"{_level(found.level)} interval {ends[0]} to {ends[1]}" if math.isfinite(found.se) else ""


def _spread(found: Estimate, se: float) -> tuple[str, str]:
    """The standard deviation of a round, and how far it may be off itself."""
    places = decimals(se)
    return (f"{found.sd:.{places}f}" if math.isfinite(found.sd) else UNKNOWN), error(se, places)


def error(se: float, places: int, alone: str = "round") -> str:
    """How far a number may be off, where more than one round or shoe says so."""
    return f"standard error {se:.{places}f}" if math.isfinite(se) else f"one {alone} says nothing of its error"


def _level(level: float) -> str:
    return f"{100 * level:.6g}%"


def _net_results(out: Console, histogram: Mapping[Fraction, int], remark: str) -> None:
    title(out, "Net result of a round", remark.strip())
    rounds = sum(histogram.values())
    rows = [(exact_decimal(net), *_counted(histogram[net], rounds)) for net in sorted(histogram)]
    grid(out, ("units", "rounds", "share", "standard error"), rows, ("all", f"{rounds:,}", chance(1, 7), ""))


def _counted(count: int, of: int) -> tuple[str, str, str]:
    """How often, which share that is, and the share's own error."""
    share = count / of
    return f"{count:,}", chance(share, 7), chance(math.sqrt(share * (1 - share) / of), 7)


def _side_wager(out: Console, wager: WagerSample, name: str, remark: str) -> None:
    """Its mean, and how often every line came."""
    house = "" if wager.printed else f" {SENTENCE}"
    title(out, name, f"Per {wager.unit}, placed whenever it can be.{house}{remark}")
    placed = wager.estimate.rounds
    if not placed:
        say(out, "It could never be placed.", "")
        out.print()
        return
    mean = _mean_in_dollars if _IN_DOLLARS in wager.unit else _mean
    times = "times" if placed > 1 else "time"
    deviation = ("standard deviation", *_spread(wager.estimate, sd_se(wager.histogram)))
    facts(out, [*mean(wager.estimate), deviation, ("placed", f"{placed:,}", times)])
    for heading, lines in (("line", wager.lines), ("tax", wager.taxes)):
        if lines:
            rows = [(line.line, line.pays, *_counted(line.count, placed)) for line in lines]
            grid(out, (heading, "pays" if heading == "line" else "takes", "times", "share", "standard error"), rows)


def _insurance(out: Console, insurance: InsuranceResult, remark: str) -> None:
    per = "Per unit of insurance, taken whenever it is offered: an ace up, whatever the hand."
    title(out, "Insurance", f"{per}{remark}")
    if not insurance.estimate.rounds:
        say(out, "It was never offered.", "")
        out.print()
        return
    taken, won = insurance.estimate.rounds, sum(count for net, count in insurance.histogram.items() if net > 0)
    facts(out, [*_mean(insurance.estimate), ("won", percent(won / taken), f"{won:,} of {taken:,} taken")])


def _left_out(out: Console, what: str, names: Sequence[str], rules: RuleSheet) -> None:
    if names:
        listed = ", ".join(marked(names, rules.tables))
        say(out, f"{what}: {listed}. `holecard analyze` has the exact numbers.")
    if any_marked(names, rules.tables):
        say(out, FOOTNOTE)


# Compared


def show_verification(found: Verification) -> None:
    """The verdict first, then what was compared."""
    out = console()
    if not found.replay.agrees:
        _differing_rounds(out, found.replay)
    first, *rest = found.agreement.verdict.splitlines()
    out.print(Text(first, style="bold"))
    for line in rest:
        say(out, line.strip(), "")
    if found.replay.agrees:
        say(out, found.replay.verdict, "")
    out.print()
    heading(out, found.sampled, [("strategy", found.sampled.main.strategy), ("splits", found.exact.convention)])
    _comparisons(out, found.agreement, found.exact.rules)
    _left_out(out, "Not compared", found.left_out, found.exact.rules)


def _differing_rounds(out: Console, replay: Replay) -> None:
    """What differs, then the round's record, which can be copied into a file as it stands."""
    first, *rest = replay.verdict.splitlines()
    out.print(Text(first, style="bold"))
    for line in rest:
        out.print(Text(line), soft_wrap=True)
    out.print()


def _comparisons(out: Console, agreement: Agreement, rules: RuleSheet) -> None:
    """A grid for each wager, and for the dealer."""
    remark = (
        "p is the probability of a difference this large if the exact number is right. All are judged together: a "
        f"correct game fails for about one seed in {round(1 / agreement.level):,}."
    )
    title(out, "Comparisons", remark)
    out.print()
    for name, compared in groupby(agreement.comparisons, key=lambda compared: compared.name):
        heading = f"{name[0].upper()}{name[1:]}{mark(name, rules.tables)}"
        grid(out, (heading, "exact", "simulated", "difference", "p", ""), map(_row, compared), gap=2)
    if any_marked((compared.name for compared in agreement.comparisons), rules.tables):
        say(out, FOOTNOTE)


def _row(compared: Comparison) -> tuple[str, ...]:
    places = decimals(compared.se)
    exact, simulated = (
        f"{number:.{places}f}" if math.isfinite(number) else UNKNOWN for number in (compared.exact, compared.simulated)
    )
    p = f"{compared.p:.2g}" if math.isfinite(compared.p) else UNKNOWN
    return compared.what, exact, simulated, _difference(compared), p, compared.verdict


def _difference(compared: Comparison) -> str:
    """In standard errors, or by the chi-square and its degrees of freedom."""
    if compared.kind == "histogram" and compared.degrees:
        return f"chi² {compared.statistic:.1f} of {compared.degrees}"
    return f"z {compared.z:+.2f}" if not math.isnan(compared.z) else UNKNOWN
