"""One worker process that computes for the server: started when it is needed, replaced when it dies."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar, cast

import structlog

from holecard.server.compute.worker_process import load_kernels, work_until_closed
from holecard.server.errors import ServerClosing, Unavailable

Computed = TypeVar("Computed")
_log = structlog.get_logger("holecard.server")


class Worker:
    """Runs functions in one process, in the order in which they are asked for."""

    def __init__(self, megabytes: int, seconds: float, niceness: int = 0) -> None:
        self._megabytes = megabytes
        self._seconds = seconds
        """How long one computation may take."""
        self._niceness = niceness
        # All that waits for the process waits in this thread; a caller that gives up does not disturb the next one.
        self._thread = ThreadPoolExecutor(1, "worker")
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._is_warm = False
        self._is_closed = False
        self.used = 0.0
        """The CPU seconds that the last answer took."""

    async def compute(self, function: Callable[..., Computed], *arguments: Any) -> Computed:
        """Return what a function of a module returns in the worker, or raise what it raises there."""
        return cast(Computed, await asyncio.wrap_future(self._enqueue(function, arguments)))

    def warm_up(self) -> None:
        """Load the kernels in the background, once."""
        if not self._is_warm and not self._is_closed:
            self._is_warm = True
            self._enqueue(load_kernels, ()).add_done_callback(_log_failure)

    def rest(self) -> None:
        """End the process once everything that waits for it is done; it is started again when it is needed."""
        if not self._is_closed:
            self._thread.submit(self._drop)

    async def close(self) -> None:
        """End the process; what waits for it is refused."""
        self._is_closed = True
        if self._process is not None:
            self._process.kill()
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
        self._drop()

    @property
    def process_id(self) -> int | None:
        """The id of the process; None where there is none."""
        return None if self._process is None else self._process.pid

    def _enqueue(self, function: Callable[..., object], arguments: tuple[object, ...]) -> Future[object]:
        if self._is_closed:
            raise ServerClosing("the server is closing")
        return self._thread.submit(self._call, function, arguments)

    def _call(self, function: Callable[..., object], arguments: tuple[object, ...]) -> object:
        """Return what the process answers; one that was killed is replaced once."""
        for is_last in (False, True):
            if self._is_closed:
                break
            try:
                kind, answer, self.used = self._asked(function, arguments)
            except (EOFError, OSError):
                self._drop()
                if self._is_closed:
                    break
                _log.warning("a worker process has died", function=function.__name__)
                if is_last:
                    break
                continue
            if kind == "raised":
                raise answer
            return answer
        if self._is_closed:
            raise ServerClosing("the server is closing")
        raise Unavailable("the process that computes this has died; try again")

    def _asked(self, function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[str, Any, float]:
        connection = self._started()
        connection.send((function, arguments))
        if not connection.poll(self._seconds):
            self._drop()
            self.used = self._seconds
            raise Unavailable(f"this takes longer than {self._seconds:.0f} seconds")
        answer: tuple[str, Any, float] = connection.recv()
        return answer

    def _started(self) -> Connection:
        """Return the connection to the process, which is started where there is none."""
        if self._connection is not None and self._process is not None and self._process.is_alive():
            return self._connection
        self._drop()
        if sys.platform != "win32":
            # Ctrl-C goes to every process of a terminal. A new process inherits the block, so it is not interrupted
            # before it can say that the server decides. The tracker comes first, because its start ends the block.
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        arguments = (there, self._megabytes, self._niceness)
        process = context.Process(target=work_until_closed, args=arguments, daemon=True)
        process.start()
        there.close()
        self._process, self._connection = process, here
        if self._is_closed:
            process.kill()
        return here

    def _drop(self) -> None:
        """End the process if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
        self._process = self._connection = None


def _log_failure(future: Future[object]) -> None:
    """Say that the kernels could not be loaded; a computation will say why."""
    if not future.cancelled() and (error := future.exception()) is not None and not isinstance(error, Unavailable):
        _log.warning("the kernels could not be loaded", error=type(error).__name__)
