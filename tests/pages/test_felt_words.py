"""What pages say about wagers: every condition that decides money, on the cloth, in the dialog and at a circle."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from typing import Any

import pytest

import holecard
from holecard.sheets.descriptions.felt import felt
from tests.pages.programs import ROOT, node
from tests.pages.unusual_sheets import UNUSUAL
from tests.patience import patient

HOUSE = "House table, not printed on the sheet"
SHEETS = {**{game: holecard.rules(game) for game in holecard.games(examples=True)}, **UNUSUAL}


@cache
def said() -> dict[str, Any]:
    """Return what the pages say about every game and every unusual sheet."""
    felts = {name: felt(sheet).model_dump(mode="json") for name, sheet in SHEETS.items()}
    ran = subprocess.run(
        [node(), str(ROOT / "tests/pages/say_felts.js")],
        input=json.dumps(felts),
        capture_output=True,
        text=True,
        check=False,
        timeout=patient(60),
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def block(name: str, caption: str, where: str = "dialog") -> dict[str, Any]:
    (found,) = [table for table in said()[name][where] if table["caption"] == caption]
    return found


@pytest.mark.parametrize("game", [*holecard.games(), "double-exposure", "push-22"])
def test_the_cloth_has_room_for_every_pay_table(game: str) -> None:
    """None of these games says "5 pay lines: see Pay tables" where the print has them."""
    printed = {table["caption"]: table["rows"] for table in said()[game]["cloth"]}
    assert printed == {table["caption"]: table["rows"] for table in said()[game]["dialog"][1:]}


def test_a_line_that_says_what_it_asks_for_says_it_once() -> None:
    lines = [line for line, _ in block("match-up", "Match Up")["rows"]]
    assert "1 suited match, 1 unsuited match" in lines


def test_a_wager_that_pays_by_upcard_has_its_tax_schedule() -> None:
    box = block("pays and taxes by upcard", "Box: tax")
    assert box["notes"] == ["due when dealer shows 2 to 7"]
    assert box["rows"] == [["natural", "$2"], ["18-20", "$1.50"]]


def test_upcard_luck_says_which_upcards_win_and_which_are_taxed() -> None:
    game = "upcard-luck-21"
    luck = block(game, "Upcard Luck")["notes"]
    assert "The dealer must show 2 to 7; with any other upcard it loses." in luck
    assert "Stake: $1 to $500, at most as much as Bet." in luck
    fortune = block(game, "Taxpayer's Fortune")["notes"]
    assert "Only together with Upcard Luck." in fortune
    assert "The stake is a token that you keep." in fortune
    assert "A tax is due when the dealer shows 2 to 7, by your first two cards." in fortune
    assert "dealer must show 2 to 7 · at most Bet" in block(game, "Upcard Luck", "cloth")["notes"]
    assert block(game, "Taxpayer's Fortune: tax", "cloth")["notes"] == ["due when dealer shows 2 to 7"]
    assert said()[game]["circles"]["Upcard Luck"] == "Upcard Luck: $1 to $500 · dealer must show 2 to 7 · at most Bet"
    assert "tax when dealer shows 2 to 7" in said()[game]["circles"]["Taxpayer's Fortune"]
    assert "Upcard Luck: dealer must show 2 to 7 · at most Bet" in said()[game]["printed"]["narrow"]


@pytest.mark.parametrize("name", SHEETS)
def test_house_tables_are_marked_wherever_they_show(name: str) -> None:
    found, sheet = said()[name], SHEETS[name]
    house = {wager.name for wager in sheet.tables.wagers if not wager.printed}
    assert {wager for wager, words in found["circles"].items() if HOUSE in words} == house
    for where in ("dialog", "cloth"):
        notes = "\n".join(note for table in found[where] for note in table["notes"])
        assert (HOUSE in notes) == bool(house)
    marked = [line for line in found["printed"]["narrow"] if HOUSE in line]
    assert {wager for wager in house if any(wager in line for line in marked)} == house


@pytest.mark.parametrize("name", SHEETS)
def test_nothing_is_dropped_for_want_of_room(name: str) -> None:
    """What is not along the arcs is next to the cloth; a pay table without room keeps its name and conditions."""
    found, drawn = said()[name], felt(SHEETS[name])
    lines = [line.text for line in drawn.print]
    assert found["printed"]["wide"] == lines
    assert found["printed"]["narrow"][: len(lines)] == lines
    captions = [table["caption"] for table in found["cloth"]]
    assert sorted(captions) == sorted(table["caption"] for table in found["dialog"][1:])
    printed = [promise for line in lines for promise in line.split(" · ")]
    assert found["dialog"][0]["notes"][1 : 1 + len(printed)] == printed
    assert min(found["sizes"], default=8) >= 8


def test_wagers_by_upcard_that_name_different_upcards_share_a_table_with_gaps() -> None:
    table = block("other upcards", "Pays by upcard")
    assert table["head"] == ["Upcard", "2", "3", "4", "6", "9", "10", "A"]
    assert table["rows"] == [
        ["Low: dealer 17", "6:1", "6:1", "6:1", "1.23457:1", "–", "–", "–"],
        ["High: dealer 20", "–", "–", "–", "–", "6:1", "7:1", "–"],
        ["High: dealer 21", "–", "–", "–", "–", "–", "–", "100000:1"],
    ]
    assert f"High: {HOUSE}." in table["notes"]
    assert block("one line by upcard", "Mixed")["rows"] == [["dealer 18", "9: 6:1, 10: 7:1"], ["dealer 19", "7 to 1"]]


def test_a_wager_says_which_upcards_its_odds_name() -> None:
    """With any other upcard it loses, although the sheet closes it with none."""
    assert "dealer must show 2 to 4 or 6" in said()["other upcards"]["circles"]["Low"]
    assert "dealer must show 9 to A" in said()["other upcards"]["circles"]["High"]
    notes = block("pays and taxes by upcard", "Pays by upcard")["notes"]
    assert "The dealer must show 2 to 6; with any other upcard nothing is won." in notes
    assert "dealer must show" not in said()["quick-pay"]["circles"]["Hedge 18"]


def test_a_line_with_a_name_says_its_hand() -> None:
    assert block("six wagers", "Named")["rows"] == [["two alike (pair)", "5 to 1"]]
    assert block("six wagers", "Named")["notes"][0] == "Stake: $2 to $10 in steps of $2, at most as much as Bet."


def test_upcards_and_taxes_are_said_exactly() -> None:
    token = block("six wagers", "Token")["notes"]
    assert "The dealer must show 10; with any other upcard nothing is won." in token
    assert "A tax is due when the dealer shows 2 to 4 or A, by your first two cards." in token
    assert block("six wagers", "Token: tax")["rows"] == [["pair · 20", "$2"], ["natural", "$5"]]
    long = "A Wager with a Rather Long Name and Twenty Lines"
    assert (
        "The dealer must show 2 to 4, 9 or A; with any other upcard it loses." in block("twenty lines", long)["notes"]
    )
    assert block("twenty lines", long, "cloth")["notes"][-1] == "20 pay lines: see “Pay tables”"


def test_the_second_wager_says_what_becomes_of_it() -> None:
    words = said()["quick-pay"]["circles"]["Surrender or Play"]
    assert "always equal to Bet" in words
    assert "Surrender or Play pushes if only you have a blackjack." in words
    assert "Surrender or Play loses if you surrender." in words
