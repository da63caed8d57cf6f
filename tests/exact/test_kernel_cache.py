"""What the folder of compiled kernels records: which commands have compiled everything they need."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from holecard.kernels import cache


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_has_warned", False)
    cache.folder.cache_clear()
    yield
    cache.folder.cache_clear()


def test_each_command_is_warm_by_itself(tmp_path: Path) -> None:
    """A command that has run does not make another one warm, because that one needs other kernels."""
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


def test_a_process_is_warned_once() -> None:
    """Other kinds of computations compile more kernels, without another warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for what in ("analyze", "simulate", "strategy"):
            with cache.compiling(what):
                assert not cache.is_warm(what)
    assert [warning.category for warning in caught] == [cache.CompilingKernels]


def test_a_computation_inside_another_says_nothing() -> None:
    """The outer one has said it, and is the one that is remembered."""
    with pytest.warns(cache.CompilingKernels) as caught, cache.compiling("verify"), cache.compiling("analyze"):
        pass
    assert len(caught) == 1
    assert cache.is_warm("verify")
    assert not cache.is_warm("analyze")


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
