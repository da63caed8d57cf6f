"""The sentences of `rules`, read back, say what the compiled tables do.

Each sentence must be one that a reader knows, and everything the tables do must be said: the rules of the main game,
every cell of the settlement that a round can reach, and the conditions and pay lines of every side wager.
"""

from __future__ import annotations

import pytest

from holecard.sheets.descriptions.describe import describe
from tests.readback.compiled_facts import compare, main_facts
from tests.readback.said_results import main_facts_said
from tests.readback.said_wagers import (
    compiled_lines,
    compiled_sentence_facts,
    compiled_wager_facts,
    lines_said,
    wager_facts_said,
)
from tests.readback.sheets_to_read import CASES, sheet_named


@pytest.mark.parametrize("name", CASES)
def test_the_rules_say_what_the_tables_do(name: str) -> None:
    sheet = sheet_named(name)
    described = describe(sheet)
    sentences = [sentence for section in described.sections for sentence in section.sentences]
    compare(main_facts_said(sentences), main_facts(sheet), sheet.label)
    for said, wager in zip(described.wagers, sheet.tables.wagers, strict=True):
        assert said.name == wager.name
        compiled = compiled_wager_facts(wager, hole_card_shown=sheet.tables.hole_card == "face up")
        compiled |= compiled_sentence_facts(wager, sheet)
        compare(wager_facts_said(said.sentences), compiled, f"{sheet.label}, {wager.name}")
        assert lines_said(said.columns, said.rows) == compiled_lines(wager.lines)
        assert lines_said(["pays"], said.tax) == compiled_lines(wager.tax)
