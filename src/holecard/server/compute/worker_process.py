"""What runs in a worker process: one function after the other, until the server closes the connection."""

from __future__ import annotations

import pickle
from multiprocessing.connection import Connection
from time import process_time

from holecard.kernels import cache
from holecard.server.jobs.lifeline import end_with_parent, limit_memory, lower_priority


def work_until_closed(connection: Connection, megabytes: int, niceness: int) -> None:
    """Answer each (function, arguments) with "done" and a result or "raised" and an exception, and its CPU seconds."""
    end_with_parent()
    limit_memory(megabytes)
    lower_priority(niceness)
    with cache.announcing(_say_nothing):
        _answer_until_closed(connection)


def _answer_until_closed(connection: Connection) -> None:
    while True:
        try:
            function, arguments = connection.recv()
        except (EOFError, OSError):  # the server has no more
            return
        began = process_time()
        try:
            answer: tuple[str, object, float] = ("done", function(*arguments), process_time() - began)
        except Exception as error:
            answer = ("raised", error, process_time() - began)
        try:
            connection.send_bytes(_pickled(answer))
        except (BrokenPipeError, ConnectionResetError):
            return


def _say_nothing(_notice: str) -> None:
    """Compile kernels in silence: the terminal belongs to the server."""


def _pickled(answer: tuple[str, object, float]) -> bytes:
    """Return an answer as bytes that can be read back; what cannot be sent becomes an error in words."""
    try:
        sent = pickle.dumps(answer)
        pickle.loads(sent)  # an exception with arguments of its own can be written and not read
    except Exception:
        return pickle.dumps(("raised", RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}"), answer[2]))
    return sent


def load_kernels() -> None:
    """Load what the exact mathematics needs, so that the first person who asks does not wait for it."""
    import holecard

    for spot in ("T,6 v T", "8,8 v T"):
        holecard.evaluate(holecard.games()[0], spot)
