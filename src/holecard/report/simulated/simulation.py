"""A simulation: means with their errors, net results, and how often every pay line came.

Nothing here depends on how long the run took or where it ran: equal runs print the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holecard.errors import plural
from holecard.report.document import QUIET, Block, Document, Facts, Heading, Paragraph, facts, table
from holecard.report.house_tables import FOOTNOTE, SENTENCE, any_marked, marked
from holecard.report.numbers import confidence, decimals, exact_decimal, known, percent, probability, signed
from holecard.report.parts import ev_text
from holecard.report.sheet import identity, origin, settings, settings_text, title_and_facts
from holecard.report.simulated.estimates import (
    counts_data,
    deviation,
    error_note,
    estimate_data,
    ev_and_edge,
    ev_in_dollars,
)
from holecard.sheets.schema import RuleSheet
from holecard.simulation.results import InsuranceSample, LineCount, SeatResult, Simulation, WagerSample
from holecard.simulation.statistics.estimates import Estimate, sd_se

if TYPE_CHECKING:
    from holecard.simulation.count_results import CountSimulation
    from holecard.simulation.luck_results import LuckSimulation

NO_ROUND = "No round was played."
COMPARED = "Compared with a fresh shoe for every round"
SEATS_NOTE = "EV per unit of initial stake. Seats share the cards, so their results are correlated."
_IN_DOLLARS = "dollars"
#: Rounds of one shoe depend on each other; only the error of the mean is computed from whole shoes.
_AS_IF_FRESH = "Errors here assume independent rounds, which rounds of one shoe are not quite."


def summary(found: Simulation) -> str:
    """Return a line such as `Simulation(classic, 1,000,000 rounds: ev -0.0047, standard error 0.0011)`."""
    return f"Simulation({origin(found.rules)}, {plural(found.rounds, 'round')}: {ev_text(found.main.estimate)})"


# For programs


def data(found: Simulation) -> dict[str, Any]:
    """Return the data of `holecard simulate --json`."""
    return {
        **run_data(found),
        "level": found.main.level,
        "seats": [_seat(seat, found.fresh[number] if found.fresh else None) for number, seat in enumerate(found.seats)],
        "insurance": None if found.insurance is None else _insurance_data(found.insurance),
        "not_sampled": not_sampled(found),
        "settings": settings(found.rules),
    }


def run_data(found: Simulation | LuckSimulation | CountSimulation) -> dict[str, Any]:
    """Return the data that say what was played."""
    return {
        **identity(found.rules),
        "decks": found.rules.shoe.decks,
        "procedure": found.procedure,
        "seed": found.seed,
        "rounds": found.rounds,
        "asked": found.asked,
        "complete": found.complete,
    }


def not_sampled(found: Simulation) -> list[str]:
    """Return the wagers of the game that the run did not place."""
    sampled = {wager.name for wager in found.main.wagers}
    return [wager.name for wager in found.rules.wager if wager.name not in sampled]


def _seat(seat: SeatResult, fresh: float | None) -> dict[str, Any]:
    return {
        "strategy": seat.strategy,
        **estimate_data(seat.estimate),
        "average_stake": seat.average_stake,
        "wins": seat.outcomes.wins,
        "pushes": seat.outcomes.pushes,
        "losses": seat.outcomes.losses,
        "counts": counts_data(seat.histogram),
        "wagers": {wager.name: _wager(wager) for wager in seat.wagers},
        "fresh_shoe_ev": fresh,
    }


def _wager(wager: WagerSample) -> dict[str, Any]:
    return {
        "unit": wager.unit,
        "printed": wager.printed,
        "placed": wager.estimate.rounds,
        **estimate_data(wager.estimate),
        "counts": counts_data(wager.histogram),
        "lines": [_line(line) for line in wager.lines],
        "taxes": [_line(line) for line in wager.taxes],
    }


def _line(line: LineCount) -> dict[str, Any]:
    return {"line": line.line, "pays": line.pays, "count": line.count}


def _insurance_data(insurance: InsuranceSample) -> dict[str, Any]:
    return {
        "taken": insurance.estimate.rounds,
        **estimate_data(insurance.estimate),
        "counts": counts_data(insurance.histogram),
    }


def rows(found: Simulation) -> list[dict[str, Any]]:
    """Return one row for each seat's main wager and for each of its side wagers."""
    return [row for number, seat in enumerate(found.seats, 1) for row in _seat_rows(found, number, seat)]


def _seat_rows(found: Simulation, number: int, seat: SeatResult) -> Iterator[dict[str, Any]]:
    start = {"game": origin(found.rules), "seat": number, "strategy": seat.strategy}
    yield {**start, "wager": "main", "rounds": found.rounds, **estimate_data(seat.estimate)}
    for wager in seat.wagers:
        yield {**start, "wager": wager.name, "rounds": wager.estimate.rounds, **estimate_data(wager.estimate)}


# For people


def document(found: Simulation) -> Document:
    """Return everything that was counted, as a document."""
    return Document(f"{found.rules.name}: simulation", tuple(_blocks(found)))


def _blocks(found: Simulation) -> Iterator[Block]:
    yield from run_heading(found, *seat_facts([seat.strategy for seat in found.seats]))
    if not found.rounds:
        yield Paragraph(NO_ROUND)
        return
    note = _AS_IF_FRESH if found.fresh else ""
    several = len(found.seats) > 1
    if several:
        yield from _seats(found)
    for number, seat in enumerate(found.seats, 1):
        yield from _main_wager(found, seat, f"Seat {number}" if several else "Main wager")
        if found.fresh:
            yield from _compared_with_fresh(seat, found.fresh[number - 1])
        yield from _net_results(seat.histogram, note)
        for wager in seat.wagers:
            yield from _side_wager(wager, f"Seat {number}: {wager.name}" if several else wager.name, note)
    if found.insurance is not None:
        yield from _insurance(found.insurance, note)
    yield from left_out_wagers("Not sampled", not_sampled(found), found.rules)


def run_heading(found: Simulation | LuckSimulation | CountSimulation, *notes: tuple[str, str]) -> list[Heading | Facts]:
    """Return the game, its settings, how it was dealt, and the number of rounds."""
    asked = "" if found.complete else f" of {found.asked:,}: stopped early"
    return title_and_facts(
        found.rules,
        ("dealt", found.procedure),
        ("settings", settings_text(found.rules)),
        *notes,
        ("rounds", f"{found.rounds:,}{asked}, seed {found.seed}"),
    )


def unit_note(rules: RuleSheet) -> str:
    """Return the unit of a main wager's numbers."""
    tables = rules.tables
    return f"Per unit of initial stake ({' and '.join(tables.stakes[: 2 if tables.has_companion else 1])})."


def seat_facts(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the strategy of all seats, or of each, given by name."""
    if len(set(names)) == 1:
        return [("strategy", names[0]), ("seats", str(len(names)) if len(names) > 1 else "")]
    return [(f"seat {number}", name) for number, name in enumerate(names, 1)]


def _seats(found: Simulation) -> Iterator[Block]:
    """Yield a table of all seats."""
    yield Heading("The seats", SEATS_NOTE)
    lines = [(f"seat {number}", *_at_a_glance(seat.estimate)) for number, seat in enumerate(found.seats, 1)]
    yield table(("", "EV", "standard error", f"{confidence(found.main.level)} from", "to"), lines)


def _at_a_glance(found: Estimate) -> list[str]:
    places = decimals(found.standard_error)
    ends = (signed(end, places) if math.isfinite(end) else known(end, 0) for end in (found.low, found.high))
    return [signed(found.ev, places), known(found.standard_error, places), *ends]


def _main_wager(found: Simulation, seat: SeatResult, name: str) -> Iterator[Block]:
    yield Heading(name, unit_note(found.rules))
    ended = seat.outcomes
    yield facts(
        [
            *ev_and_edge(seat.estimate, _alone(seat)),
            ("standard deviation", *deviation(seat.estimate, sd_se(seat.histogram))),
            ("average stake", f"{seat.average_stake:.6f}", "at the end of a round, with doubles and splits"),
            ("rounds won", percent(ended.wins / found.rounds), f"{ended.wins:,}"),
            ("pushed", percent(ended.pushes / found.rounds), f"{ended.pushes:,}"),
            ("lost", percent(ended.losses / found.rounds), f"{ended.losses:,}"),
        ]
    )


def _compared_with_fresh(seat: SeatResult, exact: float) -> Iterator[Block]:
    """Yield the difference that the procedure makes to the EV."""
    yield Heading(COMPARED)
    found = seat.estimate
    places = decimals(found.standard_error)
    yield facts(
        [
            ("expected value", signed(exact, places), "exactly"),
            (
                "this procedure",
                signed(found.ev - exact, places),
                error_note(found.standard_error, places, _alone(seat)),
            ),
        ]
    )


def _alone(seat: SeatResult) -> str:
    """Return the unit (round or shoe) that needs at least two for a standard error."""
    return "round" if seat.shoes is None else "shoe"


def _net_results(histogram: Mapping[Fraction, int], note: str) -> Iterator[Block]:
    yield Heading("Net result of a round", note)
    rounds = sum(histogram.values())
    lines = [(exact_decimal(net), *_counted(histogram[net], rounds)) for net in sorted(histogram)]
    total = ("all", f"{rounds:,}", probability(1, 7), "")
    yield table(("units", "rounds", "share", "standard error"), lines, total)


def _counted(count: int, of: int) -> tuple[str, str, str]:
    """Return a count, its share, and the standard error of the share."""
    share = count / of
    return f"{count:,}", probability(share, 7), probability(math.sqrt(share * (1 - share) / of), 7)


def _side_wager(wager: WagerSample, name: str, note: str) -> Iterator[Block]:
    """Yield the EV of a side wager, and how often every line paid."""
    notes = (f"Per {wager.unit}, placed whenever possible.", "" if wager.printed else SENTENCE, note)
    yield Heading(name, " ".join(filter(None, notes)))
    placed = wager.estimate.rounds
    if not placed:
        yield Paragraph("It could never be placed.")
        return
    mean = ev_in_dollars if _IN_DOLLARS in wager.unit else ev_and_edge
    spread = ("standard deviation", *deviation(wager.estimate, sd_se(wager.histogram)))
    yield facts([*mean(wager.estimate), spread, ("placed", f"{placed:,}", "times" if placed > 1 else "time")])
    for first, second, counted in (("line", "pays", wager.lines), ("tax", "takes", wager.taxes)):
        if counted:
            lines = [(line.line, line.pays, *_counted(line.count, placed)) for line in counted]
            yield table((first, second, "times", "share", "standard error"), lines)


def _insurance(insurance: InsuranceSample, note: str) -> Iterator[Block]:
    per = "Per unit of insurance, taken whenever it is offered: with an ace up and any hand."
    yield Heading("Insurance", f"{per} {note}".strip())
    if not insurance.estimate.rounds:
        yield Paragraph("It was never offered.")
        return
    taken, won = insurance.estimate.rounds, sum(count for net, count in insurance.histogram.items() if net > 0)
    yield facts([*ev_and_edge(insurance.estimate), ("won", percent(won / taken), f"{won:,} of {taken:,} taken")])


def left_out_wagers(what: str, names: Sequence[str], rules: RuleSheet) -> Iterator[Block]:
    """Name the wagers that are not in the report."""
    if names:
        listed = ", ".join(marked(names, rules.tables))
        yield Paragraph(f"{what}: {listed}. `holecard analyze` has the exact numbers.", QUIET)
    if any_marked(names, rules.tables):
        yield Paragraph(FOOTNOTE, QUIET)
