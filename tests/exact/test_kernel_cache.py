"""What the folder of compiled kernels records: which commands have compiled everything they need."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import holecard
from holecard.kernels import cache


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_warned", set())
    cache.folder.cache_clear()
    yield
    cache.folder.cache_clear()


def test_a_command_that_needs_more_kernels_is_not_warm(tmp_path: Path) -> None:
    """A command that has run makes another one warm only if that one needs no other kernels."""
    assert tmp_path in cache.folder().parents
    assert not cache.is_warm("evaluate")
    cache.mark_warm("evaluate")
    assert cache.is_warm("evaluate")
    assert not cache.is_warm("analyze")


def test_an_interrupted_compilation_leaves_it_cold() -> None:
    """Some compiled kernels in the folder are not all of them."""
    (cache.folder() / "deciding.decide-57.py311.1.nbc").touch()
    assert not cache.is_warm("analyze")


def test_other_sources_are_cold_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is named after the sources, so an edit starts a new one."""
    cache.mark_warm("analyze")
    monkeypatch.setattr(cache, "_hash_of_sources", lambda: "edited")
    cache.folder.cache_clear()
    assert not cache.is_warm("analyze")


def test_where_nothing_can_be_written_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing fails."""
    (tmp_path / "a file").touch()
    nowhere = tmp_path / "a file" / "holecard.done"
    monkeypatch.setattr(cache, "_marker", lambda _: nowhere)
    cache.mark_warm("analyze")
    assert not cache.is_warm("analyze")


def test_the_temporary_folder_is_marked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder need not exist."""
    monkeypatch.setattr(cache, "_writable", lambda _: False)
    cache.folder.cache_clear()
    cache.mark_warm("analyze")
    assert cache.is_warm("analyze")


_CALL_A_KERNEL = """
import sys
from holecard.kernels.exact.stand import order_probabilities
print(order_probabilities(4, 1)[1].tolist(), "numba.np.linalg" in sys.modules)
"""


@pytest.mark.slow
def test_a_kernel_in_the_cache_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    """The first process compiles it, for which numba imports much; the second only loads it. Both give 1/(n(n-1))."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    ran = [
        subprocess.run(
            [sys.executable, "-c", _CALL_A_KERNEL], env=environment, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    values = str([0.0, 0.0, 1 / 2, 1 / 6, 1 / 12])
    assert [process.stdout.strip() for process in ran] == [f"{values} True", f"{values} False"]


# The notice


def test_another_installation_is_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba caches kernels by the path of their source, so a second copy of the program compiles them again."""
    cache.mark_warm("analyze")
    monkeypatch.setattr(cache, "_installation", lambda: "another path")
    assert not cache.is_warm("analyze")


def test_python_is_warned_before_kernels_are_compiled() -> None:
    """Once: what has run to its end is warm."""
    with pytest.warns(cache.CompilingKernels, match="compiling the kernels"), cache.compiling("analyze"):
        assert not cache.is_warm("analyze"), "it is warm when it has finished"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with cache.compiling("analyze"):
            pass


def _announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(cache, "announce", said.append)
    return said


def test_another_way_to_announce_ends_with_its_block() -> None:
    """A process that has computed for someone else tells them nothing more."""
    before, said = cache.announce, list[str]()
    with cache.announcing(said.append):
        cache.announce("compiling")
    assert cache.announce is before
    assert said == ["compiling"]


def test_the_same_kernels_are_announced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands one after the other: each says what is new, and those that need nothing new say nothing."""
    said = _announced(monkeypatch)
    for what in ("evaluate", "evaluate-pair", "analyze", "strategy", "compare", "coach", "simulate", "sweep", "verify"):
        with cache.compiling(what):
            pass
    assert [re.findall(r"kernels for (.+) \(once, about \d+ s\)", words) for words in said] == [
        ["hands"],
        ["splits"],
        ["simulated rounds"],
    ]


def test_what_is_missing_is_announced_together_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    said = _announced(monkeypatch)
    with cache.compiling("analyze"):
        pass
    seconds = cache.GROUPS["hands"][1] + cache.GROUPS["splits"][1]
    assert said == [f"compiling the kernels for hands and splits (once, about {seconds} s) ..."]


def test_every_computation_names_its_kernels() -> None:
    """All places in the sources that announce kernels have words for them."""
    package = Path(holecard.__file__).parent
    found = {
        name
        for path in package.rglob("*.py")
        for call in re.findall(r"compiling\(([^)]*)\)|kernels = ([^\n]*)", path.read_text(encoding="utf-8"))
        for name in re.findall(r'"([\w-]+)"', " ".join(call))
    }
    assert {"analyze", "analyze-optimum", "simulate", "simulate-shufflers", "luck-shoes", "distribution"} <= found
    assert found <= set(cache._NEEDS)
    assert {group for needs in cache._NEEDS.values() for group in needs} == set(cache.GROUPS)


def test_python_is_warned_once_of_the_same_kernels() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for what in ("analyze", "strategy", "simulate"):
            with cache.compiling(what):
                pass
    assert [warning.category for warning in caught] == [cache.CompilingKernels] * 2


def test_a_computation_inside_another_says_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are remembered, each with its own kernels."""
    said = _announced(monkeypatch)
    with cache.compiling("verify"), cache.compiling("analyze"), cache.compiling("evaluate"):
        pass
    assert len(said) == 2
    assert cache.is_warm("verify")
    assert cache.is_warm("analyze")
    assert not cache.is_warm("luck")


@pytest.mark.parametrize("how", ["error", "early end"])
def test_what_did_not_finish_is_not_remembered(how: str) -> None:
    """It may have compiled only some of its kernels."""

    def compute() -> None:
        with contextlib.suppress(KeyboardInterrupt), cache.compiling("sweep") as compilation:
            if how == "error":
                raise KeyboardInterrupt
            compilation.finished = False

    with pytest.warns(cache.CompilingKernels):
        compute()
    assert not cache.is_warm("sweep")
