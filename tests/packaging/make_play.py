"""Start `make play` as a newcomer does, play a round over the network, and end it with Ctrl-C: `.ci/run` runs this.

    .venv/bin/python tests/packaging/make_play.py

There is no browser and no terminal, so the address is printed and nothing else opens.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "docs" / "table_client.py"


def main() -> None:
    """Start, play, end."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = f"ARGS=--port 0 --database {folder}/holecard.db"
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        # A session of its own: the signal goes to every process of the terminal, make included, and not to us.
        process = subprocess.Popen(
            ["make", "play", arguments],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, address = wait_for_address(process)
            play(address)
            said += end(process)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    check_words(said)
    print("make play: a round was played, and Ctrl-C ended it")


def wait_for_address(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return what was printed until the address, and the address."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if found := re.search(r"http://localhost:\d+", line):
            return said, found[0]
    sys.exit(f"make play ended before it printed an address:\n{said}")


def play(address: str) -> None:
    """Load the lobby, then play a round with the client of the documentation."""
    with urllib.request.urlopen(address) as answer:
        if b"<hc-lobby>" not in answer.read():
            sys.exit("the address does not show the lobby")
    played = subprocess.run([sys.executable, str(CLIENT), address], capture_output=True, text=True, timeout=600)
    print(played.stdout, end="")
    if played.returncode != 0:
        sys.exit(f"the client could not play a round:\n{played.stderr}")


def end(process: subprocess.Popen[str]) -> str:
    """Press Ctrl-C, and return what was printed after it; make itself ends with the signal, as it always does."""
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=300)
    if process.returncode not in (0, -signal.SIGINT):
        sys.exit(f"make play ended with {process.returncode}:\n{said}")
    return said


def check_words(said: str) -> None:
    """The terminal table is mentioned, the end is one plain line, and nothing looks like a failure."""
    lines = [line for line in said.splitlines() if not line.startswith("{")]  # what is not a log
    if not any("holecard play" in line for line in lines):
        sys.exit(f"make play does not mention the terminal table:\n{said}")
    if lines[-1] != "Holecard has ended.":
        sys.exit(f"make play does not end with one plain line:\n{said}")
    if re.search(r"\*\*\*|Error|Traceback", said):
        sys.exit(f"make play does not end quietly:\n{said}")


if __name__ == "__main__":
    main()
