"""Windows and macOS: what POSIX or Linux alone has is used only where it exists."""

from __future__ import annotations

import ast
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import holecard
from holecard.server.jobs import lifeline, worker
from holecard.server.jobs.requests import CheckSheet
from holecard.server.operation import theories

SOURCE = Path(holecard.__file__).parent
#: Names that Windows lacks. Each place that uses one has been looked at: it asks first, or is not reached there.
POSIX = {
    "os": {"chown", "fork", "geteuid", "getpgid", "getuid", "killpg", "nice", "sched_getaffinity", "setsid", "uname"},
    "signal": {
        *(
            "SIGALRM",
            "SIGCONT",
            "SIGHUP",
            "SIGKILL",
            "SIGUSR1",
            "SIGUSR2",
            "pthread_sigmask",
            "setitimer",
            "ITIMER_REAL",
        ),
    },
}
MODULES = {"fcntl", "grp", "pwd", "resource", "termios", "tty"}
GUARDED = {
    "cli/play/prompts.py": {"termios", "tty", "SIGCONT"},
    "server/compute/worker.py": {"pthread_sigmask"},
    "server/jobs/lifeline.py": {"nice", "resource", "SIGALRM", "SIGKILL", "setitimer", "ITIMER_REAL"},
    "server/store/sqlite_file.py": {"fcntl", "geteuid"},
    "server/web/accepting.py": {"resource"},
}


@cache
def _trees() -> dict[str, ast.AST]:
    """Return every module, parsed."""
    return {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in SOURCE.rglob("*.py")
    }


def _used(tree: ast.AST) -> Iterator[str]:
    """Yield the names of POSIX that a module uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from MODULES & {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from MODULES & {str(node.module)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from POSIX.get(node.value.id, set()) & {node.attr}


@pytest.mark.slow
def test_what_only_posix_has_is_used_in_few_places() -> None:
    """A new place must look whether the name exists, and be listed."""
    found = {name: set(_used(tree)) for name, tree in _trees().items()}
    assert {name: used for name, used in found.items() if used} == GUARDED


@pytest.mark.slow
def test_every_text_file_is_read_and_written_as_utf_8() -> None:
    """Windows has another default: each call in text mode names the encoding."""
    found = [
        f"{name}:{node.lineno}"
        for name, tree in _trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _opens_text(node) and "encoding" not in {one.arg for one in node.keywords}
    ]
    assert found == []


def _opens_text(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in ("read_text", "write_text"):
        return True
    is_open = isinstance(function, ast.Name) and function.id == "open"
    if isinstance(function, ast.Attribute) and function.attr == "open":
        is_open = not call.args or isinstance(call.args[0], ast.Constant)
        is_open = is_open and not (isinstance(function.value, ast.Name) and function.value.id in ("os", "webbrowser"))
        if not call.args:
            is_open = isinstance(function.value, ast.Name) and function.value.id in ("path", "file", "target")
    modes = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return is_open and not any("b" in mode for mode in modes)


class _Answers:
    """A connection that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[object, ...]] = []

    def send(self, answer: tuple[object, ...]) -> None:
        self.sent.append(answer)

    def close(self) -> None:
        """Do nothing: the test reads what was sent."""


def test_a_job_runs_where_no_process_can_be_nice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no `os.nice`."""
    monkeypatch.delattr(os, "nice")
    monkeypatch.setattr(worker, "limit_memory", lambda _: None)
    answers: Any = _Answers()
    worker.work(CheckSheet(game="classic"), None, 1000, answers)
    assert answers.sent[-1][0] == "done"


def test_a_theory_is_computed_where_no_process_can_be_nice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "nice")
    monkeypatch.setattr(theories, "limit_memory", lambda _: None)
    monkeypatch.setattr(theories, "theory_of", lambda _: {})
    answers: Any = _Answers()
    content = json.dumps(holecard.rules("classic").model_dump(mode="json", by_alias=True, exclude_unset=True))
    theories.send_theory(content, 1000, answers)
    assert answers.sent == [("{}",)]


@pytest.mark.parametrize("error", [ValueError("current limit exceeds maximum limit"), OSError("refused")])
def test_memory_without_a_limit_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """macOS may refuse the limit."""

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(resource, "setrlimit", refuse)
    lifeline.limit_memory(1000)


def test_memory_is_not_limited_where_no_module_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    lifeline.limit_memory(1000)
    monkeypatch.setitem(sys.modules, "resource", SimpleNamespace())  # type: ignore[arg-type]
    lifeline.limit_memory(1000)


def test_a_process_that_may_not_be_nice_runs_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "nice", refuse)
    lifeline.lower_priority(5)


def test_no_alarm_is_set_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("setitimer", "SIGALRM", "ITIMER_REAL"):
        monkeypatch.delattr(signal, name)
    monkeypatch.setattr(lifeline, "end_with_parent", lambda _: None)
    lifeline.end_in_time(1.0)


@pytest.mark.slow
def test_every_module_is_imported_without_what_only_posix_has() -> None:
    """Packages of others come first: they have their own ways."""
    code = """
import asyncio, importlib, os, pkgutil, signal, sys
import alembic, fastapi, gymnasium, multiprocessing.resource_tracker, numba, rich, sqlalchemy, structlog, typer, uvicorn
for name in %r:
    sys.modules[name] = None
for module, names in ((os, %r), (signal, %r)):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
import holecard
for found in pkgutil.walk_packages(holecard.__path__, "holecard."):
    if "gpu" not in found.name and "migrations" not in found.name and not found.name.endswith("__main__"):
        importlib.import_module(found.name)
print("imported")
"""
    words = code % (sorted(MODULES), sorted(POSIX["os"]), sorted(POSIX["signal"]))
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "imported", done.stderr[-2000:]


def test_the_keyboard_works_without_single_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without termios, a key is the first letter of a line."""
    prompts = importlib.import_module("holecard.cli.play.prompts")
    monkeypatch.setattr(prompts, "_SINGLE_KEYS", False)
    monkeypatch.delattr(signal, "SIGCONT")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=lambda: "hit\n"))
    keyboard = prompts.TerminalKeyboard()
    keyboard.forget()
    assert keyboard.key(lambda: None) == "h"
