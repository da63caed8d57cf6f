"""Runs the examples of README.md and writes their true output behind them. A test refuses a README that differs.

A `console` block is run by the shell, a `python` block as one session over the whole page, and a `toml` block is read
as a rule sheet.
"""

from __future__ import annotations

import code
import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

from holecard.sheets.read import read_text

README = Path(__file__).parent.parent / "README.md"
_BLOCK = re.compile(r"^```(console|python|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def filled(text: str) -> str:
    """The page with the output of every example as it is now."""
    session = code.InteractiveConsole()

    def run(match: re.Match[str]) -> str:
        kind, body = match[1], match[2]
        if kind == "toml":
            read_text(body, "the sheet in the README")
            return match[0]
        output = _shell(body) if kind == "console" else _python(session, body)
        return f"```{kind}\n{output}```"

    return _BLOCK.sub(run, text)


def _shell(body: str) -> str:
    """Every `$` line and what it prints, in 80 columns and without colour."""
    here = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80", "NO_COLOR": "1"}
    parts = []
    for line in body.splitlines():
        if line.startswith("$ "):
            ran = subprocess.run(
                line[2:], shell=True, env=environment, capture_output=True, text=True, check=True, cwd=README.parent
            )
            parts.append(f"{line}\n{_tidy(ran.stdout)}")
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
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
