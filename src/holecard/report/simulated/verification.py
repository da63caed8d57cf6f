"""A verification: the verdict first, then every comparison of exact and simulated numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from holecard.errors import plural
from holecard.report.document import QUIET, STRONG, Block, Document, Heading, Paragraph, table
from holecard.report.house_tables import FOOTNOTE, any_marked, mark
from holecard.report.numbers import UNKNOWN, decimals, known
from holecard.report.parts import agreement_text
from holecard.report.sheet import origin, settings
from holecard.report.simulated.simulation import left_out_wagers, run_data, run_heading
from holecard.simulation.claims.shown_numbers import NumberCheck
from holecard.simulation.statistics.agreement import Agreement
from holecard.simulation.statistics.comparisons import Comparison
from holecard.simulation.verify import Verification
from holecard.simulation.witness.replay import SHOWN, Replay

#: Differences between the sheet and its tables that are printed; JSON has all of them.
_SHOWN = 10


def summary(found: Verification) -> str:
    """Return a line such as `Verification(classic, 1,000,000 rounds: agrees in 14 comparisons)`."""
    rounds = plural(found.sampled.rounds, "round")
    if not found.reading.agrees:
        verdict = "the tables are not what the sheet says"
    elif failed := [check for check in (found.shown, found.same_rounds) if not check.agrees]:
        verdict = failed[0].verdict.splitlines()[0].removesuffix(":")
    elif found.replay.agrees:
        verdict = agreement_text(found.agreement)
    else:
        differing = len(found.replay.differences)
        verdict = f"{plural(differing, 'replayed round')} {'differs' if differing == 1 else 'differ'}"
    return f"Verification({origin(found.sampled.rules)}, {rounds}: {verdict})"


def data(found: Verification) -> dict[str, Any]:
    """Return the data of `holecard verify --json`."""
    return {
        **run_data(found.sampled),
        "strategy": found.sampled.main.strategy,
        "convention": found.exact.convention,
        "agrees": found.agrees,
        "verdict": found.agreement.verdict,
        "level": found.agreement.level,
        "judged": found.agreement.judged,
        "comparisons": [comparison_data(one) for one in found.agreement.comparisons],
        "reading": {
            "cells": found.reading.cells,
            "differences": [{"cell": d.cell, "sheet": d.sheet, "tables": d.tables} for d in found.reading.differences],
        },
        "shown": _check_data(found.shown),
        "same_rounds": _check_data(found.same_rounds),
        "not_played": list(found.not_played),
        "replay": _replay_data(found.replay),
        "not_compared": list(found.left_out),
        "settings": settings(found.sampled.rules),
        "wagers": {wager.name: {"printed": wager.printed} for wager in found.exact.rules.tables.wagers},
    }


def comparison_data(compared: Comparison) -> dict[str, Any]:
    """Return one comparison; numbers that its kind does not have are null."""
    return {
        "name": compared.name,
        "what": compared.what,
        "kind": compared.kind,
        "verdict": compared.verdict,
        "text": compared.text,
        "exact": compared.exact,
        "simulated": compared.simulated,
        "standard_error": compared.standard_error,
        "z": compared.z,
        "statistic": compared.statistic,
        "degrees": compared.degrees,
        "margin": compared.margin,
        "p": compared.p,
        "adjusted": compared.adjusted,
    }


def _check_data(check: NumberCheck) -> dict[str, Any]:
    return {"compared": check.compared, "differences": list(check.differences)}


def _replay_data(replay: Replay) -> dict[str, Any]:
    """Return replayed rounds, with the first differences in full."""
    return {
        "rounds": replay.rounds,
        "tried": replay.tried,
        "dealt_down": replay.dealt_down,
        "differing": len(replay.differences),
        "differences": [
            {"round": one.number, "strategy": one.strategy, "text": list(one.lines), "record": one.record}
            for one in replay.differences[:SHOWN]
        ],
    }


def rows(found: Verification) -> list[dict[str, Any]]:
    """Return one row for each comparison."""
    return [{"game": origin(found.sampled.rules), **comparison_data(one)} for one in found.agreement.comparisons]


def document(found: Verification) -> Document:
    """Return the verdict, then all comparisons."""
    return Document(f"{found.sampled.rules.name}: verification", tuple(_blocks(found)))


def _blocks(found: Verification) -> Iterator[Block]:
    for failed in (found.reading, found.shown, found.same_rounds):
        if not failed.agrees:
            yield from _differing(failed.verdict)
    if not found.replay.agrees:
        yield from _differing_rounds(found.replay)
    first, *rest = found.agreement.verdict.splitlines()
    yield Paragraph(first, STRONG, indent=0)
    for line in rest:
        yield Paragraph(line.strip())
    for checked in (found.reading, found.shown, found.same_rounds, found.replay):
        if checked.agrees:
            yield Paragraph(checked.verdict)
    yield from run_heading(found.sampled, ("strategy", found.sampled.main.strategy), ("splits", found.exact.convention))
    yield from _comparisons(found)
    yield from left_out_wagers("Not compared", found.left_out, found.exact.rules)
    for note in found.not_played:
        yield Paragraph(f"Not played: {note}", QUIET)


def _differing(verdict: str) -> Iterator[Block]:
    """Yield the first differences, each as a sentence."""
    first, *rest = verdict.splitlines()
    yield Heading(first)
    for line in rest[:_SHOWN]:
        yield Paragraph(line.strip())
    if len(rest) > _SHOWN:
        yield Paragraph(f"and {len(rest) - _SHOWN:,} more.")


def _differing_rounds(replay: Replay) -> Iterator[Block]:
    """Yield the differences, then the round's record, which can be copied into a file unchanged."""
    first, *rest = replay.verdict.splitlines()
    yield Heading(first)
    for line in rest:
        yield Paragraph(line, indent=0, wrap=False)


def _comparisons(found: Verification) -> Iterator[Block]:
    """Yield a table for each wager, and for the dealer."""
    agreement: Agreement = found.agreement
    rules = found.exact.rules
    note = (
        "p is the probability of a difference this large if the exact number is right. All are judged together: a "
        f"correct game fails for about one seed in {round(1 / agreement.level):,}."
    )
    yield Heading("Comparisons", note)
    for name, compared in groupby(agreement.comparisons, key=lambda compared: compared.name):
        heading = f"{name[0].upper()}{name[1:]}{mark(name, rules.tables)}"
        yield table((heading, "exact", "simulated", "difference", "p", ""), [_row(one) for one in compared], gap=2)
    if any_marked((compared.name for compared in agreement.comparisons), rules.tables):
        yield Paragraph(FOOTNOTE, QUIET)


def _row(compared: Comparison) -> tuple[str, ...]:
    places = decimals(compared.standard_error)
    exact, simulated = (known(number, places) for number in (compared.exact, compared.simulated))
    p = f"{compared.p:.2g}" if math.isfinite(compared.p) else UNKNOWN
    return compared.what, exact, simulated, _difference(compared), p, compared.verdict


def _difference(compared: Comparison) -> str:
    """Return the difference in standard errors, or chi-square and its degrees of freedom."""
    if compared.kind == "histogram" and compared.degrees:
        return f"chi² {compared.statistic:.1f} of {compared.degrees}"
    return f"z {compared.z:+.2f}" if not math.isnan(compared.z) else UNKNOWN
