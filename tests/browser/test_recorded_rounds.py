"""The rounds that are played in a browser place every wager of the five games and take every decision."""

from __future__ import annotations

import pytest

from tests.browser.recorded_rounds import GAMES, chosen, does, rounds_of, wanted


@pytest.mark.parametrize("game", GAMES)
def test_a_few_rounds_do_everything(game: str) -> None:
    done = {one for record in chosen(game).values() for one in does(record)}
    assert wanted(game) - done == set()
    assert done == {one for record in rounds_of(game).values() for one in does(record)}
    assert len(chosen(game)) <= 6


def test_the_rare_moments_are_among_them() -> None:
    """Even money with a natural against an ace, a tax, a split, late wagers and the refusal of them."""
    done = {one for game in GAMES for record in chosen(game).values() for one in does(record)}
    assert len(GAMES) == 5
    assert {"even money", "tax", "pass", "action split", "action no insurance", "action surrender"} <= done
