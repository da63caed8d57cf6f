"""`holecard.atomic_file`: files appear whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holecard.atomic_file import write_atomically, write_new


def test_a_new_file_is_written(tmp_path: Path) -> None:
    write_new(tmp_path / "round.toml", "cards")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("round.toml", "cards")]


def test_a_new_file_never_replaces_another(tmp_path: Path) -> None:
    path = tmp_path / "round.toml"
    write_new(path, "first")
    with pytest.raises(FileExistsError):
        write_new(path, "second")
    assert path.read_text() == "first"


def test_writing_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a draft nor the reserved name remains when the disk is full."""

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_new(tmp_path / "round.toml", "cards")
    assert list(tmp_path.iterdir()) == []


def test_writing_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    write_atomically(path, "old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("result.json", "old")]
