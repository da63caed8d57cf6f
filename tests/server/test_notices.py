"""News of other processes come over one connection, whatever fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from holecard.server.errors import Unavailable
from holecard.server.store import notices
from holecard.server.store.notices import Notices
from tests.patience import patient


class Driver:
    """A connection of PostgreSQL, and what SQLAlchemy puts around it."""

    def __init__(self) -> None:
        self.driver_connection = self
        self.lost: Callable[[object], None] = lambda _driver: None
        self.is_listening = False

    async def get_raw_connection(self) -> Driver:
        return self

    def add_termination_listener(self, heard: Callable[[object], None]) -> None:
        self.lost = heard

    async def add_listener(self, _channel: str, _heard: object) -> None:
        self.is_listening = True

    def is_closed(self) -> bool:
        return False

    async def invalidate(self) -> None:
        was, self.is_listening = self.is_listening, False
        if was:
            self.lost(self)

    async def close(self) -> None:
        await self.invalidate()


class Listener:
    """Cannot read at first what was missed."""

    def __init__(self, failures: int, on_failure: Callable[[], None]) -> None:
        self.failures, self.on_failure, self.asked = failures, on_failure, 0

    async def catch_up_all(self) -> None:
        self.asked += 1
        if self.asked <= self.failures:
            self.on_failure()
            raise Unavailable("not now")

    def lacks(self, table_id: str, sequence: int) -> bool:
        return (table_id, sequence) != ("t2", 3)

    async def catch_up(self, table_id: str, sequence: int) -> None: ...

    async def catch_up_orders(self) -> None: ...


def unheard(user: str) -> None:
    pytest.fail(f"nothing was said of {user}")


@pytest.mark.parametrize("breaks_again", [False, True])
def test_there_is_one_connection_that_listens(monkeypatch: pytest.MonkeyPatch, breaks_again: bool) -> None:
    monkeypatch.setattr(notices, "_PAUSE", 0.001)
    made: list[Driver] = []

    async def connect() -> Driver:
        made.append(Driver())
        return made[-1]

    def lose() -> None:
        if breaks_again:
            made[-1].lost(made[-1])

    async def run() -> None:
        engine: Any = SimpleNamespace(dialect=SimpleNamespace(name="postgresql"), connect=connect)
        listener = Listener(3, lose)
        listening = Notices(engine, listener, unheard)
        await listening.start()
        made[0].lost(made[0])
        while listener.asked < 4 or listening._tasks:
            await asyncio.sleep(0.001)
        assert [driver.is_listening for driver in made] == [False] * (len(made) - 1) + [True]
        assert len(made) == (5 if breaks_again else 2)
        await listening.stop()
        assert not any(driver.is_listening for driver in made)

    asyncio.run(asyncio.wait_for(run(), patient(10)))


def test_news_of_tables_and_of_orders_are_read() -> None:
    """And of accounts, once they have sessions; what cannot be read now is read later."""
    heard: list[object] = []

    class Reads(Listener):
        async def catch_up(self, table_id: str, sequence: int) -> None:
            heard.append((table_id, sequence))

        async def catch_up_orders(self) -> None:
            heard.append("orders")
            raise Unavailable("not now")

    async def run() -> None:
        listening = Notices(SimpleNamespace(), Reads(0, lambda: None), heard.append)  # type: ignore[arg-type]
        for words in ("table:t1 7", "table:t2 3", "account:u1 2", "account:u2 1", "orders:all 1"):
            listening._heard(None, 0, "holecard", words)
        await asyncio.gather(*listening._tasks)

    asyncio.run(run())
    assert heard == ["u1", ("t1", 7), "orders"]
