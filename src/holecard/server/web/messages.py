"""The messages of the protocol, version 1: what clients send, and what they are sent. docs/protocol.md lists them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import from_json

from holecard.server.accounts.names import LONGEST_NAME, SHORTEST_NAME, proper_name
from holecard.server.accounts.passwords import SHORTEST_PASSWORD
from holecard.server.game.commands import TableCommand
from holecard.server.game.entries import Pace, SettingValue
from holecard.server.web.shown_table import ShownEntry, ShownEvent, ShownTable

PROTOCOL = 1

#: Why the server closes a socket.
REFUSED_CLOSE = 4000
SESSION_CLOSE = 4001
ABUSE_CLOSE = 1008
FAILURE_CLOSE = 1011
SHUTDOWN_CLOSE = 1012
LATER_CLOSE = 1013
CLOSE_CODES = {
    REFUSED_CLOSE: "You may not watch this table, or `after` is not a number: the last message is a `refused` that "
    "says why. Do not try again.",
    SESSION_CLOSE: "Your session has ended: the last message is a `refused` (`not signed in`). Sign in again.",
    ABUSE_CLOSE: "You sent more than 20 messages that were unreadable, too large or too many.",
    1009: "A message was more than four times the largest size that is read.",
    FAILURE_CLOSE: "The server failed. Connect again with `after`.",
    SHUTDOWN_CLOSE: "The server shuts down. Connect again with `after`; another process may answer at once.",
    LATER_CLOSE: "Not now: you have too many connections or messages, or the server cannot reach its database. The "
    "last message is a `refused` that says which. Try again later.",
}

#: Made by the client, new for each command: repeated, a command has the effect of one.
CommandKey: TypeAlias = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
#: Made by the client at random: 22 letters and digits of base64 have 132 bits.
ArrivalKey: TypeAlias = Annotated[str, Field(min_length=22, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
#: No control characters: PostgreSQL cannot store all of them.
PrintableText: TypeAlias = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$")]
SettingPath: TypeAlias = Annotated[str, Field(max_length=120)]
SettingText: TypeAlias = Annotated[PrintableText, Field(max_length=120)]
SettingNumber: TypeAlias = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
SettingNumbers: TypeAlias = Annotated[list[SettingNumber], Field(max_length=30)]
TableSettings: TypeAlias = Annotated[
    dict[SettingPath, SettingText | SettingNumber | bool | SettingNumbers], Field(max_length=40)
]
PersonName: TypeAlias = Annotated[
    str, Field(min_length=SHORTEST_NAME, max_length=LONGEST_NAME), AfterValidator(proper_name)
]
Password: TypeAlias = Annotated[str, Field(min_length=SHORTEST_PASSWORD, max_length=200)]


class Message(BaseModel):
    """What every message has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# From the client


class SendCommand(Message):
    """Carry out a command at this table."""

    type: Literal["command"] = "command"
    id: CommandKey
    """Made by you, new for each command. Sent again, the command has the effect of one."""
    command: TableCommand
    """The command."""


class Ping(Message):
    """Ask whether the server is there."""

    type: Literal["ping"] = "ping"


ClientMessage: TypeAlias = Annotated[SendCommand | Ping, Field(discriminator="type")]
client_messages: TypeAdapter[SendCommand | Ping] = TypeAdapter(ClientMessage)


class OpenTable(Message):
    """Open a table: a game, settings that change its sheet, and the pace."""

    id: CommandKey
    """Made by you. Sent again, the request opens no second table."""
    game: Annotated[str, Field(max_length=80)]
    """The name of a game, as `GET /api/v1/games` lists it."""
    settings: TableSettings = {}
    """Settings that change the sheet, such as `{"shoe.decks": 8}`; docs/sheets.md lists them. Names cannot change."""
    pace: Pace = Pace()
    """How long the table waits."""
    private: bool = False
    """Whether the lobby leaves the table out: only those who have its link find it."""


class BuyIn(Message):
    """Take new play money."""

    id: CommandKey
    """Made by you. Sent again, the request gives new money once."""


class Credentials(Message):
    """A name and a password."""

    name: PersonName
    """The name, in NFKC; upper and lower case are the same. Invisible characters are refused."""
    password: Password
    """The password, of at least eight characters."""


class NewGuest(Message):
    """A request for a guest; it may be empty."""

    id: ArrivalKey | None = None
    """A secret that you make at random, of at least 128 bits, such as 32 hexadecimal digits. Sent again within ten
    minutes, you get a session of the same guest. Everybody who knows it gets one."""


class NewAccount(Credentials):
    """A name and a password for a new account."""

    id: ArrivalKey | None = None
    """As in `NewGuest`. Sent again with the same name and password, you get a session of the same account."""


class NewPassword(Message):
    """Another password for your account."""

    old: Annotated[str, Field(max_length=200)]
    """The password that you have."""
    new: Password
    """The one that you want, of at least eight characters."""


class DeleteAccount(Message):
    """The end of your account."""

    password: Annotated[str, Field(max_length=200)] | None = None
    """Your password; a guest has none."""


# From the server


class Person(Message):
    """Who you are, and what you have."""

    name: str
    """Your name."""
    role: Literal["guest", "player", "operator"]
    """`guest`: no password; `player`: an account; `operator`: may step in at every table, stop games, mute
    names and run the audit."""
    balance: int
    """Free money, in cents; stakes on tables are not in it."""
    buy_in_below: int
    """With less than this, `balance` and `held` together, `POST /api/v1/buy-in` gives new money."""
    held: int = 0
    """Stakes on tables, in cents."""
    notice: str | None = None
    """What everybody should know of this server, for people: that it has lost a part of its logs."""


class Visitor(Message):
    """Who has the session of this browser."""

    person: Person | None
    """Null without a session, or if it has ended."""


class TableInfo(Message):
    """A table in the lobby."""

    id: str
    """The table's id, for its address."""
    game: str
    """The name of the game."""
    title: str
    """The name of the game, for people."""
    sheet: str
    """The SHA-256 of the rule sheet, settings included."""
    settings: dict[str, SettingValue] = {}
    """Settings that make this table differ from the game, by path; see `GET /api/v1/tables/{table_id}/rules`."""
    seats: int
    """How many seats the table has."""
    taken: dict[int, str]
    """Who sits where, by seat."""
    pace: Pace
    """How long the table waits."""
    private: bool = False
    """Whether the lobby shows it only to the person who opened it, to people who sit there, and to operators."""
    stopped: str | None = None
    """Why the operator has stopped this game, so that it takes no bets; null while it does."""
    chips: int = 0
    """What a player gets who sits down here without the money for a bet, in cents: a table with changed rules has
    chips of its own, which go back when it closes. 0 where people play with their own money."""


class Done(Message):
    """A command was carried out: the number of its first entry."""

    type: Literal["done"] = "done"
    id: str | None = None
    """The id of the command."""
    table: str
    """The table's id."""
    number: int
    """The message number of the first entry that the command made."""


class Refused(Message):
    """A command was refused, or a message could not be read. Nothing has changed, unless the code is `unavailable`."""

    type: Literal["refused"] = "refused"
    id: str | None = None
    """The id of the command; null if the message has none that can be read, or over HTTP."""
    code: str
    """What kind of refusal it is, for programs: see the list of codes."""
    message: str
    """Why, for people: what is wrong and what would be right."""


class Hello(Message):
    """The first message on a socket."""

    type: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    """The version of the protocol."""
    you: Person
    """Who you are."""
    table: TableInfo
    """The table."""
    now: int
    """The server's time, in milliseconds since 1970: count down to the view's `deadline` from here."""


class Balance(Message):
    """What you can bet with at this table, after an entry or a buy-in that changed it."""

    type: Literal["balance"] = "balance"
    cents: int
    """Free money, or chips of this table, in cents; stakes on tables are not in it."""
    chips: bool = False
    """Whether these are chips of this table, which has its own: your free money does not change here."""


class Pong(Message):
    """The server is there."""

    type: Literal["pong"] = "pong"


class NewEntry(Message):
    """A new entry of the log: what happened, as you can see it, and the table after it."""

    type: Literal["entry"] = "entry"
    number: int
    """The message number: one more than that of the entry before."""
    entry: ShownEntry
    """What was done."""
    events: list[ShownEvent]
    """What it caused, in order: cards, checks, settled wagers."""
    view: ShownTable
    """The table after it. A client that draws only the view needs nothing else."""


class Snapshot(Message):
    """The table now; sent at the start, where the entries you missed are too many, and when the deadline was moved."""

    type: Literal["snapshot"] = "snapshot"
    number: int
    """The message number of the last entry in the view."""
    view: ShownTable
    """The table."""
    now: int | None = None
    """The server's time, in milliseconds since 1970; its clock may have been set since the `hello`."""
    went_back: bool = False
    """Whether the log of the table ends before the message `after` that you have seen: the server has lost entries."""


class TableNow(Snapshot):
    """A table, over HTTP: the snapshot, and what the lobby says about the table."""

    table: TableInfo
    """The table in the lobby."""


ServerMessage: TypeAlias = Annotated[
    Hello | Snapshot | NewEntry | Done | Refused | Balance | Pong, Field(discriminator="type")
]
server_messages: TypeAdapter[Hello | Snapshot | NewEntry | Done | Refused | Balance | Pong] = TypeAdapter(ServerMessage)


_command_keys: TypeAdapter[str] = TypeAdapter(CommandKey)


def id_in(text: str) -> str | None:
    """Return the id in a message that was refused, so that the client knows which one it was."""
    try:
        message = from_json(text)
        return _command_keys.validate_python(message["id"]) if isinstance(message, dict) else None
    except (ValueError, KeyError):  # not JSON, no id, or not a valid one
        return None
