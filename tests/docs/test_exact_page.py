"""docs/exact.md agrees with the code: counts, the split formula, the order of ties, and error bounds."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest

import holecard
from holecard.charts.letters import letter_name
from holecard.exact.main.dealer_tree import dealer_model
from holecard.exact.main.initial_hands import ACTION_ORDER
from holecard.exact.main.player_hands import player_hands
from holecard.exact.splits.pair_weights import levels, ways_to_end, weights
from holecard.kernels.exact.actions import TIE
from holecard.sheets.catalog import games
from holecard.sheets.read import rules
from tests.selection import one_in

ROOT = Path(__file__).parents[2]
TEXT = " ".join((ROOT / "docs" / "exact.md").read_text(encoding="utf-8").split())


def test_the_counts_on_the_page() -> None:
    """The number of nodes in the dealer's trees and of player hands."""
    nodes = dealer_model(rules("classic").tables).drawn.shape[0]
    assert f"for a dealer who hits soft 17 the ten upcards have {nodes:,} nodes" in TEXT
    assert f"{int((player_hands().size >= 2).sum()):,} hands of two cards and more" in TEXT


@pytest.mark.parametrize("most", [2, 3, 4, 6])
def test_the_formula_for_splits(most: int) -> None:
    """The formula of the page, in fractions, gives the weights that the program uses."""
    dice = random.Random(most)
    pair, cards = 24, 311
    a, b = ([Fraction(dice.randint(-99, 99), 100) for _ in range(levels(most) + 1)] for _ in range(2))
    r = [Fraction(pair - k, cards - k) for k in range(2 * most)]
    value = Fraction(0)
    for h, m, c in ways_to_end(most):
        known = sum(
            (-1) ** i * comb(m - 1, i) * prod(r[h : h + i]) * (a[h - 1 + i] - r[h + i] * b[h - 1 + i]) for i in range(m)
        )
        other = sum((-1) ** i * comb(m, i) * prod(r[h : h + i]) * a[h - 1 + i] for i in range(m + 1))
        value += c * prod(r[2:h]) * (m * known + (h - m) * other)
    of_a, of_b = (each[:, 0] for each in weights(np.array([float(pair)]), np.array([float(cards)]), most))
    summed = sum(w * float(x) for w, x in zip(of_a, a[1:], strict=True))
    summed += sum(w * float(x) for w, x in zip(of_b, b[1:], strict=True))
    assert summed == pytest.approx(float(value), abs=1e-13)


def test_how_many_values_splits_need() -> None:
    """Two hands at most need a_1; four hands need a_1 to a_5."""
    (alone,), (paired,) = (each[:, 0] for each in weights(np.array([24.0]), np.array([311.0]), 2))
    assert (alone, paired) == (2, 0)
    assert levels(4) == 5
    assert "With two hands at most this is 2 a_1; four hands need a_1 to a_5." in TEXT


def test_the_order_of_ties() -> None:
    """The page names the actions in order of preference, and the tolerance of a tie."""
    letters = {"double up": letter_name("U"), "quick pay": letter_name("Q")}
    assert f"the first of {', '.join(letters.get(action, action) for action in ACTION_ORDER)} is taken" in TEXT
    assert f"Values within {TIE:.0e} of each other" in TEXT


@pytest.mark.parametrize("game", one_in(3, games()))
def test_the_bound_of_every_game(game: str) -> None:
    """It is under 1e-12, as the page says."""
    assert "The bound is under 1e-12 for every game" in TEXT
    assert holecard.analyze(game, wagers=False).main.error_bound < 1e-12


def test_the_tests_it_names_are_there() -> None:
    """The page does not name a test that was moved."""
    named = re.findall(r"`(tests/[^`]+)`", TEXT)
    assert len(named) >= 3
    for path in named:
        assert (ROOT / path).exists(), path
