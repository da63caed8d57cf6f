"""Run the examples in the README and the pages, and write their actual output into them.

`make docs` runs this script, and a test fails if a page shows a different output. A `console` block runs in a shell,
the `python` blocks of a page run as one session, and a `toml` block is read as a rule sheet or as a player who counts.
A block with a file name after its kind (`toml sunday.toml`) is also saved under that name for the commands below it, in
a temporary folder per page.
"""

from __future__ import annotations

import code
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from holecard.cli import main
from holecard.counts import read_count_player
from holecard.sheets.read import read_sheet

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = (
    README,
    *(
        ROOT / "docs" / f"{name}.md"
        for name in ("exact", "hedge", "charts", "simulation", "sweep", "bankroll", "counting", "gym", "python")
    ),
)
BLOCK = re.compile(r"^```(console|python|toml|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The exit code of an error message, which a page may show; any other failure is a mistake in the page.
_REFUSED = 2


def filled(text: str) -> str:
    """Return the page with the current output of every example."""
    session = code.InteractiveConsole()
    with tempfile.TemporaryDirectory() as folder:

        def run(match: re.Match[str]) -> str:
            kind, file, body = match.groups()
            if file:
                Path(folder, file).write_text(body, encoding="utf-8")
            if kind == "toml":
                _read(body)
            if kind in ("toml", "text"):
                return match[0]
            output = _shell(body, folder) if kind == "console" else _python(session, body)
            return f"```{kind}\n{output}```"

        return BLOCK.sub(run, text)


class Ran(NamedTuple):
    """Output and exit code of a command."""

    out: str
    err: str
    code: int


def _read(text: str) -> None:
    """Read a file that a page shows; a mistake in it is refused."""
    if "name" in tomllib.loads(text):
        read_sheet(text, "the sheet in the page")
    else:
        read_count_player(text, "the count in the page")


def _shell(body: str, folder: str) -> str:
    """Return every `$` line with its output, in 80 columns and without color; error messages are shown too."""
    parts = []
    for line in body.splitlines():
        if line.startswith("$ "):
            ran = _run(line[2:], folder)
            if ran.code not in (0, _REFUSED):
                raise RuntimeError(f"{line}\n{ran.err}")
            parts.append(f"{line}\n{_tidy(ran.err if ran.code else ran.out)}")
    return "\n".join(parts)


def _run(line: str, folder: str) -> Ran:
    """Run a line as a shell would, but `holecard` in this process: a new one takes seconds to load the kernels."""
    command, *piped = re.split(r" (?=[|>] )", line, maxsplit=1)
    words = shlex.split(command)
    if words[0] != "holecard":
        return _in_shell(line, folder)
    ran = _holecard(words, folder)
    if not piped:
        return ran
    if ran.code:
        raise RuntimeError(f"{line}\n{ran.err}")
    return _in_shell(f"cat {piped[0]}", folder, ran.out)


def _holecard(words: list[str], folder: str) -> Ran:
    """Run `holecard` with these arguments, like the console script."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        patch.dict(os.environ, {"COLUMNS": "80", "NO_COLOR": "1"}),
        patch.object(sys, "argv", words),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Ran(out.getvalue(), err.getvalue(), code)


def _in_shell(line: str, folder: str, given: str = "") -> Ran:
    ran = subprocess.run(line, shell=True, input=given, capture_output=True, text=True, check=False, cwd=folder)
    return Ran(ran.stdout, ran.stderr, ran.returncode)


def _tidy(output: str) -> str:
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    return "".join(f"{line}\n" for line in lines)


def _python(session: code.InteractiveConsole, body: str) -> str:
    """Return every `>>>` statement with its output; an exception is shown as its last line."""
    parts: list[str] = []
    lines = [line for line in body.splitlines() if line.startswith((">>>", "..."))]
    for index, line in enumerate(lines):
        parts.append(line)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            more = session.push(line[4:])
            ends_block = more and (index + 1 == len(lines) or lines[index + 1].startswith(">>>"))
            if ends_block:
                session.push("")
        parts += _shown(out.getvalue())
    return "".join(f"{part}\n" for part in parts)


def _shown(output: str) -> list[str]:
    lines = [line.rstrip() for line in output.rstrip("\n").splitlines()]
    if lines[:1] == ["Traceback (most recent call last):"]:
        start = next((i for i, line in enumerate(lines) if re.match(r"holecard\.", line)), None)
        if start is None:  # Not an error message of holecard's own, so the example is broken.
            raise RuntimeError(output)
        return lines[start:]
    return lines


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
