"""Write results: to the terminal in color, to a pipe as plain text, or to a file."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from holecard import report
from holecard.errors import Refusal
from holecard.report.document import Document
from holecard.report.render.text import WIDTH, to_lines, to_text

if TYPE_CHECKING:
    from rich.console import Console

    from holecard.presentation import Presented

JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs; the same as --format json.")
]
_FORMAT = typer.Option("--format", help="Write it in this format.", show_default="text, or by the file's name")
FormatOption: TypeAlias = Annotated[Literal["text", "html", "csv", "json"] | None, _FORMAT]
#: For the commands whose result has a drawing.
DrawnFormatOption: TypeAlias = Annotated[report.Format | None, _FORMAT]
OutputOption: TypeAlias = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help="Write it to this file: .txt, .html, .csv or .json.")
]
DrawnOutputOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Write it to this file: .txt, .html, .csv, .json or .svg."),
]
#: Longer lines are hard to read.
_WIDEST = 100


def deliver(
    result: Presented,
    *,
    json: bool = False,
    format: report.Format | None = None,
    output: Path | None = None,
    **options: Any,
) -> None:
    """Write a result where and how it was asked for; `options` go to its document and data."""
    if output is not None or format is not None or json:
        report.write(result, format=chosen_format(json, format, output), file=output, **options)
        return
    if not sys.stdout.isatty():
        _print_safely(report.text(result, width=terminal_width(), **options))
        return
    show(report.document(result, **options))


def chosen_format(json: bool, format: report.Format | None, output: Path | None) -> report.Format:
    """Return the format that was asked for, refused if two were or if the file's name has none."""
    if json and format not in (None, "json"):
        raise Refusal(f"--json and --format {format} differ; leave one of them out")
    if json:
        return "json"
    if format is not None:
        return format
    return "text" if output is None else report.format_of(output)


def show(document: Document) -> None:
    """Print a document, in color if this is a terminal."""
    width = terminal_width()
    if not sys.stdout.isatty():
        _print_safely(to_text(document, width))
        return
    from holecard.cli.colors import styled

    out = console()
    for line in to_lines(document, width):
        out.print(styled(line, out), no_wrap=True, overflow="ignore", crop=False)


def console() -> Console:
    """Return a rich console of readable width that prints text as it is."""
    from rich.console import Console

    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = terminal_width()
    return out


def terminal_width() -> int:
    """Return the width of the terminal up to 100 columns; without a terminal, 80 unless COLUMNS says otherwise."""
    if sys.stdout.isatty():
        return min(shutil.get_terminal_size().columns, _WIDEST)
    columns = os.environ.get("COLUMNS", "")
    return min(int(columns), _WIDEST) if columns.isdecimal() and int(columns) else WIDTH


def _print_safely(text: str) -> None:
    """Print text to any encoding; a sign that it lacks becomes a question mark."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    sys.stdout.write(text)
