"""Accounts and sessions. An account's name, role and play money follow from its own log."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from sqlalchemy import Delete, Executable, RowMapping, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.accounts.account_log import (
    AccountEntry,
    AccountOpened,
    GuestNamed,
    Role,
    RoleGiven,
    account_row,
    account_stream,
    account_transfers,
    fold_account,
)
from holecard.server.accounts.lock_out import LockOut
from holecard.server.accounts.names import folded_name
from holecard.server.accounts.passwords import hash_password, is_password, refuse_when_busy
from holecard.server.errors import NotAllowed, NotFound, NotSignedIn, SequenceTakenError, ServerRefusal, SessionEnded
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.append import Appender
from holecard.server.store.database import reading, to_the_end, writing
from holecard.server.store.read import StoreReader
from holecard.server.store.units import Unit

_DAY = 86_400_000
#: What every session's token looks like.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
#: Sessions kept in memory; beyond that they are read again.
_KNOWN_SESSIONS = 10_000
#: Milliseconds until a session is read again: another process may have ended it, or changed the role.
_FRESH = 10_000
#: Milliseconds until the rows of sessions that have ended are deleted again, when somebody signs in.
_SWEEP = 3_600_000
#: How often a change of an account is tried when other processes are faster.
_ATTEMPTS = 20


class User(NamedTuple):
    """A person, or a guest."""

    id: str
    name: str
    role: Role


class _Session(NamedTuple):
    """Whose session it is, when it ends, and when it was read from the database."""

    user: User
    expires_at: int
    read_at: int


class NameTaken(ServerRefusal):
    """Somebody has this name."""

    code = "name taken"
    status = 409


class Accounts:
    """Creates accounts, signs people in, and knows who a session belongs to."""

    def __init__(
        self, engine: AsyncEngine, appender: Appender, settings: ServerSettings, now: Callable[[], int]
    ) -> None:
        self._engine = engine
        self._reader = StoreReader(engine)
        self._appender = appender
        self._settings = settings
        self._now = now
        self._known: dict[str, _Session] = {}
        self._changes = 0
        """How often sessions or roles changed here: what was read before a change is not kept."""
        self._next_sweep = 0
        self.lock_out = LockOut(engine, now)

    # Accounts

    async def guest(self) -> User:
        """Create a guest with a name that nobody has."""
        return await self._create(f"Guest {secrets.token_hex(3)}", None, "guest")

    async def register(self, name: str, password: str, role: Role = "player") -> User:
        """Create an account."""
        return await self._create(name, await hash_password(password), role)

    async def name_guest(self, guest: User, name: str, password: str) -> User:
        """Give a guest a name and a password; the money stays, and the guest's session ends."""
        if guest.role != "guest":
            raise NotAllowed("only a guest can be given a name")
        row = {"name": name, "folded_name": folded_name(name), "role": "player"}
        sessions = delete(schema.sessions).where(schema.sessions.c.user == guest.id)
        await self._change(
            guest.id, GuestNamed(name=name), {**row, "password": await hash_password(password)}, sessions
        )
        self._forget(token for token, known in self._known.items() if known.user.id == guest.id)
        return User(guest.id, name, "player")

    async def sign_in(self, name: str, password: str, address: str) -> User:
        """Return the user with this name and password; repeated failures have to wait longer and longer."""
        refuse_when_busy()
        await self.lock_out.attempt(folded_name(name), address)
        row = await self._named(name)
        if not await is_password(password, None if row is None else row["password"]):
            raise NotSignedIn("this name and password do not belong together")
        await self.lock_out.succeeded(folded_name(name), address)
        assert row is not None
        return User(row["id"], row["name"], row["role"])

    async def find(self, name: str) -> User | None:
        """Return the user with this name."""
        row = await self._named(name)
        return None if row is None else User(row["id"], row["name"], row["role"])

    async def set_role(self, name: str, role: Literal["player", "operator"]) -> None:
        """Give an account another role; the command line does this for the first operator."""
        row = await self._named(name)
        if row is None:
            raise NotFound(f"nobody is called {name!r}")
        if row["role"] != role:
            await self._change(row["id"], RoleGiven(role=role), {"role": role})
        self._forget(self._known)

    async def _create(self, name: str, password: str | None, role: Role) -> User:
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
        unit = Unit((entry,), (account_transfers(user.id, opened),), inserts=((schema.users, row),))
        try:
            await self._appender.append(unit)
        except SequenceTakenError:
            raise NameTaken(f"the name {name!r} is taken; choose another one") from None
        return user

    async def _change(self, user: str, entry: AccountEntry, values: Mapping[str, object], *more: Delete) -> None:
        """Append an entry to an account's log, and change its row with it; again if another process was faster."""
        change = update(schema.users).where(schema.users.c.id == user).values(values)
        for _ in range(_ATTEMPTS):
            rows = await self._reader.entries(account_stream(user))
            fold_account(rows).after(entry)
            row = account_row(user, entry, self._now(), rows[-1])
            try:
                await self._appender.append(Unit((row,), ((),), changes=(change, *more)))
            except SequenceTakenError:
                name = values.get("name")
                taken = None if name is None else await self._named(str(name))
                if taken is not None and taken["id"] != user:
                    raise NameTaken(f"the name {name!r} is taken; choose another one") from None
                continue
            return
        raise ServerRefusal("this account is too busy; try again")

    # Sessions

    async def begin_session(self, user: User) -> str:
        """Return the token of a new session; the database keeps only its hash."""
        token = secrets.token_urlsafe(32)
        expires = self._now() + self._settings.session_days * _DAY
        row = {"token": _hashed(token), "user": user.id, "expires_at": expires}
        await self._write(insert(schema.sessions).values(row))
        if self._next_sweep <= self._now():
            self._next_sweep = self._now() + _SWEEP
            await self._write(delete(schema.sessions).where(schema.sessions.c.expires_at < self._now()))
        self._remember(_hashed(token), _Session(user, expires, self._now()))
        return token

    async def user_of(self, token: str | None) -> User:
        """Return whose session this is."""
        if not token:
            raise NotSignedIn("sign in first, or play as a guest")
        if not _TOKEN.fullmatch(token):
            raise SessionEnded("this session has ended; sign in again")
        known = self._known.get(_hashed(token))
        if known is None or known.read_at + _FRESH < self._now():
            known = await self._session(_hashed(token))
        if known is None or known.expires_at < self._now():
            raise SessionEnded("this session has ended; sign in again")
        return known.user

    async def end_session(self, token: str) -> None:
        """End a session; in this process at once, in others within seconds."""
        await self._write(delete(schema.sessions).where(schema.sessions.c.token == _hashed(token)))
        self._forget([_hashed(token)])

    @to_the_end
    async def _session(self, hashed: str) -> _Session | None:
        query = (
            select(schema.users, schema.sessions.c.expires_at)
            .join(schema.sessions, schema.sessions.c.user == schema.users.c.id)
            .where(schema.sessions.c.token == hashed)
        )
        changes = self._changes
        async with reading(self._engine) as connection:
            row = (await connection.execute(query)).mappings().first()
        if row is None:
            self._known.pop(hashed, None)
            return None
        session = _Session(User(row["id"], row["name"], row["role"]), row["expires_at"], self._now())
        return self._remember(hashed, session) if changes == self._changes else session

    def _remember(self, hashed: str, session: _Session) -> _Session:
        """Keep a session in memory; they are all in the database."""
        if len(self._known) >= _KNOWN_SESSIONS:
            self._known.clear()
        self._known[hashed] = session
        return session

    def _forget(self, hashed: Iterable[str]) -> None:
        """Read these sessions again when they are used next."""
        self._changes += 1
        for one in tuple(hashed):
            self._known.pop(one, None)

    @to_the_end
    async def _named(self, name: str) -> RowMapping | None:
        query = select(schema.users).where(schema.users.c.folded_name == folded_name(name))
        async with reading(self._engine) as connection:
            return (await connection.execute(query)).mappings().first()

    @to_the_end
    async def _write(self, statement: Executable) -> None:
        async with writing(self._engine) as connection:
            await connection.execute(statement)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
