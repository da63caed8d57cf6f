"""On a real GPU: `python -m pytest -m gpu`. Without one these tests fail; they do not skip."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add

import pytest

import holecard
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.fresh_shoes import FreshRounds
from tests.simulation.charts import splitting

# The driver's package still uses a deprecated feature of numpy.
pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def _same(sheet: str, rounds: int, seats: int = 1) -> bool:
    """Whether a GPU and all processors give the same counts."""
    tables = holecard.rules(sheet).tables
    program = compile_program(tables, [splitting(tables)], tables.wagers)
    here, there = (FreshRounds(program, (0,) * seats, 3, device) for device in ("cpu", "cuda"))
    cores = os.cpu_count() or 1
    share = rounds // cores
    with ThreadPoolExecutor(cores) as pool:
        parts = pool.map(lambda core: here.play(core * share, share), range(cores))
        return reduce(add, parts) == there.play(0, share * cores)


def test_a_billion_rounds_are_the_same_to_the_last_bit() -> None:
    assert _same("classic", 1_000_000_000)


@pytest.mark.parametrize("sheet", holecard.games())
@pytest.mark.parametrize("seats", [1, 3])
def test_every_game_with_its_wagers_is_the_same(sheet: str, seats: int) -> None:
    assert _same(sheet, 20_000_000 // seats, seats)
