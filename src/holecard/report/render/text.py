"""A document as lines of text: 80 columns unless asked otherwise, and readable without color.

A line is a row of spans. `to_text` drops their tones; a terminal may turn them into colors.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import TypeAlias

from holecard.report.document import (
    PLAIN,
    QUIET,
    STRONG,
    Block,
    Document,
    Facts,
    Figure,
    Heading,
    Paragraph,
    Span,
    TableBlock,
    Verbatim,
    Words,
    plain_text,
    spans,
)

WIDTH = 80
#: A column is not made narrower than this; a table that still does not fit is wider than the page.
_NARROWEST = 12
_FACTS_GAP = 2

TextLine: TypeAlias = tuple[Span, ...]


def to_text(document: Document, width: int = WIDTH) -> str:
    """Return the document as plain text."""
    return "".join(f"{plain_text(line).rstrip()}\n" for line in to_lines(document, width))


def to_lines(document: Document, width: int = WIDTH) -> Iterator[TextLine]:
    """Yield the document line by line, without blanks at the ends of lines."""
    before: Block | None = None
    for block in document:
        if before is not None and _is_apart(before, block):
            yield ()
        for line in _lines(block, width):
            yield _stripped(line)
        before = block


def _is_apart(before: Block, block: Block) -> bool:
    """Return whether a blank line stands between two blocks."""
    if isinstance(before, Facts):
        return not before.tight or isinstance(block, Heading)
    if isinstance(block, Heading):
        return True
    if isinstance(before, Heading):
        return False
    return not isinstance(before, Paragraph) or not isinstance(block, Paragraph | Facts)


# Blocks


@singledispatch
def _lines(block: Block, _width: int) -> Iterator[TextLine]:
    raise TypeError(f"no text for {type(block).__name__}")


@_lines.register
def _(block: Heading, width: int) -> Iterator[TextLine]:
    yield from _wrapped(spans(block.text, STRONG), width, 0)
    if block.note:
        yield from _wrapped(spans(block.note, QUIET), width, 2)


@_lines.register
def _(block: Paragraph, width: int) -> Iterator[TextLine]:
    words = spans(block.words, block.tone)
    if not block.wrap:
        yield (Span(" " * block.indent), *words)
        return
    yield from _wrapped(words, width, block.indent)


@_lines.register
def _(block: Facts, width: int) -> Iterator[TextLine]:
    """Yield the rows; only the last column wraps, and the columns between it and the names are right-aligned."""
    if not block.rows:
        return
    columns = max(len(row) for row in block.rows)
    rows = [(*row, *[""] * (columns - len(row))) for row in block.rows]
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    widths[0] = max(widths[0], block.width)
    taken = block.indent + sum(widths[:-1]) + _FACTS_GAP * (columns - 1)
    room = max(width - taken, _NARROWEST)
    for name, *figures, last in rows:
        head = [Span(" " * block.indent), Span(_left(name, widths[0]) + " " * _FACTS_GAP, QUIET)]
        head += [
            Span(_right(figure, wide) + " " * _FACTS_GAP) for figure, wide in zip(figures, widths[1:], strict=False)
        ]
        first, *rest = wrap(last, room) or [""]
        yield (*head, Span(first))
        for line in rest:
            yield Span(" " * taken), Span(line)


@_lines.register
def _(block: TableBlock, width: int) -> Iterator[TextLine]:
    for number, part in enumerate(_parts(block, width)):
        if number:
            yield ()
        yield from _table(part, width)


def _parts(block: TableBlock, width: int) -> Iterator[TableBlock]:
    """Yield the table in as many parts as the page needs: the repeated columns, and at least one other."""
    if not block.repeat:
        yield block
        return
    lines = (block.columns, *block.rows)
    widths = [max(_widest(row[index]) for row in lines) + block.gap for index in range(len(block.columns))]
    room = width - block.indent - sum(widths[: block.repeat]) + block.gap
    kept, left = list(range(block.repeat)), room
    for index in range(block.repeat, len(widths)):
        if len(kept) > block.repeat and widths[index] > left:
            yield _columns_of(block, kept)
            kept, left = list(range(block.repeat)), room
        kept.append(index)
        left -= widths[index]
    yield _columns_of(block, kept)


def _columns_of(block: TableBlock, kept: Sequence[int]) -> TableBlock:
    columns = tuple(block.columns[index] for index in kept)
    return replace(block, columns=columns, rows=tuple(tuple(row[index] for index in kept) for row in block.rows))


def _table(block: TableBlock, width: int) -> Iterator[TextLine]:
    """Yield the table, narrowed to fit: the last column if it holds words, else the first."""
    cells = [block.columns, *block.rows, *([] if block.total is None else [block.total])]
    widths = [max(_widest(row[index]) for row in cells) for index in range(len(block.columns))]
    shrunk = len(widths) - 1 if len(widths) - 1 in block.left else 0
    over = block.indent + sum(widths) + block.gap * (len(widths) - 1) - width
    if over > 0:
        widths[shrunk] = max(widths[shrunk] - over, min(widths[shrunk], _NARROWEST))
    rule = (Span(" " * block.indent + "─" * (sum(widths) + block.gap * (len(widths) - 1))),)
    if any(block.columns):
        yield from _row(block, block.columns, widths, STRONG, bottom=True)
        yield rule
    for row in block.rows:
        yield from _row(block, row, widths, PLAIN)
    if block.total is not None:
        yield rule
        yield from _row(block, block.total, widths, PLAIN)


@_lines.register
def _(block: Verbatim, _width: int) -> Iterator[TextLine]:
    for line in block.text.removesuffix("\n").split("\n"):
        yield (Span(line),)


@_lines.register
def _(block: Figure, width: int) -> Iterator[TextLine]:
    yield from block.lines(width)


def _row(
    block: TableBlock, row: Sequence[Words], widths: Sequence[int], tone: str, *, bottom: bool = False
) -> Iterator[TextLine]:
    """Yield a row of cells, each in as many lines as it takes."""
    cells = [_cell(words, wide, tone) for words, wide in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    for number in range(height):
        line: list[Span] = [Span(" " * block.indent)]
        for index, (cell, wide) in enumerate(zip(cells, widths, strict=True)):
            at = number - (height - len(cell)) if bottom else number
            words = cell[at] if 0 <= at < len(cell) else ()
            space = Span(" " * (wide - display_width(plain_text(words))))
            line += [*([Span(" " * block.gap)] if index else [])]
            line += [*words, space] if index in block.left else [space, *words]
        yield tuple(line)


def _cell(words: Words, width: int, tone: str) -> list[TextLine]:
    """Return a cell as lines no wider than its column."""
    if not isinstance(words, str):
        return list(_wrapped(words, width, 0)) if "\n" not in plain_text(words) else _broken(words, width)
    return [(Span(line, tone),) for part in words.split("\n") for line in (wrap(part, width) or [""])]


def _broken(words: tuple[Span, ...], width: int) -> list[TextLine]:
    """Return the spans with line breaks in them: each span keeps its tone on all its lines."""
    lines: list[TextLine] = []
    for span in words:
        lines += [(Span(line, span.tone),) for part in span.text.split("\n") if part for line in wrap(part, width)]
    return lines


def _widest(words: Words) -> int:
    return max(display_width(line) for line in plain_text(words).split("\n"))


# Lines


def _wrapped(words: tuple[Span, ...], width: int, indent: int) -> Iterator[TextLine]:
    """Yield the spans in lines; a span may continue over several."""
    whole = plain_text(words)
    tones = [span.tone for span in words for _ in span.text]
    at = 0
    for line in wrap(whole, width - indent):
        at = whole.index(line[:1], at) if line else at
        found: list[Span] = [Span(" " * indent)] if indent else []
        for letter in line:
            while whole[at] != letter and whole[at].isspace():
                at += 1
            if found and found[-1].tone == tones[at]:
                found[-1] = Span(found[-1].text + letter, found[-1].tone)
            else:
                found.append(Span(letter, tones[at]))
            at += 1
        yield tuple(found)


def wrap(text: str, width: int) -> list[str]:
    """Return text in lines broken at blanks only, as wide on the screen as asked for."""
    if display_width(text) <= width and "\n" not in text:
        return [text.rstrip()] if text.strip() else []
    if text.isascii():
        return textwrap.wrap(text, max(width, 1), break_on_hyphens=False)
    lines: list[str] = []
    for word in text.split():
        if lines and display_width(lines[-1]) + 1 + display_width(word) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def display_width(text: str) -> int:
    """Return how many columns a text takes: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _left(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def _stripped(line: TextLine) -> TextLine:
    """Return the line without blanks at the end; a colored cell keeps its own."""
    kept = list(line)
    while kept and not kept[-1].tone.startswith("cell"):
        text = kept[-1].text.rstrip()
        if text:
            kept[-1] = Span(text, kept[-1].tone)
            break
        kept.pop()
    return tuple(kept)
