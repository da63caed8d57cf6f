"""Post transfers to the balances: stakes are taken from what a player has before, never from what they may win."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite

from holecard.money import Money, dollars
from holecard.server.errors import NotEnoughMoney
from holecard.server.money.transfers import BANK, Transfer
from holecard.server.store import schema

#: What is on accounts, in cents.
Balances: TypeAlias = dict[str, int]


# Statements are made once: building one costs more than running it.


def _open_account(dialect: Any) -> Any:
    return dialect.insert(schema.balances).on_conflict_do_nothing(index_elements=["account"])


_OPEN_ACCOUNT = {"sqlite": _open_account(sqlite), "postgresql": _open_account(postgresql)}
_LOCK_BALANCES = (
    select(schema.balances)
    .where(schema.balances.c.account.in_(bindparam("accounts", expanding=True)))
    .order_by(schema.balances.c.account)
    .with_for_update()
)
_CHANGE_BALANCE = (
    update(schema.balances)
    .where(schema.balances.c.account == bindparam("of"))
    .values(amount=schema.balances.c.amount + bindparam("change"))
)


class Posting:
    """Some balances in one transaction, in which nobody else changes them: `post` transfers, then `write`."""

    def __init__(self, connection: Connection, accounts: Iterable[str], known: set[str]) -> None:
        """Read and lock the balances; `known` accounts have one already."""
        self._connection = connection
        # In the order of their names, so that two processes never wait for each other.
        names = sorted(set(accounts))
        if opened := [{"account": account, "amount": 0} for account in names if account not in known]:
            connection.execute(_OPEN_ACCOUNT[connection.dialect.name], opened)
        found = connection.execute(_LOCK_BALANCES, {"accounts": names})
        self.balances: Balances = {row.account: row.amount for row in found}
        self._before = dict(self.balances)

    def post(self, transfers: Iterable[Transfer]) -> None:
        """Take all stakes, which must be there, and then move the rest."""
        moved = list(transfers)
        stakes: dict[str, int] = {}
        for transfer in moved:
            if transfer.kind == "stake":
                stakes[transfer.source] = stakes.get(transfer.source, 0) + transfer.amount
        for account, taken in stakes.items():
            if (owned := self.balances[account]) < taken:
                have, takes = dollars(Money.cents(owned)), dollars(Money.cents(taken))
                raise NotEnoughMoney(f"you have {have} to wager, and this takes {takes}")
        for transfer in moved:
            self.balances[transfer.source] -= transfer.amount
            self.balances[transfer.target] += transfer.amount

    def write(self) -> None:
        """Write what has changed."""
        changed = [
            {"of": account, "change": amount - self._before[account]}
            for account, amount in self.balances.items()
            if amount != self._before[account]
        ]
        if changed:
            self._connection.execute(_CHANGE_BALANCE, changed)


def change_and_change_back(connection: Connection) -> None:
    """Change the bank's balance and change it back: SQLite writes nothing for an update that changes nothing."""
    for change in (1, -1):
        connection.execute(_CHANGE_BALANCE, [{"of": BANK, "change": change}])
