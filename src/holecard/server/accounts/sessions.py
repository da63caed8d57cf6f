"""Sessions: whose token it is. The database keeps only the tokens' hashes.

Every message asks whose session it comes from, so sessions are kept in memory for some seconds. Those in use are read
again before these are over, so that a player who acts every few seconds does not wait for the database.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from typing import NamedTuple

from sqlalchemy import Executable, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.accounts.account_log import Role
from holecard.server.errors import NotSignedIn, SessionEnded
from holecard.server.store import schema
from holecard.server.store.database import reading, to_the_end, writing

_DAY = 86_400_000
#: What every session's token looks like.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
#: Sessions kept in memory; beyond that they are read again.
_KNOWN_SESSIONS = 10_000
#: Milliseconds until a session must be read again: another process may have ended it, or changed the role.
_FRESH = 10_000
#: Milliseconds after which a session that is in use is read again in advance, and how many are read at once.
_AGING = 5_000
_AT_ONCE = 500
#: Milliseconds until the rows of sessions that have ended are deleted again, when somebody signs in.
_SWEEP = 3_600_000
_FIND = select(schema.users, schema.sessions.c.expires_at, schema.sessions.c.token).join(
    schema.sessions, schema.sessions.c.user == schema.users.c.id
)


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


class Sessions:
    """Begins and ends sessions, and knows who they belong to."""

    def __init__(self, engine: AsyncEngine, days: int, now: Callable[[], int]) -> None:
        self._engine = engine
        self._days = days
        self._now = now
        self._known: dict[str, _Session] = {}
        """By the hash of the token."""
        self._used: set[str] = set()
        """The hashes of those that somebody has used since they were last read in advance."""
        self._changes = 0
        """How often sessions or roles changed here: what was read before a change is not kept."""
        self._next_sweep = 0

    async def begin(self, user: User) -> str:
        """Return the token of a new session."""
        token = secrets.token_urlsafe(32)
        expires = self._now() + self._days * _DAY
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
        hashed, now = _hashed(token), self._now()
        known = self._known.get(hashed)
        if known is None or known.read_at + _FRESH < now:
            known = (await self._read([hashed])).get(hashed)
        if known is None or known.expires_at < now:
            raise SessionEnded("this session has ended; sign in again")
        self._used.add(hashed)
        return known.user

    async def end(self, token: str) -> None:
        """End a session; in this process at once, in others within seconds."""
        await self._write(delete(schema.sessions).where(schema.sessions.c.token == _hashed(token)))
        self._forget([_hashed(token)])

    def read_again(self, user: str | None = None) -> None:
        """Read the sessions of a user, or of everybody, again when they are used next."""
        self._forget([token for token, known in self._known.items() if user in (None, known.user.id)])

    async def read_in_advance(self) -> None:
        """Read the sessions again that are in use and will soon be too old."""
        before = self._now() - _AGING
        self._used &= self._known.keys()
        aging = [token for token in self._used if self._known[token].read_at < before]
        self._used.difference_update(aging)
        for first in range(0, len(aging), _AT_ONCE):
            await self._read(aging[first : first + _AT_ONCE])

    @to_the_end
    async def _read(self, tokens: list[str]) -> dict[str, _Session]:
        """Read sessions, by the hashes of their tokens, and keep them."""
        changes, now = self._changes, self._now()
        async with reading(self._engine) as connection:
            rows = (await connection.execute(_FIND.where(schema.sessions.c.token.in_(tokens)))).mappings().all()
        found = {
            row["token"]: _Session(User(row["id"], row["name"], row["role"]), row["expires_at"], now) for row in rows
        }
        for token in tokens:
            if token not in found:
                self._known.pop(token, None)
            elif changes == self._changes:
                self._remember(token, found[token])
        return found

    def _remember(self, hashed: str, session: _Session) -> None:
        """Keep a session in memory; they are all in the database."""
        if len(self._known) >= _KNOWN_SESSIONS:
            self._known.clear()
            self._used.clear()
        self._known[hashed] = session

    def _forget(self, hashed: Iterable[str]) -> None:
        """Read these sessions again when they are used next."""
        self._changes += 1
        for one in hashed:
            self._known.pop(one, None)

    @to_the_end
    async def _write(self, statement: Executable) -> None:
        async with writing(self._engine) as connection:
            await connection.execute(statement)


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
