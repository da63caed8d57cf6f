"""`holecard replay`: play a recorded round again and compare what it paid."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holecard.cli.arguments import Json
from holecard.cli.printing.show import as_json
from holecard.cli.printing.show_replay import replay_data, show_replay
from holecard.errors import RecordError, Unreadable
from holecard.sheets.files.text_file import read_text_file
from holecard.table.records.record import read_record, replay


def replay_record(
    file: Annotated[Path, typer.Argument(help="A recorded round, as `holecard play` saves it.")],
    json: Json = False,
) -> None:
    """Replay a recorded round and check what it says was paid, to the cent."""
    try:
        text = read_text_file(file)
    except Unreadable as refused:
        raise RecordError(f"{file}: {refused}") from None
    record = read_record(text, str(file))
    states = replay(record)
    if json:
        as_json(replay_data(record, states[-1]))
    else:
        show_replay(record, states)
