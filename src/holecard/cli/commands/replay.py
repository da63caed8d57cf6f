"""`holecard replay`: play recorded rounds again and compare what they paid."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.errors import RecordError, Unreadable
from holecard.presentation import Presented
from holecard.report.sheets.replay import ReplayedRound
from holecard.report.sheets.replayed_rounds import ReplayedRounds
from holecard.sheets.files.text_file import read_text_file
from holecard.table.records.record import replay
from holecard.table.records.rounds_file import read_records

#: Bytes of a file with rounds: some ten thousand of them.
_MOST_BYTES = 100_000_000
_SUITS = "♠♥♦♣"


def replay_record(
    file: Annotated[Path, typer.Argument(help="A round that `holecard play` saved, or rounds that a server exported.")],
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Replay a recorded round, or each of several, and check that it paid what the record states, to the cent.

    A round that a server dealt is replayed by the same sheet only: a sheet that has changed since is named.
    """
    try:
        text = read_text_file(file, _MOST_BYTES)
    except Unreadable as refused:
        raise RecordError(f"{file}: {refused}") from None
    records = read_records(text, str(file))
    found: Presented
    if len(records) == 1:
        found = ReplayedRound(records[0], tuple(replay(records[0])))
    else:
        found = ReplayedRounds(tuple(ReplayedRound(record, (replay(record)[-1],)) for record in records))
    plain = not json and format_ in (None, "text") and output is None
    options: dict[str, Any] = {"suits": _suits()} if plain else {}
    deliver(found, json=json, format=format_, output=output, **options)


def _suits() -> str:
    """Return suit signs if the output can print them, else letters."""
    try:
        _SUITS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "shdc"
    return _SUITS
