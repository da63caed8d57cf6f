"""The steps that a GPU's block takes give the EVs of `solve`: by one thread here, by several in numba's simulator."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import holecard
from holecard.composition import composition
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.round_evs import initial_evs_of
from holecard.exact.main.solve import solve
from holecard.sheets.read import rules
from tests.exact.shoe_values.one_thread import initial_evs_by_one_thread
from tests.exact.small_shoes import SHOES

#: 150 cards of six decks, some values nearly gone.
WORN = np.array([14.0, 3.0, 12.0, 14.0, 11.0, 1.0, 15.0, 13.0, 0.0, 67.0])
#: A shoe in which dealer's cards and pairs run out.
FEW = np.array(composition(SHOES["pairs"]).values, np.float64)


GAMES: list[tuple[str, dict[str, object]]] = [
    *((game, {}) for game in holecard.games(examples=True)),
    ("face-up", {"dealer.soft": "draw 16 to hard 17"}),
    ("match-up", {"dealer.soft": "draw soft 17 to hard 17"}),
]


@pytest.mark.slow  # Compiling the steps for a CPU, which only this test does, takes half a minute.
@pytest.mark.parametrize(("game", "settings"), GAMES, ids=str)
@pytest.mark.parametrize("counts", [WORN, FEW], ids=["worn", "few"])
def test_one_thread_takes_the_steps_of_a_block(game: str, settings: dict[str, object], counts: np.ndarray) -> None:
    """Every sheet: hole cards of all kinds, Double-Up, charlies, aces split again; dealers who draw to a hard 17."""
    ready = prepared_game(rules(game, settings).tables)
    found, expected = initial_evs_by_one_thread(ready, counts), initial_evs_of(solve(ready, counts))
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-13)


_ON_A_GPU = """
import json, sys
import numpy as np
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.shoe_values.gpu_values import Launch, gpu_initial_evs
from holecard.sheets.read import rules
found = []
for game, shown in json.loads(sys.argv[1]):
    counts = np.array(json.loads(sys.argv[2]))
    evs = gpu_initial_evs(prepared_game(rules(game).tables, tuple(shown)), counts, Launch(4, 1, len(counts)))
    found.append([array.tolist() for array in evs])
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "darwin", reason="numba-cuda is not made for this system")
def test_threads_of_a_block_wait_for_each_other() -> None:
    """Two blocks of four threads, each a Python thread, solve two shoes against one start of some games."""
    games = [("double-up", (9,)), ("face-up", (8, 10)), ("last-chance", (10,))]
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    shoes = np.array([WORN, FEW])
    ran = subprocess.run(
        [sys.executable, "-c", _ON_A_GPU, json.dumps(games), json.dumps(shoes.tolist())],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    for (game, shown), found in zip(games, json.loads(ran.stdout), strict=True):
        ready = prepared_game(rules(game).tables, shown)
        for shoe, counts in enumerate(shoes):
            for mine, theirs in zip(found, initial_evs_of(solve(ready, counts)), strict=True):
                np.testing.assert_allclose(mine[shoe], theirs[0], rtol=0, atol=1e-13)
