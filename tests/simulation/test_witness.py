"""The replay finds every mistake: in code that exact and simulation share, that all share, or in the table only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import holecard
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.exact.strategies import Strategy
from holecard.sheets.schema import RuleSheet
from holecard.simulation.witness.replay import replayed
from holecard.simulation.witness.three_ways import Difference
from tests.random_play import UPCARD_WAGERS
from tests.selection import quick, rounds
from tests.simulation.mutations import EVERY, Mutation, broken, sheet_called


def differences(sheet: RuleSheet, count: int = 800) -> Iterator[Difference]:
    """The differences of the replay alone, which an equally wrong exact side cannot show."""
    player = Strategy("mimic the dealer", mimic_the_dealer(sheet.tables))
    for _, found in replayed(sheet, [player], 7, 50_000, sheet.tables.wagers, count):
        if found is not None:
            yield found


#: The quick tests try one mutation of 18, each with the first of its sheets.
CASES = [
    pytest.param(mutation, sheet, id=f"{mutation}-{sheet}", marks=[pytest.mark.slow] if place or number % 18 else [])
    for number, (mutation, sheets) in enumerate(EVERY)
    for place, sheet in enumerate(sheets)
]


@pytest.mark.parametrize(("mutation", "sheet"), CASES)
def test_a_mistake_is_found_by_the_replay_alone(mutation: Mutation, sheet: str) -> None:
    """The replay finds it without any exact number."""
    rules = sheet_called(sheet)
    with broken(mutation):
        found = next(differences(rules), None)
    assert found is not None
    assert found.lines


@pytest.mark.parametrize("sheet", quick([*holecard.games(), "small", "everything"], "small", "everything"))
def test_a_right_game_is_replayed_without_a_difference(sheet: str) -> None:
    """The mutations of other tests have left no trace either."""
    assert list(differences(sheet_called(sheet), rounds(500))) == []


def test_wagers_that_are_offered_with_some_upcards_are_replayed_without_a_difference() -> None:
    """Table, kernels and referee take them in the same rounds."""
    assert list(differences(holecard.rules("classic", {"wager": UPCARD_WAGERS}), rounds(300))) == []
