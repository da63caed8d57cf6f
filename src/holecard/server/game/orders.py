"""What operators have ordered for the whole server: games that are stopped, and names that are not shown.

It follows from one log of its own, as a table follows from its log. Names stay in the logs as they were, so that an
order can be taken back; `Orders.shown_name` replaces them wherever somebody is shown one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field, TypeAdapter

from holecard.errors import OutOfTurn, shortly
from holecard.server.game.entries import LogEntry, TableOpened

#: The stream of the log.
ORDERS_STREAM = "orders:all"
#: The numbers of names that are shown in place of others: "Player 4821".
_FIRST_NUMBER, _NUMBERS = 1000, 9000


class GameStopped(LogEntry):
    """No table of a game is opened, and none takes bets or deals, until it is allowed again."""

    kind: Literal["game stopped"] = "game stopped"
    game: str
    """The name of a game, or the SHA-256 of one of its sheets."""
    reason: str


class GameAllowed(LogEntry):
    """A game that was stopped goes on."""

    kind: Literal["game allowed"] = "game allowed"
    game: str
    reason: str


class NameMuted(LogEntry):
    """A person's name is not shown to anybody; another one is shown in its place."""

    kind: Literal["name muted"] = "name muted"
    user: str
    name: str
    shown: str
    """What is shown in its place."""
    reason: str


class NameRestored(LogEntry):
    """A name that was muted is shown again."""

    kind: Literal["name restored"] = "name restored"
    user: str
    reason: str


Order: TypeAlias = GameStopped | GameAllowed | NameMuted | NameRestored
_ADAPTER: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="kind")])


def read_order(text: str | bytes) -> Order:
    """Return the order that `write_entry` wrote."""
    return _ADAPTER.validate_json(text)


class Orders(NamedTuple):
    """What holds now, after a number of orders."""

    number: int = 0
    stopped: Mapping[str, str] = {}
    """Why, by the name of the game or the hash of the sheet."""
    muted: Mapping[str, NameMuted] = {}
    """By user."""

    def after(self, order: Order) -> Orders:
        """Return what holds after the next order; refuse one that changes nothing."""
        stopped, muted = dict(self.stopped), dict(self.muted)
        match order:
            case GameStopped():
                if order.game in stopped:
                    raise OutOfTurn(f"{shortly(order.game)} is stopped already")
                stopped[order.game] = order.reason
            case GameAllowed():
                if stopped.pop(order.game, None) is None:
                    raise OutOfTurn(f"{shortly(order.game)} is not stopped")
            case NameMuted():
                if order.user in muted:
                    raise OutOfTurn(f"{shortly(order.name)} is muted already")
                muted[order.user] = order
            case NameRestored():
                if muted.pop(order.user, None) is None:
                    raise OutOfTurn("this name is not muted")
        return Orders(self.number + 1, stopped, muted)

    def why_stopped(self, game: str, sheet: str) -> str | None:
        """Return why a game takes no bets, given its name and the hash of its sheet; None where it does."""
        return self.stopped.get(game, self.stopped.get(sheet))

    def why_closed_to_bets(self, opened: TableOpened) -> str | None:
        """Return why a table takes no bets; None where it does."""
        return self.why_stopped(opened.game, opened.sheet)

    def shown_name(self, user: str, name: str) -> str:
        """Return the name that is shown for a user."""
        order = self.muted.get(user)
        return name if order is None else order.shown

    def neutral_name(self, user: str) -> str:
        """Return a name that says nothing, and that is shown for nobody else."""
        taken = {order.shown for order in self.muted.values()}
        first = int(hashlib.sha256(user.encode()).hexdigest(), 16)
        names = (f"Player {_FIRST_NUMBER + (first + step) % _NUMBERS}" for step in range(_NUMBERS))
        return next(name for name in names if name not in taken)

    def muted_user(self, name: str) -> str | None:
        """Return whose name is muted, by the name itself or by the one that is shown in its place."""
        found = (user for user, order in self.muted.items() if name in (order.name, order.shown))
        return next(found, None)


#: Nothing was ordered.
NO_ORDERS = Orders()
