"""`holecard play` in a real terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holecard import games, read_record, replay, rules
from tests.cli.terminal import Terminal

CTRL_C, CTRL_D, ENTER = "\x03", "\x04", "\r"


def test_a_sitting_from_the_list_of_games_to_the_closing_account() -> None:
    """Choose a game, seats and a bankroll, bet, act, see the results, bet the same again, leave."""
    terminal = Terminal("--seed", "7")
    listed = terminal.until("Which game (number or name) [1]: ")
    assert all(name in listed for name in games())
    assert all(rules(name).name.split()[0] in listed for name in games())
    terminal.type(f"nonsense{ENTER}")
    terminal.until("There is no game 'nonsense'")
    terminal.until("Which game (number or name) [1]: ")
    terminal.type(f"double-up{ENTER}")
    terminal.until("How many seats do you play (1 to 7) [1]: ")
    terminal.type(ENTER)
    terminal.until("Bankroll for each seat [$500]: ")
    terminal.type(f"$300{ENTER}")
    assert "seed 7: the cards are predictable" in terminal.until("Bet ($5 to $500) [$5]: ")
    terminal.type(f"10{ENTER}")
    terminal.until("Bonus 16 ($1 to $100, 0 for none) [$0]: ")
    terminal.type(f"5{ENTER}")
    assert "░░░" in terminal.until("[q]uit")
    terminal.type("s")
    over = terminal.until("[Enter] same again")
    assert "Bet " in over
    assert "Bonus 16 " in over
    assert "This round" in over
    assert "Bankroll $" in over
    terminal.type(ENTER)
    assert "Bet $10" in terminal.until("round 2") + terminal.until("[q]uit")
    terminal.type("q")
    code, closing = terminal.ends()
    assert code == 0
    assert "Closing account after 1 round" in closing
    assert "in all" in closing


@pytest.mark.parametrize("leave", ["q", CTRL_C, CTRL_D], ids=["q", "Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("prompt", ["game", "bet", "decision", "after the round"])
def test_leaving_works_at_every_kind_of_prompt(prompt: str, leave: str) -> None:
    """q, Ctrl-C and Ctrl-D end with code 0 and the summary, from a line prompt and from a key prompt."""
    terminal = Terminal(*([] if prompt == "game" else ["classic", "--seed", "3"]))
    is_line = prompt in ("game", "bet")
    if prompt == "game":
        terminal.until("[1]: ")
    else:
        terminal.until("[$5]: ")
    if prompt in ("decision", "after the round"):
        terminal.type(ENTER)
        terminal.until("[q]uit")
    if prompt == "after the round":
        terminal.type("s")
        terminal.until("same again")
    keys = leave + (ENTER if leave == "q" and is_line else "")
    terminal.type(keys)
    code, closing = terminal.ends(again=keys)
    assert code == 0
    expected = {
        "game": "Nothing was played.",
        "bet": "No round was finished. Bankroll $500.",
        "decision": "The round was not finished and does not count: $5 on the table goes back.",
        "after the round": "Closing account after 1 round",
    }
    assert expected[prompt] in closing


def test_ctrl_d_pressed_ahead_of_the_question_leaves_too() -> None:
    """The terminal is still in line mode then, and delivers the key in another form."""
    terminal = Terminal("classic", "--seed", "3")
    terminal.until("[$5]: ")
    terminal.type(ENTER + CTRL_D)
    code, closing = terminal.ends()
    assert code == 0
    assert "$5 on the table goes back." in closing


def test_keys_need_no_enter_and_other_keys_are_explained() -> None:
    """An illegal key gets the table's reason; arrows and other keys are harmless."""
    terminal = Terminal("face-up", "--seed", "5023")
    for _ in range(3):
        terminal.until("]: ")
        terminal.type(ENTER)
    terminal.until("[q]uit")
    terminal.type("d")
    assert "No double: soft 19 cannot be doubled" in " ".join(terminal.until("[q]uit").split())
    terminal.type("\x1b[A")
    assert "That key does nothing here" in terminal.until("[q]uit")
    terminal.type("é")
    assert "That key does nothing here" in terminal.until("[q]uit")
    terminal.type("?")
    assert "[s]tand: keep soft 19" in terminal.until("[q]uit")
    terminal.type("q")
    assert terminal.ends()[0] == 0


def test_w_saves_a_record_that_replays(tmp_path: Path) -> None:
    """The record is where the table says, is numbered, and replays to the cent."""
    terminal = Terminal("classic", "--seed", "3", folder=tmp_path)
    terminal.until("[$5]: ")
    terminal.type(ENTER)
    terminal.until("[q]uit")
    terminal.type("s")
    terminal.until("same again")
    terminal.type("w")
    terminal.until("Recorded in records/classic-0001.toml")
    terminal.type("w")
    terminal.until("Recorded in records/classic-0002.toml")
    terminal.type("q")
    assert terminal.ends()[0] == 0
    path = tmp_path / "records" / "classic-0001.toml"
    assert replay(read_record(path.read_text(encoding="utf-8"), str(path)))[-1].phase == "done"


@pytest.mark.parametrize(("words", "changes"), [(["--no-color"], {}), ([], {"NO_COLOR": "1"})])
def test_no_colour_where_none_is_wanted(words: list[str], changes: dict[str, str]) -> None:
    """No color or weight is written; the same table in color has them."""
    assert re.search(r"\x1b\[[0-9;]*m", _one_decision()) is not None
    assert re.search(r"\x1b\[[0-9;]*m", _one_decision(*words, **changes)) is None


def _one_decision(*words: str, **changes: str) -> str:
    terminal = Terminal("classic", "--seed", "3", *words, **changes)
    terminal.until("[$5]: ")
    terminal.type(ENTER)
    terminal.until("[q]uit")
    terminal.type("q")
    terminal.ends()
    return terminal.raw


def test_without_a_seed_the_cards_are_real_and_the_table_says_so() -> None:
    terminal = Terminal("classic")
    opening = terminal.until("[$5]: ")
    assert "operating system's random generator" in opening
    assert "predictable" not in opening
    terminal.type(CTRL_D)
    assert terminal.ends()[0] == 0


def test_auto_can_be_watched_and_left() -> None:
    """Ctrl-C stops it in the middle and prints the summary."""
    terminal = Terminal("classic", "--auto", "--rounds", "0", "--pace", "0.05")
    terminal.until("round 3")
    terminal.type(CTRL_C)
    code, closing = terminal.ends()
    assert code == 0
    assert "Closing account after" in closing
