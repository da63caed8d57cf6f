"""Threads by number, a real Dask cluster by its address, and messages when there is none."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client, KilledWorker, LocalCluster, default_client
from distributed.cfexecutor import ClientExecutor
from distributed.comm import CommClosedError

from holecard.errors import Refusal
from holecard.simulation.run import executors
from holecard.simulation.run.chunks import WorkersLost, run
from holecard.simulation.run.executors import executor_of, has_lost_its_cluster, workers_of
from holecard.simulation.run.tally import Played, Tally, Units
from tests.patience import patient
from tests.selection import quick
from tests.simulation.fake_play import Breaking, Deadly, FakePlay, Wrong, marks, tally_of, tally_of_ranges

ROOT = Path(__file__).parents[2]
UNITS = 600
WHOLE = Played(Units(((0, UNITS),)), tally_of(range(UNITS)))


# Threads


@pytest.mark.parametrize(
    ("given", "threads"),
    [
        (None, os.cpu_count()),
        ("threads", os.cpu_count()),
        (1, 1),
        (3, 3),
        ("3", 3),
        ("threads:3", 3),
        ("threads:1024", 1024),
    ],
)
def test_threads_are_opened_and_closed(given: Any, threads: int) -> None:
    """As many as requested; by default one per core."""
    with executor_of(given) as pool:
        assert isinstance(pool, ThreadPoolExecutor)
        assert workers_of(pool) == threads
        assert run(FakePlay(), UNITS, executor=pool, chunk=100).played == WHOLE
    with pytest.raises(RuntimeError):
        pool.submit(int)


def test_two_threads_play_at_the_same_time() -> None:
    """Each waits for the other, so one alone would never finish."""
    both = threading.Barrier(2, timeout=patient(30))
    with executor_of("threads:2") as pool:
        assert sorted(future.result() for future in [pool.submit(both.wait), pool.submit(both.wait)]) == [0, 1]


def test_closing_waits_for_nothing() -> None:
    """Queued calls are dropped, and running ones are abandoned."""
    begun, let_go = threading.Event(), threading.Event()

    def run() -> bool:
        begun.set()
        return let_go.wait(patient(20))

    with executor_of(1) as pool:
        stuck = pool.submit(run)
        queued = pool.submit(int)
        assert begun.wait(patient(20))
    assert queued.cancelled()
    assert not stuck.done()
    let_go.set()
    assert stuck.result()


def test_an_executor_is_used_as_it_is_and_left_open() -> None:
    """The caller closes it."""
    given = Breaking(100)
    with executor_of(given) as pool:
        assert pool is given
    assert not given.is_closed


def test_how_many_workers_an_executor_has() -> None:
    """If it is known; otherwise the number of cores."""
    with ProcessPoolExecutor(5) as processes:
        assert workers_of(processes) == 5
    assert workers_of(Breaking(1)) == os.cpu_count()
    assert not has_lost_its_cluster(Breaking(1))


@pytest.mark.parametrize("given", ["thread:2", "threads:", "threads:x", "threads:-1", "threads:1.5", "", "ray://h:1"])
def test_a_text_that_is_not_an_executor_is_refused(given: str) -> None:
    """The message lists the valid forms."""
    with pytest.raises(Refusal, match=r"unknown executor .*; .*(threads|dask)"), executor_of(given):
        pass


@pytest.mark.parametrize("given", [True, 1.5, object()])
def test_an_object_that_is_not_an_executor_is_refused(given: Any) -> None:
    """The message lists the valid forms."""
    with pytest.raises(Refusal, match=r"unknown executor .*; use threads"), executor_of(given):
        pass


@pytest.mark.parametrize("given", [0, -2, "threads:0", 1025, "threads:99999"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(given: Any) -> None:
    """None at all, or more than a machine allows."""
    with pytest.raises(Refusal, match="ask for 1 to 1024"), executor_of(given):
        pass


# Without a cluster


@pytest.mark.parametrize(
    "given",
    [
        "dask:",
        "dask://",
        "dask://host",
        "dask://:8786",
        "dask://host:",
        "dask://host:port",
        "dask://host:99999",
        "dask://host:8786/path",
        "dask://host:8786?tls",
        "dask://me@host:8786",
        "dask:host:8786",
        "dask://[::1:8786",
    ],
)
def test_an_address_without_host_and_port_is_refused(given: str) -> None:
    """The message shows an address with both."""
    with pytest.raises(
        Refusal, match=r"is not a cluster address; write dask://host:port, such as dask://127\.0\.0\.1:8786"
    ):
        executor_of(given).__enter__()


def test_without_dask_the_refusal_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask is an optional extra."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refusal, match=r"pip install '\.\[cluster\]'"), executor_of("dask://127.0.0.1:8786"):
        pass


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster on a busy machine answers late."""
    monkeypatch.setattr(executors, "_ANSWER_SECONDS", patient(10))


@pytest.fixture(params=quick(["nobody", "silent", "talks of something else"], "silent"))
def wrong_port(request: pytest.FixtureRequest) -> Iterator[int]:
    """A port without a scheduler: nothing listens, or a server that does not answer or answers something else."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))  # kept: nobody else can listen there
        if request.param != "nobody":
            server.listen()
        if request.param == "talks of something else":
            threading.Thread(target=_greet, args=[server], daemon=True).start()
        yield server.getsockname()[1]


def _greet(server: socket.socket) -> None:
    with server.accept()[0] as caller:
        caller.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n" * 10)
        caller.recv(1)


def test_a_cluster_that_cannot_be_reached_is_refused(wrong_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With advice, however long nothing comes."""
    monkeypatch.setattr(executors, "_ANSWER_SECONDS", 0.5)
    with (
        pytest.raises(
            Refusal, match=f"no Dask scheduler answers at 127.0.0.1:{wrong_port}; start one there with `dask"
        ),
        executor_of(f"dask://127.0.0.1:{wrong_port}"),
    ):
        pass


# With a cluster


def port_of(cluster: LocalCluster) -> int:
    return int(cluster.scheduler_address.rpartition(":")[2])


def dask_at(cluster: LocalCluster) -> str:
    return f"dask://127.0.0.1:{port_of(cluster)}"


def local_cluster(workers: int, **options: Any) -> LocalCluster:
    return LocalCluster(n_workers=workers, host="127.0.0.1", dashboard_address="127.0.0.1:0", **options)


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A scheduler and two worker processes, which no test may kill: it can take long until there are new ones."""
    with local_cluster(2, threads_per_worker=1) as local:
        yield local


@pytest.fixture
def doomed_cluster() -> Iterator[LocalCluster]:
    """Another one, whose workers a test kills."""
    with local_cluster(2, threads_per_worker=1) as local:
        yield local


@pytest.mark.parametrize("chunk", [9, 37, 1000])
def test_a_cluster_gives_the_same(cluster: LocalCluster, chunk: int) -> None:
    """To the last bit, for any chunk size."""
    with executor_of(dask_at(cluster)) as pool:
        assert workers_of(pool) == 2
        assert run(FakePlay(), UNITS, executor=pool, chunk=chunk).played == WHOLE


def test_the_cluster_is_left_running(cluster: LocalCluster) -> None:
    """We close only our own connection, and do not make it the default client."""
    for _ in range(2):
        with executor_of(dask_at(cluster)) as pool:
            assert pool.submit(pow, 2, 5).result() == 32
            with pytest.raises(ValueError, match="No clients found"):
                default_client()
        assert has_lost_its_cluster(pool)


def test_dask_may_log_again_afterwards(cluster: LocalCluster) -> None:
    """Its logging is silenced only while it works for us."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with executor_of(dask_at(cluster)):
            assert not logger.isEnabledFor(logging.CRITICAL)
        assert logger.level == logging.ERROR
    finally:
        logger.setLevel(before)


def test_equal_calls_are_made_each_for_itself(cluster: LocalCluster) -> None:
    """A chunk that is played again must not be answered from Dask's memory."""
    with executor_of(dask_at(cluster)) as pool:
        one, other = pool.submit(time.time_ns), pool.submit(time.time_ns)
        assert one.result() != other.result()


def test_an_executor_of_another_client_can_be_given(cluster: LocalCluster) -> None:
    """It stays open."""
    with Client(cluster, set_as_default=False) as client:
        with executor_of(client.get_executor()) as pool:
            assert run(FakePlay(), UNITS, executor=pool, chunk=50).played == WHOLE
        assert client.submit(pow, 2, 5).result() == 32


def test_an_error_of_the_play_comes_back_from_the_cluster(cluster: LocalCluster) -> None:
    """Unchanged, and at once."""
    with executor_of(dask_at(cluster)) as pool, pytest.raises(ZeroDivisionError, match="unit 250"):
        run(Wrong(unit=250), 10**9, executor=pool, chunk=100)


def test_ctrl_c_ends_a_run_on_a_cluster(cluster: LocalCluster) -> None:
    """Chunks in flight come back and are in the outcome: two chunks per worker were out, and one was done."""

    def press(played: Played) -> None:
        if played.units.count == 10:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with executor_of(dask_at(cluster)) as pool:
            outcome = run(FakePlay(0.02), 10**9, executor=pool, chunk=10, on_progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not outcome.complete
    assert outcome.played == Played(Units(((0, 40),)), tally_of(range(40)))


@pytest.mark.parametrize("allowed_failures", quick([3, 0], 0))
def test_a_worker_killed_while_it_plays_loses_no_result(
    doomed_cluster: LocalCluster, allowed_failures: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether Dask gives its chunk to another worker or returns it to us as lost."""
    monkeypatch.setattr(doomed_cluster.scheduler, "allowed_failures", allowed_failures)
    with executor_of(dask_at(doomed_cluster)) as pool:
        outcome = run(Deadly(unit=333, folder=str(tmp_path)), UNITS, executor=pool, chunk=50)
    assert marks(tmp_path) == 1
    assert outcome.complete
    assert outcome.played == WHOLE


@pytest.mark.slow
def test_a_chunk_that_kills_every_worker_is_given_up(
    doomed_cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the allowed number of tries; also on a client that merges equal calls."""
    monkeypatch.setattr(doomed_cluster.scheduler, "allowed_failures", 0)
    monkeypatch.setattr("holecard.simulation.run.chunks.TRIES", 2)
    play = Deadly(unit=333, folder=str(tmp_path), times=2)
    with (
        Client(doomed_cluster, set_as_default=False) as client,
        pytest.raises(WorkersLost, match="units 0 to 599") as lost,
    ):
        run(play, UNITS, executor=client.get_executor(pure=True), chunk=UNITS)
    assert isinstance(lost.value.__cause__, KilledWorker)
    assert marks(tmp_path) == 2


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No one would ever play."""
    monkeypatch.setattr(executors, "_WORKER_SECONDS", 0.1)
    with local_cluster(0) as empty:
        port = port_of(empty)
        with (
            pytest.raises(Refusal, match=f"has no workers; start some with `dask worker 127.0.0.1:{port}`"),
            executor_of(dask_at(empty)),
        ):
            pass


class Closed(Executor):
    """Dask's executor after its client has closed: submitted calls never finish."""

    def __init__(self) -> None:
        self._client = SimpleNamespace(status="running", scheduler_info=dict)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ARG002
        self._client.status = "closed"
        return Future()


@pytest.mark.slow
def test_what_will_never_come_is_not_waited_for() -> None:
    """A chunk may be submitted just as the connection closes."""
    with pytest.raises(WorkersLost, match="lost the connection to the cluster's scheduler"):
        run(FakePlay(), UNITS, executor=Closed(), chunk=UNITS)


class Gone:
    """Dask's client, and a call of it, when the scheduler is gone."""

    status = "pending"
    loop = SimpleNamespace(add_callback=lambda *_: None)

    def submit(self, *_: object, **__: object) -> Gone:
        return self

    def cancel(self) -> None:
        raise CommClosedError("the scheduler is gone")


@pytest.mark.slow
@pytest.mark.parametrize("is_ours", [True, False])
def test_what_cannot_be_canceled_at_the_scheduler_is_not_shown(
    cluster: LocalCluster, is_ours: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Dask tells the scheduler about a canceled call, which fails if it is gone; other failures are logged as ever."""
    dask, other = ClientExecutor(Gone()), Future[int]()
    other.add_done_callback(lambda _: 1 // 0)
    with executor_of(dask_at(cluster) if is_ours else dask):
        with executor_of(dask):
            pass  # one run within another
        assert dask.submit(int).cancel()
        assert caplog.text == ""
        other.cancel()
        assert "ZeroDivisionError" in caplog.text
    dask.submit(int).cancel()
    assert "CommClosedError" in caplog.text


LOST = """
import json, sys
from holecard.simulation.run import executors
from holecard.simulation.run.chunks import WorkersLost, run
from tests.patience import patient
from tests.simulation.fake_play import FakePlay

executors._ANSWER_SECONDS = patient(10)
tell = lambda played: print("playing", flush=True)
try:
    with executors.executor_of(sys.argv[1]) as pool:
        pool._client._timeout = 1.0  # so long Dask looks for a scheduler that is gone
        run(FakePlay(0.05), 10**9, executor=pool, chunk=10, on_progress=tell)
except WorkersLost as lost:
    print(lost)
    print(json.dumps([lost.played.units.ranges, lost.played.tally.to_data()]))
"""


@pytest.mark.slow
def test_a_scheduler_that_goes_away_is_noticed() -> None:
    """The run ends with the units played instead of waiting forever, and without log messages from Dask."""
    with local_cluster(1, processes=False, protocol="tcp") as local:
        child = subprocess.Popen(
            [sys.executable, "-c", LOST, dask_at(local)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        for _ in range(3):
            assert child.stdout.readline() == "playing\n"
    said, complaints = child.communicate(timeout=patient(30))
    assert complaints == ""
    *_, lost, played = said.splitlines()
    assert "lost the connection to the cluster's scheduler" in lost
    ranges, data = json.loads(played)
    assert Units.of(map(tuple, ranges)).count >= 30
    assert Tally.from_data(data) == tally_of_ranges(ranges)
