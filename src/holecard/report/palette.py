"""Colors of a chart, for paper and for a dark screen. The letters carry the meaning; colors only help the eye.

Hit and stand, most of every chart, have quiet colors; the other actions stand out. Every ink has a contrast of at
least 4.5 against its background.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from holecard.charts.letters import AS_TOTAL


class Tint(NamedTuple):
    """A cell's ground and the ink on it, as #rrggbb."""

    ground: str
    ink: str


class Scheme(NamedTuple):
    """A page and its cells, by the first letter of a cell, or the dash."""

    page: str
    ink: str
    quiet: str
    """Ink of labels and notes."""
    line: str
    cells: dict[str, Tint]


_NIGHT = "#10140f"

LIGHT: Final = Scheme(
    page="#fdfcf8",
    ink="#1d211e",
    quiet="#5c625d",
    line="#d8d4c6",
    cells={
        "H": Tint("#cfe5d5", "#153322"),
        "S": Tint("#e8e2d0", "#37332a"),
        "D": Tint("#f0bd3c", "#2b1f00"),
        "U": Tint("#f19158", "#330f00"),
        "P": Tint("#8cb9e2", "#06233d"),
        "Q": Tint("#62c6b6", "#00302a"),
        "R": Tint("#c8a2d8", "#2f1039"),
        AS_TOTAL: Tint("#f4f1e8", "#6b6a60"),
    },
)
DARK: Final = Scheme(
    page="#161a17",
    ink="#eeece2",
    quiet="#a9aea6",
    line="#343a35",
    cells={
        "H": Tint("#264a38", "#d3eedd"),
        "S": Tint("#3b3a32", "#ebe6d6"),
        "D": Tint("#dcae35", _NIGHT),
        "U": Tint("#e27f45", _NIGHT),
        "P": Tint("#689fd4", _NIGHT),
        "Q": Tint("#47b0a1", _NIGHT),
        "R": Tint("#b288c4", _NIGHT),
        AS_TOTAL: Tint("#1e231f", "#9aa096"),
    },
)


def css_class(cell: str) -> str:
    """Return the class of a cell, by what it does first."""
    return "total" if cell == AS_TOTAL else cell[0].lower()
