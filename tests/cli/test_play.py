"""`holecard play` in a real terminal."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from holecard import games, read_record, replay, rules
from tests.cli.terminal import Terminal
from tests.selection import one_in

CTRL_C, CTRL_D, ENTER = "\x03", "\x04", "\r"


def test_a_session_from_the_list_of_games_to_the_summary() -> None:
    """Choose a game, seats and a bankroll, bet, act, see the results, bet the same again, leave."""
    terminal = Terminal("--seed", "7")
    listed = terminal.until("Which game (number or name) [1]: ")
    assert all(name in listed for name in games())
    assert all(rules(name).name.split()[0] in listed for name in games())
    terminal.type(f"nonsense{ENTER}")
    terminal.until("No game is called 'nonsense'")
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
    terminal.until("[Enter] keep playing")
    terminal.type("q")
    code, closing = terminal.ends()
    assert code == 0
    assert "2 rounds, 2 hands: " in closing
    assert "total" in closing


@pytest.mark.parametrize(
    ("prompt", "leave"),
    one_in(
        8,
        [
            (prompt, leave)
            for prompt in ("game", "bet", "decision", "after the round")
            for leave in ("q", CTRL_C, CTRL_D)
        ],
    ),
)
def test_leaving_works_at_every_kind_of_prompt(prompt: str, leave: str) -> None:
    """q, Ctrl-C and Ctrl-D end with code 0 and the summary, from a line and from a key alike."""
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
    if prompt == "decision":
        terminal.until("[Enter] keep playing  [q]uit")
        terminal.type(keys)
    code, closing = terminal.ends()
    assert code == 0
    expected = {
        "game": "Nothing was played.",
        "bet": "No round was finished. Bankroll $500.",
        "decision": "1 round, 1 hand: ",
        "after the round": "1 round, 1 hand: ",
    }
    assert expected[prompt] in closing


def test_ctrl_d_pressed_ahead_of_the_question_leaves_too() -> None:
    """The terminal still reads lines at that time, and delivers the key in another form."""
    terminal = Terminal("classic", "--seed", "3")
    terminal.until("[$5]: ")
    terminal.type(ENTER + CTRL_D)
    terminal.until("The round is not over: $5 is on the table.")
    terminal.until("[q]uit")
    terminal.type(CTRL_D)
    code, closing = terminal.ends()
    assert code == 0
    assert "1 round, 1 hand: " in closing


@pytest.mark.slow
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
    terminal.until("keep playing")
    terminal.type("q")
    assert terminal.ends()[0] == 0


def test_w_saves_a_record_that_replays(tmp_path: Path) -> None:
    """The record has the path that the table prints, numbered, and replays to the cent."""
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


@pytest.mark.parametrize(("words", "changes"), one_in(2, [(["--no-color"], {}), ([], {"NO_COLOR": "1"})]))
def test_no_color_where_none_is_wanted(words: list[str], changes: dict[str, str]) -> None:
    """No color or weight is written; the same table in color has them."""
    assert re.search(r"\x1b\[[0-9;]*m", _in_color()) is not None
    assert re.search(r"\x1b\[[0-9;]*m", _one_decision(*words, **changes)) is None


@cache
def _in_color() -> str:
    return _one_decision()


def _one_decision(*words: str, **changes: str) -> str:
    terminal = Terminal("classic", "--seed", "3", *words, **changes)
    terminal.until("[$5]: ")
    terminal.type(ENTER)
    terminal.until("[q]uit")
    terminal.type(CTRL_C)
    terminal.until("keep playing")
    terminal.type(CTRL_C)
    terminal.ends()
    return terminal.raw


def test_without_a_seed_the_cards_are_real_and_the_table_says_so() -> None:
    terminal = Terminal("classic")
    opening = terminal.until("[$5]: ")
    assert "operating system's random generator" in opening
    assert "predictable" not in opening
    terminal.type(CTRL_D)
    assert terminal.ends()[0] == 0


@pytest.mark.slow
def test_auto_can_be_watched_and_left() -> None:
    """Ctrl-C finishes the round and stops, with the summary."""
    terminal = Terminal("classic", "--auto", "--strategy", "never bust", "--rounds", "0", "--pace", "0.05")
    terminal.until("round 3")
    terminal.interrupt()
    code, closing = terminal.ends()
    assert code == 0
    assert "Session summary" in closing
    played = int(re.findall(r"round (\d+)", terminal.raw)[-1])
    assert f"{played} rounds, {played} hands: " in closing


def test_after_ctrl_z_and_fg_the_question_is_back_and_one_key_answers_it() -> None:
    """The shell sets the terminal to lines, so a key would need Enter, and that Enter would bet the next round."""
    terminal = Terminal("classic", "--seed", "3")
    terminal.until("[$5]: ")
    terminal.type(ENTER)
    terminal.until("[q]uit")
    terminal.suspend_and_continue()
    redrawn = terminal.until("[q]uit")
    assert "Dealer" in redrawn
    assert "[s]tand" in redrawn
    terminal.type("s")
    terminal.until("[Enter] same again")
    terminal.until("[q]uit")
    terminal.suspend_and_continue()
    assert "This round" in terminal.until("[q]uit")
    terminal.type("q")
    code, closing = terminal.ends()
    assert code == 0
    assert "1 round, 1 hand: " in closing


def test_after_ctrl_z_and_fg_the_question_for_a_bet_is_asked_again() -> None:
    """It is a line, and Enter answers it, so it has to be seen."""
    terminal = Terminal("classic", "--seed", "3")
    terminal.until("[$5]: ")
    terminal.suspend_and_continue()
    terminal.until("[$5]: ")
    terminal.type(f"q{ENTER}")
    assert terminal.ends()[0] == 0


def test_an_enter_pressed_with_the_last_decision_does_not_bet_the_next_round() -> None:
    """Nobody has seen the results when the key was pressed."""
    terminal = Terminal("classic", "--seed", "3")
    terminal.until("[$5]: ")
    terminal.type(ENTER)
    terminal.until("[q]uit")
    terminal.type("s" + ENTER)
    terminal.until("[Enter] same again")
    terminal.type("q")
    code, closing = terminal.ends()
    assert code == 0
    assert "round 2" not in closing
    assert "1 round, 1 hand: " in closing
