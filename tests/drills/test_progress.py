"""DrillProgress as a document: it reads back, and a damaged file is refused and left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard import rules
from holecard.drills.progress import DrillProgress, read_progress, with_answer
from holecard.drills.progress_file import load_progress, progress_file, reset_progress, save_progress
from holecard.errors import Refusal

SHEET = rules("classic")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_progress_reads_back() -> None:
    progress = with_answer(with_answer(DrillProgress(sheet=SHEET.sha256), "T,6 v T", 0.0), "8,8 v T", 0.25)
    save_progress(SHEET, progress)
    assert load_progress(SHEET) == progress


def test_there_is_nothing_at_first() -> None:
    assert load_progress(SHEET) == DrillProgress(sheet=SHEET.sha256)


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"version": 2, "sheet": "%s"}',
        '{"sheet": "%s", "answered": -1}',
        '{"sheet": "%s", "answered": 1.5}',
        '{"sheet": "%s", "cheat": 1}',
        '{"sheet": "%s", "spots": {"T,6 v T": {"box": 6, "due": 1, "asked": 1, "right": 1, "cost": 0}}}',
        '{"sheet": "%s", "spots": {"T,6 v T": {"box": 1, "due": 1, "asked": 1, "right": 1, "cost": -1}}}',
    ],
)
def test_a_damaged_file_is_refused_and_kept(damage: str) -> None:
    """Nothing overwrites it; --reset puts it aside."""
    file = progress_file(SHEET)
    file.parent.mkdir(parents=True)
    text = damage.replace("%s", SHEET.sha256)
    file.write_text(text)
    with pytest.raises(Refusal, match="is damaged, so it is left as it is"):
        load_progress(SHEET)
    assert file.read_text() == text
    aside = reset_progress(SHEET)
    assert aside is not None
    assert aside.read_text() == text
    assert load_progress(SHEET).answered == 0


def test_other_rules_have_other_progress() -> None:
    """With eight decks, nothing is known yet; a file that was renamed is refused."""
    save_progress(SHEET, with_answer(DrillProgress(sheet=SHEET.sha256), "T,6 v T", 0.0))
    other = rules("classic", {"shoe.decks": 8})
    assert load_progress(other).answered == 0
    progress_file(SHEET).rename(progress_file(other))
    with pytest.raises(Refusal, match="is about other rules"):
        load_progress(other)


def test_there_may_be_nothing_to_reset() -> None:
    assert reset_progress(SHEET) is None


def test_the_source_is_named() -> None:
    with pytest.raises(Refusal, match="your progress is damaged"):
        read_progress("x", SHEET.sha256, "your progress")
