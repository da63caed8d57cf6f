"""What the felt describes, and what cloth, circles and pay dialog say of it, is what the compiled tables do."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from typing import Any

import pytest

from holecard.sheets.compile import pay_lines
from holecard.sheets.descriptions.felt import felt
from tests.pages.programs import ROOT, node
from tests.readback.compiled_facts import compare, main_facts
from tests.readback.felt_conditions import (
    circle_conditions,
    circle_facts,
    described_conditions,
    described_facts,
    described_lines,
    described_taxes,
)
from tests.readback.said_felt import dialog_lines, dialog_main, dialog_only, dialog_taxes, dialog_wager, notes_of
from tests.readback.said_wagers import compiled_lines, compiled_wager_facts
from tests.readback.sheets_to_read import CASES, NAMES, sheet_named

#: What a cloth does not print: shoe, seats and cards are seen there, and `rules` says the order of play.
_NOT_PRINTED = {
    *("decks", "seats", "face down", "shuffled", "cut card", "burned", "bonuses from right", "completes for"),
    *("natural ends round", "natural spares", "surrender spared", "double step", "charlie loses late"),
    *("decks offered", "surrender when", "surrender first", "companion spared", "double up on split aces"),
}


def texts(name: str) -> dict[str, Any]:
    """Return what the pages say of a sheet."""
    return _all_texts(name in CASES)[name]


@cache
def _all_texts(is_quick: bool) -> dict[str, dict[str, Any]]:
    """Return what they say of every sheet that `make test` reads, or of every other one; Node.js starts once."""
    names = [name for name in NAMES if (name in CASES) == is_quick]
    felts = {name: felt(sheet_named(name)).model_dump(mode="json") for name in names}
    ran = subprocess.run(
        [node(), str(ROOT / "tests/readback/dialog_texts.js")],
        input=json.dumps(felts),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said: dict[str, dict[str, Any]] = json.loads(ran.stdout)
    return said


@pytest.mark.parametrize("name", CASES)
def test_the_dialog_says_what_the_tables_do(name: str) -> None:
    sheet, dialog = sheet_named(name), texts(name)["dialog"]
    printed = {fact: value for fact, value in main_facts(sheet).items() if fact not in _NOT_PRINTED}
    compare(dialog_main(dialog[0]["notes"]), printed, name)
    blocks = {block["caption"]: block for block in dialog[1:]}
    in_shared = [wager.name for wager in sheet.tables.wagers if wager.name not in blocks]
    for wager, written in zip(sheet.tables.wagers, sheet.wager, strict=True):
        block = blocks[wager.name] if wager.name in blocks else blocks["Pays by upcard"]
        notes = notes_of(wager.name, in_shared, block["notes"]) if wager.name in in_shared else block["notes"]
        shown = compiled_wager_facts(wager, hole_card_shown=sheet.tables.hole_card == "face up")
        shown |= dialog_only(wager, len(pay_lines(written, sheet)))
        compare(dialog_wager(notes, sheet.main.name), shown, f"{name}, {wager.name}")
        assert dialog_lines(wager.name, block) == compiled_lines(wager.lines)
        assert dialog_taxes(blocks.get(f"{wager.name}: tax")) == compiled_lines(wager.tax)


@pytest.mark.parametrize("name", CASES)
def test_cloth_and_circles_name_every_condition(name: str) -> None:
    """They have less room, and say each condition in a few words."""
    sheet, said = sheet_named(name), texts(name)
    shown = sheet.tables.hole_card == "face up"
    for wager in sheet.tables.wagers:
        marks = said["circles"][wager.name].removeprefix(f"{wager.name}: ").split(" · ")
        compare(
            circle_facts(marks, sheet.main.name),
            circle_conditions(wager, hole_card_shown=shown),
            f"{name}, {wager.name}",
        )
    for short, long in zip(said["cloth"], said["dialog"][1:], strict=True):
        assert (short["caption"], short["head"], short["rows"]) == (long["caption"], long["head"], long["rows"])


@pytest.mark.parametrize("name", CASES)
def test_the_description_has_every_condition(name: str) -> None:
    """The data from which pages draw."""
    tables, described = sheet_named(name).tables, felt(sheet_named(name))
    compare(described_facts(described), described_conditions(tables), name)
    for place, wager in zip(described.wagers, tables.wagers, strict=True):
        assert described_lines(place) == compiled_lines(wager.lines)
        assert described_taxes(place) == compiled_lines(wager.tax)
