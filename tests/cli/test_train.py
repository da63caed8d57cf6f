"""`holecard train`: questions by key, results with exact values, progress that is kept."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from holecard import rules
from holecard.cli.train.screen import cents, keys
from holecard.drills.progress_file import load_progress, progress_file
from holecard.drills.schedule import next_question
from tests.cli.shell import Ran, Shell, flat, read_json
from tests.cli.terminal import IMPATIENT, Terminal

Train = Callable[..., Ran]


@pytest.fixture
def train(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Train:
    """Run `holecard train` with keys from a pipe and its own data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def run(*words: str, pressed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(pressed))
        return shell("train", *words)

    return run


def next_key(game: str, seed: str, *, right: bool) -> str:
    """Return the key of a right or a wrong answer to the next question."""
    sheet = rules(game)
    question = next_question(sheet, load_progress(sheet), seed)
    return next(key for key, option in keys(question).items() if option.is_best == right)


def test_right_and_wrong_answers_have_their_values(train: Train) -> None:
    """Every answer has its value in cents, and the cost of a wrong one is the difference."""
    question = next_question(rules("classic"), load_progress(rules("classic")), "7")
    wrong = next_key("classic", "7", right=False)
    ran = train("classic", "--seed", "7", "--questions", "1", pressed=wrong)
    assert ran.code == 0
    cost = keys(question)[wrong].cost
    assert f"Wrong: {question.best.action} is better by {cents(cost, plus='')}" in flat(ran.out)
    for option in question.options:
        assert cents(option.ev) in ran.out
    assert "0 of 1 right" in ran.out
    assert f"To be asked again: {question.key}." in flat(ran.out)


def test_a_wrong_answer_is_asked_again_and_progress_is_kept(train: Train) -> None:
    """The third question after a wrong one is the same spot, even in another session."""
    sheet = rules("classic")
    first = next_question(sheet, load_progress(sheet), "7").key
    train("classic", "--seed", "7", "--questions", "1", pressed=next_key("classic", "7", right=False))
    for number in (1, 2):
        train("classic", "--seed", "7", "--questions", "1", pressed=next_key("classic", "7", right=True))
        assert load_progress(sheet).streak == number
    assert next_question(sheet, load_progress(sheet), "7").key == first
    assert load_progress(sheet).answered == 3


def test_the_end_of_the_keys_ends_the_drill(train: Train) -> None:
    """What was answered is kept, and the summary is printed."""
    ran = train("classic", "--seed", "7", "--questions", "0", pressed=next_key("classic", "7", right=True) + "\n ")
    assert ran.code == 0
    assert "1 of 1 right" in ran.out
    assert load_progress(rules("classic")).answered == 1


def test_other_keys_are_explained(train: Train) -> None:
    ran = train("classic", "--seed", "7", pressed="z?q")
    assert "That key does nothing here" in ran.out
    assert "in cents per dollar of the initial stake" in flat(ran.out)
    assert "Nothing was answered." in ran.out


def test_wagers_after_the_check_are_asked_with_what_they_pay(train: Train) -> None:
    ran = train("quick-pay", "--kind", "wagers", "--seed", "1", "--questions", "1", pressed="n")
    assert "Place it?" in ran.out
    assert "place" in ran.out


def test_the_progress_as_json(train: Train) -> None:
    train("classic", "--seed", "7", "--questions", "1", pressed=next_key("classic", "7", right=True))
    data = read_json(train("classic", "--json"))
    assert (data["game"], data["answered"], data["right"], data["streak"]) == ("classic", 1, 1, 1)
    assert sum(kind["asked"] for kind in data["kinds"]) >= 1
    assert read_json(train("classic", "--json", "--set", "shoe.decks=8"))["answered"] == 0


def test_reset_forgets(train: Train) -> None:
    train("classic", "--seed", "7", "--questions", "1", pressed=next_key("classic", "7", right=True))
    assert read_json(train("classic", "--reset", "--json"))["answered"] == 0


def test_a_damaged_progress_is_refused(train: Train) -> None:
    """Exit code 2, and the file stays as it was."""
    file = progress_file(rules("classic"))
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    ran = train("classic", pressed="h")
    assert ran.code == 2
    assert "is damaged" in ran.err
    assert file.read_text() == "{}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--kind", "pair"], "did you mean 'pairs'?"),
        (["--kind", "quick-pay"], "this game has no questions of the kind 'quick pay'"),
        (["--kind", "pairs"], "there is no terminal and no key to read"),
    ],
)
def test_bad_input_ends_with_2(train: Train, words: list[str], said: str) -> None:
    ran = train("classic", *words)
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.slow
def test_a_person_at_a_terminal_presses_single_keys(tmp_path: Path) -> None:
    """No Enter is needed; Ctrl-C ends with the summary and keeps what was answered."""
    at = Terminal("train", "classic", "--kind", "hard", program=IMPATIENT, XDG_DATA_HOME=str(tmp_path))
    at.until("[q]uit")
    at.type("s")
    at.until("Question 2 of 20")
    at.until("[q]uit")
    at.type("\x03")
    code, rest = at.ends()
    assert code == 0
    assert "of 1 right" in rest
