"""Databases for the server's tests: SQLite in a file, and a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from argon2 import PasswordHasher
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.accounts import passwords
from holecard.server.store import migrate
from holecard.server.store.database import connect
from holecard.server.store.sqlite_file import file_of
from holecard.server.web import identity
from tests.server.postgres import postgres

_number = count()


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of a PostgreSQL server that runs for these tests."""
    with TemporaryDirectory(prefix="holecard-") as folder, postgres(Path(folder)) as address:
        yield address


@pytest.fixture(scope="session", autouse=True)
def _fast_passwords() -> Iterator[None]:
    """Hash passwords with little work, where the server runs in the process of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        fast = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_HASHER", fast)
        patch.setattr(passwords, "_NOBODY", fast.hash("nobody"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_as_testserver() -> Iterator[None]:
    """Let servers in the process of the tests answer to the name by which the test client calls them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identity, "_OWN_NAMES", (*identity._OWN_NAMES, "testserver"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _copied_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let a server in the process of the tests copy the tables of a new SQLite file: all migrations run once."""
    template, real = tmp_path_factory.mktemp("template") / "new.db", migrate.migrate

    async def copy(engine: AsyncEngine) -> None:
        file = file_of(engine.url)
        if file is None or file.stat().st_size:
            await real(engine)
            return
        if not template.exists():
            first = connect(f"sqlite+aiosqlite:///{template}", waits=True)
            await real(first)
            await first.dispose()
        if not file.stat().st_size:  # nobody else has made them meanwhile
            file.write_bytes(template.read_bytes())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrate, "migrate", copy)
        yield


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The address of a new SQLite database."""
    return f"sqlite+aiosqlite:///{tmp_path}/holecard.db"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest) -> str:
    """The address of a new database, of each kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite"))
    return new_database(request.getfixturevalue("postgres_address"))


@pytest.fixture
def postgres_database(postgres_address: str) -> str:
    """The address of a new PostgreSQL database."""
    return new_database(postgres_address)


def new_database(address: str, template: str = "template1") -> str:
    """Create a database, as a copy of another one, and return its address."""
    import asyncpg

    name = f"test{next(_number)}"

    async def create() -> None:
        connection = await asyncpg.connect(address.replace("+asyncpg", "") + "/postgres")
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        await connection.close()

    asyncio.run(create())
    return f"{address}/{name}"
