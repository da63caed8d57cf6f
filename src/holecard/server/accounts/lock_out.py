"""Sign-ins are counted before the password is checked; after a few, each one has to wait twice as long as the last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, case, delete, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.errors import plural
from holecard.server.errors import TooMany
from holecard.server.store import schema
from holecard.server.store.database import is_sqlite, to_the_end, writing

#: Attempts before the first wait. Many people may share an address.
_FREE_FOR_NAME = 5
_FREE_FOR_ADDRESS = 20
#: Milliseconds.
_FIRST_WAIT = 1_000
_LONGEST_WAIT = 15 * 60_000
_WAITS = tuple(_FIRST_WAIT << doublings for doublings in range(10))
#: One attempt is forgotten after each of these.
_DECAY = 10 * 60_000
#: Attempts between two looks for rows that have decayed.
_CLEANING = 100


class LockOut:
    """Counts sign-ins by name and by address; a success takes its own back."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], int]) -> None:
        self._engine = engine
        self._now = now
        self._attempts = 0

    @to_the_end
    async def attempt(self, name: str, address: str) -> None:
        """Count an attempt, or refuse it because it comes too early; then nothing is counted."""
        now = self._now()
        async with writing(self._engine) as connection:
            await self._count(connection, _address(address), _FREE_FOR_ADDRESS, now)
            await self._count(connection, _name(name), _FREE_FOR_NAME, now)
        self._attempts += 1
        if self._attempts % _CLEANING == 0:
            async with writing(self._engine) as connection:
                await connection.execute(delete(schema.sign_ins).where(_decayed(now) == 0))

    @to_the_end
    async def succeeded(self, name: str, address: str) -> None:
        """Forget the attempts for a name; take back this one of the address, and its wait."""
        own = schema.sign_ins.c
        fewer = update(schema.sign_ins).where(own.key == _address(address))
        async with writing(self._engine) as connection:
            await connection.execute(fewer.values(failures=own.failures - 1, locked_until=self._now()))
            await connection.execute(delete(schema.sign_ins).where(own.key == _name(name)))

    @to_the_end
    async def forget(self, name: str) -> None:
        """Forget the attempts for a name: its account was deleted."""
        async with writing(self._engine) as connection:
            await connection.execute(delete(schema.sign_ins).where(schema.sign_ins.c.key == _name(name)))

    async def _count(self, connection: AsyncConnection, key: str, free: int, now: int) -> None:
        """Count in one statement, so that of many attempts at the same time only the free ones get through."""
        own, most = schema.sign_ins.c, free + len(_WAITS)
        count = case((_decayed(now) >= most, most), else_=_decayed(now) + 1)
        waits = [(count == free + number, wait) for number, wait in enumerate(_WAITS)]
        wait = case((count < free, 0), *waits, else_=_LONGEST_WAIT)
        made: Any = (sqlite if is_sqlite(self._engine) else postgresql).insert(schema.sign_ins)
        made = made.values(key=key, failures=1, locked_until=now).on_conflict_do_update(
            index_elements=["key"],
            set_={"failures": count, "locked_until": literal(now, BigInteger) + wait},
            # A wait that cannot be is one by a clock that was set back since.
            where=(own.locked_until <= now) | (own.locked_until > now + _LONGEST_WAIT),
        )
        if (await connection.execute(made.returning(own.failures))).first() is None:
            until = (await connection.execute(select(own.locked_until).where(own.key == key))).scalar_one()
            raise TooMany(f"too many failed attempts; try again in {plural((until - now + 999) // 1000, 'second')}")


def _decayed(now: int) -> ColumnElement[int]:
    """Return how many attempts are still counted."""
    own = schema.sign_ins.c
    left = own.failures - (now - own.locked_until) // _DECAY
    return case((own.locked_until > now, own.failures), (left < 0, 0), else_=left)


def _name(name: str) -> str:
    return f"name:{name}"


def _address(address: str) -> str:
    return f"address:{address}"
