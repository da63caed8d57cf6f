"""Charts for tests: any chart that a game allows, and a simple well-known one."""

from __future__ import annotations

import random

from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Layout, Row
from holecard.sheets.read import rules


def some_cell(row: Row, rng: random.Random) -> str:
    """Any cell that can be in a row, built without the module that checks cells."""
    if row.pair and rng.random() < 0.2:
        return "-"
    trials = [letter for letter in row.letters if letter not in "HS"]
    rng.shuffle(trials)
    cell = "".join(trials[: rng.randint(0, len(trials))])
    if row.pair and cell and rng.random() < 0.7:
        return cell
    return cell + rng.choice([letter for letter in row.letters if letter in "HS"])


def some_chart(layout: Layout, seed: int) -> Chart:
    rng = random.Random(seed)
    return Chart.filled(layout, lambda row, _column: some_cell(row, rng))


def plain_cell(row: Row, column: Column) -> str:
    """A few well-known lines, for six decks and an upcard."""
    small = 2 <= column.dealer <= 6
    if row.pair:
        return "P" if row.pair in (1, 8) else "-"
    if row.soft:
        return "H" if row.total < 18 else "S"
    if row.total in (10, 11):
        return "DH" if column.dealer < 10 and column.dealer != 1 else "H"
    return "S" if row.total >= 17 or (row.total >= 12 and small) else "H"


def plain_chart() -> Chart:
    return Chart.filled(rules("classic").tables, plain_cell)
