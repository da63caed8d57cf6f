"""The entries of a table's log. The log is the table: everything else is computed from it.

Cards are in the entries, hidden ones among them, so nobody outside the server reads a log before its shoe is revealed.
The secret seeds are not in it.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

#: What a setting of a sheet can be changed to.
SettingValue: TypeAlias = str | int | bool | list[int]


class LogEntry(BaseModel):
    """What every entry has in common: nothing but that it cannot change."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Pace(LogEntry):
    """How long the table waits, in seconds."""

    bet: Annotated[int, Field(ge=2, le=600)] = 20
    """From the first bet to the deal."""
    act: Annotated[int, Field(ge=2, le=600)] = 30
    """For a decision; then the table decides for the player: stand, or no to what was offered."""
    idle: Annotated[int, Field(ge=10, le=86_400)] = 900
    """Without a bet before the table closes."""


class TableOpened(LogEntry):
    """A table was opened. `sheet` is the hash of the rule sheet, `settings` are those that changed the game."""

    kind: Literal["opened"] = "opened"
    game: str
    sheet: str
    title: str
    settings: dict[str, SettingValue] = {}
    pace: Pace = Pace()
    by: str
    private: bool = False
    chips: int = 0
    """What every player gets at this table, in cents, and can only use here; 0: people play with their own money."""


class SeatTaken(LogEntry):
    """A player sat down."""

    kind: Literal["seat taken"] = "seat taken"
    seat: int
    user: str
    name: str


class SeatLeft(LogEntry):
    """A player left a seat; a bet that was not dealt is returned."""

    kind: Literal["seat left"] = "seat left"
    seat: int
    """The seat."""


class ShoeCommitted(LogEntry):
    """The house committed itself to a shoe."""

    kind: Literal["shoe committed"] = "shoe committed"
    shoe: str
    """The shoe's id."""
    construction: str
    """How cards follow from seeds: `holecard-shoe-1`, see docs/fairness.md."""
    commitment: str
    """The hash of the secret seed, the shoe's id and the sheet."""


class SeedAdded(LogEntry):
    """A player added a seed to the shoe, before its first card."""

    kind: Literal["seed added"] = "seed added"
    user: str
    seed: str


class Moved(LogEntry):
    """A seat bet, acted or placed wagers, or the betting was closed; and the cards that were dealt then.

    `move` is written as in a record: "seat 1: $10, Pairs $5", "seat 2: double $7", "no more bets".
    """

    kind: Literal["moved"] = "moved"
    move: str
    cards: str = ""
    burned: str = ""
    by_clock: bool = False
    version: str = ""
    """The version of Holecard that dealt, where a round begins."""


class BetWithdrawn(LogEntry):
    """A seat took its bet back before the deal."""

    kind: Literal["bet withdrawn"] = "bet withdrawn"
    seat: int
    """The seat."""


class ShoeRevealed(LogEntry):
    """The shoe ended and its seed is public."""

    kind: Literal["shoe revealed"] = "shoe revealed"
    shoe: str
    """The shoe's id."""
    seed: str
    """The secret seed, in hexadecimal."""
    cut_short: bool = False
    """Whether the table closed, or a round was voided, before the shoe was dealt out."""


class RoundVoided(LogEntry):
    """A round cannot continue: open stakes are returned, losses are given back, and what was won stays won."""

    kind: Literal["round voided"] = "round voided"
    reason: str
    """Why, for people."""


class OperatorActed(LogEntry):
    """An operator stepped in; the entries that follow say what it changed. Who it was is stored with the entry."""

    kind: Literal["operator acted"] = "operator acted"
    action: Literal["end round", "free seat"]
    """What the operator did."""
    seat: int | None = None
    """The seat that was freed; null at the end of a round."""
    reason: str
    """Why, for people."""


class TableClosed(LogEntry):
    """The table closed; nobody sits at it any more."""

    kind: Literal["closed"] = "closed"
    reason: str
    """Why, for people."""


#: Why a table closes that a person closes. Earlier versions wrote the person's name.
CLOSED_BY_OWNER = "closed by the player who opened it"
CLOSED_BY_OPERATOR = "closed by an operator"


def reason_without_name(reason: str) -> str:
    """Return why a table closed, without the name of the person, who may have deleted the account since."""
    if reason.startswith("closed by ") and reason not in (CLOSED_BY_OWNER, CLOSED_BY_OPERATOR):
        return "closed by a player or an operator"
    return reason


TableEntry: TypeAlias = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | ShoeCommitted
    | SeedAdded
    | Moved
    | BetWithdrawn
    | ShoeRevealed
    | RoundVoided
    | OperatorActed
    | TableClosed
)
_ADAPTER: TypeAdapter[TableEntry] = TypeAdapter(Annotated[TableEntry, Field(discriminator="kind")])


def read_entry(text: str | bytes) -> TableEntry:
    """Return the entry that `write_entry` wrote."""
    return _ADAPTER.validate_json(text)


def write_entry(entry: LogEntry) -> str:
    """Return an entry as one line of JSON; equal entries are written alike."""
    return entry.model_dump_json(exclude_defaults=False)
