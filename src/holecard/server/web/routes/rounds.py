"""Finished rounds and shoes: history, records that replay, exports, and the proof of a fair shoe."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, TypeAdapter

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.fairness.shoe_document import ShoeDocument
from holecard.server.game.entries import SettingValue
from holecard.server.host.hosted_table import is_table_id
from holecard.server.records.export import MEDIA_TYPES, RoundsFile, export, round_record, rounds_file
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
    """By seat of yours, your free money after it, or chips of a table with its own, in cents; empty for a round of a
    version that did not store it."""
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


_HISTORY = TypeAdapter(list[RoundInfo])


@router.get("/history/shoes")
async def shoes(service: Service, user: SignedIn, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> list[PlayedShoe]:
    """Return the shoes that you have played from, the newest first."""
    service.rates.take(user.id, limit / _ROUNDS_PER_MESSAGE)
    found = await service.reader.shoes_of(user.id, limit)
    settings = await settings_of_tables(service, {row["table"] for row in found})
    return [PlayedShoe(**row, settings=settings[row["table"]]) for row in found]


@router.get("/history", response_model=list[RoundInfo])
async def history(
    service: Service,
    user: SignedIn,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    sheet: Annotated[str | None, Query(max_length=64)] = None,
) -> Response:
    """Return your rounds, the newest first; `before` is a time in milliseconds, `sheet` the SHA-256 of a sheet."""
    service.rates.take(user.id, limit / _ROUNDS_PER_MESSAGE)
    async with service.turns.of(user.id):
        rows = await service.reader.rounds_of(user.id, limit, before, sheet)
        return await _answer(service, rows, user.id, _HISTORY.dump_json)


@router.get("/history/export", response_class=Response, responses={200: {"content": _FILES}, **refusals(406)})
async def export_history(
    service: Service, user: SignedIn, format: Literal["toml", "csv", "parquet"] = "csv"
) -> Response:
    """Return all your rounds as one file: a record each, or a line for each wager; with your free money after it."""
    service.rates.take(user.id, _MUCH_WORK)
    pages = service.reader.pages_of_rounds(user.id)
    first: list[dict[str, Any]] = await anext(pages, [])  # while a database that does not answer can still be refused
    return StreamingResponse(
        _parts(service, user.id, rounds_file(format), first, pages),
        media_type=MEDIA_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="rounds.{format}"'},
    )


async def _parts(
    service: Services,
    user: str,
    file: RoundsFile,
    rows: list[dict[str, Any]],
    pages: AsyncIterator[list[dict[str, Any]]],
) -> AsyncIterator[bytes]:
    """Yield a file part by part; between two parts others have their turn, however slowly this one is received."""
    yield file.head()
    while rows:
        async with service.turns.of(user):
            part = await asyncio.to_thread(export, rows, await _sheets(service, rows), user, file)
        yield part
        rows = await anext(pages, [])
    yield await asyncio.to_thread(file.end)


@router.get("/tables/{table_id}/rounds/{number}", response_model=RoundInfo, responses=refusals(404))
async def one_round(
    table_id: str, number: Annotated[int, Path(ge=1, le=2**31 - 1)], service: Service, user: SignedIn
) -> Response:
    """Return a finished round of a table."""
    row = await service.reader.round(table_id, number) if is_table_id(table_id) else None
    if row is None:
        raise NotFound(f"table {shortly(table_id)} has no finished round {number}")
    return await _answer(service, [row], user.id, lambda found: found[0].model_dump_json().encode())


@router.get(
    "/tables/{table_id}/shoes/{shoe}", response_model=None, responses={200: {"model": ShoeDocument}, **refusals(404)}
)
async def one_shoe(table_id: str, shoe: str, service: Service, user: SignedIn) -> Response:
    """Return a shoe that has ended, with its seed, for `holecard verify-shoe`."""
    service.rates.take(user.id, _MUCH_WORK)
    async with service.turns.of(user.id):
        return Response(await service.host.finished_shoe_text(table_id, shoe), media_type="application/json")


async def _sheets(service: Services, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return await service.reader.sheets({row["sheet"] for row in rows})


async def _answer(
    service: Services, rows: Sequence[Mapping[str, Any]], user: str, write: Callable[[list[RoundInfo]], bytes]
) -> Response:
    """Return stored rounds as JSON; records are read and written in a thread, so that tables do not wait."""
    settings = await settings_of_tables(service, {row["table"] for row in rows})
    sheets = await _sheets(service, rows)
    answer = await asyncio.to_thread(lambda: write(_rounds(rows, sheets, settings, user)))
    return Response(answer, media_type="application/json")


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
