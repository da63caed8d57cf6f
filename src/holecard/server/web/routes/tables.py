"""The lobby, and tables: open, look, command, watch."""

from __future__ import annotations

from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Body, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict

from holecard.errors import Refusal, shortly
from holecard.server.accounts.sessions import User
from holecard.server.errors import TooMany, Unavailable, UnreadableMessage, code_of
from holecard.server.game.commands import TableCommand
from holecard.server.game.decide import Actor
from holecard.server.game.frames import snapshot
from holecard.server.web.connections import watching
from holecard.server.web.identity import Service, SignedIn, services_of, user_of
from holecard.server.web.messages import LATER_CLOSE, REFUSED_CLOSE, CommandKey, Done, OpenTable, TableInfo, TableNow
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.server.web.socket import TableSocket
from holecard.server.web.table_info import hello, listed_table, table_info

router = APIRouter(prefix="/api/v1/tables", tags=["tables"], responses=SIGNED_IN)
#: Longer than any message number.
_MOST_DIGITS = 18
_log = structlog.get_logger("holecard.server")


class CommandBody(BaseModel):
    """A command with the id that the client made for it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: CommandKey
    """Made by you, new for each command. Sent again, the command has the effect of one."""
    command: TableCommand
    """The command."""


@router.get("")
async def lobby(service: Service, user: SignedIn) -> list[TableInfo]:
    """Return the open tables; of private ones those that you have opened or sit at, and all to operators."""
    rows = await service.reader.lobby(None if user.role == "operator" else user.id)
    orders = service.host.orders
    sitters = await service.reader.sitters([row["id"] for row in rows]) if orders.muted else {}
    return [listed_table(row, sitters, orders) for row in rows]


@router.post("", status_code=201, responses=refusals(404, 409))
async def open_table(body: OpenTable, service: Service, user: SignedIn) -> TableInfo:
    """Open a table; the same id opens it once."""
    sheet = service.games.sheet(body.game, body.settings)
    done = await service.host.open(sheet, body.game, body.pace, _actor(user), body.id, private=body.private)
    return table_info(await service.host.table(done.table), service.host.orders)


@router.get("/{table_id}", response_model=None, responses={200: {"model": TableNow}, **refusals(404)})
async def look_at_table(table_id: str, service: Service, user: SignedIn) -> dict[str, Any]:
    """Return the table as you see it."""
    hosted, orders = await service.host.table(table_id), service.host.orders
    shown = snapshot(hosted.table, hosted.table.seats_of(user.id), service.host.up_since, orders)
    return {"table": table_info(hosted, orders).model_dump(mode="json"), "now": service.now(), **shown}


@router.post("/{table_id}/commands", responses=refusals(404, 409))
async def command(table_id: str, body: Annotated[CommandBody, Body()], service: Service, user: SignedIn) -> Done:
    """Carry out a command; the same id has the effect of one."""
    done = await service.host.command(table_id, body.command, _actor(user), body.id)
    return Done(id=body.id, table=done.table, number=done.sequence)


@router.websocket("/{table_id}/socket")
async def watch(socket: WebSocket, table_id: str, after: str | None = None) -> None:
    """Show the table and take commands; `after` is the last message number that you have."""
    service = services_of(socket)
    await socket.accept()
    try:
        user = await user_of(socket)
        with service.connections.one_more(user.id), watching(socket):
            number = None if after is None else _number(after)
            hosted = await service.host.table(table_id)
            await socket.send_json(await hello(service, user, hosted))
            await TableSocket(socket, service, user, hosted).run(number)
    except Refusal as refused:
        _log.info("refused", path=socket.url.path, code=code_of(refused))
        await socket.send_json({"type": "refused", "id": None, "code": code_of(refused), "message": str(refused)})
        await socket.close(
            LATER_CLOSE if isinstance(refused, Unavailable | TooMany) else REFUSED_CLOSE, code_of(refused)
        )
    except WebSocketDisconnect:
        return


def _number(after: str) -> int:
    """Return the message number in the address of a socket."""
    if after.isascii() and after.isdecimal() and len(after) <= _MOST_DIGITS:
        return int(after)
    raise UnreadableMessage(f"after: a message number such as 17 is needed, not {shortly(after)}")


def _actor(user: User) -> Actor:
    return Actor(user.id, user.name, user.role == "operator")
