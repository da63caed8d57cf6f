"""A table as clients see it: the view, the events of an entry, and the entries of the log without what is secret.

`holecard.server.game.frames` makes these messages as plain data, because it makes many; tests compare them with the
models here, and docs/protocol.md lists the models.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from holecard.server.game.entries import (
    BetWithdrawn,
    OperatorActed,
    Pace,
    RoundVoided,
    SeatLeft,
    SettingValue,
    ShoeCommitted,
    ShoeRevealed,
    TableClosed,
)
from holecard.table.events import Action
from holecard.table.state import Phase, Status

#: Rank and suit, such as "As", "Td" or "7h".
CARD = "^[A2-9TJQK][shdc]$"
FaceUpCard: TypeAlias = Annotated[str, Field(pattern=CARD)]
#: Null where the card is face down for this client.
ShownCard: TypeAlias = FaceUpCard | None


class Shown(BaseModel):
    """What everything that clients see has in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# The view


class ShownDealer(Shown):
    """The dealer's hand."""

    cards: list[ShownCard]
    """In the order they were dealt; null for the hole card until it is turned over."""
    total: int | None
    """Null while a card is face down."""


class ShownPlayerHand(Shown):
    """A hand of a seat."""

    cards: list[ShownCard]
    """In the order they were dealt; null for a card that is face down for you."""
    total: int | None
    """Null while a card is face down for you."""
    soft: bool
    """Whether an ace counts 11."""
    stakes: dict[str, int]
    """Cents by kind of stake: the bet, a double, a companion."""
    status: Status
    """`playing`: may still act; `standing`: waits for the dealer; `settled`: paid or taken."""


class ShownSeat(Shown):
    """A seat that is taken, or that plays in this round."""

    seat: int
    """Its number, from 1."""
    name: str | None
    """Who sits there; null if the player has left and the clock plays the hand."""
    hands: list[ShownPlayerHand]
    """Empty before the seat has bet; one hand, or more after a split."""
    sides: dict[str, int]
    """Open side wagers by name, in cents."""
    insurance: int
    """The insurance stake, in cents."""


class ShownChoice(Shown):
    """An action that the seat asked may take."""

    action: Action
    """Send it as `action` of the command `act`."""
    low: int | None
    """The lowest amount, in cents; null if the action has no amount."""
    high: int | None
    """The highest amount, in cents; it is allowed even if it is not a multiple of `step`."""
    step: int | None
    """Amounts are multiples of this many cents."""
    price: int
    """What the action takes from your free money, in cents: 0 if nothing; with its lowest amount, where it has one.
    The server refuses an action that takes more than you have."""


class ShownResult(Shown):
    """A wager that was settled."""

    seat: int
    """The seat."""
    hand: int
    """The hand, from 1; 0 for a side wager."""
    wager: str
    """The name of the wager."""
    stake: int
    """The stake, in cents."""
    net: int
    """What the player won, in cents; negative if the wager lost."""
    line: str
    """The rule or pay line that decided it, in words."""


class ShownShoe(Shown):
    """The shoe that is dealt, and what proves that it is fair."""

    id: str
    """Its id, for `GET /api/v1/tables/{table_id}/shoes/{shoe}` when it has ended."""
    commitment: str
    """The hash that the server published before the first card."""
    player_seeds: list[str]
    """The seeds that players have added, in order."""
    your_seed: str | None = None
    """The one of them that you have added; null if there is none, and for people without a seat."""
    open_for_seeds: bool
    """Whether no card is dealt, so that `add seed` is still possible."""
    left: int
    """How many cards are left."""
    last_round: bool
    """Whether the shoe ends after this round."""


class ShownTable(Shown):
    """The view: everything that you can see of the table now."""

    round: int
    """How many rounds have been dealt, the one on the table included."""
    phase: Phase
    """Where the round is. `betting` and `done` take bets; in the others `asked` has to answer."""
    dealer: ShownDealer
    """The dealer."""
    seats: list[ShownSeat]
    """The seats that are taken or play, in order."""
    asked: int | None
    """The seat that has to decide; null if nobody has to."""
    hand: int | None
    """The hand of that seat, from 1, while hands are played; else null."""
    choices: list[ShownChoice]
    """What the seat asked may do, if it is yours. Empty if late wagers are asked for: answer with `place`."""
    refused: dict[Action, str]
    """Why the hand whose turn it is may not take the game's other actions, if it is yours; empty otherwise."""
    offered: dict[int, list[str]]
    """By your seats: the side wagers that `place` takes now."""
    results: list[ShownResult]
    """The wagers of this round that are settled."""
    shoe: ShownShoe | None
    """The shoe; null at a closed table."""
    deadline: int | None
    """When the clock decides, in milliseconds since 1970; null at a closed table. Show it as a countdown."""
    closed: str | None
    """Why the table closed; null while it is open."""
    stopped: str | None
    """Why the operator has stopped this game, so that it takes no bets and deals no new round; null while it does."""
    yours: list[int]
    """Your seats."""


# Events


class CardEvent(Shown):
    """A card was dealt."""

    event: Literal["card"] = "card"
    seat: int
    """The seat; 0 for the dealer."""
    hand: int
    """The hand, from 1."""
    card: ShownCard
    """Null if it is face down for you."""


class HoleCardEvent(Shown):
    """The dealer turned over the hole card."""

    event: Literal["hole card"] = "hole card"
    card: FaceUpCard
    """The card."""


class CheckEvent(Shown):
    """The dealer looked at the hole card."""

    event: Literal["check"] = "check"
    blackjack: bool
    """Whether the dealer has a blackjack, which ends the round."""


class ResultEvent(ShownResult):
    """A wager was settled."""

    event: Literal["result"] = "result"


ShownEvent: TypeAlias = Annotated[CardEvent | HoleCardEvent | CheckEvent | ResultEvent, Field(discriminator="event")]


# Entries


class ShownOpening(Shown):
    """The table was opened. It is the first entry of every log, so it has the number 1."""

    kind: Literal["opened"] = "opened"
    game: str
    """The name of the game."""
    sheet: str
    """The SHA-256 of the rule sheet, settings included."""
    title: str
    """The name of the game, for people."""
    settings: dict[str, SettingValue] = {}
    """Settings that change the game's sheet, by path."""
    pace: Pace
    """How long the table waits."""
    private: bool = False
    """Whether the lobby leaves it out."""
    chips: int = 0
    """What a player gets who sits down here without the money for a bet, in cents; 0 where people play with their
    own money."""


class ShownSitter(Shown):
    """A player sat down."""

    kind: Literal["seat taken"] = "seat taken"
    seat: int
    """The seat."""
    name: str
    """The player's name."""


class ShownSeed(Shown):
    """A player added a seed to the shoe."""

    kind: Literal["seed added"] = "seed added"
    seed: str
    """The seed."""


class ShownMove(Shown):
    """A seat bet, acted or placed wagers, or the betting ended. The cards that were dealt are in `events`."""

    kind: Literal["moved"] = "moved"
    move: str
    """As in a record: "seat 1: $10, Pairs $5", "seat 2: double $7", "no more bets"."""
    by_clock: bool
    """Whether the clock decided, because nobody answered in time."""


ShownEntry: TypeAlias = Annotated[
    ShownOpening
    | ShownSitter
    | SeatLeft
    | ShoeCommitted
    | ShownSeed
    | ShownMove
    | BetWithdrawn
    | ShoeRevealed
    | RoundVoided
    | OperatorActed
    | TableClosed,
    Field(discriminator="kind"),
]
