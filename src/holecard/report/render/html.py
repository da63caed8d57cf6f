"""A document as HTML: one page that fetches nothing, or a fragment for a notebook. Both are well-formed XML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from html import escape

from holecard.report.document import (
    PLAIN,
    Block,
    Document,
    Facts,
    Figure,
    Heading,
    Paragraph,
    TableBlock,
    Verbatim,
    Words,
    plain_text,
    spans,
)
from holecard.report.palette import DARK, LIGHT, Scheme, css_class

_STYLE = """
.holecard{font:.94rem/1.5 "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;max-width:60rem}
.holecard h1,.holecard h2{font-family:Georgia,"Times New Roman","Liberation Serif",serif;font-weight:normal}
.holecard h1,.holecard h2{line-height:1.2}
.holecard h1{font-size:2.1rem;margin:0 0 .5rem}
.holecard h2{font-size:1.3rem;margin:1.75rem 0 .25rem}
.holecard p{margin:.25rem 0;max-width:45rem}
.holecard .quiet{color:var(--quiet)}
.holecard .strong{font-weight:bold}
.holecard .stressed{font-style:italic}
.holecard table{border-collapse:collapse;margin:.5rem 0;font-variant-numeric:tabular-nums}
.holecard th,.holecard td{padding:.15rem .9rem .15rem 0;text-align:right;vertical-align:top;font-weight:normal}
.holecard thead th{border-bottom:1px solid var(--line);color:var(--quiet);vertical-align:bottom}
.holecard tfoot td{border-top:1px solid var(--line)}
.holecard .left{text-align:left}
.holecard .facts th{text-align:left;color:var(--quiet)}
.holecard .facts td:last-child{text-align:left}
.holecard pre{overflow-x:auto;font-size:.85rem;line-height:1.35}
.holecard svg{max-width:100%;height:auto}
""".strip()
_PAGE = "html{color-scheme:light dark}body{margin:0;padding:2.5rem 1.25rem;background:var(--page);color:var(--ink)}"


def to_html(document: Document) -> str:
    """Return the document as a page."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{escape(document.title)}</title>
<style>
{_colors(":root", LIGHT)}
@media screen and (prefers-color-scheme:dark){{{_colors(":root", DARK)}}}
{_PAGE}
{_STYLE}
</style>
</head>
<body>
<main class="holecard">
{_body(document)}
</main>
</body>
</html>
"""


def to_fragment(document: Document) -> str:
    """Return the document inside another page, with its own style."""
    style = f"{_colors('.holecard', LIGHT)}\n{_STYLE}"
    return f'<div class="holecard">\n<style>\n{style}\n</style>\n{_body(document)}\n</div>\n'


def _colors(selector: str, scheme: Scheme) -> str:
    return f"{selector}{{--page:{scheme.page};--ink:{scheme.ink};--quiet:{scheme.quiet};--line:{scheme.line}}}"


def _body(document: Document) -> str:
    return "\n".join(_html(block) for block in document)


@singledispatch
def _html(block: Block) -> str:
    raise TypeError(f"no HTML for {type(block).__name__}")


@_html.register
def _(block: Heading) -> str:
    note = f'\n<p class="quiet">{escape(block.note)}</p>' if block.note else ""
    return f"<h{block.level}>{_words(block.text)}</h{block.level}>{note}"


@_html.register
def _(block: Paragraph) -> str:
    return f"<p{_class(block.tone)}>{_words(block.words)}</p>"


@_html.register
def _(block: Facts) -> str:
    columns = max((len(row) for row in block.rows), default=0)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in [*cells, *[""] * (columns - 1 - len(cells))])
        + "</tr>"
        for name, *cells in block.rows
    )
    return f'<table class="facts">\n<tbody>\n{rows}\n</tbody>\n</table>'


@_html.register
def _(block: TableBlock) -> str:
    parts = []
    if any(block.columns):
        parts.append(f"<thead>\n{_row(block.columns, block.left, 'th')}\n</thead>")
    rows = "\n".join(_row(row, block.left) for row in block.rows)
    parts.append(f"<tbody>\n{rows}\n</tbody>")
    if block.total is not None:
        parts.append(f"<tfoot>\n{_row(block.total, block.left)}\n</tfoot>")
    return "<table>\n" + "\n".join(parts) + "\n</table>"


@_html.register
def _(block: Verbatim) -> str:
    return f"<pre>{escape(block.text)}</pre>"


@_html.register
def _(block: Figure) -> str:
    return f"<figure>\n{block.svg}\n</figure>"


def _row(cells: Sequence[Words], left: Sequence[int], tag: str = "td") -> str:
    written = (
        f"<{tag}{_class('left' if index in left else PLAIN)}>{_words(cell)}</{tag}>" for index, cell in enumerate(cells)
    )
    return f"<tr>{''.join(written)}</tr>"


def _words(words: Words) -> str:
    if isinstance(words, str):
        return escape(plain_text(words)).replace("\n", "<br/>")
    return "".join(
        f"<span{_class(span.tone)}>{escape(span.text)}</span>".replace("\n", "<br/>")
        if span.tone
        else escape(span.text).replace("\n", "<br/>")
        for span in spans(words)
    )


def _class(tone: str) -> str:
    if not tone:
        return ""
    return f' class="{css_class(tone.removeprefix("cell "))}"' if tone.startswith("cell ") else f' class="{tone}"'
