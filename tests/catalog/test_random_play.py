"""Every sheet loads, compiles and plays many random rounds."""

from __future__ import annotations

import random

import pytest

from holecard.sheets.tables import CLASSES, KINDS
from holecard.table.table import Table
from tests.random_play import play_round, sheets
from tests.selection import one_in, rounds


@pytest.mark.parametrize("name", one_in(3, sheets()))
def test_it_loads_and_compiles(name: str) -> None:
    """A sheet becomes a full settlement matrix, with a reason in every cell."""
    tables = sheets()[name].tables
    assert len(tables.settlement) == KINDS
    assert all(len(rows) == CLASSES for rows in tables.settlement)
    assert all(cell.why for rows in tables.settlement for row in rows for cell in row)


@pytest.mark.parametrize("name", one_in(3, sheets()))
def test_many_random_rounds(name: str) -> None:
    """No legal action breaks a round: each round ends, and settles every seat that bet."""
    rng = random.Random(name)
    table = Table(sheets()[name], seed=1)
    for _ in range(rounds(1000)):
        play_round(table, rng, seats=rng.choice([1, 1, 1, 2, 3, 7]))
        assert {result.seat for result in table.results} == {seat.number for seat in table.state.seats}
        assert all(table.at_risk(seat.number) == 0 for seat in table.state.seats)
