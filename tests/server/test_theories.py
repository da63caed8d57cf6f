"""What games return in theory: computed once, in a process with limits, and kept in the database."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import asdict
from multiprocessing import Pipe

import pytest

import holecard
from holecard.server.game.commands import Sit
from holecard.server.money.returns import MAIN_WAGER, Theory
from holecard.server.operation.theories import Theories, send_theory
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.web.services import services
from tests.patience import patient, until
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player


def test_a_theory_is_computed_once_and_kept(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = []

    async def compute(_target: object, arguments: tuple[object, ...], _seconds: float) -> tuple[str]:
        computed.append(arguments)
        return (
            json.dumps(
                {
                    MAIN_WAGER: {
                        "ev": -0.005,
                        "standard_deviation": 1.15,
                        "farthest": 8.0,
                        "is_best": True,
                    }
                }
            ),
        )

    monkeypatch.setattr("holecard.server.operation.theories.answer_of", compute)

    async def run() -> None:
        for number in range(2):
            async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
                theories = Theories(made.reader, made.appender, made.returns, made.metrics, delay=0)
                task = asyncio.create_task(theories.run())
                if number == 0:  # the second server finds the sheet in the database when it starts
                    player = Player(made.host, await made.accounts.guest())
                    table = await player.open("classic")
                    await player.do(table, Sit(seat=1))
                    await player.play_round(table, random.Random(1))
                    for _ in range(2):
                        made.metrics.text(await made.returns.now())
                await until(lambda: made.metrics.theories, "the theory is known")
                assert next(iter(made.metrics.theories.values()))[MAIN_WAGER] == Theory(-0.005, 1.15, 8.0, is_best=True)
                task.cancel()
        assert len(computed) == 1

    asyncio.run(run())


def test_sheets_of_holecard_are_first_and_a_process_that_cannot_start_is_tried_again(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, changed = holecard.rules("classic"), holecard.rules("classic", {"settle.natural": "6 to 5"})
    asked: list[tuple[str, int]] = []
    answer = (json.dumps({MAIN_WAGER: asdict(Theory(-0.005, 1.15, 8.0))}),)

    async def compute(_target: object, arguments: tuple[str, int], _seconds: float) -> tuple[str]:
        asked.append(arguments)
        if len(asked) == 1:
            raise OSError(11, "Resource temporarily unavailable")
        return answer

    monkeypatch.setattr("holecard.server.operation.theories.answer_of", compute)

    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            theories = Theories(made.reader, made.appender, made.returns, made.metrics, delay=0, megabytes=2000)
            for sheet in (changed, own):
                await made.appender.keep(schema.sheets, {"hash": sheet.sha256, "content": sheet.content})
                theories.want(sheet.sha256)
            task = asyncio.create_task(theories.run())
            while len(made.metrics.theories) < 2:
                theories.want(own.sha256)
                await asyncio.sleep(0.01)
                assert not task.done()
            task.cancel()

    asyncio.run(asyncio.wait_for(run(), patient(20)))
    assert asked[0] == (own.content, 2000)
    assert sorted(content for content, _ in asked[1:]) == sorted((own.content, changed.content))


def test_a_theory_may_not_take_all_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def explode(_sheet: object) -> None:
        assert limits == [2000]
        raise MemoryError

    monkeypatch.setattr("holecard.server.operation.theories.limit_memory", limits.append)
    monkeypatch.setattr("holecard.server.operation.theories.theory_of", explode)
    here, there = Pipe()
    send_theory(holecard.rules("classic").content, 2000, there)
    with here, pytest.raises(EOFError):
        here.recv()


@pytest.mark.slow
def test_a_theory_comes_from_a_process_of_its_own(sqlite: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True)) as made:
            theories = Theories(made.reader, made.appender, made.returns, made.metrics, delay=0)
            sheet = holecard.rules("classic")
            await made.appender.keep(schema.sheets, {"hash": "a" * 64, "content": sheet.content})
            theories.want("a" * 64)
            task = asyncio.create_task(theories.run())
            await until(lambda: made.metrics.theories, "the theory is computed", 120)
            task.cancel()
            exact = holecard.analyze(sheet)
            main = made.metrics.theories["a" * 64][MAIN_WAGER]
            assert (main.ev, main.standard_deviation) == (exact.main.ev, exact.main.standard_deviation)

    asyncio.run(run())
