"""What the coach computes in a worker process; answers are plain data, so that the server loads no kernels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from holecard.server.game.played_decisions import PlayedDecision
from holecard.table.records.record import Record
from holecard.table.views import View

if TYPE_CHECKING:
    from holecard.sheets.schema import RuleSheet


def coached(content: str, seen: View, seat: int, last: PlayedDecision | None) -> dict[str, Any]:
    """Return the advice for a seat, and what the last decision cost, by the content of the sheet."""
    from holecard.coach.advice import advise

    advice = asdict(advise(_sheet(content), seen, seat))
    return {**advice, "last": None if last is None else _cost(content, last)}


@lru_cache(256)
def _cost(content: str, decision: PlayedDecision) -> dict[str, Any]:
    from holecard.coach.review import judged_decision

    seen, act = decision
    judged = judged_decision(_sheet(content), seen, act.action, None if act.amount is None else int(act.amount))
    return {**asdict(judged), "is_right": judged.is_right}


def reviewed_round(record: Record) -> dict[str, Any]:
    """Return the review of a round for the person whose seats its origin names."""
    from holecard.coach.review import review

    found = review(record, own_seats(record))
    decisions = [{**asdict(one), "is_right": one.is_right} for one in found.decisions]
    return {**asdict(found), "luck": found.luck, "decisions": decisions}


def tallied_rounds(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the sums of each round for the person whose seats its origin names."""
    from holecard.coach.review import review

    return [asdict(review(record, own_seats(record)).tally) for record in records]


def own_seats(record: Record) -> list[int]:
    """Return the seats of the person who reads the record."""
    assert record.origin is not None
    return [seat for seat, whose in record.origin.seats.items() if whose == "you"]


@lru_cache(64)
def _sheet(content: str) -> RuleSheet:
    from holecard.sheets.read import from_data

    return from_data(json.loads(content), "the sheet of the table")
