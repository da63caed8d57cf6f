"""The worker process: results, exceptions, a killed worker, the end of the server, and Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from holecard.errors import Refusal
from holecard.server.compute.worker import Worker
from holecard.server.errors import ServerClosing, Unavailable
from tests.patience import patient, until
from tests.server import compute_targets as targets

POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")


@asynccontextmanager
async def a_worker(seconds: float = 3600) -> AsyncIterator[Worker]:
    worker = Worker(8192, seconds)
    try:
        yield worker
    finally:
        await worker.close()


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_and_exceptions_arrive_from_one_process() -> None:
    async def main() -> None:
        async with a_worker() as worker:
            assert worker.process_id is None  # nothing runs until it is needed
            first = await worker.compute(targets.process_and_sum, 2, 3)
            assert first[1] == 5
            assert first[0] == worker.process_id != os.getpid()
            with pytest.raises(Refusal, match="not today"):
                await worker.compute(targets.refuse, "not today")
            with pytest.raises(RuntimeError, match="StrangeError: 7 and 8"):
                await worker.compute(targets.raise_strange)
            with pytest.raises(RuntimeError, match="function"):
                await worker.compute(targets.return_strange)
            assert await worker.compute(targets.process_and_sum, 1, 1) == (first[0], 2)

    asyncio.run(main())


@POSIX_ONLY
def test_a_worker_that_is_killed_is_replaced() -> None:
    async def main() -> None:
        async with a_worker() as worker:
            first, _ = await worker.compute(targets.process_and_sum, 0, 0)
            os.kill(first, signal.SIGKILL)
            second, found = await worker.compute(targets.process_and_sum, 2, 2)
            assert (found, second != first) == (4, True)
            with pytest.raises(Unavailable, match="died"):
                await worker.compute(os._exit, 1)
            assert (await worker.compute(targets.process_and_sum, 2, 3))[1] == 5

    asyncio.run(main())


@POSIX_ONLY
def test_the_end_of_the_server_ends_the_worker_and_refuses_what_waits(tmp_path: Path) -> None:
    async def main() -> None:
        worker = Worker(8192, 3600)
        process, _ = await worker.compute(targets.process_and_sum, 0, 0)
        long = asyncio.create_task(worker.compute(targets.begin_and_sleep, str(tmp_path / "begun"), 3600))
        later = asyncio.create_task(worker.compute(targets.process_and_sum, 1, 1))
        await until((tmp_path / "begun").exists, "the computation begins")
        async with asyncio.timeout(patient(20)):
            await worker.close()
        found = await asyncio.gather(long, later, return_exceptions=True)
        assert isinstance(found[0], ServerClosing)
        assert isinstance(found[1], ServerClosing | asyncio.CancelledError)
        assert not is_alive(process)
        with pytest.raises(ServerClosing):
            await worker.compute(targets.process_and_sum, 1, 1)

    asyncio.run(main())


@pytest.mark.slow
def test_a_computation_that_takes_too_long_is_refused_and_the_next_one_answered() -> None:
    async def main() -> None:
        async with a_worker() as worker:
            await worker.compute(targets.process_and_sum, 1, 1)  # a process that starts takes longer
            worker._seconds = 3
            with pytest.raises(Unavailable, match="longer than 3 seconds"):
                await worker.compute(time.sleep, 3600)
            worker._seconds = 3600
            assert (await worker.compute(targets.process_and_sum, 2, 3))[1] == 5

    asyncio.run(main())


def test_a_caller_that_gives_up_does_not_disturb_the_next_one(tmp_path: Path) -> None:
    async def main() -> None:
        async with a_worker() as worker:
            await worker.compute(targets.process_and_sum, 1, 1)
            waiting = asyncio.create_task(worker.compute(targets.begin_and_sleep, str(tmp_path / "begun"), 0.2))
            await until((tmp_path / "begun").exists, "the computation begins")
            waiting.cancel()
            assert (await worker.compute(targets.process_and_sum, 2, 3))[1] == 5

    asyncio.run(main())


@POSIX_ONLY
@pytest.mark.slow
def test_ctrl_c_at_the_terminal_prints_nothing_of_the_worker() -> None:
    """Ctrl-C reaches every process of the group, at any moment of their start."""
    for wait in (0.0, 0.1, 0.3, 1.0):
        command = [sys.executable, "-m", "tests.server.compute_targets"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.readline() == "begins\n"
            time.sleep(wait)
            os.killpg(process.pid, signal.SIGINT)
            rest, errors = process.communicate(timeout=patient(30))
            assert (rest, errors, process.returncode) == ("ended\n", "", 0)
