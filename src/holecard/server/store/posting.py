"""Post transfers to the balances: stakes are taken from what a player has before, never from what they may win."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from sqlalchemy import ARRAY, Connection, String, any_, bindparam, select, text

from holecard.money import Money, dollars
from holecard.server.errors import NotEnoughMoney, TooMuchMoney
from holecard.server.money.transfers import BANK, Transfer
from holecard.server.store import schema
from holecard.server.store.many_rows import ManyRows, PostgresStatement, Rows, run_together

#: What is on accounts, in cents.
Balances: TypeAlias = dict[str, int]


def _open_account(dialect: Any) -> Any:
    return dialect.insert(schema.balances).on_conflict_do_nothing(index_elements=["account"])


_OPEN_ACCOUNT = ManyRows(_open_account)
_LOCK_BALANCES = (
    select(schema.balances)
    .where(schema.balances.c.account == any_(bindparam("accounts", type_=ARRAY(String))))
    .order_by(schema.balances.c.account)
    .with_for_update()
)
#: For PostgreSQL.
_CHANGE_BALANCE = PostgresStatement(
    "UPDATE balances SET amount = amount + (new ->> 1)::BIGINT {rows} WHERE account = new ->> 0", "account", "change"
)
#: The same for SQLite, and all balances as one row.
_CHANGE_BALANCES = text(
    "UPDATE balances SET amount = amount + new.value FROM json_each(:changes) AS new WHERE account = new.key"
)
_BALANCES = text(
    "SELECT json_group_object(account, amount) FROM balances WHERE account IN (SELECT value FROM json_each(:accounts))"
)


#: Cents beyond which nobody bets: what a round can win on top of them still fits into an integer of 64 bits.
MOST = 10**15


class Posting:
    """Some balances in one transaction, in which nobody else changes them: `post` transfers, then write `changes`."""

    def __init__(self, connection: Connection, accounts: Iterable[str], known: set[str]) -> None:
        """Read and lock the balances; `known` accounts have one already."""
        # In the order of their names, so that two processes never wait for each other.
        names = sorted(set(accounts))
        opened = [{"account": account, "amount": 0} for account in names if account not in known]
        _OPEN_ACCOUNT.run(connection, opened)
        self.balances: Balances = _read(connection, names)
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
            if owned > MOST:
                raise TooMuchMoney(f"nobody bets with more than {dollars(Money.cents(MOST))}; close this table")
        for transfer in moved:
            self.balances[transfer.source] -= transfer.amount
            self.balances[transfer.target] += transfer.amount

    @property
    def changes(self) -> dict[str, int]:
        """What was added to each balance that has changed."""
        return {
            account: amount - self._before[account]
            for account, amount in self.balances.items()
            if amount != self._before[account]
        }


def change_and_change_back(connection: Connection) -> None:
    """Change the bank's balance and change it back: SQLite writes nothing for an update that changes nothing."""
    for change in (1, -1):
        run_together(connection, balance_changes(connection, {BANK: change}))


def _read(connection: Connection, accounts: list[str]) -> Balances:
    if connection.dialect.name == "sqlite":
        found = connection.execute(_BALANCES, {"accounts": json.dumps(accounts)})
        balances: Balances = json.loads(found.scalar_one())
        return balances
    return {row.account: row.amount for row in connection.execute(_LOCK_BALANCES, {"accounts": accounts})}


def balance_changes(connection: Connection, changes: Mapping[str, int]) -> list[tuple[ManyRows, Rows]]:
    """Return what `run_together` needs to change balances; SQLite changes them at once."""
    if connection.dialect.name == "sqlite":
        if changes:
            connection.execute(_CHANGE_BALANCES, {"changes": json.dumps(changes)})
        return []
    return [(_CHANGE_BALANCE, [{"account": account, "change": change} for account, change in changes.items()])]
