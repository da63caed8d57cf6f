"""Records of rounds on disk: one small text for each, numbered within its folder."""

from __future__ import annotations

from pathlib import Path

from holecard.cli.felt import practice
from holecard.table.table import Table

DEFAULT_FOLDER = Path("records")


def save_record(table: Table, folder: Path) -> Path:
    """Write the finished round into the folder under the first free number; OSError where that cannot be done."""
    folder.mkdir(parents=True, exist_ok=True)
    game = Path(table.rules.origin[0]).stem or "round"
    text = str(table.record(practice(table)))
    number = 1 + sum(1 for _ in folder.glob(f"{game}-*.toml"))
    while True:
        path = folder / f"{game}-{number:04d}.toml"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            number += 1
        else:
            return path
