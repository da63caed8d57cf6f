"""`holecard replay`: play a recorded round again and compare what it paid."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.errors import RecordError, Unreadable
from holecard.report.sheets.replay import ReplayedRound
from holecard.sheets.files.text_file import read_text_file
from holecard.table.records.record import read_record, replay

_SUITS = "♠♥♦♣"


def replay_record(
    file: Annotated[Path, typer.Argument(help="A recorded round, as `holecard play` saves it.")],
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Replay a recorded round and check that it paid what the record states, to the cent."""
    try:
        text = read_text_file(file)
    except Unreadable as refused:
        raise RecordError(f"{file}: {refused}") from None
    record = read_record(text, str(file))
    found = ReplayedRound(record, tuple(replay(record)))
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
