"""Functions for a worker process, and a program that ends at Ctrl-C while its worker starts."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from holecard.errors import Refusal


class StrangeError(Exception):
    """An exception that can be written as bytes and not read back."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def process_and_sum(first: int, second: int) -> tuple[int, int]:
    return os.getpid(), first + second


def begin_and_sleep(begun: str, seconds: float) -> None:
    Path(begun).touch()
    time.sleep(seconds)


def refuse(words: str) -> None:
    raise Refusal(words)


def raise_strange() -> None:
    raise StrangeError(7, 8)


def return_strange() -> Callable[[], int]:
    return lambda: 1


async def _main() -> None:
    from holecard.server.compute.worker import Worker

    interrupted = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupted.set)
    worker = Worker(8192, 60)
    worker.warm_up()
    print("begins", flush=True)
    await interrupted.wait()
    await worker.close()
    print("ended", flush=True)


if __name__ == "__main__":
    asyncio.run(_main())
