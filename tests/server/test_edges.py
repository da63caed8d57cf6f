"""House edges over the network: exact, computed once, kept on disk."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from holecard.exact.analysis import analyze
from holecard.kernels import cache
from holecard.server.compute import edges as module
from holecard.server.compute.edges import Edges, edges_in
from holecard.server.compute.lane import Lane
from holecard.server.errors import Unavailable
from holecard.sheets.read import from_data, rules
from holecard.sheets.schema import RuleSheet
from tests.patience import patient, until
from tests.server.compute_here import PLENTY, WorkerHere


class Here(Lane):
    """A lane that computes in this process, and counts."""

    def __init__(self, fails: Exception | None = None) -> None:
        super().__init__("here", [WorkerHere(self._called)], PLENTY)
        self.asked = 0
        self.fails = fails

    async def _called(self, content: str) -> Any:
        self.asked += 1
        await asyncio.sleep(0)
        if self.fails is not None:
            raise self.fails
        return module.computed_edges(content)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "folder", lambda: tmp_path / "kernels")
    return tmp_path


async def until_ready(edges: Edges, sheet: RuleSheet) -> module.EdgesOfGame:
    async with asyncio.timeout(patient(20)):
        while not (found := await edges.of(sheet)).ready:
            await asyncio.sleep(0.001)
    return found


def test_edges_are_those_of_the_analysis() -> None:
    sheet = rules("upcard-luck-21")
    found = {edge.wager: edge for edge in edges_in(analyze(sheet))}
    assert list(found) == ["Bet", "Upcard Luck", "Taxpayer's Fortune", "Insurance"]
    # Six decks: 24 aces are out but one, and 96 of the other 311 cards are tens; 2 to 1 loses 215 and wins 2 * 96.
    assert found["Insurance"].edge == pytest.approx(float(Fraction(215 - 2 * 96, 311)), abs=1e-12)
    assert found["Insurance"].text == "7.40%"
    assert found["Bet"].text == f"{100 * analyze(sheet).house_edge:.2f}%"
    assert found["Bet"].unit == "initial stake (Bet)"
    # A token is not lost: what it costs is the tax less the payouts of a round, in dollars.
    assert found["Taxpayer's Fortune"].text.endswith("¢ a round")
    assert found["Taxpayer's Fortune"].unit == "round, in dollars"


def test_the_unit_names_both_main_wagers_and_missing_tables_are_marked() -> None:
    found = edges_in(analyze(rules("quick-pay")))
    assert found[0].unit == "initial stake (Bet and Surrender or Play)"
    assert [edge.printed for edge in found] == [True, False, False, False, False]


def test_a_game_that_favors_the_player_has_a_minus_sign() -> None:
    found = edges_in(analyze(rules("five-card-charlie")))
    assert found[0].edge < 0
    assert found[0].text.startswith("−")


@pytest.mark.usefixtures("disk")
def test_edges_are_computed_once_and_read_from_disk_by_the_next_server() -> None:
    async def main() -> None:
        sheet, first = rules("double-up"), Here()
        edges = Edges(first)
        assert not (await edges.of(sheet)).ready
        assert not (await edges.of(sheet)).ready
        found = await until_ready(edges, sheet)
        assert found.wagers == edges_in(analyze(sheet))
        await until(lambda: not edges._waiting, "the edges are on the disk")
        assert first.asked == 1
        second = Here()
        again = Edges(second)
        assert await again.of(sheet) == found
        other = rules("double-up", {"settle.natural": "6 to 5"})
        assert (await until_ready(again, other)).wagers[0].edge > found.wagers[0].edge
        assert second.asked == 1

    asyncio.run(main())


def test_a_file_that_is_not_whole_is_ignored(disk: Path) -> None:
    sheet = rules("double-up")
    found = edges_in(analyze(sheet))
    module._keep(sheet.sha256, found)
    assert module.kept_edges(sheet.sha256) == found
    (file,) = disk.rglob("*.json")
    file.write_bytes(file.read_bytes()[:-20])
    assert module.kept_edges(sheet.sha256) is None
    assert module.kept_edges("0" * 64) is None


@pytest.mark.usefixtures("disk")
def test_what_cannot_be_computed_says_so_and_a_lost_worker_is_asked_again() -> None:
    async def main() -> None:
        sheet = rules("double-up")
        failing = Edges(Here(MemoryError()))
        found = await until_ready(failing, sheet)
        assert (found.wagers, found.problem) == ([], "this game is too large to be computed here")
        lost = Here(Unavailable("gone"))
        edges = Edges(lost)
        assert not (await edges.of(sheet)).ready
        await until(lambda: not edges._waiting, "the worker is lost")
        lost.fails = None
        assert (await until_ready(edges, sheet)).wagers
        assert lost.asked == 2

    asyncio.run(main())


def test_the_content_of_a_sheet_is_enough() -> None:
    """The worker gets text, and reads the same sheet from it."""
    import json

    sheet = rules("quick-pay", {"shoe.decks": 8})
    assert from_data(json.loads(sheet.content), "the sheet") == sheet
    assert module.computed_edges(sheet.content) == [edge.model_dump() for edge in edges_in(analyze(sheet))]
    assert cache.folder().parent.exists()
