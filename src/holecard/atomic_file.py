"""Write a file in one step: no reader sees half of it, and a crash leaves the old file whole."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` to a draft next to `path`, flush it to disk, and rename it to `path`.

    What cannot be replaced by renaming, such as a pipe or /dev/stdout, is written to directly.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    target = target.resolve()  # a link stays a link
    # Named by process and thread: two runs that write to one file by mistake never write into each other's draft.
    draft = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            os.chmod(draft, target.stat().st_mode & 0o7777)
        os.replace(draft, target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet; raise FileExistsError if it does, and leave nothing if writing fails."""
    path.touch(exist_ok=False)  # reserves the name: of two programs that write the same file, one fails
    try:
        write_atomically(path, text)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, on systems that can open a folder for that."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
