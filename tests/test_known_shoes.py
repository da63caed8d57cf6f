"""Tests get the same cards, ids and tokens in every run; real play gets them from the operating system only."""

from __future__ import annotations

import os
import random
import secrets
import subprocess
import sys

import pytest

import holecard
from holecard.server.fairness.construction import new_seed
from holecard.table.dealing.shoe import Shoe
from tests.known_shoes import KNOWN, holecard_command
from tests.pages.programs import ROOT
from tests.server.driven_table import DrivenTable

#: Prints twenty cards of a real table and a token.
_DRAW = """
import secrets, holecard
from holecard.table.dealing.shoe import Shoe
print(*Shoe(holecard.rules("classic").shoe).draw(20), secrets.token_hex())
"""


def drawn() -> list[object]:
    """Return cards of a table, and ids, tokens and seeds as the server makes them."""
    shoe = Shoe(holecard.rules("classic").shoe)
    return [*shoe.draw(20), secrets.token_urlsafe(9), random.SystemRandom().random(), new_seed()]


def test_what_is_drawn_follows_from_the_name() -> None:
    with KNOWN.named("one"):
        first, other = drawn(), drawn()
    with KNOWN.named("one"):
        assert drawn() == first
    with KNOWN.named("two"):
        assert first != drawn()
    assert first != other


def test_a_shoe_of_the_server_does_not_depend_on_the_ids_made_before_it() -> None:
    shoes = []
    for ids in (0, 3):
        with KNOWN.named("one"):
            _ = [secrets.token_hex() for _ in range(ids)]
            shoes.append([DrivenTable.open("classic").secret for _ in range(2)])
    assert shoes[0] == shoes[1]
    assert len(set(shoes[0])) == 2


def test_a_shared_fixture_does_not_change_the_cards_of_the_test_that_uses_it_first() -> None:
    with KNOWN.named("test"):
        before = drawn()
        after = drawn()
    with KNOWN.named("test"):
        assert drawn() == before
        with KNOWN.named("fixture"):
            drawn()
        assert drawn() == after


@pytest.mark.real_shoes
def test_a_test_may_ask_the_operating_system() -> None:
    assert KNOWN.name is None
    assert drawn() != drawn()
    assert DrivenTable.open("classic").secret != DrivenTable.open("classic").secret
    assert holecard_command() == [sys.executable, "-m", "holecard"]


def test_no_variable_and_no_test_chooses_the_cards_of_real_play() -> None:
    """The cards of another process are new, whatever the tests have set here."""
    known = {**os.environ, "HOLECARD_SHOES": "7", "HOLECARD_SEED": "7", "PYTHONHASHSEED": "7"}
    found = [
        subprocess.run([sys.executable, "-c", _DRAW], env=known, cwd=ROOT, capture_output=True, check=True).stdout
        for _ in range(2)
    ]
    assert found[0] != found[1]
    assert "urandom" not in "".join(file.read_text() for file in (ROOT / "src" / "holecard").rglob("*.py"))
