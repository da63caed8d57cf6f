"""How many hands a pair may become by splitting."""

from __future__ import annotations

from holecard.sheets.tables import Tables

_ACE = 0


def most_hands(tables: Tables, v: int) -> int:
    """Return how many hands a pair of cards with value v + 1 may become; 1 where it cannot be split."""
    if v != _ACE or tables.split_aces == "again":
        return tables.split_hands
    return min(tables.split_hands, {"once": 2, "never": 1}[tables.split_aces])
