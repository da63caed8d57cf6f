"""DrillProgress on disk: one file for each rule sheet, settings included, in the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path

from holecard.atomic_file import write_atomically
from holecard.drills.progress import DrillProgress, read_progress
from holecard.errors import Refusal
from holecard.sheets.schema import RuleSheet


def progress_folder() -> Path:
    """Return the folder: in XDG_DATA_HOME, or in the home folder where data of programs is kept."""
    given = os.environ.get("XDG_DATA_HOME")
    return (Path(given) if given else Path.home() / ".local" / "share") / "holecard" / "drills"


def progress_file(sheet: RuleSheet) -> Path:
    """Return the file of a rule sheet."""
    return progress_folder() / f"{sheet.sha256}.json"


def load_progress(sheet: RuleSheet) -> DrillProgress:
    """Return what is kept about these rules, or an empty progress; refuse a damaged file."""
    file = progress_file(sheet)
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return DrillProgress(sheet=sheet.sha256)
    except OSError as error:
        raise Refusal(f"{file} cannot be read: {error.strerror}") from None
    try:
        return read_progress(text, sheet.sha256, str(file))
    except Refusal as refused:
        raise Refusal(f"{refused}; --reset puts it aside and starts again") from None


def save_progress(sheet: RuleSheet, progress: DrillProgress) -> None:
    """Write the progress in one step."""
    file = progress_file(sheet)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, progress.model_dump_json())
    except OSError as error:
        raise Refusal(f"the progress cannot be kept in {file}: {error.strerror}") from None


def reset_progress(sheet: RuleSheet) -> Path | None:
    """Put the file aside, under a name with ".old"; return where it is now, or None where there was none."""
    file = progress_file(sheet)
    aside = file.with_suffix(".json.old")
    try:
        file.replace(aside)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Refusal(f"{file} cannot be put aside: {error.strerror}") from None
    return aside
