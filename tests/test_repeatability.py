"""Tests do not depend on the shell and the machine, and what a failure prints repeats it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.pages.programs import ROOT

#: Fails with cards, an example of hypothesis, and the order of a set.
_FAILS = """
from hypothesis import given, strategies
import holecard
from holecard.table.dealing.shoe import Shoe

@given(strategies.integers(0, 10**9))
def test_that_fails(number):
    assert number < 1000, [number, *Shoe(holecard.rules("classic").shoe).draw(3), *{"ace", "two", "ten"}]
"""
#: A person with a narrow, colorless terminal, behind a proxy, with a server of their own.
_SHELL = {
    "COLUMNS": "60",
    "FORCE_COLOR": "1",
    "GITHUB_ACTIONS": "true",
    "http_proxy": "http://127.0.0.1:9",
    "HOLECARD_PORT": "9000",
    "HOLECARD_TABLES_PER_USER": "1",
    "PYTHONHASHSEED": "random",
}


def _pytest(*words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("profile", ["quick", "thorough"])
def test_examples_depend_neither_on_time_nor_on_the_kind_of_machine(profile: str) -> None:
    found = settings.get_profile(profile)
    assert found.deadline is None
    assert HealthCheck.too_slow in found.suppress_health_check
    assert found.derandomize == (profile == "quick")
    assert found.database is None


@pytest.mark.slow
def test_what_a_shell_says_changes_no_test() -> None:
    words = ("tests/cli/test_check.py", "tests/server/test_client.py", "-k", "accepts or codes_of_the_page", "-n", "1")
    said = _pytest(*words, **_SHELL)
    assert re.search(r"^\d+ passed", said, re.MULTILINE), said


@pytest.mark.slow
def test_a_failure_says_how_to_repeat_it(tmp_path: Path) -> None:
    """In CI, too, where hypothesis has other settings."""
    (tmp_path / "test_fails.py").write_text(_FAILS)
    ours = ("-p", "tests.conftest", f"--rootdir={ROOT}")
    file = str(tmp_path / "test_fails.py")
    chosen = {"HOLECARD_SHOES": "7", "CI": "1", "PYTHONHASHSEED": "random"}
    said = _pytest(*ours, file, "--hypothesis-profile=thorough", "-n", "1", **chosen)
    (line,) = re.findall(r"^.* -m pytest .*$", said, re.MULTILINE)
    *words, name = shlex.split(line)
    assert name.endswith("::test_that_fails")
    variables = dict(word.split("=", 1) for word in words[: words.index(".venv/bin/python")])
    again = _pytest(*ours, *words[words.index("pytest") + 1 :], f"{file}::test_that_fails", **variables)
    failure = re.compile(r"^E +AssertionError: .*$", re.MULTILINE)
    assert failure.findall(said)
    assert failure.findall(again) == failure.findall(said)
