"""The replay of a finished round: what its table showed, entry by entry."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.game.entries import SettingValue
from holecard.server.host.hosted_table import is_table_id
from holecard.server.host.replays import frames_of_round
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.messages import NewEntry
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.server.web.table_info import settings_of_tables
from holecard.sheets.descriptions.felt import Felt, felt

#: How many messages a replay counts for.
_WORK = 3
router = APIRouter(prefix="/api/v1/tables", tags=["rounds"], responses=SIGNED_IN)


class RoundReplay(BaseModel):
    """A finished round as the table showed it to you; a spectator sees what spectators saw."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    table: str
    """The table's id."""
    number: int
    """The number of the round at that table, from 1."""
    at: int
    """When it ended, in milliseconds since 1970."""
    title: str
    """The name of the game, for people."""
    settings: dict[str, SettingValue]
    """Settings that made the table differ from the game, by path."""
    felt: Felt
    """The cloth, to draw it."""
    sheet: str
    """The SHA-256 of the rule sheet that it was dealt by."""
    shoe: str
    """The shoe that it was dealt from."""
    previous: int | None
    """The finished round before it at this table; null if it is the first."""
    next: int | None
    """The finished round after it at this table; null if it is the last so far."""
    frames: list[NewEntry]
    """From the first bet to the last result: the messages of the socket, without a deadline."""


@router.get("/{table_id}/rounds/{number}/replay", responses=refusals(404))
async def replay_round(
    table_id: str, number: Annotated[int, Path(ge=1, le=2**31 - 1)], service: Service, user: SignedIn
) -> RoundReplay:
    """Return every step of a finished round, as the table showed it to you."""
    service.rates.take(user.id, _WORK)
    row = await service.reader.round(table_id, number) if is_table_id(table_id) else None
    if row is None:
        raise NotFound(f"table {shortly(table_id)} has no finished round {number}")
    sheet = await service.host.sheet(row["sheet"])
    before = await service.reader.last_round_before(table_id, number)
    after = await service.reader.first_round_after(table_id, number)
    async with service.turns.of(user.id):
        frames = await frames_of_round(service.reader, row, before, sheet, user.id, service.host.orders)
    return RoundReplay(
        table=table_id,
        number=number,
        at=row["at"],
        title=sheet.name,
        settings=(await settings_of_tables(service, [table_id]))[table_id],
        felt=felt(sheet),
        sheet=row["sheet"],
        shoe=row["shoe"],
        previous=None if before is None else before["number"],
        next=None if after is None else after["number"],
        frames=[NewEntry.model_validate(frame) for frame in frames],
    )
