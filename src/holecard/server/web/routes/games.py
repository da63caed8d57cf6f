"""The games: their rules in sentences and their wagers with limits and pay lines."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from holecard import report
from holecard.server.games import Games
from holecard.server.host.loader import sheet_hash
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN, refusals
from holecard.sheets.descriptions.describe import describe

router = APIRouter(prefix="/api/v1/games", tags=["games"], responses=SIGNED_IN)


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
    problem: str | None = None
    """What is wrong with its sheet; no table can be opened then, and the other fields are empty."""


class GameRules(GameInfo):
    """A game with its rules: the same as `holecard rules --json`, and as text."""

    rules: dict[str, Any]
    """Rules, wagers with limits and pay lines, as docs/json.md describes them."""
    text: str
    """The rules in sentences."""


@router.get("")
async def all_games(service: Service, _user: SignedIn) -> list[GameInfo]:
    """Return all games."""
    return [_listed(service.games, name) for name in service.games.names()]


@router.get("/{name}", responses=refusals(404))
async def one_game(name: str, service: Service, _user: SignedIn) -> GameRules:
    """Return the rules of a game."""
    sheet = service.games.sheet(name)
    described = describe(sheet)
    return GameRules(**_info(sheet, name).model_dump(), rules=report.data(described), text=report.text(described))


def _listed(games: Games, name: str) -> GameInfo:
    problem = games.problem(name)
    if problem is not None:
        return GameInfo(game=name, title=name, seats=0, sheet="", problem=problem)
    return _info(games.sheet(name), name)


def _info(sheet: Any, name: str) -> GameInfo:
    return GameInfo(game=name, title=sheet.name, seats=sheet.tables.seats, sheet=sheet_hash(sheet))
