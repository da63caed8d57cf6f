"""Check the balances that are stored with rounds and with buy-ins.

Logs have no common order. So what a player had after a round is known exactly where the player sat at one table only
and never bought in; for others it is between the least and the most that the other logs can have added until then.
Chips are known exactly: no other log has them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from holecard.server.audit.findings import cents_in_dollars
from holecard.server.money.transfers import player_account

#: The name of an account's log among those of the tables; no table has it.
_OWN = ""


class Gains(NamedTuple):
    """What an account has gained at a table, in cents, and the least and the most of it at any time."""

    now: int = 0
    least: int = 0
    most: int = 0

    def plus(self, amount: int) -> Gains:
        """Return the gains after a transfer."""
        now = self.now + amount
        return Gains(now, min(self.least, now), max(self.most, now))


class _Claim(NamedTuple):
    """What is stored of a player's money or chips after a round, or before a buy-in."""

    place: str
    field: str
    """Where it is stored."""
    log: str
    """The table of the round; for a buy-in, the player's own log."""
    account: str
    gained: int
    """What the account had gained at this table by then, or was given before the buy-in."""
    stored: int


class RoundBalances:
    """Collects what is stored and what the logs say; `problems` compares them at the end."""

    def __init__(self) -> None:
        self._gains: dict[str, dict[str, Gains]] = {}
        """By account and log, the player's own included."""
        self._claims: list[_Claim] = []
        self._unreadable: list[str] = []

    def add_account(self, user: str, given: Sequence[int], bought_in: Mapping[int, int]) -> None:
        """Add what a player was given in all after each entry, and what the player had before each buy-in."""
        # The first entry is older than everything else of the player.
        account = player_account(user)
        self._gains.setdefault(account, {})[_OWN] = Gains(given[-1], min(given), max(given))
        for number, had in bought_in.items():
            place = f"account:{user}, entry {number}"
            self._claims.append(_Claim(place, "had", _OWN, account, given[number - 2], had))

    def add_table(self, table_id: str, gains: Mapping[str, Gains]) -> None:
        """Add what accounts have gained at a table."""
        for account, gained in gains.items():
            self._gains.setdefault(account, {})[table_id] = gained

    def add_round(self, row: Mapping[str, Any], accounts: Mapping[int, str], gained: Mapping[str, Gains]) -> None:
        """Add the balances of a round as they are stored; a round of a version that did not store them has none."""
        place = f"table:{row['table']}: row {row['table']}, {row['number']} of `rounds`"
        if row["balances"] is None:
            return
        try:
            stored = json.loads(row["balances"])
        except (TypeError, ValueError):
            stored = None
        is_right = isinstance(stored, dict) and set(stored) == set(map(str, accounts))
        if stored is None or not is_right or not all(type(amount) is int for amount in stored.values()):
            self._unreadable.append(f"{place}: `balances` is not an amount for each player")
            return
        for seat, account in accounts.items():
            own = gained.get(account, Gains()).now
            self._claims.append(_Claim(place, "balances", row["table"], account, own, stored[str(seat)]))

    def problems(self, *, is_complete: bool) -> Iterator[str]:
        """Yield the balances that cannot be right; where a log is broken, nobody knows what the others should be."""
        yield from self._unreadable
        for claim in self._claims if is_complete else ():
            others = [gains for log, gains in self._gains[claim.account].items() if log != claim.log]
            least = claim.gained + sum(one.least for one in others)
            most = claim.gained + sum(one.most for one in others)
            if not max(least, 0) <= claim.stored <= most:
                due = (
                    cents_in_dollars(most)
                    if least == most
                    else f"{cents_in_dollars(max(least, 0))} to {cents_in_dollars(most)}"
                )
                stored = cents_in_dollars(claim.stored)
                yield f"{claim.place}: `{claim.field}` says {stored}, and the logs make it {due}"
