"""The messages of the protocol, version 1: what clients send, and what they are sent. docs/protocol.md lists them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from holecard.server.game.commands import TableCommand
from holecard.server.game.entries import Pace

PROTOCOL = 1

#: Made by the client, new for each command: repeated, a command has the effect of one.
CommandKey: TypeAlias = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
PersonName: TypeAlias = Annotated[str, Field(min_length=2, max_length=30, pattern=r"^\S(.*\S)?$")]
Password: TypeAlias = Annotated[str, Field(min_length=8, max_length=200)]


class Message(BaseModel):
    """What every message has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# From the client


class SendCommand(Message):
    """Carry out a command at this table."""

    type: Literal["command"] = "command"
    id: CommandKey
    command: TableCommand


class Ping(Message):
    """Ask whether the server is there."""

    type: Literal["ping"] = "ping"


ClientMessage: TypeAlias = Annotated[SendCommand | Ping, Field(discriminator="type")]
client_messages: TypeAdapter[SendCommand | Ping] = TypeAdapter(ClientMessage)


class OpenTable(Message):
    """Open a table: a game, settings that change its sheet, and the pace."""

    id: CommandKey
    game: Annotated[str, Field(max_length=80)]
    settings: Annotated[dict[str, str | int | bool | list[int]], Field(max_length=40)] = {}
    pace: Pace = Pace()


class Credentials(Message):
    """A name and a password."""

    name: PersonName
    password: Password


# From the server


class Person(Message):
    """Who you are, and what you have."""

    name: str
    role: Literal["guest", "player", "operator"]
    balance: int
    """Free money, in cents; stakes on tables are not in it."""


class TableInfo(Message):
    """A table in the lobby."""

    id: str
    game: str
    title: str
    sheet: str
    seats: int
    taken: dict[int, str]
    pace: Pace | None = None


class Done(Message):
    """A command was carried out: the number of its first entry."""

    type: Literal["done"] = "done"
    id: str | None = None
    table: str
    number: int


class Refused(Message):
    """A command was refused, or a message could not be read; nothing has changed."""

    type: Literal["refused"] = "refused"
    id: str | None = None
    code: str
    message: str


class Hello(Message):
    """The first message on a socket."""

    type: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    you: Person
    table: TableInfo


class Balance(Message):
    """Your free money after an entry that changed it, in cents."""

    type: Literal["balance"] = "balance"
    cents: int


class Pong(Message):
    """The server is there."""

    type: Literal["pong"] = "pong"


class Entry(Message):
    """A new entry of the log: what happened, as you can see it, and the table after it."""

    type: Literal["entry"] = "entry"
    number: int
    entry: dict[str, Any]
    events: list[dict[str, Any]]
    view: dict[str, Any]


class Snapshot(Message):
    """The table now; sent at the start, and where the entries you missed are too many."""

    type: Literal["snapshot"] = "snapshot"
    number: int
    view: dict[str, Any]


ServerMessage: TypeAlias = Annotated[
    Hello | Snapshot | Entry | Done | Refused | Balance | Pong, Field(discriminator="type")
]
server_messages: TypeAdapter[Hello | Snapshot | Entry | Done | Refused | Balance | Pong] = TypeAdapter(ServerMessage)


def first_problem(error: ValidationError) -> str:
    """Return the first thing that is wrong with a message, in words."""
    problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in problem["loc"]) or "the message"
    return f"{place}: {problem['msg'][:200]}"
