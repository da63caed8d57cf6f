"""The resume file: complete or absent, of this run or refused, and resumed to the identical result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from holecard.errors import Refusal
from holecard.simulation.run import resume_file
from holecard.simulation.run.chunks import run
from holecard.simulation.run.resume_file import Progress, Saved
from holecard.simulation.run.tally import Played, Tally, Units
from tests.patience import wait_until
from tests.simulation.fake_play import FakePlay, tally_of, tally_of_ranges

ROOT = Path(__file__).parents[2]
ABOUT = {"game": "a game – 6 decks", "strategy": "never bust", "seed": 17, "procedure": ("cut card", 52)}
SOME = Units(((0, 100), (250, 300)))
SAVED = Saved("abc", ABOUT, Played(SOME, tally_of_ranges(SOME.ranges)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    SAVED.write(path)
    return path


def change(path: Path, **words: Any) -> None:
    """Change a value in a file, without its checksum."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **words}))


def forge(path: Path, **words: Any) -> None:
    """Change a value in a file, with a matching checksum."""
    data = {**json.loads(path.read_text()), **words}
    del data["checksum"]
    path.write_text(json.dumps({**data, "checksum": resume_file._checksum(data)}))


# Writing and reading


def test_what_is_saved_comes_back(file: Path) -> None:
    """The units, and every count."""
    saved = Saved.read(file, "abc")
    assert saved.played == SAVED.played
    assert saved.fingerprint == "abc"
    assert saved.about == {**ABOUT, "procedure": ["cut card", 52]}


def test_nothing_played_can_be_saved_too(tmp_path: Path) -> None:
    """A run stopped before its first chunk."""
    Saved("abc", {}, Played()).write(tmp_path / "new.json")
    assert Saved.read(tmp_path / "new.json", "abc").played == Played()


def test_a_person_can_read_it(file: Path) -> None:
    """One line for each entry, in plain ASCII."""
    lines = file.read_text(encoding="utf-8").splitlines()
    assert '    "game": "a game – 6 decks",' in lines
    assert '    "seed": 17,' in lines
    assert '  "units": [[0, 100], [250, 300]],' in lines
    assert f'    "units": {150},' in lines


def test_a_number_as_a_key_does_not_break_the_file(tmp_path: Path) -> None:
    """JSON keys are always text; the checksum is that of what is read back."""
    Saved("abc", {"stakes": {10: "a", 9: "b"}}, SAVED.played).write(tmp_path / "run.json")
    assert Saved.read(tmp_path / "run.json", "abc").about == {"stakes": {"10": "a", "9": "b"}}


def test_a_file_is_replaced_as_a_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk fills up in the middle, the old file is still there and nothing else is."""
    later = Saved("abc", ABOUT, Played(Units(((0, 300),)), tally_of(range(300))))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refusal, match=r"run\.json cannot be written: No space left"):
        later.write(file)
    assert Saved.read(file, "abc").played == SAVED.played
    assert list(file.parent.iterdir()) == [file]
    monkeypatch.undo()
    later.write(file)
    assert Saved.read(file, "abc").played == later.played
    assert list(file.parent.iterdir()) == [file]


def test_the_draft_is_on_disk_before_it_takes_the_name(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a power failure could leave an empty file under the name."""
    steps: list[str] = []
    replace, fsync = os.replace, os.fsync
    monkeypatch.setattr(os, "fsync", lambda number: (steps.append("sync"), fsync(number)))
    monkeypatch.setattr(os, "replace", lambda old, new: (steps.append("replace"), replace(old, new)))
    SAVED.write(file)
    assert steps[:2] == ["sync", "replace"]


def test_a_link_goes_on_pointing_to_its_file(tmp_path: Path, file: Path) -> None:
    """The file that it names is replaced, not the link."""
    link = tmp_path / "link.json"
    link.symlink_to(file)
    Saved("abc", ABOUT, Played()).write(link)
    assert link.is_symlink()
    assert Saved.read(file, "abc").played == Played()


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A missing folder, and a folder in place of the file."""
    for path in (tmp_path / "no" / "run.json", tmp_path):
        with pytest.raises(Refusal, match="cannot be written"):
            SAVED.write(path)
    assert list(tmp_path.iterdir()) == []


# What is refused


def test_another_run_is_refused_in_words(file: Path) -> None:
    """The message has the value in the file and the value of this run."""
    ours = {"game": "a game – 6 decks", "strategy": "mimic", "seed": 18, "procedure": ("cut card", 52), "bets": 2}
    with pytest.raises(Refusal) as refused:
        Saved.read(file, "abd", ours)
    said = str(refused.value)
    assert f"{file} belongs to another run" in said
    assert "strategy: 'never bust' there, 'mimic' here" in said
    assert "seed: 17 there, 18 here" in said
    assert "bets: None there, 2 here" in said
    assert "game" not in said
    assert "procedure" not in said


def test_another_run_of_the_same_name_is_refused(file: Path) -> None:
    """A sheet may have been edited without changing its name."""
    with pytest.raises(Refusal, match="names are the same, but the rules, the strategy or the deal have changed"):
        Saved.read(file, "abd", ABOUT)
    with pytest.raises(Refusal, match=r"belongs to another run: it was written by .*never bust"):
        Saved.read(file, "abd")


@pytest.mark.parametrize("written", [0, 2, "1", None])
def test_another_format_is_refused(file: Path, written: Any) -> None:
    """Before anything else is read."""
    change(file, format=written, fingerprint=5)
    with pytest.raises(Refusal, match=f"has format {written!r}, but this version of holecard reads format 1"):
        Saved.read(file, "abc")


def test_a_file_cut_off_anywhere_is_refused(file: Path) -> None:
    """Every prefix of it."""
    whole = file.read_bytes()
    for length in range(len(whole.rstrip()) - 1):
        file.write_bytes(whole[:length])
        with pytest.raises(Refusal, match=r"run\.json is not a resume file, or is damaged"):
            Saved.read(file, "abc")


def test_a_changed_digit_is_refused_wherever_it_is(file: Path) -> None:
    """In the counts, the units, or the text: an edited file is not trusted."""
    whole = file.read_bytes()
    digits = [place for place in range(len(whole)) if whole[place : place + 1].isdigit()]
    for place in digits:
        other = b"%d" % ((int(whole[place : place + 1]) + 1) % 10)
        file.write_bytes(whole[:place] + other + whole[place + 1 :])
        with pytest.raises(Refusal):
            Saved.read(file, "abc")


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"holecard": 1}', b"3", b'{"seats": 2}'])
def test_other_json_is_not_a_resume_file(file: Path, content: bytes) -> None:
    """The message says what a resume file is."""
    file.write_bytes(content)
    with pytest.raises(Refusal, match=r"run\.json is not a resume file; name a file that a run with --resume wrote"):
        Saved.read(file, "abc")


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"not json", b"\x89PNG\r\n", b"[" * 100_000, b"9" * 5000 + b"x"]
)
def test_a_file_that_is_not_json_is_not_a_resume_file(file: Path, content: bytes) -> None:
    """Whatever it is."""
    file.write_bytes(content)
    with pytest.raises(Refusal, match=r"run\.json is not a resume file, or is damaged"):
        Saved.read(file, "abc")


@pytest.mark.parametrize(
    "words",
    [
        {"units": [[0, 100], [50, 300]]},
        {"units": [[0, "100"]]},
        {"units": [[5]]},
        {"units": 7},
        {"units": []},
        {"units": [[3, 3]]},
        {"tally": None},
        {"tally": [1]},
        {"tally": {"nets": [1.5]}},
    ],
)
def test_a_file_that_contradicts_itself_is_refused(file: Path, words: dict[str, Any]) -> None:
    """Even with a matching checksum."""
    forge(file, **words)
    with pytest.raises(Refusal, match=r"run\.json cannot be resumed"):
        Saved.read(file, "abc")


def test_a_forged_file_without_a_part_is_refused(file: Path) -> None:
    """Although its checksum matches the rest."""
    data = json.loads(file.read_text())
    del data["tally"], data["checksum"]
    file.write_text(json.dumps({**data, "checksum": resume_file._checksum(data)}))
    with pytest.raises(Refusal, match="was changed or damaged"):
        Saved.read(file, "abc")


def test_a_file_that_is_not_there_or_not_readable_is_refused(tmp_path: Path) -> None:
    """Each with its own message."""
    with pytest.raises(Refusal, match=r"the resume file .*none\.json does not exist"):
        Saved.read(tmp_path / "none.json", "abc")
    with pytest.raises(Refusal, match="cannot be read"):
        Saved.read(tmp_path, "abc")


# The progress


def test_the_books_are_saved_at_the_first_entry_and_then_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is saved twice."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    saves: list[int] = []
    progress = Progress(Played(), None, lambda played: saves.append(played.units.count))
    one = Tally({"rounds": 1})
    progress.enter(0, 1, one)
    assert saves == [1]
    for unit in range(1, 5):
        now += 1.0
        progress.enter(unit, 1, one)
    assert saves == [1]
    now += 1.5
    progress.enter(5, 1, one)
    assert saves == [1, 6]
    progress.save()
    assert saves == [1, 6]
    progress.enter(6, 1, one)
    progress.save()
    assert saves == [1, 6, 7]


# Going on

UNITS = 30_000
KILLED = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from holecard.simulation.run import resume_file
from holecard.simulation.run.chunks import run
from holecard.simulation.run.resume_file import Saved
from tests.simulation.fake_play import FakePlay

resume_file._SAVE_SECONDS = 0.0
file, units = Path(sys.argv[1]), int(sys.argv[2])
play = FakePlay(seconds=0.05)
done = Saved.read(file, play.fingerprint) if file.exists() else None
save = lambda played: Saved(play.fingerprint, {}, played).write(file)
with ThreadPoolExecutor(2) as threads:
    run(play, units, executor=threads, chunk=7, done=done, save=save)
"""


def play_until_killed(file: Path, units: int) -> Played:
    """The file's content after a run that was killed without warning once the file had this many units."""
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(file), str(UNITS)], cwd=ROOT)

    def has_enough() -> bool:
        assert child.poll() is None
        return file.exists() and Saved.read(file, "fake").played.units.count >= units

    wait_until(has_enough, f"{units} units are saved", 30)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    return Saved.read(file, "fake").played


@pytest.mark.slow
def test_a_killed_run_is_gone_on_with_to_the_identical_result(tmp_path: Path) -> None:
    """Killed twice, at any moment; then finished in other chunks, playing only the missing units."""
    file = tmp_path / "run.json"
    once = play_until_killed(file, 100)
    twice = play_until_killed(file, once.units.count + 100)
    assert 200 <= twice.units.count < UNITS
    assert twice.tally == tally_of_ranges(twice.units.ranges)
    played: list[Played] = []
    with ThreadPoolExecutor(2) as threads:
        done = Saved.read(file, "fake")
        outcome = run(FakePlay(), UNITS, executor=threads, chunk=11, done=done, on_progress=played.append)
    assert outcome.complete
    assert outcome.played == Played(Units(((0, UNITS),)), tally_of(range(UNITS)))
    assert played[0].units.count <= twice.units.count + 11
