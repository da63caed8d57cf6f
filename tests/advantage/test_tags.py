"""The best whole tags are those that a search of all tags finds, and a perfect fit has correlation 1."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from holecard.advantage.tags import best_tags, betting_correlation, known_correlations
from holecard.counts import count_of


def by_value(values: list[float]) -> list[float]:
    """[card] from ace, 2 … 9, ten."""
    ranks = [*values[:9], *[values[9]] * 4]
    return [value for value in ranks for _ in range(4)]


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_balanced_tags_fit_better(level: int, seed: int) -> None:
    """Random effects of six kinds of cards, against every tag of every kind."""
    random = np.random.default_rng(seed)
    kinds = random.normal(size=6)
    kind_of = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    effects = by_value([float(kinds[kind]) for kind in kind_of])
    found = best_tags(effects, level, "best")
    assert found is not None
    assert found.count.balanced
    assert max(abs(tag) for tag in found.count.tags) <= level
    best = max(
        betting_correlation(by_value([float(tags[kind]) for kind in kind_of]), effects)
        for tags in product(range(-level, level + 1), repeat=6)
        if sum(by_value([float(tags[kind]) for kind in kind_of])) == 0
    )
    assert found.correlation >= best - 1e-12
    assert found.correlation == pytest.approx(betting_correlation(found.count.tags, effects))


def test_tags_that_are_the_effects_fit_perfectly() -> None:
    """Also if they are multiplied by a number, or if all of them are larger by a constant."""
    tags = by_value([-1, 1, 1, 1, 1, 1, 0, 0, 0, -1])
    found = best_tags([0.003 * tag for tag in tags], 1, "best")
    assert found is not None
    assert found.correlation == pytest.approx(1)
    assert found.count.tags == count_of("hi-lo").tags
    assert betting_correlation(tags, [7 + 2 * tag for tag in tags]) == pytest.approx(1)


def test_single_cards_get_tags_of_their_own() -> None:
    """A wager on one card of the deck is counted by that card and one other."""
    effects = [0.0] * 52
    effects[11 * 4 + 1] = -1.0
    found = best_tags(effects, 1, "queen of hearts")
    assert found is not None
    assert found.count.tags[11 * 4 + 1] == -1
    assert sum(found.count.tags) == 0


def test_a_wager_that_no_card_changes_has_no_count() -> None:
    assert best_tags([0.25] * 52, 2, "none") is None
    assert all(fit.correlation == 0 for fit in known_correlations([0.25] * 52))


def test_insurance_correlations_follow_from_the_tags_alone() -> None:
    """Insurance loses by every ten and gains by every other card, so its correlation is a fact about the tags."""
    insurance = by_value([1.0] * 9 + [-9 / 4])
    tags = np.array(count_of("hi-lo").tags, np.float64)
    tens = np.array(by_value([0.0] * 9 + [1.0]))
    expected = -np.corrcoef(tags, tens)[0, 1]
    assert betting_correlation(count_of("hi-lo").tags, insurance) == pytest.approx(expected)
