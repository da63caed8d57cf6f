"""Finished rounds and shoes: history, records that replay, exports, and the proof of a fair shoe."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, ConfigDict

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.host.hosted_table import is_table_id
from holecard.server.records.export import MEDIA_TYPES, export, own_balances
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN, refusals

#: By media type, what an export answers with.
_FILES: dict[str, Any] = {media: {} for media in MEDIA_TYPES.values()}
router = APIRouter(prefix="/api/v1", tags=["rounds"], responses=SIGNED_IN)


class RoundInfo(BaseModel):
    """A finished round."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    table: str
    """The table's id."""
    number: int
    """The number of the round at that table, from 1."""
    at: int
    """When it ended, in milliseconds since 1970."""
    shoe: str
    """The shoe that it was dealt from."""
    sheet: str
    """The SHA-256 of the rule sheet."""
    version: str
    """The version of Holecard that dealt it."""
    seats: dict[int, str]
    """Seats that played it: "you", or "other"."""
    balances: dict[int, int]
    """By seat of yours, your free money after it, in cents; empty for a round of a version that did not store it."""
    record: str
    """The round as TOML, which `holecard replay` reads."""


@router.get("/history")
async def history(
    service: Service,
    user: SignedIn,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> list[RoundInfo]:
    """Return your rounds, the newest first; `before` is a time in milliseconds."""
    rows = await service.reader.rounds_of(user.id, limit, before)
    return [_round(row, user.id) for row in rows]


@router.get("/history/export", response_class=Response, responses={200: {"content": _FILES}})
async def export_history(
    service: Service, user: SignedIn, format: Literal["toml", "csv", "parquet"] = "csv"
) -> Response:
    """Return all your rounds as one file: a record each, or a line for each wager; with your free money after it."""
    rows = await service.reader.rounds_of(user.id, None, None)
    return Response(
        await asyncio.to_thread(export, rows, user.id, format),
        media_type=MEDIA_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="rounds.{format}"'},
    )


@router.get("/tables/{table_id}/rounds/{number}", responses=refusals(404))
async def one_round(
    table_id: str, number: Annotated[int, Path(ge=1, le=2**31 - 1)], service: Service, user: SignedIn
) -> RoundInfo:
    """Return a finished round of a table."""
    row = await service.reader.round(table_id, number) if is_table_id(table_id) else None
    if row is None:
        raise NotFound(f"table {shortly(table_id)} has no finished round {number}")
    return _round(row, user.id)


@router.get("/tables/{table_id}/shoes/{shoe}", responses=refusals(404))
async def one_shoe(table_id: str, shoe: str, service: Service, _user: SignedIn) -> ShoeDocument:
    """Return a shoe that has ended, with its seed, for `holecard verify-shoe`."""
    return await service.host.finished_shoe(table_id, shoe)


def _round(row: Any, user: str) -> RoundInfo:
    players = row["players"]
    return RoundInfo(
        table=row["table"],
        number=row["number"],
        at=row["at"],
        shoe=row["shoe"],
        sheet=row["sheet"],
        version=row["version"],
        balances=own_balances(row, user),
        seats={int(seat): "you" if player == user else "other" for seat, player in players.items()},
        record=row["record"],
    )
