"""The caption of a chart: the game and its rules, and the notes below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.letters import AS_TOTAL, AS_TOTAL_WORDS, describe_cell, letter_name
from holecard.charts.two_card_exceptions import exception_note
from holecard.sheets.descriptions.short_rules import short_rules
from holecard.sheets.schema import RuleSheet

IN_ORDER = "Take the first letter of a cell that is allowed"
BY_RANK = "T,T is two cards of equal rank; K,Q and other mixed tens are played as hard 20."


@dataclass(frozen=True, slots=True)
class Caption:
    """The text around a chart; `game` is the name to type, `name` the title."""

    game: str
    name: str
    decks: int
    rules: tuple[str, ...] = ()
    """Soft 17 and every unusual rule, in a few words each."""
    settings: tuple[tuple[str, str], ...] = ()
    """Settings that were changed, the decks left out."""
    notes: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    """Settings that `rules` already states."""

    @property
    def subtitle(self) -> str:
        """ "6 decks · dealer hits soft 17 · late surrender · insurance.pays = none"."""
        settings = [f"{key} = {value}" for key, value in self.settings if not key.startswith(self.stated)]
        return " · ".join([format_decks(self.decks), *self.rules, *settings])


def caption(sheet: RuleSheet, notes: Sequence[str] = ()) -> Caption:
    """Return the caption of a sheet's charts."""
    game, settings = sheet.origin
    changed = tuple((key, str(value)) for key, value in settings.items() if key != "shoe.decks")
    stated, said = zip(*short_rules(sheet), strict=True)
    return Caption(game or sheet.name, sheet.name, sheet.shoe.decks, said, changed, tuple(notes), stated)


def legend(layout: Layout, letters: str) -> list[tuple[str, str]]:
    """Return letters and their meanings, with the dash if the layout has pairs."""
    entries = [(letter, letter_name(letter)) for letter in letters]
    return [*entries, (AS_TOTAL, AS_TOTAL_WORDS)] if "P" in layout.letters else entries


def reading_notes(chart: Chart) -> list[str]:
    """Return how to read the cells, with an example from the chart."""
    cells = Counter(cell for row in chart.cells for cell in row if len(cell) > 1)
    example = f": {cells.most_common(1)[0][0]} is {describe_cell(cells.most_common(1)[0][0])}" if cells else ""
    by_rank = [BY_RANK] if chart.layout.pairs_by_rank and "P" in chart.layout.letters else []
    excepted = [exception_note(chart.layout, chart.exceptions)] if chart.exceptions else []
    return [f"{IN_ORDER}{example}.", *by_rank, *excepted]


def format_decks(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"
