"""Where chunks run: local threads, a Dask cluster, or any `concurrent.futures.Executor`.

    None, "threads"       one thread per core
    2, "2", "threads:2"   two threads
    "dask://host:port"    the workers of this Dask scheduler
    an Executor           used as it is, and left open
    a function            creates executors; called again when one breaks, as a pool does when a process dies

An executor takes calls and returns futures, which is all a run needs, so there is no scheduler here.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import logging
import os
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from holecard.errors import Refusal, did_you_mean, install_extra, shortly

ExecutorSource: TypeAlias = Executor | Callable[[], Executor]
ExecutorLike: TypeAlias = ExecutorSource | str | int | None

_KINDS = ("threads", "threads:2", "dask://host:port")
_MOST_THREADS = 1024
#: How long a scheduler may take to answer, in seconds.
_ANSWER_SECONDS = 5.0
#: How long a cluster may take to have its first worker, in seconds.
_WORKER_SECONDS = 5.0
#: Loggers that Dask uses in the terminal; only "distributed" passes its level on to its modules.
_LOGGERS = ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application")


@contextlib.contextmanager
def executor_of(given: ExecutorLike) -> Iterator[ExecutorSource]:
    """Yield the executor that was given or named; close only what was opened here.

    Closing does not wait: chunks left at the end of a run were canceled on purpose.
    """
    if isinstance(given, Executor) or callable(given):
        with _without_dasks_callbacks():
            yield given
    elif isinstance(given, str) and given.startswith("dask:"):
        with _cluster(given) as executor:
            yield executor
    else:
        threads = ThreadPoolExecutor(_threads(given), thread_name_prefix="holecard")
        try:
            yield threads
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


def workers_of(executor: Executor) -> int:
    """Return how many calls an executor runs at once, as far as it is known; a cluster's number may change."""
    # There is no public attribute for this. Dask executors have a client; pools and similar ones have _max_workers.
    client = getattr(executor, "_client", None)
    if client is not None:
        workers = client.scheduler_info().get("workers", {}).values()
        return sum(int(worker["nthreads"]) for worker in workers) or 1
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


def has_lost_its_cluster(executor: Executor) -> bool:
    """Return whether Dask lost the scheduler, so that no result will arrive."""
    return getattr(getattr(executor, "_client", None), "status", None) == "closed"


def _threads(given: object) -> int:
    """Return the number of threads requested."""
    if given is None or given == "threads":
        return os.cpu_count() or 1
    number = _number(given.removeprefix("threads:")) if isinstance(given, str) else given
    if isinstance(number, bool) or not isinstance(number, int):
        known = did_you_mean(given, _KINDS) if isinstance(given, str) else f"use {', '.join(_KINDS)}"
        raise Refusal(f"unknown executor {shortly(given)}; {known}")
    if not 1 <= number <= _MOST_THREADS:
        raise Refusal(f"cannot start {number} threads; ask for 1 to {_MOST_THREADS}")
    return number


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@contextlib.contextmanager
def _cluster(text: str) -> Iterator[Executor]:
    """Yield an executor on the workers of a running Dask scheduler."""
    address = _address(text)
    distributed = _distributed()
    with _hushed(), _without_dasks_callbacks():
        _check_answer(distributed, address)
        client = distributed.Client(address, set_as_default=False)
        try:
            _check_workers(client, address)
            # Not pure: a retried chunk is a new call, and Dask does not have to hash the play each time.
            yield client.get_executor(pure=False)
        finally:
            with contextlib.suppress(TimeoutError):
                client.close(timeout=_ANSWER_SECONDS)


def _address(text: str) -> str:
    """Return the address in Dask's form, "tcp://host:port"."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.netloc.count("@") or text != f"dask://{parts.netloc}":
        raise Refusal(
            f"{shortly(text)} is not a cluster address; write dask://host:port, such as dask://127.0.0.1:8786"
        )
    return f"tcp://{parts.netloc}"


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise Refusal(f"a Dask cluster needs another package; {install_extra('cluster')}") from None


def _check_answer(distributed: Any, address: str) -> None:
    """Connect once with a timeout: Dask's client waits forever if a port is open but nothing answers."""

    async def shake_hands() -> None:
        comm = await distributed.comm.connect(address, timeout=_ANSWER_SECONDS)
        await comm.close()

    async def in_time() -> None:
        await asyncio.wait_for(shake_hands(), _ANSWER_SECONDS)

    try:
        # In a separate thread, because a notebook already runs an event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, in_time()).result()
    except Exception as error:
        raise Refusal(
            f"no Dask scheduler answers at {address.removeprefix('tcp://')}; start one there with `dask scheduler`, "
            f"or correct the address ({type(error).__name__}{f': {error}' if str(error) else ''})"
        ) from None


def _check_workers(client: Any, address: str) -> None:
    """Raise a `Refusal` before the run if the cluster cannot play a chunk."""
    scheduler = address.removeprefix("tcp://")
    try:
        client.wait_for_workers(1, timeout=_WORKER_SECONDS)
    except TimeoutError:
        raise Refusal(f"the cluster at {scheduler} has no workers; start some with `dask worker {scheduler}`") from None
    found = client.run(importlib.util.find_spec, "holecard", on_error="return")
    without = sorted(worker for worker, spec in found.items() if spec is None)
    if without:
        raise Refusal(f"holecard is not installed on worker {without[0]}; install the same version as here")


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Silence Dask's log in the terminal; real problems arrive as exceptions."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextlib.contextmanager
def _without_dasks_callbacks() -> Iterator[None]:
    """Keep failures of Dask's own callbacks from the terminal.

    When a future is canceled, Dask tells the scheduler. If the scheduler is gone, this fails, and `concurrent.futures`
    would log it with a traceback, although the run ends with a message of its own.
    """
    logger, own = logging.getLogger("concurrent.futures"), partial(_is_not_of_dask)  # one for each run
    logger.addFilter(own)
    try:
        yield
    finally:
        logger.removeFilter(own)


def _is_not_of_dask(record: logging.LogRecord) -> bool:
    """Return whether a failure did not happen in Dask."""
    trace = record.exc_info[2] if record.exc_info else None
    modules = (str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(trace))
    return all(module.partition(".")[0] != "distributed" for module in modules)
