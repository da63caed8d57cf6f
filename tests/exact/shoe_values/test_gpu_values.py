"""On a real GPU: `python -m pytest -m gpu`. Without one these tests fail; they do not skip."""

from __future__ import annotations

import numpy as np
import pytest

import holecard
from holecard.exact.shoe_values import main_values
from tests.exact.shoe_values.test_one_start import GAMES
from tests.exact.shoe_values.test_shoe_values import dealt_down

# The driver's package still uses a deprecated feature of numpy.
pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.mark.parametrize(("game", "settings"), GAMES, ids=str)
def test_a_gpu_finds_the_values_of_the_cpu(game: str, settings: dict[str, object]) -> None:
    """Shoes of all sizes, one of them too small for a round."""
    sheet = holecard.rules(game, settings)
    shoes = np.array([dealt_down(6, left, left) for left in (*range(60, 312, 12), 12)])
    found = main_values(sheet, shoes, device="cuda")
    assert found == pytest.approx(main_values(sheet, shoes), abs=1e-11, nan_ok=True)


def test_more_shoes_than_one_launch_solves() -> None:
    """Every launch has its own shoes, and progress counts them all."""
    shoes = np.tile([dealt_down(6, left, left) for left in (100, 200, 300)], (1500, 1))
    heard: list[tuple[int, int]] = []
    found = main_values("classic", shoes, device="cuda", on_progress=lambda done, every: heard.append((done, every)))
    assert np.ptp(found.reshape(-1, 3), axis=0).max() == 0.0
    assert heard[-1] == (4500, 4500)
