"""Values of many shoes are those of each shoe alone."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from holecard.composition import Composition
from holecard.errors import Refusal
from holecard.exact.shoe_values import insurance_values, main_values, wager_values
from holecard.exact.solved_game import main_ev
from holecard.exact.wagers.wager_values import insurance
from holecard.sheets.read import rules


def dealt_down(decks: int, left: int, seed: int) -> np.ndarray:
    """Return [card] the counts of a shoe from which random cards have been dealt."""
    cards = np.random.default_rng(seed).permutation(np.repeat(np.arange(52), decks))[:left]
    return np.bincount(cards, minlength=52)


def test_main_values_are_those_of_single_shoes() -> None:
    """A table of shoes has the EVs of its rows, and a shoe too small for a round has none."""
    shoes = np.array([dealt_down(6, left, left) for left in (300, 90, 12)])
    ranks = shoes.reshape(-1, 13, 4).sum(axis=2)
    values = np.concatenate([ranks[:, :9], ranks[:, 9:].sum(axis=1, keepdims=True)], axis=1)
    found = main_values("classic", values, threads=1)
    assert isnan(found[2])
    for row in range(2):
        assert found[row] == pytest.approx(main_ev("classic", Composition(tuple(ranks[row].tolist()))), abs=1e-13)


def test_insurance_needs_an_ace() -> None:
    """Insurance is valued given an ace up; a shoe without aces never offers it."""
    shoes = np.array([dealt_down(6, 100, 1).reshape(13, 4).sum(axis=1), [0, *[4] * 12]])
    alone = insurance(rules("classic").tables, Composition(tuple(shoes[0].tolist())))
    assert alone is not None
    found = insurance_values("classic", shoes)
    assert found[0] == pytest.approx(float(alone.overall), abs=1e-14)
    assert isnan(found[1])


def test_tables_of_other_shapes_are_refused() -> None:
    """A row that is not a shoe is refused, with what would be one."""
    with pytest.raises(Refusal, match="10 or 13 or 52 counts"):
        main_values("classic", np.ones((2, 11), np.int64))
    with pytest.raises(Refusal, match="whole number"):
        main_values("classic", np.full((1, 10), -1))
    with pytest.raises(Refusal, match="this game has: Match Up, 3 Card Bonus"):
        wager_values("match-up", "Lucky Ladies", np.ones((1, 52), np.int64))
