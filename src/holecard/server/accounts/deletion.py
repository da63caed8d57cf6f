"""The end of an account: it has no name, password or session any more, and its money goes back to the bank.

Its rounds stay, because the logs of tables are chains of hashes; pages show "former player" for the name in them. What
its hands still win, which the clock plays after their player has left, goes to the bank when their round is over.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from sqlalchemy import delete, exists, literal, select

from holecard.errors import Refusal
from holecard.server.accounts.account_log import (
    FORMER_PLAYER,
    AccountDeleted,
    FoldedAccount,
    MoneyReturned,
    account_row,
    account_stream,
    account_transfers,
    name_key,
)
from holecard.server.accounts.accounts import Accounts
from holecard.server.accounts.names import folded_name
from holecard.server.accounts.sessions import User
from holecard.server.errors import NotAllowed, SequenceTakenError
from holecard.server.money.transfers import player_account
from holecard.server.store import schema
from holecard.server.store.append import Appender
from holecard.server.store.read import StoreReader
from holecard.server.store.units import Limit, Unit

#: How often the money of a deleted account is read again when it changes meanwhile.
_ATTEMPTS = 20
#: Milliseconds between two looks at accounts that were deleted lately, and at all that were ever deleted.
_LOOK = 10_000
_LOOK_AT_ALL = 3_600_000
#: Longer than a round takes, in milliseconds.
_LATELY = 2 * 86_400_000
_OWN_ROWS = (schema.sessions, schema.drills, schema.jobs, schema.arrivals)


class Seats(Protocol):
    """Who can take a person from all seats."""

    async def leave_all_seats(self, user: str) -> None:
        """Free the seats of somebody who is gone."""


class Deletion:
    """Deletes accounts, and gives the bank what their hands win afterwards."""

    def __init__(
        self, accounts: Accounts, seats: Seats, reader: StoreReader, appender: Appender, now: Callable[[], int]
    ) -> None:
        self._accounts = accounts
        self._seats = seats
        self._reader = reader
        self._appender = appender
        self._now = now
        self._next_look = self._next_look_at_all = 0

    async def delete(self, user: User, password: str | None, address: str) -> None:
        """Delete an account: from now on nobody has a session of it or can sign in to it."""
        if user.role != "guest":
            if password is None:
                raise NotAllowed("send your password too, so that nobody else deletes your account")
            await self._accounts.check_password(user, password, address)
        limits = await self._other_operators(user) if user.role == "operator" else ()
        at = self._now()
        gone = FoldedAccount(FORMER_PLAYER, "guest", 0, at)
        row = {"name": gone.name, "folded_name": name_key(user.id, gone), "role": gone.role, "deleted_at": at}
        rows = [delete(table).where(table.c.user == user.id) for table in _OWN_ROWS]
        await self._accounts.change(user.id, AccountDeleted(), {**row, "password": None}, *rows, limits=limits, at=at)
        with suppress(Refusal):  # what cannot be done now is done at the next look
            await self._accounts.lock_out.forget(folded_name(user.name))
            await self._clear(user.id)

    async def look(self) -> None:
        """Clear, from time to time, what deleted accounts have again: what a hand has won, or a seat."""
        now = self._now()
        if 0 < self._next_look - now <= _LOOK:  # unless the clock went back
            return
        self._next_look = now + _LOOK
        since = now - _LATELY
        if now >= self._next_look_at_all:
            self._next_look_at_all, since = now + _LOOK_AT_ALL, 0
        for user in await self._with_more(since):
            with suppress(Refusal):
                await self._clear(user)

    async def _other_operators(self, user: User) -> tuple[Limit, ...]:
        """Return what must hold when an operator's account is deleted: another operator is left."""
        role = schema.users.c.role
        found = await self._reader.rows(select(schema.users.c.id).where(role == "operator"))
        words = "you are the only operator; let somebody make another one first, with `holecard operator`"
        if len(found) < 2:
            raise NotAllowed(words)
        others = schema.users.alias()
        is_last = ~exists().where(others.c.role == "operator")
        nobody_left = select(schema.users.c.id).where(schema.users.c.id == user.id, is_last)
        # All of them are locked: two who leave at the same time see each other.
        return tuple(Limit(one["id"], nobody_left, 0, words, "operator") for one in found)

    async def _clear(self, user: str) -> None:
        """Free the seats of a deleted account, and give the bank what it has."""
        await self._seats.leave_all_seats(user)
        for _ in range(_ATTEMPTS):
            last = (await self._reader.entries(account_stream(user)))[-1]
            had = await self._reader.balance(player_account(user))
            if not had:
                return
            entry = MoneyReturned(cents=had)
            row = account_row(user, entry, self._now(), last)
            with suppress(SequenceTakenError):
                await self._appender.append(Unit((row,), (account_transfers(user, entry),)))

    async def _with_more(self, since: int) -> list[str]:
        """Return the accounts deleted since a time that have money or seats."""
        user, own = schema.users.c.id, schema.balances.c
        has_money = exists().where(own.account == literal(player_account("")) + user, own.amount > 0)
        sits = exists().where(schema.seats.c.user == user)
        query = select(user).where(schema.users.c.deleted_at >= since, has_money | sits)
        return [row["id"] for row in await self._reader.rows(query)]
