"""A checked sheet: how every pay line was read, and what deserves a second look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

import holecard
from holecard.errors import plural
from holecard.exact.check_sheet import SheetCheck
from holecard.report.document import PLAIN, QUIET, STRONG, Block, Document, Facts, Heading, Paragraph, Span
from holecard.report.house_tables import SENTENCE
from holecard.report.sheet import identity
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.sheets.checks.line_readings import Reading

_LABEL = 6


def summary(found: SheetCheck) -> str:
    """Return a line such as `SheetCheck(classic: accepted, 2 warnings)`."""
    if not found.accepted:
        return f"SheetCheck({found.game}: refused, {plural(len(found.problems), 'problem')})"
    warned = f", {plural(len(found.warnings), 'warning')}" if found.warnings else ""
    return f"SheetCheck({found.game}: accepted{warned})"


def data(found: SheetCheck) -> dict[str, Any]:
    """Return the data of `holecard check --json`."""
    if found.rules is None:
        return {"version": holecard.__version__, "game": found.game, "accepted": False, "problems": rows(found)}
    from holecard.report.exact.analysis_data import favor_data

    return {
        **identity(found.rules),
        "name": found.rules.name,
        "accepted": True,
        "warnings": list(found.warnings),
        "readings": [asdict(reading) for reading in found.readings],
        "favors_player": [favor_data(favor) for favor in found.favors],
    }


def rows(found: SheetCheck) -> list[dict[str, Any]]:
    """Return one row for each pay line, or for each problem of a refused sheet."""
    if not found.accepted:
        return [{"where": problem.where, "line": problem.line, "what": problem.what} for problem in found.problems]
    return [asdict(reading) for reading in found.readings]


def document(found: SheetCheck, *, warnings: bool = True) -> Document:
    """Return every line with its reading, then warnings and the verdict; of a refused sheet, its problems."""
    if found.rules is None:
        return Document(f"{found.game}: check", tuple(_problems(found)))
    shown = found.warnings if warnings else ()
    return Document(f"{found.rules.name}: check", (*_readings(found), *_warnings(shown), _verdict(found, found.rules)))


def _problems(found: SheetCheck) -> Iterator[Block]:
    yield Paragraph(f"{found.game}:", indent=0, wrap=False)
    for problem in found.problems:
        yield Paragraph(str(problem), wrap=False)


def _warnings(warnings: Iterable[str]) -> Iterator[Block]:
    for warning in warnings:
        yield Paragraph(f"warning: {warning}", indent=0)


def _verdict(found: SheetCheck, rules: RuleSheet) -> Block:
    warned = f", with {plural(len(found.warnings), 'warning')}" if found.warnings else ""
    return Heading((Span(f"{found.game}: {rules.name} is accepted{warned}", PLAIN),))


def _readings(found: SheetCheck) -> Iterator[Block]:
    seen: dict[tuple[str, ...], str] = {}
    for (wager, table), group in groupby(found.readings, key=lambda reading: (reading.wager, reading.table)):
        lines = list(group)
        name = f"{wager}, {'tax' if table == 'tax' else f'table {table}'}" if table else wager
        before = seen.setdefault((wager, *(f"{line.line}: {line.means}" for line in lines)), table)
        if before != table:
            yield Heading((Span(name, STRONG), Span(f": the lines of table {before}, read alike", PLAIN)))
            continue
        yield Heading(name)
        if not lines[0].printed:
            yield Paragraph(SENTENCE, QUIET)
        for line in lines:
            yield Paragraph(f"{line.line}: {line.terms}", wrap=False)
            yield Facts(tuple(_facts(line)), indent=4, tight=True, width=_LABEL)


def _facts(line: Reading) -> Iterator[tuple[str, str]]:
    yield "read as", line.means
    yield "fits", line.pays or "no deal"
    if line.pays:
        yield "misses", f"{line.misses} ({line.why})" if line.misses else "no deal"
