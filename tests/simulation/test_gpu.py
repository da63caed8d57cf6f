"""On a real GPU: `python -m pytest -m gpu`. Without one these tests fail; they do not skip."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce
from operator import add

import pytest

import holecard
from holecard.sheets.read import RulesLike
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.procedures import procedure_of
from holecard.simulation.run.tally import Tally
from tests.simulation.charts import splitting

# The driver's package still uses a deprecated feature of numpy.
pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


def _same(sheet: RulesLike, rounds: int, seats: int = 1) -> bool:
    """Whether a GPU and the CPU give the same counts."""
    tables = holecard.rules(sheet).tables
    program = compile_program(tables, [splitting(tables)], tables.wagers)
    here, there = (FreshRounds(program, (0,) * seats, 3, device) for device in ("cpu", "cuda"))
    return _together(here, rounds) == there.play(0, rounds)


def _together(play: FreshRounds | ShoeRounds, units: int) -> Tally:
    """Play on all cores of the CPU."""
    cores = os.cpu_count() or 1
    share, rest = divmod(units, cores)
    with ThreadPoolExecutor(cores) as pool:
        parts = pool.map(lambda core: play.play(core * share, share), range(cores))
        return reduce(add, parts) + play.play(cores * share, rest)


def test_a_billion_rounds_are_the_same_to_the_last_bit() -> None:
    assert _same("classic", 1_000_000_000)


@pytest.mark.parametrize("sheet", holecard.games())
@pytest.mark.parametrize("seats", [1, 3, 7])
def test_every_game_with_its_wagers_is_the_same(sheet: str, seats: int) -> None:
    assert _same(sheet, 20_000_000 // seats, seats)


@pytest.mark.parametrize("soft", ["draw 16 to hard 17", "draw soft 17 to hard 17"])
def test_a_dealer_who_draws_to_a_hard_17_is_the_same(soft: str) -> None:
    assert _same(holecard.rules("double-up", {"dealer.soft": soft}), 20_000_000)


def _shoes(sheet: str, procedure: str, seats: int, decks: int = 6, *, sides: bool) -> ShoeRounds:
    rules = holecard.rules(sheet, decks=decks)
    tables, rule = rules.tables, procedure_of(rules, procedure).rule
    assert rule is not None
    program = compile_program(tables, [splitting(tables)], tables.wagers if sides else (), dealt_down=True)
    return ShoeRounds(program, (0,) * seats, 3, rule)


@pytest.mark.parametrize("sheet", holecard.games())
@pytest.mark.parametrize("seats", [1, 3, 7])
@pytest.mark.parametrize(("procedure", "shoes"), [("cut:75", 100_000), ("rounds:10", 300_000), ("shuffler", 3_000)])
def test_every_game_dealt_down_is_the_same(sheet: str, seats: int, procedure: str, shoes: int) -> None:
    for sides in (True, False):
        play = _shoes(sheet, procedure, seats, sides=sides)
        assert replace(play, device="cuda").play(0, shoes // seats) == _together(play, shoes // seats)


@pytest.mark.parametrize("seats", [1, 7])
def test_one_deck_dealt_to_its_end_is_the_same(seats: int) -> None:
    """The discards are shuffled in during many rounds; a few rounds even take more than one deck."""
    play = _shoes("classic", "cut:100", seats, decks=1, sides=False)
    assert replace(play, device="cuda").play(0, 200_000) == _together(play, 200_000)


def test_a_million_shoes_are_the_same_to_the_last_bit() -> None:
    play = _shoes("classic", "cut:75", 1, sides=False)
    assert replace(play, device="cuda").play(0, 1_000_000) == _together(play, 1_000_000)
