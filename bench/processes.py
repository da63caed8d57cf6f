"""Benchmarks of new processes: the time until the first number, and the peak memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial

import holecard
from bench.timing import load, seconds

TRIES = 3
FIRST_NUMBERS = (
    ("numba alone", "import numba", ""),
    ("a game's value", "from holecard.exact.solved_game import main_ev; print(main_ev('classic'))", "<= 2 s"),
    ("one hand", "import holecard; print(holecard.evaluate('classic', 'T,6 v T'))", "<= 2 s"),
    ("everything", "import holecard; print(holecard.analyze('classic').main.ev)", ""),
)
# Prefer the operating system's own peak: ru_maxrss also includes the memory of the parent process.
_PEAK = """
import pathlib, re, resource, sys
{job}
status = pathlib.Path("/proc/self/status")
found = re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text()) if status.exists() else None
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(1024 * int(found[1]) if found else used * (1 if sys.platform == "darwin" else 1024))
"""


def run(code: str, bytecode: str | None = None) -> str:
    """Return what `code` prints in a new process; `bytecode` is the folder for the bytecode of imported modules."""
    environment = dict(os.environ)
    if bytecode:
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = bytecode
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    return done.stdout


def first_number(tries: int = TRIES) -> None:
    """Measure a process from start to end, with bytecode and kernels already compiled, as after the first use."""
    print(f"\nA new process until its first number, bytecode and kernels already compiled (best of {tries}; {load()})")
    print(f"  {'':26} {'wall':>12} {'CPU':>12}   {'goal':10} CPU time / CPU time of importing numba")
    import_numba = 0.0
    with tempfile.TemporaryDirectory() as bytecode:
        for name, code, goal in FIRST_NUMBERS:
            job = partial(run, code, bytecode)
            job()
            wall = min(seconds(job, time.perf_counter) for _ in range(tries))
            busy = min(seconds(job, _children) for _ in range(tries))
            import_numba = import_numba or max(busy, 1e-6)
            print(f"  {name:26} {wall:10.2f} s {busy:10.2f} s   {goal:10} {busy / import_numba:5.2f}")


def _children() -> float:
    """Return the CPU time of all child processes that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def memory(games: Sequence[str] | None = None) -> None:
    """Measure the peak memory of analyzing each game in a new process."""
    print("\nPeak memory of a process that runs the complete analysis")
    print(f"  {'imports only':26} {peak('import holecard.exact.analysis') / 1e6:9.0f} MB")
    for name in games or holecard.games():
        print(f"  {name:26} {peak(f'import holecard; holecard.analyze({name!r})') / 1e6:9.0f} MB   < 500 MB")


def peak(job: str) -> int:
    """Return the peak memory of a process that runs `job`, in bytes."""
    return int(run(_PEAK.format(job=job)).split()[-1])
