"""Finished rounds saved as files: one record for each round, numbered within its folder."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from holecard.atomic_file import write_new
from holecard.cli.play.screen.table_view import WARNING
from holecard.table.table import Table

DEFAULT_FOLDER = Path("records")


def save_and_report(table: Table, folder: Path) -> Text:
    """Save the finished round and return a message; if the disk is full, play continues without the record."""
    try:
        return Text(f"Recorded in {save_record(table, folder)}", "dim")
    except OSError as error:
        return Text(f"The record cannot be written to {folder}: {error.strerror}.", WARNING)


def save_record(table: Table, folder: Path) -> Path:
    """Write the finished round to the folder under the first free number."""
    folder.mkdir(parents=True, exist_ok=True)
    game = Path(table.rules.origin[0]).stem or "round"
    text = str(table.record())
    number = 1 + sum(1 for _ in folder.glob(f"{game}-*.toml"))
    while True:
        path = folder / f"{game}-{number:04d}.toml"
        try:
            write_new(path, text)
        except FileExistsError:
            number += 1
        else:
            return path
