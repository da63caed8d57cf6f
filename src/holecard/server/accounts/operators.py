"""Operators are made on the server's machine, never over the network: by somebody who can open the database."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from holecard.server.accounts.accounts import Accounts
from holecard.server.errors import NotAllowed, NotFound
from holecard.server.settings import ServerSettings
from holecard.server.store.append import Appender
from holecard.server.store.migrate import open_database

_SHORTEST_PASSWORD = 8


async def appoint(settings: ServerSettings, name: str, ask_password: Callable[[], str]) -> bool:
    """Make a person an operator; where nobody has the name, create the account. Return whether it is new."""
    async with _accounts(settings) as accounts:
        found = await accounts.find(name)
        if found is None:
            password = ask_password()
            if len(password) < _SHORTEST_PASSWORD:
                raise NotAllowed(f"a password has at least {_SHORTEST_PASSWORD} characters")
            await accounts.register(name, password, "operator")
            return True
        if found.role == "guest":
            raise NotAllowed(f"{name!r} is a guest without a password; an operator needs an account")
        await accounts.set_role(name, "operator")
        return False


async def dismiss(settings: ServerSettings, name: str) -> None:
    """Make an operator a player again."""
    async with _accounts(settings) as accounts:
        found = await accounts.find(name)
        if found is None or found.role != "operator":
            raise NotFound(f"no operator is called {name!r}")
        await accounts.set_role(name, "player")


@asynccontextmanager
async def _accounts(settings: ServerSettings) -> AsyncIterator[Accounts]:
    engine = await open_database(settings.database)
    appender = Appender(engine)
    try:
        appender.start()
        yield Accounts(engine, appender, settings, lambda: time.time_ns() // 1_000_000)
        await appender.stop()
    finally:
        await engine.dispose()
