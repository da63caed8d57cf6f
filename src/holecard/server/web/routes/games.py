"""The games: their rules in sentences and their wagers with limits and pay lines."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from holecard import report
from holecard.server.host.loader import sheet_hash
from holecard.server.web.identity import Service, SignedIn
from holecard.sheets.descriptions.describe import describe

router = APIRouter(prefix="/api/v1/games", tags=["games"])


class GameInfo(BaseModel):
    """A game in the list."""

    game: str
    title: str
    seats: int
    sheet: str


class GameRules(GameInfo):
    """A game with its rules: the same as `holecard rules --json`, and as text."""

    rules: dict[str, Any]
    text: str


@router.get("")
async def all_games(service: Service, _user: SignedIn) -> list[GameInfo]:
    """Return all games."""
    return [_info(service.games.sheet(name), name) for name in service.games.names()]


@router.get("/{name}")
async def one_game(name: str, service: Service, _user: SignedIn) -> GameRules:
    """Return the rules of a game."""
    sheet = service.games.sheet(name)
    described = describe(sheet)
    return GameRules(**_info(sheet, name).model_dump(), rules=report.data(described), text=report.text(described))


def _info(sheet: Any, name: str) -> GameInfo:
    return GameInfo(game=name, title=sheet.name, seats=sheet.tables.seats, sheet=sheet_hash(sheet))
