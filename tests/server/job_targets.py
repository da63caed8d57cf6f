"""Functions that tests run in the process of a computation; the process loads little besides them."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from pathlib import Path

from holecard.server.jobs.lifeline import end_in_time


def compute_forever(pid_file: str, out: Connection) -> None:
    """Say who this is, and let no other thread run again."""
    Path(pid_file).write_text(f"{os.getpid()}\n")
    sum(range(10**15))
    out.send(("never",))


def compute_too_long() -> None:
    """Let no other thread run while the time limit passes."""
    end_in_time(0.2)
    sum(range(10**15))


def work_with_much_memory(megabytes: int, out: Connection) -> None:
    """Do a job of which reading the sheet takes 4 GB."""
    import holecard
    from holecard.server.jobs.requests import CheckSheet
    from holecard.server.jobs.worker import work

    holecard.rules = lambda *_: bytearray(4 * 2**30)  # type: ignore[assignment,misc,return-value]
    work(CheckSheet(game="classic"), None, megabytes, out)
