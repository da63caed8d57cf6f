"""Finished rounds and shoes: history, records that replay, exports, and the proof of a fair shoe."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, ConfigDict

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.game.entries import SettingValue, ShoeRevealed, read_entry
from holecard.server.host.hosted_table import is_table_id, stream_of
from holecard.server.records.export import MEDIA_TYPES, export, round_record
from holecard.server.records.summaries import RoundSummary, summary
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.server.web.services import Services
from holecard.server.web.table_info import settings_of_tables
from holecard.sheets.read import from_data
from holecard.sheets.schema import RuleSheet
from holecard.table.records.record import Record
from holecard.table.records.rounds_file import rounds_text

#: How many rounds of a history are as much work as a message.
_ROUNDS_PER_MESSAGE = 20
#: How many messages an export or a finished shoe counts for.
_MUCH_WORK = 10
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
    game: str
    """The name of the game."""
    title: str
    """The name of the game, for people."""
    settings: dict[str, SettingValue]
    """Settings that made the table differ from the game, by path."""
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
    summary: RoundSummary
    """Your hands, what you staked and what you won."""
    record: str
    """The round as TOML, with the fields above, which `holecard replay` reads."""


class PlayedShoe(BaseModel):
    """A shoe that you have played rounds from."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    table: str
    """The table's id."""
    shoe: str
    """The shoe's id."""
    title: str
    """The name of the game, for people."""
    settings: dict[str, SettingValue]
    """Settings that made the table differ from the game, by path."""
    first: int
    """The number of the first of your rounds in it."""
    last: int
    """The number of the last of your rounds in it."""
    at: int
    """When that round ended, in milliseconds since 1970."""
    ended: bool
    """Whether the shoe has ended, so that its seed is public."""


@router.get("/history/shoes")
async def shoes(service: Service, user: SignedIn, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> list[PlayedShoe]:
    """Return the shoes that you have played from, the newest first."""
    service.rates.take(user.id, limit / _ROUNDS_PER_MESSAGE)
    found = await service.reader.shoes_of(user.id, limit)
    ended = await _ended_shoes(service, {row["table"] for row in found})
    settings = await settings_of_tables(service, {row["table"] for row in found})
    return [PlayedShoe(**row, settings=settings[row["table"]], ended=row["shoe"] in ended) for row in found]


async def _ended_shoes(service: Services, tables: Collection[str]) -> set[str]:
    """Return the shoes of tables whose seeds are public."""
    ended: set[str] = set()
    for table in tables:
        for row in await service.reader.entries_of_kinds(stream_of(table), ("shoe revealed",), 2**31 - 1):
            entry = read_entry(row.body)
            assert isinstance(entry, ShoeRevealed)
            ended.add(entry.shoe)
    return ended


@router.get("/history")
async def history(
    service: Service,
    user: SignedIn,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    sheet: Annotated[str | None, Query(max_length=64)] = None,
) -> list[RoundInfo]:
    """Return your rounds, the newest first; `before` is a time in milliseconds, `sheet` the SHA-256 of a sheet."""
    service.rates.take(user.id, limit / _ROUNDS_PER_MESSAGE)
    async with service.reading:
        rows = await service.reader.rounds_of(user.id, limit, before, sheet)
        return await _found(service, rows, user.id)


@router.get("/history/export", response_class=Response, responses={200: {"content": _FILES}, **refusals(406)})
async def export_history(
    service: Service, user: SignedIn, format: Literal["toml", "csv", "parquet"] = "csv"
) -> Response:
    """Return all your rounds as one file: a record each, or a line for each wager; with your free money after it."""
    service.rates.take(user.id, _MUCH_WORK)
    async with service.reading:
        rows = await service.reader.rounds_of(user.id, None, None)
        content = await asyncio.to_thread(export, rows, await _sheets(service, rows), user.id, format)
    return Response(
        content,
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
    return (await _found(service, [row], user.id))[0]


@router.get(
    "/tables/{table_id}/shoes/{shoe}", response_model=None, responses={200: {"model": ShoeDocument}, **refusals(404)}
)
async def one_shoe(table_id: str, shoe: str, service: Service, user: SignedIn) -> Response:
    """Return a shoe that has ended, with its seed, for `holecard verify-shoe`."""
    service.rates.take(user.id, _MUCH_WORK)
    return Response(await service.host.finished_shoe_text(table_id, shoe), media_type="application/json")


async def _sheets(service: Services, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return await service.reader.sheets({row["sheet"] for row in rows})


async def _found(service: Services, rows: Sequence[Mapping[str, Any]], user: str) -> list[RoundInfo]:
    settings = await settings_of_tables(service, {row["table"] for row in rows})
    sheets = await _sheets(service, rows)
    return await asyncio.to_thread(_rounds, rows, sheets, settings, user)


def _rounds(
    rows: Sequence[Mapping[str, Any]],
    sheets: Mapping[str, str],
    settings: Mapping[str, dict[str, SettingValue]],
    user: str,
) -> list[RoundInfo]:
    dealt_by = {found: from_data(json.loads(content), "the stored sheet") for found, content in sheets.items()}
    return [
        _round(row, round_record(row, sheets, user), dealt_by[row["sheet"]], settings[row["table"]]) for row in rows
    ]


def _round(row: Mapping[str, Any], record: Record, sheet: RuleSheet, settings: dict[str, SettingValue]) -> RoundInfo:
    origin = record.origin
    assert origin is not None
    return RoundInfo(
        table=origin.table,
        number=origin.number,
        at=origin.at,
        game=row["game"],
        title=row["title"],
        settings=settings,
        shoe=origin.shoe,
        sheet=origin.sheet,
        version=origin.version,
        seats=dict(origin.seats),
        balances=dict(origin.balances),
        summary=summary(record, sheet, [seat for seat, who in origin.seats.items() if who == "you"]),
        record=rounds_text([record]),
    )
