"""Computations: who may start and see them, how many, in which order, how far they are, and what ends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, insert, select
from structlog.testing import capture_logs

from holecard.server.errors import NotFound, TooLarge, TooMany, Unavailable
from holecard.server.games import Games
from holecard.server.jobs import job_store
from holecard.server.jobs import jobs as jobs_module
from holecard.server.jobs.job import ActiveJob, Job, next_job
from holecard.server.jobs.job_store import JobStore
from holecard.server.jobs.jobs import Jobs
from holecard.server.jobs.requests import CheckSheet, EvaluateHand
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import connect, reading, writing
from holecard.server.store.migrate import migrate
from holecard.server.web.app import create_app
from tests.patience import patient
from tests.server.fake_clock import FakeClock
from tests.server.test_web import Person


class Computation(NamedTuple):
    """A computation that ends when the test says so."""

    answer: asyncio.Future[tuple[Any, ...]]
    say: Callable[[str, float], None]


class Computations(dict[str, Computation]):
    """Those that run, by the hand that is evaluated; they stand in for processes."""

    async def answer_of(
        self, _target: object, arguments: tuple[Any, ...], _seconds: float, on_progress: Callable[[str, float], None]
    ) -> tuple[Any, ...]:
        hand = arguments[0].hand
        self[hand] = Computation(asyncio.get_running_loop().create_future(), on_progress)
        try:
            return await self[hand].answer
        finally:
            del self[hand]


@pytest.fixture
def computations(monkeypatch: pytest.MonkeyPatch) -> Computations:
    found = Computations()
    monkeypatch.setattr(jobs_module, "answer_of", found.answer_of)
    return found


class Servers:
    """Two processes of a server on one database; each looks at the jobs when the test says so."""

    def __init__(self, database: str, settings: dict[str, int]) -> None:
        self.clock = FakeClock()
        self.engine = connect(database)
        self.store = JobStore(self.engine)
        self.settings = ServerSettings(database=database, **settings)  # type: ignore[arg-type]
        self.one, self.two = self.process(), self.process()

    def process(self) -> Jobs:
        return Jobs(self.settings, Games(None), self.store, self.clock, lambda: self.clock() / 1000)

    async def start(self, jobs: Jobs, hand: str, user: str = "ann") -> str:
        """Start a job a moment later than the one before it, and let the process look."""
        self.clock.forward(0.01)
        job = await jobs.start(EvaluateHand(game="classic", hand=hand), user)
        await self.look(jobs)
        return job.id

    async def look(self, jobs: Jobs, seconds: float = 0) -> None:
        """Let a process look at the jobs after some time; what it begins runs until it waits."""
        self.clock.forward(seconds)
        await jobs.look()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def ended(self, job_id: str, user: str = "ann") -> Job:
        """Return a job when it is over, and its process has room for the next one."""
        async with asyncio.timeout(patient(10)):
            while not (job := await self.one.find(job_id, user)).is_over:
                await asyncio.sleep(0.002)
            while job_id in self.one._running or job_id in self.two._running:
                await asyncio.sleep(0.002)
        return job

    async def state(self, job_id: str, user: str = "ann") -> str:
        return (await self.two.find(job_id, user)).state


@asynccontextmanager
async def servers(database: str, **settings: int) -> AsyncIterator[Servers]:
    found = Servers(database, settings)
    await migrate(found.engine)
    try:
        yield found
    finally:
        await found.one.stop()
        await found.two.stop()
        await found.engine.dispose()


async def add_user(made: Servers, name: str) -> None:
    row = {"id": name, "name": name, "folded_name": name, "role": "player", "created_at": 0}
    async with writing(made.engine) as connection:
        await connection.execute(insert(schema.users), [row])


async def gone(hand: str, computations: Computations) -> None:
    async with asyncio.timeout(patient(10)):
        while hand in computations:
            await asyncio.sleep(0.002)


# Who


@pytest.mark.usefixtures("computations")
def test_only_people_with_an_account_compute_and_only_their_own_jobs_are_shown(sqlite: str) -> None:
    settings = ServerSettings(database=sqlite, message_burst=1000, skip_returns=True)
    wanted = {"what": "evaluate", "game": "classic", "hand": "T,6 v T"}
    with TestClient(create_app(settings)) as client:
        ann, bob, guest, nobody = (Person(client, role) for role in ("ann", "bob", "guest", "nobody"))
        started = ann.post("/api/v1/jobs", wanted)
        assert started.status_code == 202
        path = f"/api/v1/jobs/{started.json()['id']}"
        refused = {401: (nobody, "not signed in"), 403: (guest, "not allowed"), 404: (bob, "not found")}
        for status, (person, code) in refused.items():
            for answer in (person.get(path), person.delete(path)):
                assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert nobody.post("/api/v1/jobs", wanted).status_code == 401
        assert guest.post("/api/v1/jobs", wanted).json()["message"] == "computations need an account; register first"
        assert ann.get(path).json()["state"] in ("waiting", "running")
        assert ann.delete(path).json() == {
            **started.json(),
            "state": "canceled",
            "message": "you canceled this computation",
        }


# How many, and in which order


@pytest.mark.usefixtures("computations")
def test_a_user_has_few_jobs_at_a_time_over_all_processes_even_at_once(database: str) -> None:
    async def run() -> None:
        async with servers(database, jobs_per_user=2) as made:
            await add_user(made, "ann")
            starts = ((made.one, made.two)[n % 2].start(EvaluateHand(hand=f"{n} v T"), "ann") for n in range(6))
            found = await asyncio.gather(*starts, return_exceptions=True)
            refused = [str(error) for error in found if isinstance(error, TooMany)]
            assert refused == ["you have 2 computations; wait until one is done, or cancel one"] * 4, found
            await made.start(made.two, "bob's", "bob")
            job = next(job for job in found if isinstance(job, Job))
            await made.one.cancel(job.id, "ann")
            await made.start(made.two, "another")
            with pytest.raises(TooLarge, match="at most 65,536 bytes"):
                await made.one.start(CheckSheet(sheet="é" * 32_769), "cid")

    asyncio.run(run())


def test_the_jobs_of_all_people_that_wait_are_bounded(database: str, computations: Computations) -> None:
    """Those that run do not count: one that begins makes room for another person."""

    async def run() -> None:
        async with servers(database, job_processes=1, jobs_waiting=2) as made:
            for name in ("ann", "bob", "cid", "dan"):
                await add_user(made, name)
            first = await made.start(made.one, "runs")
            await made.start(made.one, "waits", "bob")
            await made.start(made.one, "waits too", "cid")
            assert (made.one.waiting, made.one.running) == (2, 1)
            with pytest.raises(TooMany, match="2 computations of other people wait; try again in some minutes"):
                await made.start(made.two, "has no room", "dan")
            computations["runs"].answer.set_result(("done", "{}"))
            await made.ended(first)
            await made.look(made.one)
            await made.start(made.one, "has room", "dan")

    asyncio.run(run())


WAITING = ("waiting", None)
RUNNING = ("running", "me")


@pytest.mark.parametrize(
    ("jobs", "places", "expected"),
    [
        ([], 2, None),
        ([("ann", *WAITING), ("ann", *WAITING)], 2, 0),
        ([("ann", *RUNNING), ("ann", *WAITING)], 2, None),  # the other place is for others
        ([("ann", *RUNNING), ("ann", *WAITING), ("bob", *WAITING)], 2, 2),
        ([("ann", *RUNNING), ("ann", *WAITING)], 3, 1),
        ([("ann", *RUNNING), ("ann", *WAITING), ("bob", *WAITING)], 3, 2),
        ([("ann", "running", "another"), ("ann", *WAITING)], 2, 1),
        ([("ann", "running", "another"), ("ann", *WAITING), ("bob", *WAITING)], 2, 2),
        ([("cid", *WAITING), ("bob", *WAITING)], 1, 1),  # Cid was served before
        ([("ann", *RUNNING), ("ann", *WAITING)], 1, None),
    ],
)
def test_nobody_gets_all_places_while_others_wait(
    jobs: list[tuple[str, str, str | None]], places: int, expected: int | None
) -> None:
    listed = [ActiveJob(str(n), user, state, runner, n) for n, (user, state, runner) in enumerate(jobs)]
    found = next_job(listed, {"cid": 1000}, "me", places)
    assert (None if found is None else int(found.id)) == expected


def test_a_job_that_waits_is_started_when_there_is_room(sqlite: str, computations: Computations) -> None:
    async def run() -> None:
        async with servers(sqlite, job_processes=1) as made:
            first = await made.start(made.one, "ann's first")
            await made.start(made.one, "ann's second")
            last = await made.start(made.one, "bob's", "bob")
            assert list(computations) == ["ann's first"]
            for job_id, user, hand, following in (
                (first, "ann", "ann's first", "bob's"),
                (last, "bob", "bob's", "ann's second"),
            ):
                computations[hand].answer.set_result(("done", '{"text": "as computed"}'))
                job = await made.ended(job_id, user)
                assert (job.state, job.share, job.stage, job.result) == ("done", 1.0, None, {"text": "as computed"})
                await made.look(made.one)
                assert list(computations) == [following]

    asyncio.run(run())


def test_two_processes_never_run_the_same_job(database: str, computations: Computations) -> None:
    async def run() -> None:
        async with servers(database) as made:
            for number in range(3):
                await made.one.start(EvaluateHand(hand=f"{number} v T"), f"user {number}")
            await asyncio.gather(made.one.look(), made.two.look())
            active, _ = await made.store.active()
            assert all(job.state == "running" for job in active)
            await asyncio.sleep(0)
            assert sorted(computations) == ["0 v T", "1 v T", "2 v T"]
            assert len({job.runner for job in active}) == 2

    asyncio.run(run())


# How far


def test_progress_is_stored_at_most_once_a_second_for_every_process(database: str, computations: Computations) -> None:
    async def run() -> None:
        async with servers(database) as made:
            job_id = await made.start(made.one, "8,8 v T")

            async def shown() -> tuple[str | None, float]:
                job = await made.two.find(job_id, "ann")
                return job.stage, job.share

            computations["8,8 v T"].say("main game", 0.25)
            await made.look(made.one, 1)
            assert await shown() == ("main game", 0.25)
            computations["8,8 v T"].say("side wager \0" + 200 * "é", 0.5)
            await made.look(made.one, 0.5)
            assert await shown() == ("main game", 0.25)
            await made.look(made.one, 0.5)
            assert await shown() == ("side wager \N{REPLACEMENT CHARACTER}" + 88 * "é", 0.5)

    asyncio.run(run())


# What ends them


def test_a_canceled_job_ends_at_once_here_and_at_the_next_look_elsewhere(
    database: str, computations: Computations
) -> None:
    async def run() -> None:
        async with servers(database, job_processes=3, jobs_per_user=4) as made:
            here, elsewhere = await made.start(made.one, "here"), await made.start(made.one, "elsewhere")
            waits = await made.start(made.one, "waits")
            assert set(computations) == {"here", "elsewhere"}
            for job_id in (here, elsewhere, waits):
                with pytest.raises(NotFound):
                    await made.one.cancel(job_id, "bob")
            canceled = await made.one.cancel(here, "ann")
            assert (canceled.state, canceled.message) == ("canceled", "you canceled this computation")
            await gone("here", computations)
            assert (await made.two.cancel(waits, "ann")).state == "canceled"
            assert (await made.two.cancel(elsewhere, "ann")).state == "canceled"
            await made.look(made.one)
            await gone("elsewhere", computations)
            assert not computations
            assert await made.state(elsewhere) == "canceled"
            done = await made.start(made.one, "done")
            computations["done"].answer.set_result(("done", "{}"))
            await made.ended(done)
            assert (await made.two.cancel(done, "ann")).state == "done"

    asyncio.run(run())


def test_how_a_computation_ends_is_shown_and_refusals_are_logged(sqlite: str, computations: Computations) -> None:
    async def run() -> None:
        async with servers(sqlite, job_seconds=1) as made:
            endings: tuple[tuple[Any, tuple[str, str | None, str]], ...] = (
                (("refused", "sheet refused", "line 3: no"), ("refused", "sheet refused", "line 3: no")),
                (TimeoutError(), ("timed out", None, "stopped after 1 second, which is the limit")),
                (EOFError(), ("failed", None, "the computation ended without an answer")),
            )
            for answer, expected in endings:
                job_id = await made.start(made.one, "hand")
                with capture_logs() as logged:
                    if isinstance(answer, Exception):
                        computations["hand"].answer.set_exception(answer)
                    else:
                        computations["hand"].answer.set_result(answer)
                    job = await made.ended(job_id)
                assert (job.state, job.code, job.message) == expected
                code = {"failed": {"error": "EOFError"}}.get(job.state, {"code": expected[1] or job.state})
                assert [{**line, "event": "", "log_level": ""} for line in logged] == [
                    {"event": "", "log_level": "", "job": job_id, "what": "evaluate", **code}
                ]
                assert logged[0]["event"] == ("a computation failed" if job.state == "failed" else "refused")

    asyncio.run(run())


def test_a_result_is_stored_when_the_database_is_back(
    sqlite: str, computations: Computations, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with servers(sqlite) as made:
            job_id = await made.start(made.one, "hand")
            finish, failures = made.store.finish, iter((Unavailable("away"), Unavailable("away")))

            async def finish_later(*arguments: Any, **found: Any) -> None:
                if (error := next(failures, None)) is not None:
                    raise error
                await finish(*arguments, **found)

            monkeypatch.setattr(made.store, "finish", finish_later)
            monkeypatch.setattr(jobs_module, "_LOOK", 0)
            computations["hand"].answer.set_result(("done", "{}"))
            assert (await made.ended(job_id)).state == "done"

    asyncio.run(run())


def test_jobs_of_a_process_that_is_no_longer_seen_are_given_up(database: str, computations: Computations) -> None:
    async def run() -> None:
        async with servers(database) as made:
            job_id = await made.start(made.one, "hand")
            await made.look(made.one, 15)
            await made.look(made.two, 15)
            assert await made.state(job_id) == "running"
            await made.look(made.two, 6)
            job = await made.two.find(job_id, "ann")
            assert job.state == "failed"
            assert job.message == "the server that computed this has stopped; start the computation again"
            # It was only slow: it finds that nobody waits for it any more.
            await made.look(made.one)
            await gone("hand", computations)
            assert await made.state(job_id) == "failed"

    asyncio.run(run())


def test_a_process_that_stops_leaves_its_jobs_to_the_next(database: str, computations: Computations) -> None:
    async def run() -> None:
        async with servers(database) as made:
            job_id = await made.start(made.one, "hand")
            await made.one.stop()
            assert not computations
            assert await made.state(job_id) == "waiting"
            await made.look(made.two)
            computations["hand"].answer.set_result(("done", "{}"))
            assert (await made.ended(job_id)).state == "done"

    asyncio.run(run())


def test_jobs_are_dropped_after_a_day_and_beyond_a_number(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_store, "_KEPT", 5)

    async def count(made: Servers) -> int:
        async with reading(made.engine) as connection:
            return int((await connection.execute(select(func.count()).select_from(schema.jobs))).scalar_one())

    async def run() -> None:
        async with servers(sqlite) as made:
            ended = []
            for number in range(8):
                made.clock.forward(1)
                job = await made.one.start(EvaluateHand(hand=f"{number} v T"), "ann")
                await made.one.cancel(job.id, "ann")
                ended.append(job.id)
            kept = [job_id for job_id in ended if await made.store.find(job_id, "ann")]
            assert kept == ended[2:]  # the last one was not counted when it was added
            await made.look(made.one, 86_400 - 2.5)
            assert await count(made) == 3  # ended 0, 1 and 2 seconds before
            await made.look(made.one, 5)
            assert await count(made) == 0

    asyncio.run(run())
