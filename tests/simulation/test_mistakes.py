"""`verify` finds a mistake that exact and simulated numbers share, in a shipped game and in a custom sheet."""

from __future__ import annotations

import pytest

import holecard
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.simulation.verify import verify
from tests.simulation.mutations import (
    DEALER_TOTAL,
    DOUBLES,
    EVERY,
    LAST_LINE,
    MASK,
    SPLIT_TWICE,
    Mutation,
    broken,
    sheet_called,
    source_to_edit,
)

#: Exact and simulated numbers share these mistakes, so comparing them does not show them.
TOGETHER = [
    *((mutation, sheet) for mutation in (DOUBLES, DEALER_TOTAL, MASK, SPLIT_TWICE) for sheet in ("classic", "small")),
    (LAST_LINE, "match-up"),
    (LAST_LINE, "small"),
]


def test_every_edit_finds_its_text() -> None:
    """Renaming a function or rewording a line does not break the slow tests unnoticed."""
    for mutation, _ in EVERY:
        for edit in mutation.edits:
            assert source_to_edit(edit)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mutation", "sheet"),
    TOGETHER,
    ids=str,
)
def test_a_mistake_that_exact_and_simulated_share_is_found(mutation: Mutation, sheet: str) -> None:
    """Only the replayed rounds show it; the record of each difference can be replayed."""
    rules = sheet_called(sheet)
    chart = mimic_the_dealer(rules.tables)
    with broken(mutation):
        found = verify(rules, chart, 20_000, seed=3, replay=400)
    assert found.agreement.agrees, found.agreement.verdict
    assert not found.agrees
    for one in found.replay.differences[:3]:
        assert any(line.startswith("simulated: ") for line in one.lines)
        assert holecard.replay(holecard.read_record(one.record))[-1].phase == "done"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mutation", "sheet"),
    [pytest.param(mutation, sheet, id=f"{mutation}-{sheet}") for mutation, sheets in EVERY for sheet in sheets],
)
def test_every_mistake_is_found(mutation: Mutation, sheet: str) -> None:
    """`verify` finds it in the table, the kernels, the exact numbers and the lookup tables."""
    rules = sheet_called(sheet)
    chart = mimic_the_dealer(rules.tables)
    with broken(mutation):
        assert not verify(rules, chart, 20_000, seed=3, replay=1500).agrees


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["small", "everything"])
def test_without_a_mistake_a_custom_sheet_agrees(sheet: str) -> None:
    """So what the tests above find is the mistake."""
    rules = sheet_called(sheet)
    found = verify(rules, mimic_the_dealer(rules.tables), 20_000, seed=3, replay=400)
    assert found.agrees, found.agreement.verdict + found.replay.verdict
