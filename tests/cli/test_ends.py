"""However the command ends, it does not print a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import holecard.cli
from holecard.cli import app
from tests.selection import one_in

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("words", one_in(3, [["games"], ["rules", "classic"], ["tables", "classic", "--json"]]))
def test_a_full_disk_is_said_plainly(words: list[str]) -> None:
    with FULL.open("w") as out:
        ran = subprocess.run(
            [sys.executable, "-m", "holecard", *words], stdout=out, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ran.returncode, ran.stderr) == (1, "holecard: the output cannot be written: No space left on device\n")


def test_ctrl_c_while_it_loads_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    ignored = []
    monkeypatch.setattr(app, "run_app", interrupted)
    monkeypatch.setattr(holecard.cli.signal, "signal", lambda *how: ignored.append(how))
    with pytest.raises(SystemExit) as end:
        holecard.cli.main()
    assert end.value.code == 130
    assert ignored == [(holecard.cli.signal.SIGINT, holecard.cli.signal.SIG_IGN)]


def test_other_trouble_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(app, "run_app", broken)
    with pytest.raises(PermissionError):
        holecard.cli.main()
