"""What all tests share: cards that are the same in every run, hypothesis, and how to repeat a failure.

Hypothesis has no deadline, and a failing seed is shown as it is, since a smaller seed is not simpler. `make test` tries
a few examples; `make test-all` tries more. Both try the same ones in every run, so that a green commit stays green;
`make repeat SHOES=other` looks for new ones, and a failure prints their seed. What a shell says about its terminal,
proxies and servers is forgotten.
"""

from __future__ import annotations

import gc
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.known_shoes import KNOWN, how_to_repeat, install
from tests.patience import be_patient

#: What programs read about terminals, proxies between them and servers, and the settings of `holecard serve`.
_OF_A_SHELL = re.compile(
    r"COLUMNS|LINES|TERMINAL_WIDTH|(NO|FORCE|PY)_COLORS?|GITHUB_ACTIONS|(TTY|JUPYTER)_\w+|\w+_PROXY"
    r"|HOLECARD_(?!PATIENCE|SHOES|ROUNDS)\w+",
    re.IGNORECASE,
)

# So that failures of what browser tests share show the values, as those of tests do.
pytest.register_assert_rewrite("tests.browser.accessibility", "tests.browser.at_table")

# Each is complete: what it leaves out would come from hypothesis, which has other values where the variable CI is set.
# A busy machine draws slowly. With a database, examples of earlier runs would come first, and the seed alone would not
# repeat a failure.
_SHARED = settings(
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    print_blob=True,
    suppress_health_check=(HealthCheck.too_slow,),
)
settings.register_profile("quick", _SHARED, max_examples=5, derandomize=True)
settings.register_profile("thorough", _SHARED, max_examples=25, derandomize=False)
settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Choose the seed of the examples and the order of sets here, so that all workers use them and a failure can name
    them.
    """
    if os.environ.get("PYTHONHASHSEED", "random") == "random":
        os.environ["PYTHONHASHSEED"] = "0"  # in processes that start from here on, as in those of `make test`
    if config.getoption("--hypothesis-profile") == "thorough" and config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = "0"


def pytest_configure() -> None:
    """Forget the shell, take the place of the operating system's generator, and let servers be patient."""
    for name in filter(_OF_A_SHELL.fullmatch, list(os.environ)):
        del os.environ[name]
    install("")
    be_patient()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Let the cards, ids and tokens of a test follow from its name."""
    KNOWN.begin(None if item.get_closest_marker("real_shoes") else item.nodeid)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Iterator[Any]:
    """Let those of a shared fixture follow from its own name: any test of a file may be the first that uses it."""
    is_shared = fixturedef.scope != "function" and KNOWN.name is not None
    with KNOWN.named(f"{request.node.nodeid}::{fixturedef.argname}") if is_shared else nullcontext():
        return (yield)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how to repeat each failure alone."""
    failed = [*terminalreporter.stats.get("failed", ()), *terminalreporter.stats.get("error", ())]
    names = dict.fromkeys(report.nodeid for report in failed if hasattr(report, "when"))
    if not names:
        return
    words = [".venv/bin/python", "-m", "pytest", "-n", "0", "-m", ""]
    if (seed := config.getoption("--hypothesis-seed")) is not None:
        words += ["--hypothesis-profile=" + config.getoption("--hypothesis-profile"), f"--hypothesis-seed={seed}"]
    terminalreporter.section("to repeat")
    for name in names:
        terminalreporter.write_line(how_to_repeat() + shlex.join([*words, name]))


def pytest_collection_finish() -> None:
    """Let the garbage collector leave the modules and the collected tests alone: they last until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
