"""Check the balances that are stored with rounds.

Logs have no common order. So what a player had after a round is known exactly where the player sat at one table only;
for others it is between the least and the most that the other tables can have added until then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from holecard.server.audit.findings import cents_in_dollars


class Gains(NamedTuple):
    """What a player has gained at a table, in cents, and the least and the most of it at any time."""

    now: int = 0
    least: int = 0
    most: int = 0

    def plus(self, amount: int) -> Gains:
        """Return the gains after a transfer."""
        now = self.now + amount
        return Gains(now, min(self.least, now), max(self.most, now))


class _Claim(NamedTuple):
    """What is stored of a player's money after a round."""

    place: str
    table: str
    user: str
    gained: int
    """What the player had gained at this table by then."""
    stored: int


class RoundBalances:
    """Collects what is stored and what the logs say; `problems` compares them at the end."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}
        self._gains: dict[str, dict[str, Gains]] = {}
        self._claims: list[_Claim] = []
        self._unreadable: list[str] = []

    def add_account(self, user: str, given: int) -> None:
        """Add what a player was given."""
        self._given[user] = given

    def add_table(self, table_id: str, gains: Mapping[str, Gains]) -> None:
        """Add what players have gained at a table."""
        for user, gained in gains.items():
            self._gains.setdefault(user, {})[table_id] = gained

    def add_round(self, row: Mapping[str, Any], players: Mapping[int, str], gained: Mapping[str, Gains]) -> None:
        """Add the balances of a round as they are stored; a round of a version that did not store them has none."""
        place = f"table:{row['table']}: row {row['table']}, {row['number']} of `rounds`"
        if row["balances"] is None:
            return
        try:
            stored = json.loads(row["balances"])
        except (TypeError, ValueError):
            stored = None
        is_right = isinstance(stored, dict) and set(stored) == set(map(str, players))
        if stored is None or not is_right or not all(type(amount) is int for amount in stored.values()):
            self._unreadable.append(f"{place}: `balances` is not an amount for each player")
            return
        for seat, user in players.items():
            own = gained.get(user, Gains()).now
            self._claims.append(_Claim(place, row["table"], user, own, stored[str(seat)]))

    def problems(self, *, is_complete: bool) -> Iterator[str]:
        """Yield the balances that cannot be right; where a log is broken, nobody knows what the others should be."""
        yield from self._unreadable
        for claim in self._claims if is_complete else ():
            before = self._given.get(claim.user, 0) + claim.gained
            others = [gains for table, gains in self._gains[claim.user].items() if table != claim.table]
            least, most = before + sum(one.least for one in others), before + sum(one.most for one in others)
            if not max(least, 0) <= claim.stored <= most:
                due = (
                    cents_in_dollars(most)
                    if least == most
                    else f"{cents_in_dollars(max(least, 0))} to {cents_in_dollars(most)}"
                )
                yield f"{claim.place}: `balances` says {cents_in_dollars(claim.stored)}, and the logs make it {due}"
