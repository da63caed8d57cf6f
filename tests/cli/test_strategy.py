"""`holecard strategy`: the terminal's chart, file formats, and refusals. The chart itself is a stand-in."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
import typer
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

import holecard
from holecard.charts.caption import caption
from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.charts.text import read_chart_text
from holecard.charts.two_card_exceptions import TwoCards
from holecard.cli.colors import styled
from holecard.cli.commands import strategy as command
from holecard.cli.commands.strategy import strategy
from holecard.composition import Composition
from holecard.errors import Refusal
from holecard.exact import best_strategy
from holecard.exact.charts.best_chart import BestChart
from holecard.kernels import cache
from holecard.report.exact.chart import chart_document
from holecard.report.render.text import to_lines
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from tests.charts.charts import some_chart


class Ran(NamedTuple):
    code: int
    out: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command with a chart of the dealer's play instead of the best one."""
    monkeypatch.setattr(best_strategy, "cached_best_chart", _mimicked)
    monkeypatch.setattr(best_strategy, "with_exceptions", _excepted)
    monkeypatch.setattr(cache, "is_warm", lambda _: True)
    monkeypatch.setattr(cache, "mark_warm", lambda _: None)
    app = typer.Typer()
    app.command()(strategy)

    def go(*words: str) -> Ran:
        ran = CliRunner().invoke(app, words)
        if ran.exception and not isinstance(ran.exception, SystemExit):
            raise ran.exception
        return Ran(ran.exit_code, ran.output)

    return go


def _mimicked(sheet: RuleSheet, _: Composition, _on_stage: object = None) -> BestChart:
    return BestChart(sheet, mimic_the_dealer(sheet.tables), -0.0053, -0.00528, 1.2e-13, "CDZ-", "Every cell was tried.")


def _excepted(found: BestChart, sheet: RuleSheet, _: Composition) -> BestChart:
    """One exception, in a game with one deck."""
    if sheet.shoe.decks > 1:
        return replace(found, plain_ev=found.ev)
    chart = replace(found.chart, exceptions=(TwoCards(2, 10, 2, "S"),))
    return replace(found, chart=chart, ev=-0.00529, plain_ev=found.ev)


def shown(chart: Chart, sheet: RuleSheet, *, width: int = 80, colors: bool = False) -> str:
    system = "truecolor" if colors else None
    out = Console(file=io.StringIO(), width=width, force_terminal=colors, color_system=system)
    words = caption(sheet, ["A note that is long enough to be wrapped at the edge of the terminal. " * 2])
    for line in to_lines(chart_document(chart, words), width):
        out.print(styled(line, out), no_wrap=True, overflow="ignore", crop=False)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


# Formats


def test_piped_it_is_the_text_that_reads_back(run: Run) -> None:
    """It states the EV of the chart."""
    ran = run("classic", "--set", "decks=2")
    tables = rules("classic", decks=2).tables
    assert read_chart_text(ran.out, Layout.of(tables)) == mimic_the_dealer(tables)
    words = " ".join(ran.out.replace("#", " ").split())
    assert "2 decks" in words
    assert "EV -0.5300% of the initial stake." in words
    assert "has -0.5280%: playing by totals gives up 0.0020%." in words
    assert "The chart's EV is exact to within 2e-13. Splits: CDZ-. Every cell was tried." in words


def test_exceptions_are_written_with_what_they_gain(run: Run) -> None:
    ran = run("classic", "--set", "decks=1", "--exceptions")
    chart = read_chart_text(ran.out, Layout.of(rules("classic").tables))
    assert [one.title(chart.layout) for one in chart.exceptions] == ["T,2 v 4"]
    words = " ".join(ran.out.replace("#", " ").split())
    assert "Exceptions for the first two cards: T,2 v 4 stand." in words
    assert "has -0.5280%: this chart with its exceptions gives up 0.0010%." in words
    assert "Without exceptions the best chart has -0.5300%: rows and exceptions together gain 0.0010%." in words


def test_where_there_are_none_it_says_so(run: Run) -> None:
    words = " ".join(run("classic", "--exceptions").out.replace("#", " ").split())
    assert "No two-card hand is better played against its total's row." in words
    assert "playing by totals gives up 0.0020%." in words
    assert "two-card" not in run("classic").out


@pytest.mark.parametrize("game", holecard.games())
def test_every_game_in_every_format(run: Run, game: str) -> None:
    """Each format is valid."""
    assert run(game, "--format", "csv").out.startswith("hand,")
    assert json.loads(run(game, "--format", "json").out)["game"] == game
    assert ElementTree.fromstring(run(game, "--format", "svg").out).tag.endswith("svg")
    assert run(game, "--format", "html").out.startswith("<!DOCTYPE html>")
    assert run(game, "--format", "text").out == run(game).out
    assert run(game, "--format", "chart").out.startswith(rules(game).name)


@pytest.mark.parametrize(
    ("file", "begins"),
    [("a.svg", "<svg"), ("a.HTML", "<!DOCTYPE"), ("a.json", "{"), ("a.csv", "hand,"), ("a.txt", "# "), ("chart", "# ")],
)
def test_a_file_is_written_as_its_name_ends(run: Run, tmp_path: Path, file: str, begins: str) -> None:
    """Text if the extension is unknown; an explicit format wins."""
    assert run("classic", "--output", str(tmp_path / file)) == Ran(0, "")
    assert (tmp_path / file).read_text(encoding="utf-8").startswith(begins)
    run("classic", "--output", str(tmp_path / file), "--format", "csv")
    assert (tmp_path / file).read_text(encoding="utf-8").startswith("hand,")


@pytest.mark.parametrize("file", ["a.pdf", "a.PNG", "chart.v2"])
def test_an_unknown_ending_is_refused(run: Run, tmp_path: Path, file: str) -> None:
    """The message lists the known ones and nothing is written; an explicit format is enough."""
    with pytest.raises(Refusal, match=r"unknown format '\.\w+'; end the file name in \.txt, \.html, \.htm, \.csv"):
        run("classic", "--output", str(tmp_path / file))
    assert not (tmp_path / file).exists()
    assert run("classic", "--output", str(tmp_path / file), "--format", "csv").code == 0
    assert (tmp_path / file).read_text(encoding="utf-8").startswith("hand,")


def test_a_file_that_cannot_be_written_is_refused(run: Run, tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(Refusal, match="cannot be written: No such file"):
        run("classic", "--output", str(tmp_path / "nowhere" / "chart.txt"))
    with pytest.raises(Refusal, match="chart is for the terminal"):
        run("classic", "--output", str(tmp_path / "chart.txt"), "--format", "chart")


def test_in_a_terminal_it_is_a_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it is text."""
    for terminal, wanted in ((True, "chart"), (False, "text")):
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        assert command._format(False, None, None) == wanted


def test_help_has_an_example(run: Run) -> None:
    """`holecard strategy --help`."""
    ran = run("--help")
    assert ran.code == 0
    assert "holecard strategy GAME --output chart.svg" in " ".join(ran.out.replace("│", " ").split())


# In the terminal


@pytest.mark.parametrize("game", holecard.games())
@pytest.mark.parametrize("width", [80, 100])
def test_the_chart_fits_the_terminal(game: str, width: int) -> None:
    """Nothing is cut off, and no line ends in spaces."""
    sheet = rules(game)
    out = shown(mimic_the_dealer(sheet.tables), sheet, width=width)
    lines = out.splitlines()
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    assert "…" not in out


@pytest.mark.parametrize("game", holecard.games())
def test_every_cell_is_shown(game: str) -> None:
    """In every arrangement, the number of cells is that of the chart."""
    sheet = rules(game)
    chart = some_chart(Layout.of(sheet.tables), 11)
    cells = sorted(cell for row in chart.cells for cell in row)
    for width in (60, 80, 100, 300):
        grid = shown(chart, sheet, width=width).split("\n\n H ")[0].split("\n\n", 1)[1]
        names = {row.name for row in chart.layout.rows} | {column.name for column in chart.layout.columns}
        headings = {"hard", "soft", "pairs", "dealer's", "total", "total,"}
        found = [word for word in grid.split() if word not in names | headings]
        assert sorted(found) == cells, width


def test_hard_totals_are_next_to_the_rest_where_there_is_room() -> None:
    """Twenty lines instead of forty."""
    sheet = rules("classic")
    chart = mimic_the_dealer(sheet.tables)
    side_by_side, stacked = shown(chart, sheet), shown(chart, sheet, width=50)
    assert any(line.startswith("hard") and "soft" in line for line in side_by_side.splitlines())
    assert not any(line.startswith("hard") and "soft" in line for line in stacked.splitlines())


def test_colors_add_nothing_but_color() -> None:
    """Without colors, the same letters are in the same places."""
    sheet = rules("double-up")
    chart = some_chart(Layout.of(sheet.tables), 2)
    colored = shown(chart, sheet, colors=True)
    assert "\x1b[" in colored
    plain = [line.rstrip() for line in Text.from_ansi(colored).plain.splitlines()]
    assert plain == shown(chart, sheet).splitlines()
