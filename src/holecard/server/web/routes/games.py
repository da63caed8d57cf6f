"""The games and the tables: their rules in sentences and their wagers with limits and pay lines."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict

from holecard import report
from holecard.server.compute.edges import EdgesOfGame
from holecard.server.game.entries import SettingValue
from holecard.server.host.loader import sheet_hash
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.server.web.services import Services
from holecard.server.web.table_readings import TableReading, table_readings
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.descriptions.felt import Felt, felt
from holecard.sheets.schema import RuleSheet

router = APIRouter(prefix="/api/v1", tags=["games"], responses=SIGNED_IN)


class GameInfo(BaseModel):
    """A game in the list."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    game: str
    """The name, to open a table with."""
    title: str
    """The name, for people."""
    seats: int
    """How many seats a table has."""
    sheet: str
    """The SHA-256 of the rule sheet."""
    about: str = ""
    """One sentence about the game."""
    group: Literal["printed", "example", "own"] = "own"
    """`printed`: the rules come from a printed sheet; `example`: another game that comes with Holecard; `own`: a sheet
    of this server's folder."""
    felt: Felt | None = None
    """What is printed on the table's cloth; null where the sheet has a problem."""
    problem: str | None = None
    """What is wrong with its sheet; no table can be opened then, and the other fields are empty."""
    stopped: str | None = None
    """Why the operator has stopped it, so that no table is opened and no bets are taken; null while it is dealt."""


class GameRules(GameInfo):
    """A game with its rules: the same as `holecard rules --json`, and as text."""

    rules: dict[str, Any]
    """Rules, wagers with limits and pay lines, as docs/json.md describes them."""
    text: str
    """The rules in sentences."""
    readings: list[TableReading]
    """What can be chosen for a new table: the other readings of the rulings."""


class RulesOfTable(BaseModel):
    """The rules of a table, and how they differ from those of the game."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    game: str
    """The name of the game."""
    title: str
    """The name of the game, for people."""
    sheet: str
    """The SHA-256 of the rule sheet, settings included."""
    settings: dict[str, SettingValue]
    """Settings that make this table differ from the game, by path."""
    chips: int = 0
    """What everybody gets at this table, which has its own chips, in cents; 0 where people play with their money."""
    felt: Felt
    """What is printed on the table's cloth."""
    rules: dict[str, Any]
    """Rules, wagers with limits and pay lines, as docs/json.md describes them."""
    text: str
    """The rules in sentences."""


@router.get("/games")
async def all_games(service: Service, _user: SignedIn) -> list[GameInfo]:
    """Return all games."""
    return [_listed(service, name) for name in service.games.names()]


@router.get("/games/{name}", responses=refusals(404))
async def one_game(name: str, service: Service, _user: SignedIn) -> GameRules:
    """Return the rules of a game."""
    sheet = service.games.sheet(name)
    readings = await asyncio.to_thread(lambda: list(table_readings(service.games, name)))
    described = await asyncio.to_thread(_described, sheet)
    return GameRules(**dict(_info(service, name)), **described, readings=readings)


@router.get("/games/{name}/edges", responses={202: {"model": EdgesOfGame}, **refusals(404)})
async def edges_of_game(name: str, service: Service, _user: SignedIn, response: Response) -> EdgesOfGame:
    """Return the exact house edge of every wager; 202 while they are computed."""
    found = await service.edges.of(service.games.sheet(name))
    response.status_code = 200 if found.ready else 202
    return found


@router.get("/tables/{table_id}/rules", responses=refusals(404))
async def rules_of_table(table_id: str, service: Service, _user: SignedIn) -> RulesOfTable:
    """Return the rules of a table, settings included."""
    table = (await service.host.table(table_id)).table
    opened, sheet = table.opened, service.games.same(table.opened.game, table.opened.settings, table.sheet)
    described = await asyncio.to_thread(_described, sheet)
    return RulesOfTable(
        game=opened.game,
        title=opened.title,
        sheet=opened.sheet,
        settings=opened.settings,
        chips=opened.chips,
        felt=felt(sheet),
        **described,
    )


def _described(sheet: RuleSheet) -> dict[str, Any]:
    described = describe(sheet)
    return {"rules": report.data(described), "text": report.text(described)}


def _listed(service: Services, name: str) -> GameInfo:
    problem = service.games.problem(name)
    if problem is not None:
        return GameInfo(game=name, title=name, seats=0, sheet="", problem=problem)
    return _info(service, name)


def _info(service: Services, name: str) -> GameInfo:
    sheet = service.games.sheet(name)
    return GameInfo(
        game=name,
        title=sheet.name,
        seats=sheet.tables.seats,
        sheet=sheet_hash(sheet),
        about=sheet.about,
        group=service.games.group(name),
        felt=felt(sheet),
        stopped=service.host.orders.why_stopped(name, sheet_hash(sheet)),
    )
