"""`holecard strategy`: the best chart a player can carry, in the terminal and in five formats."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Protocol, TypeAlias

import typer
from rich.console import Console
from rich.text import Text

from holecard.charts.caption import Caption, caption, legend, reading_notes
from holecard.charts.chart import Chart
from holecard.charts.layout import Group
from holecard.charts.letters import AS_TOTAL
from holecard.charts.text import write_chart_text
from holecard.cli.arguments import Game, Settings, sheet
from holecard.cli.options import say_if_compiling
from holecard.cli.printing.format import bound, percent
from holecard.cli.printing.show import console
from holecard.errors import Refusal
from holecard.kernels.cache import mark_warm
from holecard.report.charts.export import to_csv, to_json
from holecard.report.charts.page import to_html
from holecard.report.charts.palette import DARK
from holecard.report.charts.svg import to_svg

Format: TypeAlias = Literal["chart", "text", "csv", "json", "svg", "html"]
_BY_SUFFIX: dict[str, Format] = {".csv": "csv", ".json": "json", ".svg": "svg", ".html": "html", ".htm": "html"}
_BY_SUFFIX |= {".txt": "text", "": "text"}

_LABEL, _GAP = 5, 3
#: Where a terminal has sixteen colours only.
_PLAIN_COLOURS = {
    "H": "black on green",
    "S": "black on white",
    "D": "black on yellow",
    "U": "black on bright_red",
    "P": "white on blue",
    "Q": "black on cyan",
    "R": "black on magenta",
}


def strategy(
    game: Game,
    settings: Settings = None,
    exceptions: Annotated[
        bool,
        typer.Option("--exceptions", help="With first hands that are better played otherwise than their total."),
    ] = False,
    format_: Annotated[
        Format | None,
        typer.Option("--format", help="How it is written; else a chart in a terminal, text anywhere else."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write it here; the format is told by the name's ending."),
    ] = None,
) -> None:
    """Chart the best play by totals: what a player can carry, and what it costs against the best play by every card.

    Letters in a cell are tried in order: DH doubles where that is allowed, and hits where it is not.
    --format text reads back: change a cell and price the chart with `holecard analyze GAME --strategy FILE`.

    \b
    Examples:
      holecard strategy GAME
      holecard strategy GAME --set decks=2 --format text > chart.txt
      holecard strategy GAME --set decks=1 --exceptions
      holecard strategy GAME --output chart.svg
    """
    rules = sheet(game, settings)
    wanted = format_ or _format(output)
    if output is not None and wanted == "chart":
        raise Refusal("--format chart is for the terminal; write a file as text, csv, json, svg or html")
    say_if_compiling("strategy")
    from holecard.exact.charts.chart_cache import cached_best_chart
    from holecard.exact.charts.exceptions import with_exceptions  # numba loads here, and only where it is needed

    plain = cached_best_chart(rules)
    found = with_exceptions(plain, rules) if exceptions else plain
    mark_warm("strategy")
    words = caption(rules, notes(found, plain.ev if exceptions else None))
    if wanted == "chart":
        show_chart(console(), found.chart, words)
    else:
        _write(written(found.chart, words, wanted), output)


def _format(output: Path | None) -> Format:
    """What fits where it goes: a file as its name ends, text where it has no ending."""
    if output is None:
        return "chart" if sys.stdout.isatty() else "text"
    wanted = _BY_SUFFIX.get(output.suffix.lower())
    if wanted is None:
        known = ", ".join(suffix for suffix in _BY_SUFFIX if suffix)
        raise Refusal(
            f"{output}: no format is known by the ending {output.suffix!r}; end it in {known}, or say --format"
        )
    return wanted


class Priced(Protocol):
    """A chart and what it is worth, per unit of initial stake."""

    @property
    def chart(self) -> Chart: ...
    @property
    def ev(self) -> float: ...
    @property
    def optimum_ev(self) -> float: ...
    @property
    def error_bound(self) -> float: ...
    @property
    def cost(self) -> float: ...
    @property
    def convention(self) -> str: ...
    @property
    def searched(self) -> str: ...


def notes(found: Priced, plain_ev: float | None = None) -> list[str]:
    """What the chart is worth, beside the plain one where exceptions were asked for, and under which convention."""
    costs = "this chart with its exceptions costs" if found.chart.exceptions else "playing by totals costs"
    return [
        f"Expected value {percent(found.ev)} of the initial stake. The best play by every card of the hand has "
        f"{percent(found.optimum_ev)}: {costs} {_small(found.cost)}. "
        f"The chart's value is exact within {bound(found.error_bound)}.",
        *([] if plain_ev is None else [_gain(found, plain_ev)]),
        f"Splits: {found.convention}.",
        found.searched,
    ]


def _small(value: float) -> str:
    """With more digits where the usual ones would all be zero."""
    return percent(value) if not 0 < value < 5e-6 else percent(value, 7)


def _gain(found: Priced, plain_ev: float) -> str:
    if not found.chart.exceptions:
        return "No first hand of two cards is better played otherwise than its total."
    return (
        f"Without exceptions the best chart has {percent(plain_ev)}: "
        f"rows and exceptions together gain {_small(found.ev - plain_ev)}."
    )


def written(chart: Chart, words: Caption, wanted: Format) -> str:
    """The chart in one of the formats for files."""
    if wanted == "csv":
        return to_csv(chart)
    write = {"json": to_json, "svg": to_svg, "html": to_html}.get(wanted, write_chart_text)
    return write(chart, words)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{output}: cannot be written: {error.strerror}") from None


# In the terminal


class Panel(NamedTuple):
    """Groups of columns that stand beside each other, and how wide the cells of each are."""

    groups: tuple[Group, ...]
    cells: tuple[int, ...]

    @property
    def width(self) -> int:
        columns = sum((group.end - group.first) * cell for group, cell in zip(*self, strict=True))
        return _LABEL + columns + len(self.groups) - 1


def show_chart(out: Console, chart: Chart, words: Caption) -> None:
    """Blocks side by side where they fit, one below the other where not; every cell with its letters."""
    out.print(Text(words.name, style="bold"))
    for part in textwrap.wrap(words.subtitle, out.width):
        out.print(Text(part, style="dim"))
    for panel in _panels(chart, out.width):
        out.print()
        for line in _arranged(out, chart, panel):
            if out.color_system is None or out.no_color:
                line.rstrip()
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
    out.print()
    for line in _legend(out, chart):
        out.print(line)
    out.print()
    for note in (*reading_notes(chart), *words.notes):
        for line in Text(note, style="dim").wrap(out, out.width):
            line.rstrip()
            out.print(line)


def _panels(chart: Chart, width: int) -> list[Panel]:
    """All columns at once, or each group of them by itself."""
    groups = chart.layout.column_groups
    together = _panel(chart, groups)
    return [together] if together.width <= width else [_panel(chart, (group,)) for group in groups]


def _panel(chart: Chart, groups: tuple[Group, ...]) -> Panel:
    names = [column.name for column in chart.layout.columns]
    cells = (
        1 + max(len(text) for line in (names, *chart.cells) for text in line[group.first : group.end])
        for group in groups
    )
    return Panel(groups, tuple(cells))


def _arranged(out: Console, chart: Chart, panel: Panel) -> Iterator[Text]:
    """What the columns are where that is not plain, then hard totals left and the rest right, if there is room."""
    if chart.layout.both_up:
        yield Text(" " * _LABEL + " " + ", ".join(group.name for group in panel.groups), "dim")
    first, *others = [list(_block(out, chart, panel, block)) for block in chart.layout.blocks]
    right = [line for block in others for line in (Text(), *block)][1:]
    if 2 * panel.width + _GAP > out.width:
        yield from (*first, Text(), *right)
        return
    for left, beside in zip_longest(first, right, fillvalue=Text()):
        line = left.copy()
        line.append(" " * (panel.width + _GAP - line.cell_len))
        yield line.append_text(beside)


def _block(out: Console, chart: Chart, panel: Panel, block: Group) -> Iterator[Text]:
    """A block's name over its columns' names, and its rows."""
    layout = chart.layout
    yield _line(panel, Text(block.name, "bold"), [Text(f" {column.name}", "bold") for column in layout.columns])
    for index in range(block.first, block.end):
        cells = [Text(f" {cell}", _style(out, cell)) for cell in chart.cells[index]]
        yield _line(panel, Text(f"{layout.rows[index].name:>4}"), cells)


def _line(panel: Panel, label: Text, cells: Sequence[Text]) -> Text:
    line = Text()
    line.append_text(label).append(" " * (_LABEL - label.cell_len))
    for number, (group, width) in enumerate(zip(*panel, strict=True)):
        line.append(" " if number else "")
        for cell in cells[group.first : group.end]:
            line.append(cell.plain.ljust(width), cell.style)
    return line


def _style(out: Console, cell: str) -> str:
    if cell == AS_TOTAL:
        return "dim"
    if out.color_system == "standard":
        return _PLAIN_COLOURS[cell[0]]
    tint = DARK.cells[cell[0]]
    return f"{tint.ink} on {tint.ground}"


def _legend(out: Console, chart: Chart) -> Iterator[Text]:
    """The letters the chart uses, none of them torn from its words."""
    line = Text()
    for sign, words in legend(chart.layout, chart.letters):
        if line.cell_len + len(words) + 7 > out.width:
            yield line
            line = Text()
        line.append("   " if line else "").append(f" {sign} ", _style(out, sign)).append(f" {words}")
    yield line
