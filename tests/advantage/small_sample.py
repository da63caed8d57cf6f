"""A small result of counting that several tests look at, and the page that documents it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import holecard
from holecard.advantage.counting_result import Counting

PAGE = Path(__file__).parents[2] / "docs" / "counting.md"


@cache
def small_sample() -> Counting:
    """Return the result for a game with a side wager."""
    return holecard.counting("double-up", shoes=8, cut=65)


@cache
def small_sample_without_plays() -> Counting:
    """Return the same without index plays, which take most of the time."""
    return holecard.counting("double-up", shoes=8, cut=65, plays=False)
