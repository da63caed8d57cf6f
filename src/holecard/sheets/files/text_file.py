"""Read a small text file: a rule sheet, a chart or a recorded round.

Only regular files of a sensible size are read, so that a pipe cannot hang a command and an endless device cannot fill
the memory. A byte order mark, which some editors write, is dropped.
"""

from __future__ import annotations

import stat
from pathlib import Path

from holecard.errors import Unreadable

#: The largest sheet that comes with Holecard has 7,000 bytes.
MOST_BYTES = 100_000

_UTF_8_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_text_file(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file of at most `most` bytes; an `Unreadable` refusal says why it cannot be read."""
    return _decoded(read_bytes(path, most))


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
        content = b""
        if regular:
            with path.open("rb") as file:
                content = file.read(most + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    except ValueError:  # a path with a null byte
        raise Unreadable("cannot be read: this is not a path") from None
    if not regular:
        raise Unreadable("cannot be read: it is not a regular file")
    if len(content) > most:
        raise Unreadable(f"cannot be read: it is larger than {most:,} bytes")
    return content


def _decoded(content: bytes) -> str:
    if content.startswith(_UTF_16_MARKS):
        raise Unreadable("cannot be read: it is UTF-16 text; save it as UTF-8")
    try:
        text = content.removeprefix(_UTF_8_MARK).decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("cannot be read: it is not UTF-8 text") from None
    # As text mode does: some editors end lines with a carriage return.
    return text.replace("\r\n", "\n").replace("\r", "\n")
