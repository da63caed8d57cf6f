"""What a person has won and lost, per game and wager, against what the games return on average."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict

from holecard.server.game.entries import SettingValue
from holecard.server.money.returns import MAIN_WAGER
from holecard.server.records.expectations import Expectations
from holecard.server.records.export import formats
from holecard.server.records.statistics import (
    BAND,
    Course,
    GameSum,
    PersonalSums,
    PlayedRound,
    WagerSum,
    stored_wagers,
)
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN
from holecard.server.web.table_info import settings_of_tables
from holecard.sheets.schema import RuleSheet

#: How many messages the statistics count for.
_WORK = 5
#: Seconds that an answer waits for sheets whose expectations are not known yet.
_PATIENCE = 1.5
router = APIRouter(prefix="/api/v1/history", tags=["rounds"], responses=SIGNED_IN)


class _Part(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class WagerStatistics(_Part):
    """One wager of a game. Amounts are in cents."""

    wager: str
    """Its name; the main game counts as one wager, with its doubles and splits."""
    is_main: bool
    """Whether it is the main game."""
    printed: bool
    """Whether the printed rules contain its pay table; otherwise it is a house table of our own."""
    settled: int
    """How many were settled: one for each seat and round."""
    staked: int
    """What was staked; of the main game, the first stakes."""
    net: int
    """What you won; negative if you lost."""
    expected: float | None
    """What a player wins on average with these stakes: the exact EV, for the main game with the best play. Null where
    it is not known."""
    deviation: float | None
    """The standard deviation of that, with what seats of one round share; null where it is not known."""
    z: float | None
    """By how many deviations you have won more than expected; null where it is not known."""


class StatisticsPoint(_Part):
    """Your rounds up to one of them. Amounts are in cents."""

    rounds: int
    """How many rounds, from 0."""
    at: int
    """When the last of them ended, in milliseconds since 1970; 0 before the first."""
    net: int
    """What you had won; wagers and rounds without a known expectation are left out."""
    expected: float
    """What a player wins on average with these stakes."""
    low: float
    """95% of players have won at least this and at most `high`, if the sum is normal. How wagers of one round vary
    together comes from a sample of rounds; the width is right within about 1%."""
    high: float
    """The upper end."""


class GameStatistics(_Part):
    """A game with its settings: one rule sheet."""

    game: str
    """The name of the game."""
    title: str
    """The name of the game, for people."""
    settings: dict[str, SettingValue]
    """Settings that made the tables differ from the game, by path."""
    sheet: str
    """The SHA-256 of the rule sheet."""
    rounds: int
    """How many rounds."""
    wagers: list[WagerStatistics]
    """The main game, then the other wagers by name."""
    points: list[StatisticsPoint]
    """The course of your result, at most 400 points."""


class HistoryStatistics(_Part):
    """All your rounds against what the games return on average."""

    ready: bool
    """False while expectations are computed: ask again in a second."""
    rounds: int
    """How many rounds."""
    staked: int
    """All first stakes and side wagers, in cents."""
    net: int
    """What you won, in cents."""
    games: list[GameStatistics]
    """Per game and settings, the one with the most rounds first."""
    points: list[StatisticsPoint]
    """The course of your result over all games, at most 400 points."""
    formats: list[str]
    """What `GET /api/v1/history/export` writes here."""


@router.get("/statistics", response_model=HistoryStatistics)
async def statistics(service: Service, user: SignedIn) -> Response:
    """Return your rounds per game and wager, with what a player wins on average, and the course of your result."""
    service.rates.take(user.id, _WORK)
    contents = await service.reader.sheets(await service.reader.sheets_played_by(user.id))
    known = await service.expectations.of(user.id, contents, _PATIENCE)
    sums, first = PersonalSums(known), dict[tuple[str, str], tuple[str, str]]()
    async with service.turns.of(user.id):
        async for rows in service.reader.pages_of_wagers(user.id):
            for row in rows:
                sums.add(PlayedRound(row["at"], row["game"], row["sheet"], stored_wagers(row["wagers"])))
                first.setdefault((row["game"], row["sheet"]), (row["title"], row["table"]))
        settings = await settings_of_tables(service, {table for _, table in first.values()})
        sheets = {sheet: await service.host.sheet(sheet) for _, sheet in first}
        named = {key: (title, settings[table]) for key, (title, table) in first.items()}
        answer = await asyncio.to_thread(_answer, sums, known, sheets, named)
    return Response(answer, media_type="application/json")


def _answer(
    sums: PersonalSums,
    known: Mapping[str, Expectations],
    sheets: Mapping[str, RuleSheet],
    named: Mapping[tuple[str, str], tuple[str, dict[str, SettingValue]]],
) -> str:
    """Return the answer as JSON; `named` has the title and the settings by game and sheet."""
    games = sums.games
    return HistoryStatistics(
        ready=sheets.keys() == known.keys(),
        rounds=sums.rounds,
        staked=sum(wager.staked for one in games for wager in one.wagers.values()),
        net=sum(wager.net for one in games for wager in one.wagers.values()),
        games=[_game(one, known.get(one.sheet, {}), sheets[one.sheet], *named[one.game, one.sheet]) for one in games],
        points=_points(sums.course),
        formats=formats(),
    ).model_dump_json()


def _game(
    one: GameSum, known: Expectations, sheet: RuleSheet, title: str, settings: dict[str, SettingValue]
) -> GameStatistics:
    house = {wager.name for wager in sheet.tables.wagers if not wager.printed}
    names = sorted(one.wagers, key=lambda name: (name != MAIN_WAGER, name))
    stakes = sheet.tables.stakes[: 2 if sheet.tables.has_companion else 1]
    return GameStatistics(
        game=one.game,
        title=title,
        settings=settings,
        sheet=one.sheet,
        rounds=one.rounds,
        wagers=[
            _wager(
                name,
                one.wagers[name],
                is_known=name in known,
                printed=name not in house,
                main=" and ".join(stakes),
            )
            for name in names
        ],
        points=_points(one.course),
    )


def _wager(name: str, found: WagerSum, *, is_known: bool, printed: bool, main: str) -> WagerStatistics:
    return WagerStatistics(
        wager=main if name == MAIN_WAGER else name,
        is_main=name == MAIN_WAGER,
        printed=printed,
        settled=found.settled,
        staked=found.staked,
        net=found.net,
        expected=found.expected if is_known else None,
        deviation=found.deviation if is_known else None,
        z=found.z if is_known else None,
    )


def _points(course: Course) -> list[StatisticsPoint]:
    return [
        StatisticsPoint(
            rounds=point.rounds,
            at=point.at,
            net=point.net,
            expected=point.expected,
            low=point.expected - BAND * point.deviation,
            high=point.expected + BAND * point.deviation,
        )
        for point in course.points()
    ]
