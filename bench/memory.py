"""Benchmarks of the memory that an analysis needs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import holecard

# Prefer the operating system's own peak: ru_maxrss also includes the memory of the parent process.
_PEAK = """
import pathlib, re, resource, sys
{job}
status = pathlib.Path("/proc/self/status")
found = re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text()) if status.exists() else None
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(1024 * int(found[1]) if found else used * (1 if sys.platform == "darwin" else 1024))
"""


def run(code: str) -> str:
    """Return what `code` prints in a new process."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def memory(games: Sequence[str] | None = None) -> None:
    """Measure the peak memory of analyzing each game in a new process."""
    print("\nPeak memory of a process that runs the complete analysis")
    print(f"  {'imports only':26} {peak('import holecard.exact.analysis') / 1e6:9.0f} MB")
    for name in games or holecard.games():
        most = peak(f"import holecard; holecard.analyze({name!r}).main.distribution")
        print(f"  {name:26} {most / 1e6:9.0f} MB   < 500 MB")


def peak(job: str) -> int:
    """Return the peak memory of a process that runs `job`, in bytes."""
    return int(run(_PEAK.format(job=job)).split()[-1])
