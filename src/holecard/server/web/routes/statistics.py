"""What a person has won and lost, per game and wager, against what the games return on average."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from holecard.server.game.entries import SettingValue
from holecard.server.money.returns import MAIN_WAGER
from holecard.server.records.expectations import Expectations
from holecard.server.records.export import formats
from holecard.server.records.statistics import (
    BAND,
    CoursePoint,
    GameSum,
    PlayedRound,
    WagerSum,
    by_game,
    cumulated,
    thinned,
)
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.refusals import SIGNED_IN
from holecard.server.web.table_info import settings_of_tables
from holecard.sheets.read import from_data
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


@router.get("/statistics")
async def statistics(service: Service, user: SignedIn) -> HistoryStatistics:
    """Return your rounds per game and wager, with what a player wins on average, and the course of your result."""
    service.rates.take(user.id, _WORK)
    async with service.reading:
        rows = await service.reader.rounds_of(user.id, None, None)
        contents = await service.reader.sheets({row["sheet"] for row in rows})
        sheets = {found: from_data(json.loads(content), "the stored sheet") for found, content in contents.items()}
        companions = {found: sheet.tables.has_companion for found, sheet in sheets.items()}
        rounds = await asyncio.to_thread(service.kept_rounds.of, rows[::-1], user.id, companions)
    known = await service.expectations.of(user.id, contents, _PATIENCE)
    last = {(row["game"], row["sheet"]): (row["title"], row["table"]) for row in rows}
    settings = await settings_of_tables(service, {table for _, table in last.values()})
    named = {key: (title, settings[table]) for key, (title, table) in last.items()}
    return await asyncio.to_thread(_answer, rounds, known, sheets, named)


def _answer(
    rounds: list[PlayedRound],
    known: Mapping[str, Expectations],
    sheets: Mapping[str, RuleSheet],
    named: Mapping[tuple[str, str], tuple[str, dict[str, SettingValue]]],
) -> HistoryStatistics:
    """Return the answer; `named` has the title and the settings by game and sheet."""
    sums = by_game(rounds, known)
    return HistoryStatistics(
        ready=sheets.keys() == known.keys(),
        rounds=len(rounds),
        staked=sum(wager.staked for one in sums for wager in one.wagers.values()),
        net=sum(wager.net for one in sums for wager in one.wagers.values()),
        games=[_game(one, rounds, known, sheets[one.sheet], *named[one.game, one.sheet]) for one in sums],
        points=_points(cumulated(rounds, known)),
        formats=formats(),
    )


def _game(
    one: GameSum,
    rounds: list[PlayedRound],
    known: Mapping[str, Expectations],
    sheet: RuleSheet,
    title: str,
    settings: dict[str, SettingValue],
) -> GameStatistics:
    house = {wager.name for wager in sheet.tables.wagers if not wager.printed}
    own = [played for played in rounds if (played.game, played.sheet) == (one.game, one.sheet)]
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
                is_known=name in known.get(one.sheet, {}),
                printed=name not in house,
                main=" and ".join(stakes),
            )
            for name in names
        ],
        points=_points(cumulated(own, known)),
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


def _points(points: Sequence[CoursePoint]) -> list[StatisticsPoint]:
    return [
        StatisticsPoint(
            rounds=point.rounds,
            at=point.at,
            net=point.net,
            expected=point.expected,
            low=point.expected - BAND * point.deviation,
            high=point.expected + BAND * point.deviation,
        )
        for point in thinned(points)
    ]
