"""Commands that are given a file they cannot read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.shell import Shell


@pytest.mark.parametrize(
    "command", [["replay"], ["analyze", "classic", "--strategy"], ["check"], ["simulate", "classic", "--resume"]]
)
def test_a_pipe_is_refused_by_every_command_that_reads_a_file(tmp_path: Path, shell: Shell, command: list[str]) -> None:
    """Otherwise the command would hang."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    ran = shell(*command, str(pipe))
    assert ran.code == 2
    assert "it is not a regular file" in ran.err


def test_check_tells_programs_the_line_of_a_syntax_error(tmp_path: Path, shell: Shell) -> None:
    """As it does for every other problem."""
    file = tmp_path / "mine.toml"
    file.write_text('name = "Mine"\n\n[shoe\n')
    ran = shell("check", str(file), "--json")
    assert ran.code == 2
    (problem,) = json.loads(ran.out)["problems"]
    assert problem["line"] == 3


def test_check_without_a_name_asks_for_one(shell: Shell) -> None:
    """An empty name is not a name."""
    ran = shell("check", "")
    assert ran.code == 2
    assert "write the name of a game or the file of a sheet" in ran.err


def test_one_card_is_a_card(shell: Shell) -> None:
    """Nouns agree with their numbers."""
    ran = shell("analyze", "classic", "--shoe", "A:1")
    assert ran.code == 2
    assert "a shoe of 1 card " in ran.err
