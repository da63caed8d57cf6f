"""Numba's CUDA simulator runs the kernels for GPUs in plain Python: the same bits as on a CPU, in few rounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import holecard
from holecard.charts.named_strategies import mimic_the_dealer, never_bust
from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.procedures import procedure_of
from holecard.simulation.run.tally import Tally
from tests.simulation.charts import splitting

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="numba-cuda is not made for this system")

#: Number of the first shoe. One of the next two has a round that takes more than one deck.
_FIRST = 204
#: With this seed, the fifth round of the first shoe of a continuous shuffler takes more than one deck.
_MACHINE_SEED = 662
#: Seven seats that split to eight hands sometimes take more cards than one deck has.
MANY_HANDS = {"player.split_hands": 8, "player.split_aces": "again", "player.split_aces_get": "play on"}
#: Sheet, procedure, seats, decks, side wagers and draws_out, shoes or fresh rounds.
Case = tuple[str, str, int, int, bool, int]
QUICK: list[Case] = [
    ("quick-pay", "fresh", 1, 6, True, 40),
    ("classic", "cut:75", 1, 6, False, 1),
]
CORNERS: list[Case] = [
    ("classic", "fresh", 1, 6, False, 150),
    ("side-bets", "fresh", 1, 6, True, 60),
    ("european", "fresh", 1, 2, False, 60),
    ("quick-pay", "fresh", 3, 6, True, 30),
    ("classic", "cut:75", 1, 6, False, 3),
    ("face-up", "cut:75", 2, 6, True, 2),
    ("european", "cut:100", 5, 1, True, 4),
    ("quick-pay", "rounds:9", 7, 1, True, 3),
    ("many hands", "rounds:3", 7, 1, False, 4),
    ("many hands", "machine", 7, 1, False, 1),
]
ALL: list[Case] = [
    (game, procedure, 1 + (place + 3 * number) % 7, (6, 1, 8)[(place + number) % 3], number % 2 == 0, units)
    for number, game in enumerate(holecard.games(examples=True))
    for place, (procedure, units) in enumerate(
        (("fresh", 300), ("cut:75", 4), ("cut:100", 4), ("rounds:10", 4), ("shuffler", 1), ("shuffler:0", 1))
    )
]


def _program(case: Case) -> Program:
    sheet, procedure, _, decks, sides, _ = case
    changes = {"decks": decks, **(MANY_HANDS if sheet == "many hands" else {})}
    tables = holecard.rules("classic" if sheet == "many hands" else sheet, changes).tables
    charts = [splitting(tables), mimic_the_dealer(tables), never_bust(tables)]
    wagers = tables.wagers if sides else ()
    return compile_program(tables, charts, wagers, draws_out=not sides, dealt_down=procedure != "fresh")


def _play(case: Case) -> FreshRounds | ShoeRounds:
    sheet, procedure, seats, decks, *_ = case
    charts = tuple(0 if sheet == "many hands" else seat % 3 for seat in range(seats))
    if procedure == "fresh":
        return FreshRounds(_program(case), charts, seed=11)
    if procedure == "machine":
        return ShoeRounds(_program(case), charts, _MACHINE_SEED, DealingRule(0, 10**6, 8, 0))
    rule = procedure_of(holecard.rules("classic", decks=decks), procedure).rule
    assert rule is not None
    return ShoeRounds(_program(case), charts, 11, rule)


def on_simulated_gpu(cases: list[Case]) -> dict[str, list[Any]]:
    """Return the tallies as data, and the shoes played on the CPU; called in a process that runs the simulator."""
    from holecard.simulation.plays.gpu_shoes import ShoesOnGpu

    on_cpu, plain = list[Any](), ShoesOnGpu._play_here

    def play_here(self: ShoesOnGpu, shoe: int, counted: int) -> None:
        on_cpu.append([shoe, counted])
        plain(self, shoe, counted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ShoesOnGpu, "_play_here", play_here)
        tallies = [replace(_play(case), device="cuda").play(_FIRST, case[-1]).to_data() for case in cases]
    return {"tallies": tallies, "on CPU": on_cpu}


_SCRIPT = """
import json, sys, warnings
warnings.simplefilter("ignore")
from tests.simulation.test_simulated_gpu import on_simulated_gpu
print(json.dumps(on_simulated_gpu(json.loads(sys.argv[1]))))
"""


def _check(cases: list[Case]) -> list[tuple[int, int]]:
    """Compare; return the shoes that were played on the CPU, and how many of their rounds were played before that."""
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", _SCRIPT, json.dumps(cases)], env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    for case, tally in zip(cases, found["tallies"], strict=True):
        play = _play(case)
        expected = play.play_one_by_one if isinstance(play, ShoeRounds) else play.play
        assert Tally.from_data(tally) == expected(_FIRST, case[-1]), case
    return [(shoe, counted) for shoe, counted in found["on CPU"]]


def test_the_kernels_of_a_gpu_give_the_same_bits() -> None:
    _check(QUICK)


@pytest.mark.slow
def test_the_kernels_of_a_gpu_give_the_same_bits_in_corners() -> None:
    """That includes shoes with a round for which one shoe is not enough, at once or after other rounds."""
    on_cpu = _check(CORNERS)
    assert min(counted for _, counted in on_cpu) == 0 < max(counted for _, counted in on_cpu)


@pytest.mark.slow
def test_the_kernels_of_a_gpu_give_the_same_bits_for_every_game() -> None:
    _check(ALL)
