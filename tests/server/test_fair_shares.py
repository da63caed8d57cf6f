"""Who is computed for next: people take turns, nobody has all processes, and there is only so much room to wait."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from fastapi import Request

from holecard.errors import Refusal
from holecard.server.compute.computing import Allowances, Computing
from holecard.server.compute.lane import HOUSE, Computation, Lane, People, Room
from holecard.server.compute.worker import Worker
from holecard.server.errors import ServerClosing, TooMany, Unavailable
from holecard.server.settings import ServerSettings
from holecard.server.web.identity import while_connected
from tests.patience import patient, until
from tests.server import compute_targets as targets
from tests.server.compute_here import PLENTY, WorkerHere
from tests.server.test_compute import POSIX_ONLY, is_alive


class Controlled(WorkerHere):
    """A process whose computations end when the test says so; what they are asked for is a word."""

    def __init__(self) -> None:
        super().__init__(self._begin)
        self.began: list[str] = []
        self._end = asyncio.Event()

    async def _begin(self, word: str) -> str:
        self.began.append(word)
        await self._end.wait()
        self._end.clear()
        return f"{word}!"

    def end(self) -> None:
        """Let the computation end."""
        self._end.set()


def nothing(word: str) -> str:
    """Stand for a computation; `Controlled` decides what happens."""
    return word


async def settle() -> None:
    """Let all tasks run until they wait."""
    for _ in range(20):
        await asyncio.sleep(0)


async def ended(worker: Controlled) -> None:
    """End what a process computes, and let it begin the next."""
    worker.end()
    await settle()


@asynccontextmanager
async def a_lane(processes: int = 1, room: Room = PLENTY) -> AsyncIterator[tuple[Lane, list[Controlled]]]:
    workers = [Controlled() for _ in range(processes)]
    lane = Lane("charts", workers, room)
    try:
        yield lane, workers
    finally:
        for worker in workers:
            worker.end()
        closing = asyncio.create_task(lane.close())
        while not closing.done():
            await asyncio.sleep(0)
            for worker in workers:
                worker.end()
        await closing


async def ask(lane: Lane, *words: str) -> list[Computation]:
    """Ask for words; each begins with the name of who asks."""
    asked = [lane.ask(word.split()[0], nothing, word) for word in words]
    await settle()
    return asked


# Turns


def test_a_person_waits_for_one_computation_of_somebody_who_asked_for_32() -> None:
    """And somebody who comes later goes before a person who has had a turn."""

    async def main() -> None:
        async with a_lane() as (lane, (worker,)):
            await ask(lane, *(f"eve {number}" for number in range(32)))
            await ask(lane, "ann 0", "ann 1")
            await ended(worker)
            await ask(lane, "bob 0")
            for _ in range(5):
                await ended(worker)
            assert worker.began == ["eve 0", "ann 0", "bob 0", "eve 1", "ann 1", "eve 2", "eve 3"]

    asyncio.run(main())


def test_one_person_never_has_all_processes() -> None:
    async def main() -> None:
        async with a_lane(processes=2) as (lane, (first, second)):
            await ask(lane, "eve 0", "eve 1")
            assert (first.began, second.began) == (["eve 0"], [])
            (found,) = await ask(lane, "ann 0")
            assert second.began == ["ann 0"]
            await ended(second)
            assert found.answer.result() == "ann 0!"
            assert (lane.waiting, lane.running) == (1, 1)

    asyncio.run(main())


def test_one_person_has_one_process_at_a_time_in_all_lanes_that_share_their_people() -> None:
    """Eve, who waits for her chart, is asked the next question after it, and others at once."""

    async def main() -> None:
        people, chart, drill = People(), Controlled(), Controlled()
        charts, drills = Lane("charts", [chart], PLENTY, people), Lane("drills", [drill], PLENTY, people)
        await ask(charts, "eve chart")
        await ask(drills, "eve drill", "ann drill")
        assert (chart.began, drill.began) == (["eve chart"], ["ann drill"])
        await ended(drill)
        assert drill.began == ["ann drill"]
        await ended(chart)
        assert drill.began == ["ann drill", "eve drill"]
        await ended(drill)
        assert (charts.running, drills.running, people.busy) == (0, 0, set())
        await charts.close()
        await drills.close()

    asyncio.run(main())


def test_the_house_comes_after_all_people() -> None:
    async def main() -> None:
        async with a_lane() as (lane, (worker,)):
            await ask(lane, "eve 0")
            lane.ask(HOUSE, nothing, "house 0")
            await ask(lane, "eve 1", "ann 0")
            for _ in range(3):
                await ended(worker)
            assert worker.began == ["eve 0", "ann 0", "eve 1", "house 0"]

    asyncio.run(main())


def test_what_several_want_is_computed_once_at_the_first_turn_of_one_of_them() -> None:
    """Eve asked first and may leave: it goes on for the others."""

    async def main() -> None:
        async with a_lane() as (lane, (worker,)):
            *_, last = await ask(lane, "eve 0", "eve 1", "eve 2", "eve 3")
            lane.join("ann", last)
            lane.join("ann", last)
            lane._leave("eve", last)
            await ended(worker)
            assert worker.began == ["eve 0", "eve 3"]
            lane.join("bob", last)  # it runs: there is nothing to wait for
            await ended(worker)
            assert last.answer.result() == "eve 3!"
            assert (worker.began, lane.waiting) == (["eve 0", "eve 3", "eve 1"], 1)

    asyncio.run(main())


# Room


def test_a_person_may_wait_for_a_few_answers_only_and_others_still_may() -> None:
    async def main() -> None:
        refused: list[str] = []
        worker = Controlled()
        lane = Lane("charts", [worker], Room(of_person=2, of_all=100), on_refused=refused.append)
        await ask(lane, "eve 0", "eve 1", "eve 2")
        with pytest.raises(TooMany, match="2 computations of yours already wait; ask again when one is done"):
            lane.ask("eve", nothing, "eve 3")
        await ask(lane, "ann 0")
        assert (lane.waiting, refused) == (3, ["charts"])
        worker._instead = nothing
        worker.end()
        await lane.close()

    asyncio.run(main())


def test_where_all_room_is_taken_the_person_with_most_of_it_makes_room_for_others() -> None:
    async def main() -> None:
        async with a_lane(room=Room(of_person=4, of_all=4)) as (lane, (worker,)):
            *_, newest = await ask(lane, "eve 0", "eve 1", "eve 2", "eve 3", "eve 4")
            await ask(lane, "ann 0")
            with pytest.raises(TooMany, match="too many computations"):
                newest.answer.result()
            await ask(lane, "bob 0")
            with pytest.raises(TooMany):
                lane.ask("ann", nothing, "ann 1")  # nobody has more than Ann would have
            for _ in range(4):
                await ended(worker)
            assert worker.began == ["eve 0", "ann 0", "bob 0", "eve 1", "eve 2"]

    asyncio.run(main())


def test_somebody_who_gives_up_frees_the_place_and_nothing_is_computed() -> None:
    async def main() -> None:
        async with a_lane(room=Room(of_person=1, of_all=10)) as (lane, (worker,)):
            await ask(lane, "eve 0")
            waiting = asyncio.create_task(lane.compute("ann", nothing, "ann 0"))
            await settle()
            with pytest.raises(TooMany):
                lane.ask("ann", nothing, "ann 1")
            waiting.cancel()
            await settle()
            await ask(lane, "ann 2")
            await ended(worker)
            assert worker.began == ["eve 0", "ann 2"]

    asyncio.run(main())


def test_a_client_that_closes_the_connection_frees_its_place() -> None:
    """Before its turn; the computation that runs goes to its end."""

    async def main() -> None:
        async with a_lane(room=Room(of_person=1, of_all=10)) as (lane, (worker,)):
            await ask(lane, "eve 0")
            messages: asyncio.Queue[dict[str, str]] = asyncio.Queue()
            request = Request({"type": "http"}, messages.get)
            messages.put_nowait({"type": "http.request"})
            asking = asyncio.create_task(while_connected(request, lane.compute("ann", nothing, "ann 0")))
            await settle()
            assert lane.waiting == 1
            messages.put_nowait({"type": "http.disconnect"})
            await settle()
            assert lane.waiting == 0
            with pytest.raises(Unavailable, match="closed before there was an answer"):
                await asking
            await ended(worker)
            answer = asyncio.create_task(while_connected(request, lane.compute("ann", nothing, "ann 1")))
            await ended(worker)
            assert await answer == "ann 1!"
            assert worker.began == ["eve 0", "ann 1"]

    asyncio.run(main())


# Processes


def test_processes_end_when_nobody_has_asked_for_a_while() -> None:
    async def main() -> None:
        worker = WorkerHere()
        lane = Lane("charts", [worker], PLENTY, idle=0.0)
        assert await lane.compute("ann", nothing, "word") == "word"
        await until(lambda: worker.rested, "the process ends")
        stays = WorkerHere()
        loaded = Lane("coach", [stays], PLENTY, idle=None)
        await loaded.compute("ann", nothing, "word")
        assert loaded._rest is None

    asyncio.run(main())


@POSIX_ONLY
def test_a_process_that_is_killed_is_replaced_and_the_next_person_answered() -> None:
    async def main() -> None:
        lane = Lane("charts", [Worker(8192, 3600)], PLENTY)
        first, _ = await lane.compute("ann", targets.process_and_sum, 0, 0)
        os.kill(first, signal.SIGKILL)
        second, found = await lane.compute("bob", targets.process_and_sum, 2, 2)
        assert (found, second != first) == (4, True)
        with pytest.raises(Refusal, match="not today"):
            await lane.compute("ann", targets.refuse, "not today")
        await lane.close()
        assert not is_alive(second)

    asyncio.run(main())


def test_the_end_of_the_server_answers_everybody_who_waits() -> None:
    async def main() -> None:
        worker = Controlled()
        lane = Lane("charts", [worker], PLENTY)
        people = [asyncio.create_task(lane.compute(f"person {n % 7}", nothing, str(n))) for n in range(50)]
        await settle()
        assert lane.waiting == 49
        closing = asyncio.create_task(lane.close())
        await settle()
        worker.end()
        await closing
        async with asyncio.timeout(patient(20)):
            found = await asyncio.gather(*people, return_exceptions=True)
        assert found[0] == "0!"
        assert all(isinstance(one, ServerClosing) for one in found[1:])
        assert worker.began == ["0"]
        with pytest.raises(ServerClosing):
            lane.ask("ann", nothing, "word")

    asyncio.run(main())


# The coach


def test_an_allowance_comes_back_with_time() -> None:
    now = 1000.0
    allowances = Allowances(0.5, 0.01, lambda: now)
    assert allowances.left("ann") == 0.5
    allowances.use("ann", 0.21)
    allowances.use("ann", 0.41)
    for name in ("ann", "bob"):
        for _ in range(1000):
            allowances.use(name, 0.001)  # a short answer costs nothing, and gives nothing back
    assert allowances.left("ann") == pytest.approx(-0.1)
    assert allowances.left("bob") == 0.5
    now += 15
    assert allowances.left("ann") == pytest.approx(0.05)
    now += 3600
    assert allowances.left("ann") == 0.5


def test_a_person_who_has_used_much_of_the_coach_is_answered_with_the_drills(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nobody waits for the games of one person that the coach does not know yet."""
    used: list[str] = []

    async def compute(worker: Worker, word: str) -> str:
        used.append(f"{word}, niceness {worker._niceness}")
        worker.used = 0.11
        return word

    monkeypatch.setattr(Worker, "compute", compute)

    async def main() -> None:
        now = 0.0
        computing = Computing(ServerSettings(), 60, 600, seconds=lambda: now)
        for _ in range(4):
            await computing.advise("eve", "eve")  # type: ignore[arg-type]
        await computing.advise("ann", "ann")  # type: ignore[arg-type]
        now += 60
        await computing.advise("eve", "eve")  # type: ignore[arg-type]
        await computing.close()

    asyncio.run(main())
    assert [word for word in used if word.startswith("eve")] == [
        *["eve, niceness 0"] * 3,
        "eve, niceness 15",
        "eve, niceness 0",
    ]
    assert [word for word in used if word.startswith("ann")] == ["ann, niceness 0"]
