"""Run `holecard …` in this process, as a shell would."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from holecard.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Shell = Callable[..., Ran]


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Run `holecard …` in this process, as the console script does."""

    def run(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["holecard", *words])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def read_json(ran: Ran) -> Any:
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def flat(text: str) -> str:
    """The text without the line breaks that the terminal's width causes."""
    return " ".join(text.split())
