"""The sums of a person's rounds at a table, for the coach: each round is reviewed once and then kept as numbers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import structlog

from holecard.coach.tally import SessionTally, hands_per_hour
from holecard.errors import Refusal
from holecard.server.compute.coached import tallied_rounds
from holecard.server.records.export import round_record
from holecard.server.store.read import StoreReader
from holecard.table.records.record import Record

ReviewRounds: TypeAlias = Callable[
    [str, Callable[[Sequence[Record]], list[dict[str, Any]]], Sequence[Record]], Awaitable[list[dict[str, Any]]]
]
#: Sessions that are kept; others are reviewed again.
_KEPT = 1000
#: Rounds that are reviewed where people wait; more are reviewed behind everything else.
_AT_ONCE = 2
#: Rounds that are reviewed together in the background.
_CHUNK = 20
#: Seconds that an answer waits for its session; the next one has what is missing.
_PATIENCE = 0.04
#: A longer pause between two rounds, in milliseconds, is not time at the table.
_PAUSE = 300_000
_log = structlog.get_logger("holecard.server")


@dataclass(slots=True)
class CoachSession:
    """The rounds of one person at one table that have been reviewed."""

    tally: SessionTally = field(default_factory=SessionTally)
    last_round: int = 0
    last_at: int = 0
    timed_hands: int = 0
    timed_seconds: float = 0.0
    left: int = 0
    """Finished rounds that are not reviewed yet."""
    looked_until: int = 0
    """The last round of the table that can be among those reviewed."""
    reviewing: asyncio.Task[None] | None = None

    @property
    def hands_per_hour(self) -> float | None:
        """The speed, without long pauses; None after few hands."""
        return hands_per_hour(self.timed_hands, self.timed_seconds)

    def add(self, record: Record, sums: Mapping[str, Any]) -> None:
        """Add a reviewed round."""
        assert record.origin is not None
        one = SessionTally(**sums)
        pause = record.origin.at - self.last_at
        if self.last_at and pause <= _PAUSE:
            self.timed_seconds += pause / 1000
            self.timed_hands += one.hands
        self.tally += one
        self.last_round, self.last_at = record.origin.number, record.origin.at


class CoachSessions:
    """The sessions of everybody who uses the coach."""

    def __init__(self, reader: StoreReader, compute: ReviewRounds, compute_slowly: ReviewRounds) -> None:
        self._reader = reader
        self._compute = compute
        self._compute_slowly = compute_slowly
        self._kept: OrderedDict[tuple[str, str], CoachSession] = OrderedDict()

    async def of(self, table_id: str, user: str, finished: int) -> CoachSession:
        """Return a session, with more of its rounds reviewed than before; `left` says how many are not.

        `finished` is the number of the last round that ended at the table.
        """
        key = table_id, user
        session = self._kept.setdefault(key, CoachSession())
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        if session.reviewing is None and (session.left or session.looked_until < finished):
            session.left = max(session.left, 1)
            session.reviewing = asyncio.create_task(self._go_on(session, table_id, user, finished), name="reviews")
        if session.reviewing is not None:
            await asyncio.wait([session.reviewing], timeout=_PATIENCE)
        return session

    async def stop(self) -> None:
        """Review nothing more."""
        tasks = [session.reviewing for session in self._kept.values() if session.reviewing is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _go_on(self, session: CoachSession, table_id: str, user: str, finished: int) -> None:
        """Review some more rounds."""
        try:
            rows = await self._reader.rounds_at(table_id, user, session.last_round, _CHUNK)
            if rows:
                await self._review(session, rows, user)
            is_all = len(rows) < _CHUNK
            left = 0 if is_all else await self._reader.count_rounds_at(table_id, user, session.last_round)
            session.left, session.looked_until = left, finished
        except Refusal as refused:
            # The next answer tries again.
            _log.info("rounds could not be reviewed", table=table_id, reason=str(refused))
        finally:
            session.reviewing = None

    async def _review(self, session: CoachSession, rows: Sequence[Mapping[str, Any]], user: str) -> None:
        sheets = await self._reader.sheets({row["sheet"] for row in rows})
        records = [round_record(row, sheets, user) for row in rows]
        compute = self._compute if len(records) <= _AT_ONCE else self._compute_slowly
        for record, sums in zip(records, await compute(user, tallied_rounds, records), strict=True):
            session.add(record, sums)
