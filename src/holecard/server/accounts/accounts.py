"""Accounts. An account's name, role and play money follow from its own log."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from sqlalchemy import Delete, Table, delete, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.money import Money, dollars
from holecard.server.accounts.account_log import (
    AccountEntry,
    AccountOpened,
    BoughtIn,
    GuestNamed,
    Role,
    RoleGiven,
    account_row,
    account_stream,
    account_transfers,
    buy_in_below,
    fold_account,
)
from holecard.server.accounts.lock_out import LockOut
from holecard.server.accounts.names import folded_name, refuse_reserved
from holecard.server.accounts.passwords import hash_password, is_password, refuse_when_busy
from holecard.server.accounts.sessions import Sessions, User, end_sessions, others_of
from holecard.server.errors import (
    CommandReused,
    NotAllowed,
    NotFound,
    NotSignedIn,
    SequenceTakenError,
    ServerRefusal,
    WrongPassword,
)
from holecard.server.money.transfers import player_account
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.append import Appender
from holecard.server.store.database import to_the_end, writing
from holecard.server.store.read import StoreReader
from holecard.server.store.units import Limit, Owned, Unit, held_by

#: How often a change of an account is tried when other processes are faster.
_ATTEMPTS = 20
#: Milliseconds in which a request for a new guest or account, repeated with the same id, has the effect of one.
_REPEATED_WITHIN = 600_000
#: The hash of what a buy-in asks for: nothing but the money.
_BUY_IN = hashlib.sha256(b"buy in").hexdigest()

NewRows: TypeAlias = tuple[tuple[Table, Mapping[str, Any]], ...]


class NameTaken(ServerRefusal):
    """Somebody has this name."""

    code = "name taken"
    status = 409


class EnoughMoney(ServerRefusal):
    """The person owns too much for a buy-in."""

    code = "enough money"
    status = 409


class Accounts:
    """Creates accounts and signs people in."""

    def __init__(
        self,
        engine: AsyncEngine,
        appender: Appender,
        settings: ServerSettings,
        now: Callable[[], int],
        smallest_bet: Callable[[], int] = lambda: 0,
        lasting: Callable[[], int] | None = None,
    ) -> None:
        self._engine = engine
        self._reader = StoreReader(engine)
        self._appender = appender
        self._settings = settings
        self._now = now
        self._smallest_bet = smallest_bet
        self.sessions = Sessions(engine, settings.session_days, settings.session_idle_days, now, lasting)
        self.lock_out = LockOut(engine, now)

    # Accounts

    async def guest(self, request: str | None = None) -> User:
        """Create a guest with a name that nobody has; repeated with the same id of the request, return the same one."""
        for _ in range(_ATTEMPTS):
            if found := await self._arrived(request):
                if found["role"] != "guest":
                    raise CommandReused("this id was used for an account; make a new one")
                return _user(found)
            with suppress(NameTaken):
                return await self._create(f"Guest {secrets.token_hex(3)}", None, "guest", request)
        raise ServerRefusal("no name is free for another guest; try again")

    async def register(
        self, name: str, password: str, role: Role = "player", request: str | None = None, guest: User | None = None
    ) -> User:
        """Create an account, or give a guest a name and a password; see `guest` for the id of the request."""
        if role != "operator":  # they are made on the server's machine, and may have any name
            refuse_reserved(name)
        if found := await self._registered(name, password, request):
            return found
        try:
            if guest is not None and guest.role != "guest":
                raise NotAllowed("only a guest can be given a name")
            hashed = await hash_password(password)
            if guest is not None:
                return await self._name_guest(guest, name, hashed, request)
            return await self._create(name, hashed, role, request)
        except (NameTaken, NotAllowed):
            if found := await self._registered(name, password, request):
                return found  # the same request was carried out meanwhile
            raise

    async def _registered(self, name: str, password: str, request: str | None) -> User | None:
        """Return the account that a request with this id has created; refuse the id for another name or password."""
        found = await self._arrived(request)
        if found is None:
            return None
        if found["folded_name"] != folded_name(name) or not await is_password(password, found["password"]):
            raise CommandReused("this id was used for another guest or account; make a new one")
        return _user(found)

    async def _name_guest(self, guest: User, name: str, password: str, request: str | None = None) -> User:
        """Give a guest a name and the hash of a password; the money stays, and the guest's session ends."""
        row = {"name": name, "folded_name": folded_name(name), "role": "player", "password": password}
        sessions = delete(schema.sessions).where(schema.sessions.c.user == guest.id)
        inserts = self._arrival(request, guest.id)
        await self.change(guest.id, GuestNamed(name=name), row, sessions, *self._old_arrivals(), inserts=inserts)
        self.sessions.read_again(guest.id)
        return User(guest.id, name, "player")

    async def sign_in(self, name: str, password: str, address: str) -> User:
        """Return the user with this name and password; repeated failures have to wait longer and longer."""
        row = await self._named(name)
        if not await self._is_password(name, password, row, address):
            raise NotSignedIn("this name and password do not belong together")
        assert row is not None
        return _user(row)

    async def change_password(self, user: User, old: str, new: str, token: str, address: str) -> None:
        """Give an account another password, and end its sessions but that of the token."""
        known = await self.check_password(user, old, address)
        await self._write_password(user.id, known, await hash_password(new), token)
        self.sessions.read_again(user.id)

    async def check_password(self, user: User, password: str, address: str) -> str:
        """Return the hash of the password of somebody who has a session; wrong ones count as failed sign-ins."""
        if user.role == "guest":
            raise NotAllowed("a guest has no password; choose a name and a password first")
        row = await self._named(user.name)
        if not await self._is_password(user.name, password, row, address):
            raise WrongPassword("this is not the password of your account")
        assert row is not None
        return str(row["password"])

    async def _is_password(self, name: str, password: str, row: Mapping[str, Any] | None, address: str) -> bool:
        """Return whether a password is right; repeated failures have to wait longer and longer."""
        refuse_when_busy()
        await self.lock_out.attempt(folded_name(name), address)
        is_right = await is_password(password, None if row is None else row["password"])
        if is_right:
            await self.lock_out.succeeded(folded_name(name), address)
        return is_right

    @to_the_end
    async def _write_password(self, user: str, known: str, fresh: str, token: str) -> None:
        """Write the hash of a password in the place of a known one, and end the other sessions with it."""
        own = (schema.users.c.id == user, schema.users.c.password == known)
        async with writing(self._engine) as connection:
            if not (await connection.execute(update(schema.users).where(*own).values(password=fresh))).rowcount:
                raise WrongPassword("your password was changed in another window a moment ago")
            await end_sessions(connection, others_of(user, token))

    async def find(self, name: str) -> User | None:
        """Return the user with this name."""
        row = await self._named(name)
        return None if row is None else _user(row)

    async def set_role(self, name: str, role: Literal["player", "operator"]) -> None:
        """Give an account another role; the command line does this for the first operator."""
        row = await self._named(name)
        if row is None:
            raise NotFound(f"nobody is called {name!r}")
        if row["role"] != role:
            await self.change(row["id"], RoleGiven(role=role), {"role": role})
        self.sessions.read_again()

    @property
    def buy_in_below(self) -> int:
        """Money, in cents and with the stakes on tables, below which the bank gives new money."""
        return buy_in_below(self._settings.starting_money, self._smallest_bet())

    async def buy_in(self, user: User, command: str | None = None) -> None:
        """Give somebody who has lost almost all play money as much as is missing to the money of a new account.

        With the id of a command, a request that is sent again gives once.
        """
        ids = None if command is None else (command, _BUY_IN)
        for _ in range(_ATTEMPTS):
            # The log is read first: if another buy-in comes after that, its entry takes the number of this one.
            last = (await self._reader.entries(account_stream(user.id)))[-1]
            had = await self._reader.balance(player_account(user.id))
            if ids is not None and await self._reader.repeated(user.id, *ids):
                return
            held, below = await self.held(user), self.buy_in_below
            if had + held >= below:
                raise EnoughMoney(f"{_what_is_owned(had, held)}; new money is given below {_dollars(below)}")
            given = self._settings.starting_money - had - held
            entry = BoughtIn(had=had, held=held, below=below, cents=given)
            row = account_row(user.id, entry, self._now(), last, ids)
            # Money that moves between account and tables meanwhile could be counted nowhere.
            owned = Owned(user.id, had, held)
            with suppress(SequenceTakenError):
                await self._appender.append(Unit((row,), (account_transfers(user.id, entry),), owned=owned))
                return
        raise ServerRefusal("this account is too busy; try again")

    async def held(self, user: User) -> int:
        """Return what a user has on all tables together, in cents."""
        return int((await self._reader.rows(held_by(user.id)))[0]["held"])

    async def _create(self, name: str, password: str | None, role: Role, request: str | None = None) -> User:
        user, at = User(secrets.token_urlsafe(12), name, role), self._now()
        row = {
            "id": user.id,
            "name": name,
            "folded_name": folded_name(name),
            "password": password,
            "role": role,
            "created_at": at,
        }
        opened = AccountOpened(name=name, role=role, cents=self._settings.starting_money)
        entry = account_row(user.id, opened, at)
        unit = Unit(
            (entry,),
            (account_transfers(user.id, opened),),
            inserts=((schema.users, row), *self._arrival(request, user.id)),
        )
        if request is not None:
            unit = unit._replace(changes=self._old_arrivals())
        try:
            await self._appender.append(unit)
        except SequenceTakenError:
            raise NameTaken(f"the name {name!r} is taken; choose another one") from None
        return user

    # Requests that are repeated

    async def _arrived(self, request: str | None) -> dict[str, Any] | None:
        """Return the user whom a request with this id has created a while ago."""
        if request is None:
            return None
        own = schema.arrivals.c
        recent = (own.key == _hashed(request)) & (own.at >= self._now() - _REPEATED_WITHIN)
        found = await self._reader.rows(
            select(schema.users).join(schema.arrivals, own.user == schema.users.c.id).where(recent)
        )
        return found[0] if found else None

    def _arrival(self, request: str | None, user: str) -> NewRows:
        """Return the row that remembers a request; its id is as good as a session, so that only its hash is kept."""
        row = {"key": _hashed(request or ""), "user": user, "at": self._now()}
        return () if request is None else ((schema.arrivals, row),)

    def _old_arrivals(self) -> tuple[Delete, ...]:
        return (delete(schema.arrivals).where(schema.arrivals.c.at < self._now() - _REPEATED_WITHIN),)

    # Changes

    async def change(
        self,
        user: str,
        entry: AccountEntry,
        values: Mapping[str, object],
        *more: Delete,
        inserts: NewRows = (),
        limits: tuple[Limit, ...] = (),
        at: int | None = None,
    ) -> None:
        """Append an entry to an account's log, and change its row with it; again if another process was faster."""
        change = update(schema.users).where(schema.users.c.id == user).values(values)
        for _ in range(_ATTEMPTS):
            rows = await self._reader.entries(account_stream(user))
            now = self._now() if at is None else at
            fold_account(rows).after(entry, now)
            row = account_row(user, entry, now, rows[-1])
            try:
                await self._appender.append(
                    Unit((row,), ((),), inserts=inserts, limits=limits, changes=(change, *more))
                )
            except SequenceTakenError:
                name = values.get("name")
                taken = None if name is None else await self._named(str(name))
                if taken is not None and taken["id"] != user:
                    raise NameTaken(f"the name {name!r} is taken; choose another one") from None
                continue
            return
        raise ServerRefusal("this account is too busy; try again")

    async def _named(self, name: str) -> dict[str, Any] | None:
        found = await self._reader.rows(select(schema.users).where(schema.users.c.folded_name == folded_name(name)))
        return found[0] if found else None


def _user(row: Mapping[str, Any]) -> User:
    return User(row["id"], row["name"], row["role"])


def _hashed(request: str) -> str:
    return hashlib.sha256(request.encode()).hexdigest()


def _what_is_owned(had: int, held: int) -> str:
    on_tables = f", and {_dollars(held)} on tables" if held else ""
    return f"you have {_dollars(had)}{on_tables}"


def _dollars(cents: int) -> str:
    return dollars(Money.cents(cents))
