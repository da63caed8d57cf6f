"""The line of a key in a sheet's text."""

from __future__ import annotations

import pytest

from holecard.sheets.files.toml_lines import line_of

TEXT = """\
name = "Mine"  # the first line

[shoe]
decks = 6
"face_down_with" = [1, 2]

[main.companion]
name = 'Second'

[[wager]]
name = "One"
lines = [
  { hand = "pair", pays = "5 to 1" },
]

[[wager]]
name = "Two"
table = "A"

[wager.tables]
A = [{ hand = "pair", pays = "5 to 1" }]

[settle]
when_dealer_has.17 = "push"
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("shoe",), 3),
        (("shoe", "decks"), 4),
        (("shoe", "face_down_with"), 5),
        (("shoe", "face_down_with", 1), 5),
        (("shoe", "burn"), 3),
        (("main", "companion", "name"), 8),
        (("wager", 0), 10),
        (("wager", 0, "name"), 11),
        (("wager", 0, "lines"), 12),
        (("wager", 0, "lines", 0, "hand"), 13),
        (("wager", 1), 16),
        (("wager", 1, "name"), 17),
        (("wager", 1, "lines"), 16),
        (("wager", 1, "tables"), 20),
        (("wager", 1, "tables", "A", 0, "hand"), 21),
        (("settle", "when_dealer_has", "17"), 24),
        (("dealer", "soft_17"), None),
        (("wager", 2, "name"), None),
    ],
)
def test_a_key_is_found_on_its_line_or_that_of_its_section(path: tuple[str | int, ...], line: int | None) -> None:
    """The nearest enclosing key or header; None if the text does not contain any of them."""
    assert line_of(TEXT, path) == line


LONG_LIST = """\
name = "D"

[[wager]]
name = "Pairs"
lines = [
  { hand = "suited pair", pays = "25 to 1" },
  # the one below is wrong
  { hand = "perfect pair", pays = "30 to 1" },
]

[[wager]]
name  = "More"
table = "A"

[wager.tables]
A = [
  { hand = "pair", pays = "5 to 1" },
]
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("wager", 0, "lines", 0, "hand"), 6),
        (("wager", 0, "lines", 1, "hand"), 8),
        (("wager", 1, "tables", "A", 0), 17),
        (("wager", 1, "tables", "A"), 16),
    ],
)
def test_an_entry_of_a_long_list_has_its_own_line(path: tuple[str | int, ...], line: int) -> None:
    """Most mistakes of designers are in pay tables."""
    assert line_of(LONG_LIST, path) == line
