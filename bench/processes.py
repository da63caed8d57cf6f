"""What only a new process shows: how long it takes to its first number, and how much memory it ever holds."""

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
    ("a game's value", "from holecard.exact.analysis import main_value; print(main_value('classic'))", "<= 2 s"),
    ("one spot", "import holecard; print(holecard.evaluate('classic', 'T,6 v T'))", "<= 2 s"),
    ("everything", "import holecard; print(holecard.analyze('classic').main.ev)", ""),
)
# The kernel's own high-water mark where there is one: the other counts what the starting process held, too.
_PEAK = """
import pathlib, re, resource, sys
{job}
status = pathlib.Path("/proc/self/status")
found = re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text()) if status.exists() else None
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(1024 * int(found[1]) if found else used * (1 if sys.platform == "darwin" else 1024))
"""


def run(code: str, bytecode: str | None = None) -> str:
    """What some code prints in a process of its own; `bytecode` is a folder to keep that of imported modules in."""
    environment = dict(os.environ)
    if bytecode:
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment["PYTHONPYCACHEPREFIX"] = bytecode
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
    return done.stdout


def first_number(tries: int = TRIES) -> None:
    """A whole process from its start to its end. Bytecode and kernels were compiled before, as after a first use."""
    print(f"\nA new process to its first number, bytecode and kernels compiled before (best of {tries}; {load()})")
    print(f"  {'':26} {'wall':>12} {'processor':>12}   {'aim':10} processor time beside numba's import")
    import_numba = 0.0
    with tempfile.TemporaryDirectory() as bytecode:
        for name, code, aim in FIRST_NUMBERS:
            job = partial(run, code, bytecode)
            job()
            wall = min(seconds(job, time.perf_counter) for _ in range(tries))
            busy = min(seconds(job, _children) for _ in range(tries))
            import_numba = import_numba or max(busy, 1e-6)
            print(f"  {name:26} {wall:10.2f} s {busy:10.2f} s   {aim:10} {busy / import_numba:5.2f}")


def _children() -> float:
    """Processor time of all processes that were waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def memory(games: Sequence[str] | None = None) -> None:
    """The most memory a process ever holds that analyses a sheet, each in a process of its own."""
    print("\nPeak memory of a process that analyses everything")
    print(f"  {'nothing, all loaded':26} {peak('import holecard.exact.analysis') / 1e6:9.0f} MB")
    for name in games or holecard.games():
        print(f"  {name:26} {peak(f'import holecard; holecard.analyze({name!r})') / 1e6:9.0f} MB   < 500 MB")


def peak(job: str) -> int:
    """Bytes a process held at most while it did a job."""
    return int(run(_PEAK.format(job=job)).split()[-1])
