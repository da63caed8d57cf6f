"""Many replayed rounds: each with its table, and what its seats won or lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import holecard
from holecard.errors import plural
from holecard.money import signed_dollars
from holecard.presentation import Presented
from holecard.report.document import QUIET, Document, Heading, Paragraph, Span, TableBlock
from holecard.report.sheets import replay
from holecard.report.sheets.replay import ReplayedRound


@dataclass(frozen=True, repr=False)
class ReplayedRounds(Presented):
    """The rounds of one file."""

    _report = "sheets.replayed_rounds"

    rounds: tuple[ReplayedRound, ...]


def summary(found: ReplayedRounds) -> str:
    """Return a line such as `ReplayedRounds(37 rounds)`."""
    return f"ReplayedRounds({plural(len(found.rounds), 'round')})"


def data(found: ReplayedRounds) -> dict[str, Any]:
    """Return the data of `holecard replay --json` for a file with several rounds."""
    return {"version": holecard.__version__, "rounds": [replay.data(one) for one in found.rounds]}


def rows(found: ReplayedRounds) -> list[dict[str, Any]]:
    """Return one row for each settled wager of each round."""
    return [{**_place(one), **row} for one in found.rounds for row in replay.rows(one)]


def document(found: ReplayedRounds, *, suits: str = "") -> Document:
    """Return one line for each round; `suits` are for the report of one round."""
    del suits
    columns = ("table", "round", "game", "seats")
    lines = tuple(tuple((Span(text),) for text in _line(one)) for one in found.rounds)
    title = plural(len(found.rounds), "round")
    checked = sum(bool(one.record.paid) for one in found.rounds)
    verdict = "All of them replay to the cent."
    if checked < len(found.rounds):
        verdict = f"{checked:,} of them replay to the cent; the others do not state what was paid."
    blocks = (Heading(title, level=1), TableBlock(columns, lines, left=(0, 2, 3)), Paragraph(verdict, QUIET, indent=0))
    return Document(f"{title}: replay", blocks)


def _line(one: ReplayedRound) -> tuple[str, ...]:
    place = _place(one)
    nets = ", ".join(f"{seat.number}: {signed_dollars(one.net(seat.number))}" for seat in one.final.seats)
    return str(place["table"]), str(place["round"]), one.record.rules.name, nets


def _place(one: ReplayedRound) -> dict[str, Any]:
    origin = one.record.origin
    return {"table": "" if origin is None else origin.table, "round": None if origin is None else origin.number}
