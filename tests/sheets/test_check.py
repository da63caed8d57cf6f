"""`check` as a Python function."""

from __future__ import annotations

import pytest

from holecard.errors import SheetError
from holecard.exact.check_sheet import check


def test_check_takes_settings_and_returns_readings_and_warnings() -> None:
    found = check("double-up", {"settle.natural": "1 to 2"}, decks=8)
    assert found.rules.shoe.decks == 8
    assert [reading.wager for reading in found.readings] == ["Bonus 16"] * len(found.rules.wager[0].lines)
    assert found.warnings == ("settle.natural: a natural pays 1 to 2, less than any other 21, which pays 1 to 1",)


def test_check_raises_with_every_problem() -> None:
    with pytest.raises(SheetError) as refused:
        check("classic", {"settle.ties": "psh", "shoe.decks": 0})
    assert {problem.where for problem in refused.value.problems} == {"settle.ties", "shoe.decks"}
