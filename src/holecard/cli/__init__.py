"""The command line: the same words as the Python API."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys


def main() -> None:
    """Run the `holecard` command. Ctrl-C during start-up and a full disk end it without a traceback."""
    try:
        from holecard.cli.app import run_app

        try:
            run_app()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # one was enough
        sys.exit(130)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left unwritten is lost anyway
        sys.stderr.write(f"holecard: the output cannot be written: {error.strerror}\n")
        sys.exit(1)


def program() -> None:
    """Run the `holecard` command as a separate process.

    Nearly everything a command makes lasts until it ends, so the garbage collector looks for garbage rarely, and not
    once more at the end: that would take a quarter of the time of a quick command.
    """
    gc.set_threshold(100_000, 50, 100)
    try:
        main()
    finally:
        gc.freeze()
