"""What `holecard check` prints of a sheet it accepts: how every pay line was read, and what to look at again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from holecard.cli.printing.house_tables import SENTENCE
from holecard.cli.printing.show import console
from holecard.sheets.checks.line_readings import Reading

if TYPE_CHECKING:
    from holecard.exact.favorable_wagers import FavorableWager

_LABEL = 8


def readings_data(readings: Sequence[Reading]) -> list[dict[str, Any]]:
    """For `check --json`: one entry for each line of each pay table and tax schedule."""
    return [asdict(reading) for reading in readings]


def favors_data(favors: Sequence[FavorableWager]) -> list[dict[str, Any]]:
    """For `check --json` and `analyze --json`."""
    return [{"wager": f.wager, "when": f.when, "ev": f.ev, "in_dollars": f.in_dollars, "says": str(f)} for f in favors]


def show_readings(readings: Sequence[Reading]) -> None:
    """Every line with what it was read as; a table that differs from the one above it in its odds only is named."""
    out = console()
    said: dict[tuple[str, ...], str] = {}
    for (wager, table), group in groupby(readings, key=lambda reading: (reading.wager, reading.table)):
        lines = list(group)
        name = f"{wager}, {'tax' if table == 'tax' else f'table {table}'}" if table else wager
        before = said.setdefault((wager, *(f"{line.line}: {line.means}" for line in lines)), table)
        if before != table:
            out.print(Text.assemble((name, "bold"), f": the lines of table {before}, read alike"), soft_wrap=True)
        else:
            out.print(Text(name, style="bold"))
            if not lines[0].printed:
                out.print(Text(f"  {SENTENCE}", style="dim"))
            for line in lines:
                _show(out, line)
        out.print()


def _show(out: Console, line: Reading) -> None:
    out.print(Text(f"  {line.line}: {line.terms}"), soft_wrap=True)
    for label, words in _facts(line):
        first = f"    {label:<{_LABEL}}"
        for number, part in enumerate(Text(words).wrap(out, out.width - len(first))):
            part.rstrip()
            out.print(Text(first if number == 0 else " " * len(first), style="dim").append_text(part), soft_wrap=True)


def _facts(line: Reading) -> Iterator[tuple[str, str]]:
    yield "read as", line.means
    yield "fits", line.pays or "no deal"
    if line.pays:
        yield "misses", f"{line.misses} ({line.why})" if line.misses else "no deal"
