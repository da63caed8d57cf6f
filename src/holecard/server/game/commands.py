"""Commands at a table: who wants what. `decide` turns a command into entries of the log, or refuses it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from holecard.server.fairness.construction import LONGEST_PLAYER_SEED

#: Amounts are whole cents, at most ten million dollars.
Cents: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000_000)]
SeatNumber: TypeAlias = Annotated[int, Field(ge=1, le=7)]
WagerName: TypeAlias = Annotated[str, Field(min_length=1, max_length=60)]
#: Why an operator steps in: one line that says something.
GivenReason: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f]$")
]
#: No database stores the character 0.
_PLAIN = r"^[^\x00-\x1f\x7f]*$"
GameOrSheet: TypeAlias = Annotated[str, Field(min_length=1, max_length=80, pattern=_PLAIN)]
PersonsName: TypeAlias = Annotated[str, Field(min_length=1, max_length=60, pattern=_PLAIN)]
MessageNumber: TypeAlias = Annotated[int, Field(ge=0, le=2**53)]


class Command(BaseModel):
    """What every command has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class Sit(Command):
    """Take a free seat."""

    do: Literal["sit"] = "sit"
    seat: SeatNumber
    """The seat."""


class Leave(Command):
    """Leave a seat. A bet that is not dealt is returned; a hand that is dealt is played by the clock."""

    do: Literal["leave"] = "leave"
    seat: SeatNumber
    """Your seat."""


class AddSeed(Command):
    """Add a seed to the shoe, before its first card."""

    do: Literal["add seed"] = "add seed"
    seed: Annotated[str, Field(min_length=1, max_length=LONGEST_PLAYER_SEED)]
    """Any text. It changes every card of the shoe."""
    shoe: Annotated[str, Field(max_length=64)] | None = None
    """The id of the shoe whose commitment you have seen. If another shoe is on the table now, the seed is refused."""


class PlaceBet(Command):
    """Place or change a seat's bet: the main wager and side wagers by name, in cents."""

    do: Literal["bet"] = "bet"
    seat: SeatNumber
    """Your seat."""
    main: Cents
    """The main wager, in cents."""
    sides: Annotated[dict[WagerName, Cents], Field(max_length=20)] = {}
    """Side wagers by name, in cents."""


class WithdrawBet(Command):
    """Take a bet back before the deal."""

    do: Literal["withdraw"] = "withdraw"
    seat: SeatNumber
    """Your seat."""


class DealNow(Command):
    """Close the betting and deal; every seat that is taken must have bet."""

    do: Literal["deal"] = "deal"


class TakeAction(Command):
    """Decide for the seat that is asked."""

    do: Literal["act"] = "act"
    seat: SeatNumber
    """Your seat, which must be the one that is asked."""
    action: Annotated[str, Field(max_length=20)]
    """One of the view's `choices`."""
    amount: Cents | None = None
    """In cents. Insurance needs it; a double without it is for the whole bet; for other actions leave it out."""
    seen: MessageNumber | None = None
    """The `number` of the view you decided on. If the table has asked something else since, the command is refused."""


class PlaceWagers(Command):
    """Place wagers after the check; none to pass, when asked."""

    do: Literal["place"] = "place"
    seat: SeatNumber
    """Your seat."""
    sides: Annotated[dict[WagerName, Cents], Field(max_length=20)] = {}
    """Side wagers by name, in cents; see the view's `offered`."""
    seen: MessageNumber | None = None
    """The `number` of the view you decided on. If the table has asked something else since, the command is refused."""


class CloseTable(Command):
    """Close the table when the round is over."""

    do: Literal["close"] = "close"


class EndRound(Command):
    """For operators: end the round at once. Open stakes are returned, losses given back; the shoe is replaced."""

    do: Literal["end round"] = "end round"
    reason: GivenReason
    """Why, for the players."""


class FreeSeat(Command):
    """For operators: free a seat. A bet that is not dealt is returned; a hand that is dealt is played by the clock."""

    do: Literal["free seat"] = "free seat"
    seat: SeatNumber
    """The seat."""
    reason: GivenReason
    """Why, for the players."""


TableCommand: TypeAlias = Annotated[
    Sit
    | Leave
    | AddSeed
    | PlaceBet
    | WithdrawBet
    | DealNow
    | TakeAction
    | PlaceWagers
    | CloseTable
    | EndRound
    | FreeSeat,
    Field(discriminator="do"),
]


# Orders of operators, which concern no single table


class StopGame(Command):
    """Open no table of a game, take no bets and deal no round of it, until it is allowed again."""

    do: Literal["stop game"] = "stop game"
    game: GameOrSheet
    """The name of a game, or the SHA-256 of a sheet: then only tables with exactly these rules are stopped."""
    reason: GivenReason
    """Why, for the players."""


class AllowGame(Command):
    """Let a game go on that was stopped."""

    do: Literal["allow game"] = "allow game"
    game: GameOrSheet
    """As it was stopped."""
    reason: GivenReason
    """Why, for the log."""


class MuteName(Command):
    """Show a neutral name in place of somebody's name, everywhere and to everybody."""

    do: Literal["mute name"] = "mute name"
    name: PersonsName
    """The name."""
    reason: GivenReason
    """Why, for the log."""


class RestoreName(Command):
    """Show a name again that was muted."""

    do: Literal["restore name"] = "restore name"
    name: PersonsName
    """The name, or the one that is shown in its place."""
    reason: GivenReason
    """Why, for the log."""


OperatorCommand: TypeAlias = Annotated[
    StopGame | AllowGame | MuteName | RestoreName,
    Field(discriminator="do"),
]
