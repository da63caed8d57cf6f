"""`verify` finds mistakes in numbers that are shown, and in rounds that are dealt down or adjusted for luck."""

from __future__ import annotations

import pytest

from holecard.simulation.verify import verify
from tests.simulation.mutations import Mutation, broken, sheet_called, source_to_edit
from tests.simulation.shown_mutations import SHOWN


def test_every_edit_finds_its_text() -> None:
    """Renaming a function or rewording a line does not break the slow tests unnoticed."""
    for mutation, _ in SHOWN:
        for edit in mutation.edits:
            assert source_to_edit(edit)


@pytest.mark.slow
@pytest.mark.parametrize(("mutation", "sheet"), SHOWN, ids=str)
def test_a_wrong_number_is_found(mutation: Mutation, sheet: str) -> None:
    """By the best chart where splits and doubles matter, which the dealer's way of playing avoids."""
    rules = sheet_called(sheet)
    with broken(mutation):
        found = verify(rules, "basic", 400_000, seed=3, replay=300)
    assert not found.agrees
