"""Shell completion of games, settings and strategies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import holecard
from holecard.cli.completion import complete_games, complete_settings, complete_strategies


def test_games_are_completed_with_sheets_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples too."""
    monkeypatch.chdir(tmp_path)
    assert complete_games("qu") == ["quick-pay"]
    assert complete_games("") == list(holecard.games(examples=True))
    (tmp_path / "quiet.toml").touch()
    (tmp_path / "quiet.txt").touch()
    assert complete_games("qu") == ["quick-pay", "quiet.toml"]
    assert complete_games("nowhere/q") == []


def test_settings_are_completed_by_path_and_by_name() -> None:
    assert complete_settings("dealer.soft_1") == ["dealer.soft_17="]
    assert complete_settings("soft_1") == ["dealer.soft_17="]
    assert "shoe.decks=" in complete_settings("")


def test_values_are_completed_where_the_language_lists_them() -> None:
    """Several of them after commas, for --vary."""
    assert complete_settings("dealer.soft_17=s") == ["dealer.soft_17=stand"]
    assert complete_settings("soft_17=hit,s") == ["soft_17=hit,stand"]
    assert complete_settings("player.double_after_split=") == [
        "player.double_after_split=true",
        "player.double_after_split=false",
    ]
    assert complete_settings("nonsense=") == []


def test_strategies_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "never.txt").touch()
    assert complete_strategies("nev") == ["never bust", "never.txt"]
    assert "basic" in complete_strategies("")


def test_the_shell_is_given_the_completions() -> None:
    """As bash asks for them."""
    environment = {
        **os.environ,
        "_HOLECARD_COMPLETE": "complete_bash",
        "COMP_WORDS": "holecard analyze cl",
        "COMP_CWORD": "2",
    }
    program = str(Path(sys.executable).with_name("holecard"))
    ran = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.split() == ["classic"], ran.stderr
