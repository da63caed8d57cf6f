"""`check` as a Python function."""

from __future__ import annotations

import pytest

from holecard.errors import SheetError
from holecard.exact.check_sheet import check
from holecard.sheets.read import rules


def test_check_takes_settings_and_returns_readings_and_warnings() -> None:
    found = check("double-up", {"settle.natural": "1 to 2"}, decks=8)
    assert found.rules.shoe.decks == 8
    assert [reading.wager for reading in found.readings] == ["Bonus 16"] * len(found.rules.wager[0].lines)
    assert found.warnings == ("settle.natural: a natural pays 1 to 2, less than any other 21, which pays 1 to 1",)


def test_check_of_a_refused_sheet_returns_every_problem() -> None:
    """It is false, has no rules, and reads like the error that every other function raises."""
    found = check("classic", {"settle.ties": "psh", "shoe.decks": 0})
    assert not found
    assert not found.accepted
    assert (found.game, found.rules, found.readings, found.warnings) == ("classic", None, (), ())
    assert {problem.where for problem in found.problems} == {"settle.ties", "shoe.decks"}
    with pytest.raises(SheetError) as refused:
        rules("classic", {"settle.ties": "psh", "shoe.decks": 0})
    assert str(found) == str(refused.value)
    assert repr(found) == "SheetCheck(classic: refused, 2 problems)"


def test_check_of_an_accepted_sheet_is_true() -> None:
    """With a warning, too."""
    found = check("classic", {"settle.natural": "1 to 2"})
    assert found
    assert found.accepted
    assert (found.game, found.problems) == ("classic", ())
    assert repr(found) == "SheetCheck(classic: accepted, 1 warning)"


def test_check_of_a_missing_file_says_so() -> None:
    """A name that does not exist is a problem like any other."""
    (problem,) = check("clasic").problems
    assert problem.what == "no game or file has this name; did you mean 'classic'?"
