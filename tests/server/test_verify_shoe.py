"""`holecard verify-shoe` on files: exit codes and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import Shell, shell
from tests.server.plain_redeal import plain_problem
from tests.server.test_redeal import cut_short_shoe, voided_shoe

__all__ = ["shell"]

#: A shoe that was dealt, written and kept in November 2026, without a player's seed.
OLD_SHOE = Path(__file__).parent / "data" / "shoe_without_seeds.json"


def test_the_command_accepts_an_honest_shoe(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(cut_short_shoe() + " " * 200_000)  # a long shoe at a full table is larger than a sheet may be
    ran = shell("verify-shoe", str(file))
    document = json.loads(cut_short_shoe())
    drawn = 1 + sum(len(dealt["cards"].split()) for dealt in document["rounds"])
    assert ran.code == 0, ran.err
    assert f"Shoe {document['shoe']}, cut short: {drawn} cards of 3 rounds dealt again." in ran.out
    assert document["commitment"] in ran.out
    assert "Seeds that players added: 'lucky'. If you drew one of them after the commitment" in ran.out


def test_a_shoe_of_the_time_before_pages_added_seeds_is_still_accepted(shell: Shell) -> None:
    ran = shell("verify-shoe", str(OLD_SHOE))
    assert ran.code == 0, ran.err
    assert "Every card and every wager is as the document says." in ran.out
    assert "No player added a seed, so the server could have chosen this shoe among many." in ran.out
    document = json.loads(OLD_SHOE.read_text(encoding="utf-8"))
    assert document["player_seeds"] == []
    assert plain_problem(document) is None


def test_the_command_says_that_a_round_was_voided(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(voided_shoe())
    assert "2 rounds, the last one voided, dealt again." in shell("verify-shoe", str(file)).out


def test_the_command_names_what_is_forged(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps({**json.loads(cut_short_shoe()), "cut_short": False}))
    ran = shell("verify-shoe", str(file))
    assert ran.code == 1
    assert ran.out.startswith("cut_short: the shoe is not dealt to its end")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "cannot be read: No such file"),
        ("{", "this is not JSON"),
        ("[]", "an object is needed here"),
        ('{"construction": "holecard-shoe-1"}', "shoe: this is missing"),
        ('{"construction": 7}', "construction: text is needed here"),
    ],
)
def test_the_command_refuses_what_is_not_a_shoe(shell: Shell, tmp_path: Path, text: str | None, says: str) -> None:
    file = tmp_path / "shoe.json"
    if text is not None:
        file.write_text(text)
    ran = shell("verify-shoe", str(file))
    assert ran.code == 2
    assert ran.out == ""
    assert "this is not a finished shoe" in ran.err
    assert says in " ".join(ran.err.split())
