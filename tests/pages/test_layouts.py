"""Nothing on a felt overlaps or is cut off, whatever the sheet, the number of seats, the screen and the seats taken."""

from __future__ import annotations

import json
import subprocess

import pytest

import holecard
from holecard.sheets.descriptions.felt import felt
from tests.pages.programs import ROOT, node
from tests.pages.unusual_sheets import UNUSUAL
from tests.patience import patient


@pytest.mark.slow
def test_circles_and_cards_of_every_game_have_their_own_place() -> None:
    felts = {
        f"{game} with {seats} seats": felt(holecard.rules(game, {"table.seats": seats})).model_dump(mode="json")
        for game in holecard.games(examples=True)
        for seats in (1, 2, 5, 7)
    }
    felts |= {name: felt(sheet).model_dump(mode="json") for name, sheet in UNUSUAL.items()}
    ran = subprocess.run(
        [node(), str(ROOT / "tests/pages/check_layouts.js")],
        input=json.dumps(felts),
        capture_output=True,
        text=True,
        check=False,
        timeout=patient(60),
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == ""
