"""The examples in the docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import holecard

ROOT = Path(holecard.__file__).parents[1]


def modules_with_examples() -> list[str]:
    """Read the files rather than import the modules: a module without an example is not a test."""
    found = [path for path in sorted(ROOT.joinpath("holecard").rglob("*.py")) if ">>> " in path.read_text("utf-8")]
    return [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in found]


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_run(name: str) -> None:
    """Every example prints what it says, and there is at least one."""
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


def test_the_modules_that_people_read_first_have_examples() -> None:
    """The deck, hands, odds and money."""
    assert {f"holecard.{name}" for name in ("deck", "hands", "odds", "money")} <= set(modules_with_examples())
