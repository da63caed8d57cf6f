"""Orders of operators that concern no single table: stop a game, let it go on, mute a name, show it again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import BaseModel, ConfigDict

from holecard.errors import Refusal, did_you_mean, shortly
from holecard.server.accounts.account_log import FORMER_PLAYER
from holecard.server.errors import NotFound
from holecard.server.game.commands import AllowGame, MuteName, OperatorCommand, RestoreName, StopGame
from holecard.server.game.orders import (
    GameAllowed,
    GameStopped,
    NameMuted,
    NameRestored,
    Order,
    read_order,
)
from holecard.server.store.chain import LogRow
from holecard.server.web.identity import Service
from holecard.server.web.messages import CommandKey
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.server.web.routes.operation import Operator
from holecard.server.web.services import Services

#: How many orders of the past are shown.
_SHOWN = 100
router = APIRouter(prefix="/api/v1/orders", tags=["operation"], responses=SIGNED_IN)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class OrderBody(_Part):
    """An order with the id that the client made for it."""

    id: CommandKey
    """Made by you, new for each order. Sent again, the order has the effect of one."""
    command: OperatorCommand
    """The order."""


class OrderDone(_Part):
    """An order holds."""

    id: str
    """The id of the order."""
    number: int
    """Its place in the log of orders, from 1."""


class StoppedGame(_Part):
    """A game that takes no bets."""

    game: str
    """The name of the game, or the SHA-256 of a sheet."""
    reason: str
    """Why."""


class MutedName(_Part):
    """A name that is not shown."""

    name: str
    """The name."""
    shown: str
    """What is shown in its place."""
    reason: str
    """Why."""


class PastOrder(_Part):
    """An order as the log has it."""

    number: int
    """Its place in the log, from 1."""
    at: int
    """When it was given, in milliseconds since 1970."""
    by: str
    """The operator who gave it."""
    what: str
    """`game stopped`, `game allowed`, `name muted` or `name restored`."""
    about: str
    """The game or the name."""
    reason: str
    """Why."""


class OrdersNow(_Part):
    """What operators have ordered."""

    stopped: list[StoppedGame]
    """The games that are stopped now."""
    muted: list[MutedName]
    """The names that are muted now."""
    log: list[PastOrder]
    """The last hundred orders, newest first."""


@router.get("")
async def orders(service: Service, _user: Operator) -> OrdersNow:
    """Return the games that are stopped, the names that are muted, and who ordered it when and why."""
    await service.host.catch_up_orders()
    found, rows = service.host.orders, service.host.order_log.rows[-_SHOWN:]
    names = await service.reader.names({row.actor or "" for row in rows})
    muted = {
        order.user: order.name for row in service.host.order_log.rows if isinstance(order := _read(row), NameMuted)
    }
    muted |= dict.fromkeys(await service.reader.deleted_among(muted), FORMER_PLAYER)
    return OrdersNow(
        stopped=[StoppedGame(game=game, reason=reason) for game, reason in found.stopped.items()],
        muted=[MutedName(name=muted[user], shown=one.shown, reason=one.reason) for user, one in found.muted.items()],
        log=[_past(row, names.get(row.actor or "", ""), muted) for row in reversed(rows)],
    )


@router.post("", responses=refusals(404, 409))
async def give_order(body: Annotated[OrderBody, Body()], service: Service, user: Operator) -> OrderDone:
    """Stop a game, let it go on, mute a name or show it again; the same id has the effect of one."""
    said = {"order": body.command.model_dump()}
    number = await service.host.order_log.repeated(user.id, body.id, said)
    if number is None:
        order = await _order(service, body.command)
        number = await service.host.order_log.give(order, user.id, body.id, said)
    return OrderDone(id=body.id, number=number)


async def _order(service: Services, command: OperatorCommand) -> Order:
    await service.host.catch_up_orders()
    known = service.host.orders
    match command:
        case StopGame():
            await _check_game(service, command.game)
            return GameStopped(game=command.game, reason=command.reason)
        case AllowGame():
            return GameAllowed(game=command.game, reason=command.reason)
        case MuteName():
            found = await service.accounts.find(command.name)
            if found is None:
                raise NotFound(f"nobody is called {shortly(command.name)}")
            shown = known.neutral_name(found.id)
            return NameMuted(user=found.id, name=found.name, shown=shown, reason=command.reason)
        case RestoreName():
            found = await service.accounts.find(command.name)
            # Somebody else may have had this name before, and have deleted the account.
            user = found.id if found is not None and found.id in known.muted else known.muted_user(command.name)
            if user is None:
                raise NotFound(f"no muted name is {shortly(command.name)}")
            return NameRestored(user=user, reason=command.reason)


async def _check_game(service: Services, game: str) -> None:
    """Refuse to stop what nobody deals: a slip of the pen would stop nothing."""
    names = service.games.names()
    open_tables = await service.reader.open_tables()
    if game in names or any(game in (row["game"], row["sheet"]) for row in open_tables):
        return
    if game not in {_sheet_of(service, name) for name in names}:
        raise NotFound(f"no game is called {shortly(game)}; {did_you_mean(game, names)}")


def _sheet_of(service: Services, name: str) -> str:
    try:
        return service.games.sheet(name).sha256
    except Refusal:  # a sheet of the folder with a problem
        return ""


def _read(row: LogRow) -> Order:
    return read_order(row.body)


def _past(row: LogRow, by: str, muted: dict[str, str]) -> PastOrder:
    order = _read(row)
    about = order.game if isinstance(order, GameStopped | GameAllowed) else muted[order.user]
    return PastOrder(number=row.sequence, at=row.at, by=by, what=order.kind, about=about, reason=order.reason)
