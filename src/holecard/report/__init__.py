"""Every result as data, text, HTML, CSV and SVG: what the command line prints and what a web page can show.

A result names the module of `results/` that knows it. That module has four functions: `summary` (one line), `data`
(plain data for JSON), `rows` (flat rows for CSV and data frames) and `document` (headings, paragraphs and tables, which
`render/` writes as text or HTML); where a result has a drawing, also `svg`.

    from holecard import analyze, report

    found = analyze("classic")
    print(report.text(found))
    report.write(found, file="classic.html")
"""

from __future__ import annotations

import sys
from importlib import import_module
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from holecard.atomic_file import write_atomically
from holecard.errors import Refusal, did_you_mean
from holecard.presentation import Drawn, Presented
from holecard.report.document import Document
from holecard.report.render.text import WIDTH, to_text

Format: TypeAlias = Literal["text", "html", "csv", "json", "svg"]
FORMATS: tuple[Format, ...] = get_args(Format)
_BY_SUFFIX: dict[str, Format] = {
    ".txt": "text",
    "": "text",
    ".html": "html",
    ".htm": "html",
    ".csv": "csv",
    ".json": "json",
    ".svg": "svg",
}


def summary(result: Presented) -> str:
    """Return the result in one line, as its `repr`."""
    return str(_writer(result).summary(result))


def data(result: Presented, **options: Any) -> dict[str, Any]:
    """Return the result as plain data that JSON can hold."""
    from holecard.report.render.json import json_value

    output: dict[str, Any] = json_value(_writer(result).data(result, **options))
    return output


def rows(result: Presented) -> list[dict[str, Any]]:
    """Return the result as flat rows; numbers that are not known are None."""
    output: list[dict[str, Any]] = _writer(result).rows(result)
    return [{key: None if _is_unknown(value) else value for key, value in row.items()} for row in output]


def _is_unknown(value: object) -> bool:
    return isinstance(value, float) and not isfinite(value)


def document(result: Presented, **options: Any) -> Document:
    """Return the result as headings, paragraphs and tables."""
    made: Document = _writer(result).document(result, **options)
    return made


def text(result: Presented, *, width: int = WIDTH, **options: Any) -> str:
    """Return the result as plain text."""
    writer = _writer(result)
    if hasattr(writer, "text"):  # a chart and a pay table have a text form that reads back
        return str(writer.text(result))
    return to_text(document(result, **options), width)


def html(result: Presented, *, page: bool = True, **options: Any) -> str:
    """Return the result as a page, or as a fragment for one."""
    writer = _writer(result)
    if page and hasattr(writer, "page"):  # a chart has a separate page, with tables that a screen reader can read
        return str(writer.page(result))
    made = document(result, **options)
    from holecard.report.render.html import to_fragment, to_html

    return to_html(made) if page else to_fragment(made)


def csv(result: Presented) -> str:
    """Return the rows of the result as CSV."""
    from holecard.report.render.csv import to_csv

    return to_csv(rows(result))


def json(result: Presented, **options: Any) -> str:
    """Return the data of the result as JSON."""
    from holecard.report.render.json import to_json

    return to_json(data(result, **options))


def svg(result: Presented) -> str:
    """Return the drawing of the result."""
    if not isinstance(result, Drawn):
        raise Refusal("only strategies, bankrolls and counting have a drawing; write this as text, html, csv or json")
    return str(_writer(result).svg(result))


def written(result: Presented, format: Format, **options: Any) -> str:
    """Return the result in one of the formats."""
    if format == "text":
        return text(result, **options)
    if format == "html":
        return html(result, **options)
    if format == "json":
        return json(result, **options)
    return csv(result) if format == "csv" else svg(result)


def write(
    result: Presented, *, format: Format | None = None, file: str | PathLike[str] | None = None, **options: Any
) -> None:
    """Write the result to a file, or to standard output; the file's extension gives the format unless `format` does."""
    if format is None:
        format = "text" if file is None else format_of(file)
    if format not in FORMATS:
        raise Refusal(f"no format is called {format!r}; {did_you_mean(format, FORMATS)}")
    output = written(result, format, **options)
    if file is None:
        sys.stdout.write(output)
        return
    try:
        write_atomically(file, output)
    except OSError as error:
        raise Refusal(f"{file}: cannot be written: {error.strerror}") from None


def format_of(file: str | PathLike[str]) -> Format:
    """Return the format that fits a file's name."""
    suffix = Path(file).suffix.lower()
    if suffix not in _BY_SUFFIX:
        known = ", ".join(suffix for suffix in _BY_SUFFIX if suffix)
        raise Refusal(f"{file}: unknown format {suffix!r}; end the file name in {known}, or give the format")
    return _BY_SUFFIX[suffix]


def _writer(result: Presented) -> Any:
    return import_module(f"holecard.report.{result._report}")
