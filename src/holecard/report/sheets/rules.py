"""A game described in sentences, with its pay tables and rulings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from holecard.report.document import PLAIN, QUIET, STRESSED, Block, Document, Heading, Paragraph, Span, Words
from holecard.report.sheet import identity, origin
from holecard.report.sheets.matrices import odds_table
from holecard.sheets.descriptions.describe import Description, RulingText, as_typed


def summary(found: Description) -> str:
    """Return a line such as `Description(classic: NAME)`."""
    return f"Description({origin(found.rules)}: {found.name})"


def data(found: Description) -> dict[str, Any]:
    """Return the data of `holecard rules --json`."""
    return {
        **identity(found.rules),
        "name": found.name,
        "about": found.about,
        "source": found.source,
        "sections": [{"title": s.title, "sentences": list(s.sentences)} for s in found.sections],
        "wagers": [
            {
                "name": wager.name,
                "printed": not wager.house_table,
                "sentences": list(wager.sentences),
                "lines": [
                    {"line": row[0], "pays": dict(zip(wager.columns, row[1:], strict=True))} for row in wager.rows
                ],
                "tax": [{"line": line, "tax": tax} for line, tax in wager.tax],
            }
            for wager in found.wagers
        ],
        "rulings": [asdict(ruling) for ruling in found.rulings],
        "definition": found.rules.model_dump(mode="json", by_alias=True),
    }


def rows(found: Description) -> list[dict[str, Any]]:
    """Return one row for each sentence."""
    sections = [(s.title, s.sentences) for s in found.sections] + [(w.name, w.sentences) for w in found.wagers]
    return [{"section": title, "sentence": sentence} for title, sentences in sections for sentence in sentences]


def document(found: Description) -> Document:
    """Return the sections, side wagers with their pay tables, then the rulings."""
    return Document(f"{found.name}: rules", tuple(_blocks(found)))


def _blocks(found: Description) -> Iterator[Block]:
    yield Heading(found.name, level=1)
    if found.about:
        yield Paragraph(found.about, indent=0)
    if found.source:
        yield Paragraph(f"Source: {found.source}", QUIET, indent=0)
    for section in found.sections:
        yield Heading(section.title)
        for sentence in section.sentences:
            yield Paragraph(sentence)
    for wager in found.wagers:
        yield Heading(wager.name)
        for sentence in wager.sentences:
            yield Paragraph(sentence)
        if wager.tax:
            yield odds_table(("first two cards", "tax"), wager.tax)
        yield odds_table(("line", *wager.columns), wager.rows)
    if found.rulings:
        yield Heading(found.rulings_heading)
        for ruling in found.rulings:
            yield Paragraph(_ruling(ruling))


def _ruling(ruling: RulingText) -> Words:
    mark = " " if ruling.on.endswith("?") else ". "
    if ruling.changed:
        return Span(ruling.on + mark, STRESSED), Span(f"Read differently at this table: {ruling.changed}.", PLAIN)
    words = [Span(ruling.on + mark, STRESSED), Span(ruling.reading)]
    if ruling.why:
        words.append(Span(f" {ruling.why}", QUIET))
    if ruling.switches:
        words.append(Span(f" ({' or '.join(map(as_typed, ruling.switches))})", QUIET))
    return tuple(words)
