"""Run a selection of tests again and again, until one fails: `make repeat ARGS="tests/server" TIMES=10`.

Half of the runs happen while all cores are kept busy by something else (`BUSY=1`: all of them, `BUSY=0`: none), since
what depends on the clock or on load fails there. Sets have another order in each run (PYTHONHASHSEED). `SHOES=other`
deals other cards in each run and tries other examples of hypothesis, to find tests that hold for the known ones only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

#: Computes until it is killed, or until the program that started it is gone.
_BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sorted(range(300_000), key=hash)"


@contextmanager
def busy_cores(is_busy: bool) -> Iterator[None]:
    """Keep every core busy with a program of its own."""
    number = (os.cpu_count() or 1) if is_busy else 0
    programs = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(number)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def main() -> int:
    """Repeat; return the exit code of the first run that fails."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--busy", choices=["", "0", "1"], default="", help="all cores in no or all runs; default: half")
    parser.add_argument("--shoes", choices=["", "known", "other"], default="")
    asked, selection = parser.parse_known_args()
    for number in range(1, asked.times + 1):
        is_busy = asked.busy == "1" or (asked.busy == "" and number % 2 == 0)
        chosen = {"PYTHONHASHSEED": str(number)} | ({"HOLECARD_SHOES": str(number)} if asked.shoes == "other" else {})
        words = f"run {number} of {asked.times}, {'all cores busy' if is_busy else 'cores as they are'}"
        began = time.monotonic()
        with busy_cores(is_busy):
            command = [sys.executable, "-m", "pytest", "-q", "-x", *selection]
            if asked.shoes == "other":
                command += ["--hypothesis-profile=thorough", f"--hypothesis-seed={number}"]
            ended = subprocess.run(command, env={**os.environ, **chosen}, check=False)
        print(f"{words}: {'red' if ended.returncode else 'green'}, {time.monotonic() - began:.0f} s", flush=True)
        if ended.returncode:
            print('Above, "to repeat" says how to run each failed test alone, with the same cards and seeds.')
            if is_busy:
                print('To repeat it with busy cores: make repeat BUSY=1 ARGS="the name of the test"')
            return ended.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
