"""The process of a computation: what it answers to bad sheets, and what ends it, also when the server is killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import holecard
from holecard.server.jobs import process
from holecard.server.jobs.process import answer_of
from holecard.server.jobs.requests import AnalyzeGame, CheckSheet, FindStrategy
from holecard.server.jobs.worker import AnyRequest, work
from tests.patience import patient, wait_until
from tests.server import job_targets

POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="needs signals and limits of POSIX")
BAD_SHEET = """
extends = "classic"
name = "Bad"
[shoe]
decks = 0
[settle]
natural = "3 for"
"""


def answer(request: AnyRequest, file: Path | None = None) -> tuple[tuple[Any, ...], list[tuple[str, float]]]:
    """Return the answer of a job, and its progress."""
    progress: list[tuple[str, float]] = []

    def hear(stage: str, share: float) -> None:
        progress.append((stage, share))

    arguments = (request, None if file is None else str(file), 8192)
    return asyncio.run(answer_of(work, arguments, patient(120), hear)), progress


def test_a_bad_sheet_is_refused_in_the_words_of_check(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BAD_SHEET)
    problems = [str(problem) for problem in holecard.check(file).problems]
    assert len(problems) == 2
    for request, place, name in (
        (CheckSheet(sheet=BAD_SHEET), None, "the sheet"),
        (CheckSheet(game="bad"), file, "bad.toml"),  # without the folder
    ):
        (kind, code, words), progress = answer(request, place)
        assert (kind, code) == ("refused", "sheet refused")
        assert words == "\n".join([f"{name}:", *(f"  {problem}" for problem in problems)])
        assert progress == [("rules", 0.0)]


@pytest.mark.slow
def test_long_computations_say_how_far_they_are() -> None:
    # A chart found once is read from the disk, without a search; no sheet before had this name.
    new_sheet = f'extends = "classic"\nname = "{uuid4().hex}"'
    for request, stages in (
        (AnalyzeGame(game="match-up"), ("main game", "side wager", "report")),
        (FindStrategy(sheet=new_sheet), ("best play", "search of the chart", "report")),
    ):
        (kind, _), progress = answer(request)
        assert kind == "done"
        names = "\n".join(stage for stage, _ in progress)
        assert [stage for stage in stages if stage not in names] == []
        shares = [share for _, share in progress]
        assert shares == sorted(shares)
        assert 0 <= shares[0] < shares[-1] == 0.9


@POSIX_ONLY
def test_a_computation_that_takes_too_much_memory_is_refused() -> None:
    found = asyncio.run(answer_of(job_targets.work_with_much_memory, (2048,), patient(60)))
    assert found == ("refused", "too large", "this takes more than the 2,048 MB that a computation may use")


@pytest.mark.slow
def test_a_computation_that_hangs_is_stopped_in_time(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(answer_of(job_targets.compute_forever, (str(tmp_path / "pid"),), 1))
    assert not multiprocessing.active_children()


@POSIX_ONLY
def test_a_process_keeps_its_time_limit_by_itself() -> None:
    """Also in compiled code, which lets no other thread run."""
    child = multiprocessing.get_context("spawn").Process(target=job_targets.compute_too_long)
    child.start()
    child.join(patient(20))
    try:
        assert child.exitcode == -signal.SIGALRM
    finally:
        child.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="the parent's death is a signal on Linux only")
def test_a_process_ends_with_the_server_that_was_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    lines = (
        "import asyncio",
        "from holecard.server.jobs.process import answer_of",
        "from tests.server.job_targets import compute_forever",
        f"asyncio.run(answer_of(compute_forever, ({str(file)!r},), 600))",
    )
    command = [sys.executable, "-c", "\n".join(lines)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"), "the computation begins")
        child = Path(f"/proc/{file.read_text().strip()}")
        assert child.exists()
        server.kill()
        wait_until(lambda: _has_ended(child), "the computation ends with the server")
        assert server.stderr is not None
        assert server.stderr.read() == ""


def test_an_answer_that_nobody_reads_raises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []
    monkeypatch.setattr(process, "end_in_time", limits.append)
    here, there = multiprocessing.Pipe()
    here.send((work, (CheckSheet(), None, 2**20)))
    here.close()
    monkeypatch.setattr(os, "nice", lambda _more: None)
    process._live(there, 7.0)  # type: ignore[arg-type]
    here, there = multiprocessing.Pipe()
    here.close()
    process._live(there, 7.0)  # type: ignore[arg-type]
    assert limits == [7.0, 7.0]


def _has_ended(process: Path) -> bool:
    try:
        return "\nState:\tZ" in (process / "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
