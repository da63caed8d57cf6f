"""Sessions: whose token it is. The database keeps only the tokens' hashes.

Every message asks whose session it comes from, so sessions are kept in memory for some seconds. Those in use are read
again before these are over, so that a player who acts every few seconds does not wait for the database.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.errors import shortly
from holecard.server.accounts.account_log import Role
from holecard.server.errors import NotFound, NotSignedIn, SessionEnded
from holecard.server.store import schema
from holecard.server.store.database import reading, to_the_end, writing

_DAY = 86_400_000
#: Milliseconds until it is written again that a session is in use.
_COARSELY = 3_600_000
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
#: Characters of a session's hash that name it to its owner.
_ID_LENGTH = 16
_ID = re.compile(f"[0-9a-f]{{{_ID_LENGTH}}}")
_users, _sessions = schema.users.c, schema.sessions.c
_FIND = (
    select(_users.id, _users.name, _users.role, _sessions.token, _sessions.expires_at, _sessions.used_at)
    .join(schema.sessions, _sessions.user == _users.id)
    .where(_users.deleted_at.is_(None))
)
#: How browsers name themselves in their headers, and what people call them. Most claim to be others too: those last.
_BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet")),
    *(("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome")),
    ("Safari/", "Safari"),
)


class User(NamedTuple):
    """A person, or a guest."""

    id: str
    name: str
    role: Role


class ListedSession(NamedTuple):
    """A session as its owner sees it in a list."""

    id: str
    """The beginning of the token's hash: it names the session, and nobody can sign in with it."""
    is_this: bool
    created_at: int | None
    used_at: int
    browser: str | None


class _Session(NamedTuple):
    """Whose session it is, when it ends, when it was used, to the hour, and when it was read from the database."""

    user: User
    expires_at: int
    used_at: int
    read_at: int


class Sessions:
    """Begins and ends sessions, and knows who they belong to."""

    def __init__(
        self,
        engine: AsyncEngine,
        days: int,
        idle_days: int,
        now: Callable[[], int],
        lasting: Callable[[], int] | None = None,
    ) -> None:
        """Begin; `lasting` is the time as if the clock had never been set, by which no session ends too early."""
        self._engine = engine
        self._lasts = days * _DAY
        self._lasts_unused = idle_days * _DAY
        self._now = now
        self._lasting = lasting or now
        self._known: dict[str, _Session] = {}
        """By the hash of the token."""
        self._used: set[str] = set()
        """The hashes of those that somebody has used since they were last read in advance."""
        self._changes = 0
        """How often sessions or roles changed here: what was read before a change is not kept."""
        self._next_sweep = self._lasting() + _SWEEP
        self._looked_up: dict[str, asyncio.Future[_Session | None]] = {}
        """The sessions that the next statement reads, by the hashes of their tokens."""
        self._reading: asyncio.Task[None] | None = None

    async def begin(self, user: User, browser: str | None = None) -> str:
        """Return the token of a new session, in a browser of this family."""
        token, now = secrets.token_urlsafe(32), self._now()
        begun = _Session(user, now + self._lasts, now, self._lasting())
        await self._insert(_hashed(token), begun, browser)
        self._remember(_hashed(token), begun)
        return token

    async def user_of(self, token: str | None) -> User:
        """Return whose session this is."""
        if not token:
            raise NotSignedIn("sign in first, or play as a guest")
        if not _TOKEN.fullmatch(token):
            raise SessionEnded("this session has ended; sign in again")
        hashed, now = _hashed(token), self._lasting()
        known = self._known.get(hashed)
        if known is None or known.read_at + _FRESH < now:
            known = await self._look_up(hashed)
        end = self._end_of_old()
        if known is None or known.expires_at < end or known.used_at + self._lasts_unused < end:
            raise SessionEnded("this session has ended; sign in again")
        self._used.add(hashed)
        return known.user

    @to_the_end
    async def of_user(self, user: str, token: str) -> list[ListedSession]:
        """Return the sessions of a user, the one of this token first, then the one used last."""
        own = select(schema.sessions).where(_sessions.user == user, ~self._is_over())
        async with reading(self._engine) as connection:
            rows = (await connection.execute(own.order_by(_sessions.used_at.desc(), _sessions.token))).mappings().all()
        this = _hashed(token)
        found = [
            ListedSession(_id(row["token"]), row["token"] == this, row["created_at"], row["used_at"], row["browser"])
            for row in rows
        ]
        return sorted(found, key=lambda session: not session.is_this)

    async def end(self, token: str) -> None:
        """End a session; in this process at once, in others when they hear of it."""
        await self._end(_sessions.token == _hashed(token))

    async def end_listed(self, user: str, listed: str) -> None:
        """End a session of a user by what it is called in the list."""
        named = func.substr(_sessions.token, 1, _ID_LENGTH) == listed
        if not _ID.fullmatch(listed) or not await self._end((_sessions.user == user) & named):
            raise NotFound(f"you have no session {shortly(listed)}; it may have ended")

    async def end_others(self, user: str, token: str) -> None:
        """End all sessions of a user but this one."""
        await self._end(others_of(user, token))

    @to_the_end
    async def _end(self, which: ColumnElement[bool]) -> bool:
        """End sessions; return whether there were any."""
        async with writing(self._engine) as connection:
            ended = await end_sessions(connection, which)
        self._forget(ended)
        return bool(ended)

    def read_again(self, user: str | None = None) -> None:
        """Read the sessions of a user, or of everybody, again when they are used next."""
        self._forget([token for token, known in self._known.items() if user in (None, known.user.id)])

    async def read_in_advance(self) -> None:
        """Read the sessions again that are in use and will soon be too old."""
        now, before = self._now(), self._lasting() - _AGING
        self._used &= self._known.keys()
        await self._mark_used([token for token in self._used if self._known[token].used_at + _COARSELY <= now], now)
        aging = [token for token in self._used if self._known[token].read_at < before]
        self._used.difference_update(aging)
        for first in range(0, len(aging), _AT_ONCE):
            await self._read(aging[first : first + _AT_ONCE])

    async def _look_up(self, hashed: str) -> _Session | None:
        """Read a session, together with all others that are looked up meanwhile.

        A stranger may send any number of cookies that nobody has: they must not cost one statement each. Who comes
        while a read is on its way waits for the next one, since a session may have ended meanwhile.
        """
        if hashed not in self._looked_up:
            self._looked_up[hashed] = asyncio.get_running_loop().create_future()
        answer = self._looked_up[hashed]
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_those_looked_up(), name="sessions")
        return await asyncio.shield(answer)

    async def _read_those_looked_up(self) -> None:
        try:
            while self._looked_up:
                asked = dict(islice(self._looked_up.items(), _AT_ONCE))
                for hashed in asked:
                    del self._looked_up[hashed]
                try:
                    found = await self._read(list(asked))
                except Exception as error:
                    for answer in asked.values():
                        answer.set_exception(error)
                        answer.exception()  # nobody may be waiting any more
                else:
                    for hashed, answer in asked.items():
                        answer.set_result(found.get(hashed))
        finally:
            self._reading = None

    @to_the_end
    async def _mark_used(self, tokens: list[str], now: int) -> None:
        """Let the database know that sessions are in use: at most once an hour for each."""
        for first in range(0, len(tokens), _AT_ONCE):
            some = tokens[first : first + _AT_ONCE]
            async with writing(self._engine) as connection:
                await connection.execute(update(schema.sessions).where(_sessions.token.in_(some)).values(used_at=now))
            for token in some:
                if token in self._known:
                    self._known[token] = self._known[token]._replace(used_at=now)

    @to_the_end
    async def _read(self, tokens: list[str]) -> dict[str, _Session]:
        """Read sessions, by the hashes of their tokens, and keep them."""
        changes, now = self._changes, self._lasting()
        async with reading(self._engine) as connection:
            rows = (await connection.execute(_FIND.where(schema.sessions.c.token.in_(tokens)))).mappings().all()
        found = {
            row["token"]: _Session(User(row["id"], row["name"], row["role"]), row["expires_at"], row["used_at"], now)
            for row in rows
        }
        for token in tokens:
            if token not in found:
                self._known.pop(token, None)
            elif changes == self._changes:
                self._remember(token, found[token])
        return found

    def _end_of_old(self) -> int:
        """Return the time before which sessions have ended: a clock that is set forward by mistake ends none."""
        return min(self._now(), self._lasting())

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
    async def _insert(self, hashed: str, begun: _Session, browser: str | None) -> None:
        """Store a session; from time to time, delete those that are over."""
        times = {"created_at": begun.used_at, "used_at": begun.used_at, "expires_at": begun.expires_at}
        async with writing(self._engine) as connection:
            row = {"token": hashed, "user": begun.user.id, "browser": browser, **times}
            await connection.execute(insert(schema.sessions).values(row))
            if self._next_sweep <= self._lasting():
                self._next_sweep = self._lasting() + _SWEEP
                await connection.execute(delete(schema.sessions).where(self._is_over()))

    def _is_over(self) -> ColumnElement[bool]:
        end = self._end_of_old()
        return (_sessions.expires_at < end) | (_sessions.used_at < end - self._lasts_unused)


async def end_sessions(connection: AsyncConnection, which: ColumnElement[bool]) -> list[str]:
    """Delete sessions in a transaction and tell other processes when it is committed; return the tokens' hashes."""
    ended = delete(schema.sessions).where(which).returning(_sessions.token, _sessions.user)
    rows = (await connection.execute(ended)).all()
    if connection.dialect.name == "postgresql":
        for user in sorted({row.user for row in rows}):
            await connection.execute(select(func.pg_notify("holecard", f"account:{user} 0")))
    return [row.token for row in rows]


def others_of(user: str, token: str) -> ColumnElement[bool]:
    """Return which sessions are a user's others than that of a token."""
    return (_sessions.user == user) & (_sessions.token != _hashed(token))


def browser_family(user_agent: str) -> str | None:
    """Return what people call a browser, by its header; None for other programs."""
    return next((family for sign, family in _BROWSERS if sign in user_agent), None)


def _id(hashed: str) -> str:
    return hashed[:_ID_LENGTH]


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
