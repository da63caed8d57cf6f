"""The settings of the server: default, bounds and meaning of each. Command line and docs list them from here."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator


def database_url(database: str) -> str:
    """Return the address of a database; a plain path is a SQLite file."""
    kind, separator, rest = database.partition("://")
    if not separator:
        return f"sqlite+aiosqlite:///{database}"
    return f"postgresql+asyncpg://{rest}" if kind in ("postgres", "postgresql") else database


class ServerSettings(BaseModel):
    """How a server is run."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    database: str = Field("holecard.db", description="a SQLite file, or postgresql+asyncpg://user@host/name")
    host: str = Field("127.0.0.1", description="the address to listen on; 0.0.0.0 lets other machines in")
    port: Annotated[int, Field(ge=0, le=65535)] = Field(8021, description="the port to listen on; 0 for any free one")
    next_port: bool = Field(False, description="if another program uses the port, take the next free one")
    games: Path | None = Field(None, description="a folder with more rule sheets")
    starting_money: Annotated[int, Field(ge=0)] = Field(100_000, description="play money of a new account, in cents")
    origins: tuple[str, ...] = Field((), description="further origins that pages may connect from")
    secure_cookies: Literal["auto", "on", "off"] = Field(
        "auto",
        description="whether browsers send sessions over HTTPS only: auto is on unless the host is this machine",
    )
    session_days: Annotated[int, Field(ge=1, le=365)] = Field(30, description="days until a session ends")
    session_idle_days: Annotated[int, Field(ge=1, le=365)] = Field(
        14, description="days until a session ends that nobody uses"
    )
    tables_per_user: Annotated[int, Field(ge=1)] = Field(10, description="open tables that one user may have")
    seats_per_user: Annotated[int, Field(ge=1)] = Field(14, description="seats that one user may hold")
    sockets_per_user: Annotated[int, Field(ge=1)] = Field(20, description="connections of one user to one process")
    connections: Annotated[int, Field(ge=10)] = Field(
        10_000, description="connections to one process; fewer where the system allows fewer files"
    )
    connections_per_address: Annotated[int, Field(ge=1)] = Field(
        256, description="connections of one address to one process; proxies may have any number"
    )
    request_seconds: Annotated[float, Field(gt=0)] = Field(
        20, description="seconds that a request may take to arrive, headers and body"
    )
    answer_seconds: Annotated[float, Field(gt=0)] = Field(
        20, description="seconds after which a client that reads nothing of its answer is cut off"
    )
    guests_per_minute: Annotated[int, Field(ge=1)] = Field(6, description="new guests and accounts from one address")
    guest_burst: Annotated[int, Field(ge=1)] = Field(20, description="new guests and accounts that may come at once")
    messages_per_second: Annotated[int, Field(ge=1)] = Field(20, description="messages of one user, on average")
    message_burst: Annotated[int, Field(ge=1)] = Field(60, description="messages that may come at once")
    largest_message: Annotated[int, Field(ge=256)] = Field(16_384, description="bytes of a socket message")
    largest_sheet: Annotated[int, Field(ge=1024)] = Field(65_536, description="bytes of a rule sheet")
    jobs_per_user: Annotated[int, Field(ge=1)] = Field(2, description="computations of one user at a time")
    job_processes: Annotated[int, Field(ge=1)] = Field(2, description="computations at a time")
    job_seconds: Annotated[int, Field(ge=1)] = Field(60, description="seconds until a computation is stopped")
    job_memory: Annotated[int, Field(ge=1024)] = Field(8192, description="megabytes of memory of a computation")
    jobs_waiting: Annotated[int, Field(ge=1)] = Field(100, description="computations of all users that may wait")
    chart_processes: Annotated[int, Field(ge=1)] = Field(2, description="charts and statistics computed at a time")
    waiting_per_user: Annotated[int, Field(ge=1)] = Field(
        12, description="answers of a kind that one user may wait for"
    )
    waiting_requests: Annotated[int, Field(ge=1)] = Field(200, description="answers of a kind that may wait")
    skip_returns: bool = Field(False, description="do not compute what each game should return, for the alarm")
    shutdown_seconds: Annotated[int, Field(ge=0)] = Field(30, description="seconds that rounds get to end at shutdown")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @field_validator("database")
    @classmethod
    def _address(cls, database: str) -> str:
        return database_url(database)
