"""Where a round comes from: the table of a server, its shoe and sheet, and who sat where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RoundOrigin:
    """A round of a server's table."""

    table: str
    number: int
    """The number of the round at that table, from 1."""
    at: int
    """When it ended, in milliseconds since 1970."""
    shoe: str
    """The id of the shoe."""
    sheet: str
    """The SHA-256 of the sheet that it was dealt by."""
    version: str
    """The version of Holecard that dealt it."""
    seats: Mapping[int, str] = field(default_factory=dict)
    """Seats that played it: "you", or "other"."""
    balances: Mapping[int, int] = field(default_factory=dict)
    """By seat of yours, your free money after it, in cents."""

    def __str__(self) -> str:
        return f"table {self.table}, round {self.number}"
