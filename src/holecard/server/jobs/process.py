"""Run a function in a new process and wait for what it sends; the process ends with its caller."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from typing import Any

_POLL = 0.05


async def answer_of(target: Callable[..., None], arguments: tuple[object, ...], seconds: float) -> tuple[Any, ...]:
    """Return what a function sends over the connection that it gets as its last argument.

    A function that takes too long raises TimeoutError; one that ends without an answer, EOFError.
    """
    context = multiprocessing.get_context("spawn")
    inbox, outbox = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(*arguments, outbox), daemon=True)
    process.start()
    outbox.close()
    try:
        async with asyncio.timeout(seconds):
            while not inbox.poll():
                await asyncio.sleep(_POLL)
            answer: tuple[Any, ...] = inbox.recv()
            return answer
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
        inbox.close()
