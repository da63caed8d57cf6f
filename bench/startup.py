"""Benchmarks of new processes: the time until the first exact number, and the time of the quick commands.

Each job alternates with its baseline in the same run, and its CPU time is divided by the baseline's: importing numba
for a number, an empty Python process for a command.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from functools import partial

from bench.timing import load, seconds

TRIES = 7
BASELINE = "import numba"
FIRST_NUMBERS = (
    ("house edge of a game", "import holecard; print(holecard.analyze('classic').house_edge)", "<= 2"),
    ("one hand", "import holecard; print(holecard.evaluate('classic', 'T,6 v T'))", "<= 2"),
    ("with its distribution", "import holecard; print(holecard.analyze('classic').main.standard_deviation)", ""),
)
COMMANDS = (["games"], ["rules", "double-up"], ["check", "classic"], ["check", "double-up"], ["--version"])


def startup(tries: int = TRIES) -> None:
    """Measure processes from start to end, with bytecode and kernels already compiled, as after the first use."""
    print(f"\nNew processes, bytecode and kernels already compiled: median CPU time of {tries} runs ({load()})")
    with tempfile.TemporaryDirectory() as bytecode:
        print(f"  {'':26} {'seconds':>8}   / importing numba")
        numbers = [(name, ["-c", code], target) for name, code, target in FIRST_NUMBERS]
        _side_by_side(["-c", BASELINE], numbers, tries, bytecode)
        print(f"  {'':26} {'seconds':>8}   / python -c pass")
        commands = [("holecard " + " ".join(words), ["-m", "holecard", *words], "") for words in COMMANDS]
        _side_by_side(["-c", "pass"], commands, tries, bytecode)


def _side_by_side(baseline: list[str], jobs: list[tuple[str, list[str], str]], tries: int, bytecode: str) -> None:
    rows = [(" ".join(baseline), baseline, ""), *jobs]
    for _, words, _ in rows:
        _run(words, bytecode)
    timed = [partial(seconds, partial(_run, words, bytecode), _children) for _, words, _ in rows]
    runs = [[measure() for measure in timed] for _ in range(tries)]
    for column, (name, _, target) in enumerate(rows):
        spent = statistics.median(run[column] for run in runs)
        ratio = statistics.median(run[column] / max(run[0], 1e-6) for run in runs)
        print(f"  {name:26} {spent:8.3f}   {ratio:5.2f} {target}")


def _run(words: list[str], bytecode: str) -> None:
    """Run Python with these arguments in a new process; `bytecode` is the folder for compiled modules."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    out = subprocess.DEVNULL
    subprocess.run([sys.executable, *words], check=True, stdout=out, stderr=out, env=environment)


def _children() -> float:
    """Return the CPU time of all child processes that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
