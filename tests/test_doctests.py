"""The examples in the docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import holecard

MODULES = [info.name for info in pkgutil.walk_packages(holecard.__path__, "holecard.") if "__main__" not in info.name]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    """Every example gives what it says."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    """The modules people read first have some."""
    for name in ("holecard.deck", "holecard.hands", "holecard.odds", "holecard.money"):
        assert doctest.testmod(importlib.import_module(name)).attempted > 0
