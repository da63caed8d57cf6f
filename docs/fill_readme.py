"""Runs the examples of the written pages and puts their true output behind them. A test refuses a page that differs.

A `console` block is run by the shell, a `python` block as one session over the whole page, and a `toml` block is read
as a rule sheet. A block with a file's name beside its kind (`toml sunday.toml`) is also saved under that name, so that
the commands below it find it: every page has a folder of its own, which is gone afterwards.
"""

from __future__ import annotations

import code
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from holecard.sheets.read import read_text

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = (README, ROOT / "docs" / "exact.md", ROOT / "docs" / "charts.md")
BLOCK = re.compile(r"^```(console|python|toml|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The exit code of a refusal, which a page may show; any other failure is a mistake in the page.
_REFUSED = 2


def filled(text: str) -> str:
    """The page with the output of every example as it is now."""
    session = code.InteractiveConsole()
    with tempfile.TemporaryDirectory() as folder:

        def run(match: re.Match[str]) -> str:
            kind, file, body = match.groups()
            if file:
                Path(folder, file).write_text(body, encoding="utf-8")
            if kind == "toml":
                read_text(body, "the sheet in the page")
            if kind in ("toml", "text"):
                return match[0]
            output = _shell(body, folder) if kind == "console" else _python(session, body)
            return f"```{kind}\n{output}```"

        return BLOCK.sub(run, text)


def _shell(body: str, folder: str) -> str:
    """Every `$` line and what it prints, in 80 columns and without colour; a refusal is shown, too."""
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80", "NO_COLOR": "1"}
    parts = []
    for line in body.splitlines():
        if line.startswith("$ "):
            ran = subprocess.run(
                line[2:], shell=True, env=environment, capture_output=True, text=True, check=False, cwd=folder
            )
            # Behind a pipe a refusal ends with 0.
            if ran.returncode not in (0, _REFUSED) or (ran.returncode == 0 and "holecard: " in ran.stderr):
                raise RuntimeError(f"{line}\n{ran.stderr}")
            parts.append(f"{line}\n{_tidy(ran.stderr if ran.returncode else ran.stdout)}")
    return "\n".join(parts)


def _tidy(output: str) -> str:
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    return "".join(f"{line}\n" for line in lines)


def _python(session: code.InteractiveConsole, body: str) -> str:
    """Every `>>>` statement and what it prints; a refusal is shown as its last line."""
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
        start = next(i for i, line in enumerate(lines) if re.match(r"holecard\.", line))
        return lines[start:]
    return lines


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
