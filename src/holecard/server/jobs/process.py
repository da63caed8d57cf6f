"""Run a function in a new process and wait for what it sends; the process ends with its caller."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from holecard.server.jobs.lifeline import end_in_time, lower_priority

#: Seconds between looks at what the process has sent.
_POLL = 0.05
#: Seconds that the process lives beyond its limit, so that its caller stops it first.
_LATER = 5.0
#: The niceness of such processes: behind the charts and drills of people who wait, from the first import on.
_LAST = 19
#: How a message begins that is not the answer yet.
PROGRESS = "progress"


def _ignore(*_news: Any) -> None:
    """Do nothing with news of a computation."""


async def answer_of(
    target: Callable[..., None],
    arguments: tuple[object, ...],
    seconds: float,
    on_progress: Callable[..., None] = _ignore,
) -> tuple[Any, ...]:
    """Return what a function sends over the connection that it gets as its last argument.

    Before its answer it may send tuples that begin with PROGRESS; `on_progress` gets the rest of each. A function that
    takes too long raises TimeoutError; one that ends without an answer, EOFError.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_live, args=(there, seconds + _LATER), daemon=True)
    process.start()
    there.close()
    try:
        async with asyncio.timeout(seconds):
            # A large argument waits until the new process reads it, so it is sent from a thread.
            await asyncio.to_thread(here.send, (target, arguments))
            while True:
                while not here.poll():
                    await asyncio.sleep(_POLL)
                answer: tuple[Any, ...] = here.recv()
                if answer[0] != PROGRESS:
                    return answer
                on_progress(*answer[1:])
    except (BrokenPipeError, ConnectionResetError):
        raise EOFError from None
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
        here.close()


def _live(connection: Connection, seconds: float) -> None:
    """Do what the caller asks; a caller that is gone is not told anything."""
    end_in_time(seconds)
    lower_priority(_LAST)
    with suppress(BrokenPipeError, ConnectionResetError):
        try:
            target, arguments = connection.recv()
        except EOFError:
            return
        target(*arguments, connection)
        connection.close()
