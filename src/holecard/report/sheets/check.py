"""A checked sheet: how every pay line was read, and what deserves a second look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from holecard.errors import plural
from holecard.exact.check_sheet import SheetCheck
from holecard.report.document import PLAIN, QUIET, STRONG, Block, Document, Facts, Heading, Paragraph, Span
from holecard.report.house_tables import SENTENCE
from holecard.report.sheet import identity, origin
from holecard.sheets.checks.line_readings import Reading

_LABEL = 6


def summary(found: SheetCheck) -> str:
    """`SheetCheck(classic: accepted, 2 warnings)`."""
    warned = f", {plural(len(found.warnings), 'warning')}" if found.warnings else ""
    return f"SheetCheck({origin(found.rules)}: accepted{warned})"


def verdict(found: SheetCheck) -> str:
    """The last line: the sheet is accepted, with how many warnings."""
    warned = f", with {plural(len(found.warnings), 'warning')}" if found.warnings else ""
    return f"{origin(found.rules)}: {found.rules.name} can be dealt{warned}"


def data(found: SheetCheck) -> dict[str, Any]:
    """The keys of `holecard check --json`."""
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
    """One row for each pay line."""
    return [asdict(reading) for reading in found.readings]


def document(found: SheetCheck, *, warnings: bool = True) -> Document:
    """Every line with its reading, then warnings and the verdict."""
    return Document(f"{found.rules.name}: check", tuple(_blocks(found, warnings)))


def _blocks(found: SheetCheck, warnings: bool) -> Iterator[Block]:
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
    for warning in found.warnings if warnings else ():
        yield Paragraph(f"warning: {warning}", indent=0)
    yield Heading((Span(verdict(found), PLAIN),))


def _facts(line: Reading) -> Iterator[tuple[str, str]]:
    yield "read as", line.means
    yield "fits", line.pays or "no deal"
    if line.pays:
        yield "misses", f"{line.misses} ({line.why})" if line.misses else "no deal"
