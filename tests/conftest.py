"""Hypothesis for all tests: no deadline, and a failing seed is shown as it is, since a smaller seed is not simpler.

`make test` tries a few examples, the same in every run; `make test-all` tries more, and new ones each time.
"""

import gc

import pytest
from hypothesis import Phase, settings

# So that failures of what browser tests share show the values, as those of tests do.
pytest.register_assert_rewrite("tests.browser.accessibility", "tests.browser.at_table")

_PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
settings.register_profile("quick", deadline=None, max_examples=5, derandomize=True, database=None, phases=_PHASES)
settings.register_profile("thorough", deadline=None, max_examples=25, phases=_PHASES)
settings.load_profile("quick")


def pytest_collection_finish() -> None:
    """Let the garbage collector leave the modules and the collected tests alone: they last until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
