"""A document: headings, paragraphs, facts and tables in order, independent of text or HTML.

Every result becomes one. The renderers in `render/` know how to write the blocks below, and nothing about results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

#: The tone of words: "cell H" is a cell of a strategy chart that begins with H.
Tone: TypeAlias = str
PLAIN, QUIET, STRONG, STRESSED = "", "quiet", "strong", "stressed"


class Span(NamedTuple):
    """Words in one tone."""

    text: str
    tone: Tone = PLAIN


Words: TypeAlias = str | tuple[Span, ...]


def spans(words: Words, tone: Tone = PLAIN) -> tuple[Span, ...]:
    """Return the words as spans; plain words get the tone of their block."""
    return (Span(words, tone),) if isinstance(words, str) else words


def plain_text(words: Words) -> str:
    """Return the words without their tones."""
    return "".join(span.text for span in spans(words))


@dataclass(frozen=True, slots=True)
class Heading:
    """A title, and the lines below it."""

    text: Words
    note: str = ""
    level: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that are wrapped."""

    words: Words
    tone: Tone = PLAIN
    indent: int = 2
    wrap: bool = True


@dataclass(frozen=True, slots=True)
class Facts:
    """Rows of a name, its figures where it has some, and a remark."""

    rows: tuple[tuple[str, ...], ...]
    indent: int = 2
    tight: bool = False
    """No blank line follows."""
    width: int = 0
    """The minimum width of the names."""


@dataclass(frozen=True, slots=True)
class TableBlock:
    """Columns with headings; the first is set to the left, the others to the right unless `left` names them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]
    total: tuple[str, ...] | None = None
    gap: int = 3
    indent: int = 2
    left: tuple[int, ...] = (0,)
    repeat: int = 0
    """A table that is too wide for a page continues below it; these first columns are then repeated."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines that are kept as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, and its fallback as lines of text for a given width."""

    svg: str
    lines: Callable[[int], Iterable[tuple[Span, ...]]] = lambda _width: ()


Block: TypeAlias = Heading | Paragraph | Facts | TableBlock | Verbatim | Figure


@dataclass(frozen=True, slots=True)
class Document:
    """A title for the page, and the blocks."""

    title: str
    blocks: tuple[Block, ...]

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)


def facts(rows: Sequence[Sequence[str]]) -> Facts:
    """Return facts made of any sequences."""
    return Facts(tuple(tuple(row) for row in rows))


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Words]],
    total: Sequence[str] | None = None,
    *,
    gap: int = 3,
    indent: int = 2,
    repeat: int = 0,
) -> TableBlock:
    """Return a table made of any sequences."""
    lines, last = tuple(tuple(row) for row in rows), None if total is None else tuple(total)
    return TableBlock(tuple(columns), lines, last, gap, indent, repeat=repeat)
