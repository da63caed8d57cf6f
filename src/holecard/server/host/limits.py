"""What one user may have, over all processes and by every way to ask for it: tables, seats, chips of a table."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from holecard.server.store import schema
from holecard.server.store.units import Limit


@dataclass(frozen=True, slots=True)
class UserLimits:
    """The most that one user may have."""

    tables: int = 10
    seats: int = 14
    chips: int = 100_000
    """What a user gets at a table with its own chips, in cents, where that is enough for a bet there."""

    def one_more_table(self, user: str) -> Limit:
        """Return what must hold after a user has opened a table."""
        own = schema.tables.c
        rows = select(own.id).where(own.opened_by == user, own.closed.is_(False))
        return Limit(user, rows, self.tables, "you have {}; close one first", "open table")

    def one_more_seat(self, user: str) -> Limit:
        """Return what must hold after a user has sat down."""
        rows = select(schema.seats.c.seat).where(schema.seats.c.user == user)
        return Limit(user, rows, self.seats, "you hold {}; leave one first", "seat")
