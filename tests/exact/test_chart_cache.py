"""Best charts on disk: stored as they were found, and ignored in case of doubt."""

from __future__ import annotations

import json
import os
import runpy
from dataclasses import replace
from math import inf, nextafter
from pathlib import Path

import pytest

import holecard
from holecard.charts.layout import Layout
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.charts.two_card_exceptions import TwoCards
from holecard.composition import Composition, full
from holecard.exact.charts import chart_cache
from holecard.exact.charts.best_chart import BestChart
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.strategies import strategy_of
from holecard.kernels import cache
from holecard.kernels.cache import hash_of_sources
from holecard.sheets.schema import RuleSheet
from tests.selection import quick


class Search:
    """Replaces the search, and records what was searched for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []
        self.ev = -0.1 - 0.2
        self.exceptions: tuple[TwoCards, ...] = ()

    def __call__(self, sheet: RuleSheet, shoe: Composition, _on_stage: object = None) -> BestChart:
        self.asked.append((sheet.name, shoe.total))
        chart = replace(mimic_the_dealer(sheet.tables), exceptions=self.exceptions)
        return BestChart(sheet, chart, self.ev, self.ev / 3, 1e-13)


@pytest.fixture(autouse=True)
def caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for the caches of one test, and a program that is not edited while it runs."""
    place = tmp_path / "caches"
    monkeypatch.setattr(chart_cache, "_PROGRAM", "now")
    monkeypatch.setattr(chart_cache, "hash_of_sources", lambda _: "now")
    monkeypatch.setattr(chart_cache, "folder", lambda: place / "kernels-of-now")
    return place


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    """Replaces the real search, which takes seconds."""
    stand_in = Search()
    monkeypatch.setattr(chart_cache, "best_chart", stand_in)
    return stand_in


def files(caches: Path) -> list[Path]:
    return sorted(path for path in caches.rglob("*") if path.is_file())


# What is kept


@pytest.mark.parametrize("game", quick(["quick-pay", "face-up"], "face-up"))
def test_a_kept_chart_is_the_one_that_was_found(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every field and to the last bit, with an upcard and with both cards up."""
    sheet = holecard.rules(game, decks=1, split_hands=2)
    found = cached_best_chart(sheet)
    monkeypatch.delattr(chart_cache, "best_chart")
    assert cached_best_chart(sheet) == found


@pytest.mark.parametrize("number", [-0.0, 5e-324, 0.1 + 0.2, nextafter(-0.006, 0), 1 / 3, -1e-13, nextafter(inf, 0)])
def test_numbers_are_kept_to_the_last_bit(search: Search, number: float) -> None:
    search.ev = number
    found, kept = cached_best_chart("classic"), cached_best_chart("classic")
    assert len(search.asked) == 1
    assert kept.ev.hex() == found.ev.hex() == number.hex()
    assert kept.optimum_ev.hex() == found.optimum_ev.hex()


def test_exceptions_are_kept_with_their_chart(search: Search) -> None:
    search.exceptions = (TwoCards(2, 10, 2, "S"), TwoCards(1, 7, 9, "DH"))
    assert cached_best_chart("classic").chart.exceptions == search.exceptions
    assert cached_best_chart("classic").chart.exceptions == search.exceptions
    assert len(search.asked) == 1


def test_what_is_kept_is_not_searched_for_again(search: Search) -> None:
    found = cached_best_chart("classic")
    assert [cached_best_chart("classic"), cached_best_chart(holecard.rules("classic"))] == [found, found]
    assert search.asked == [("Classic Blackjack", 6 * 52)]


def test_another_rule_another_deck_and_another_shoe_are_others(search: Search, caches: Path) -> None:
    """Each is searched for once, and each gets its own chart."""
    sheets = [holecard.rules("classic", **words) for words in ({}, {"decks": 2}, {"dealer.soft_17": "stand"})]
    asked = [(sheet, None) for sheet in sheets] + [(sheets[1], full(2).without("As"))]
    for worth, (sheet, shoe) in enumerate(asked):
        search.ev = float(worth)
        cached_best_chart(sheet, shoe)
    assert [cached_best_chart(sheet, shoe).ev for sheet, shoe in asked] == [0, 1, 2, 3]
    assert [cards for _, cards in search.asked] == [312, 104, 312, 103]
    assert len(files(caches)) == 4


def test_whole_decks_are_the_shoe_unless_said(search: Search) -> None:
    cached_best_chart("classic")
    cached_best_chart("classic", full(6))
    assert len(search.asked) == 1


def test_simulations_play_what_is_kept(search: Search) -> None:
    sheet = holecard.rules("classic")
    assert [strategy_of(sheet, "basic").chart for _ in range(2)] == [mimic_the_dealer(sheet.tables)] * 2
    assert len(search.asked) == 1


# What is ignored


@pytest.mark.parametrize("part", [0.0, 0.5, 0.999])
def test_a_chart_is_computed_again_if_its_file_is_cut_short(search: Search, caches: Path, part: float) -> None:
    """The file is written again."""
    found = cached_best_chart("classic")
    (file,) = files(caches)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(part * len(whole))])
    assert [cached_best_chart("classic"), cached_best_chart("classic")] == [found, found]
    assert len(search.asked) == 2
    assert file.read_bytes() == whole


@pytest.mark.parametrize(
    "wrong",
    [
        {"ev": None},
        {"ev": "-0.005"},
        {"ev": float("nan")},
        {"optimum_ev": float("nan")},
        {"error_bound": inf},
        {"chart": ""},
        {"chart": "hard 2 3\n4 H H"},
        {"chart": ["H"]},
        {"luck": 7},
    ],
)
def test_a_chart_is_computed_again_if_its_file_was_changed(
    search: Search, caches: Path, wrong: dict[str, object]
) -> None:
    found = cached_best_chart("classic")
    (file,) = files(caches)
    file.write_text(json.dumps(json.loads(file.read_text()) | wrong))
    assert cached_best_chart("classic") == found
    assert len(search.asked) == 2


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\0" * 4096, b"[]", b"7", b"hard 2 3 4"])
def test_a_chart_is_computed_again_if_its_file_is_something_else(search: Search, caches: Path, content: bytes) -> None:
    found = cached_best_chart("classic")
    (file,) = files(caches)
    file.write_bytes(content)
    assert cached_best_chart("classic") == found
    assert len(search.asked) == 2


def test_a_chart_is_computed_again_if_its_layout_does_not_fit(search: Search, caches: Path) -> None:
    """The chart is complete, but this game cannot be played with it."""
    cached_best_chart("face-up")
    (other,) = files(caches)
    found = cached_best_chart("classic")
    (file,) = set(files(caches)) - {other}
    file.write_bytes(other.read_bytes())
    assert cached_best_chart("classic") == found
    assert found.chart.layout == Layout.of(holecard.rules("classic").tables)
    assert len(search.asked) == 3


# Where nothing can be written


def test_where_nothing_can_be_written_charts_are_found(search: Search, caches: Path) -> None:
    """Here the folder is a file, so that even root cannot write to it."""
    caches.touch()
    assert cached_best_chart("classic") == cached_best_chart("classic")
    assert len(search.asked) == 2


@pytest.mark.usefixtures("search")
def test_a_full_disk_leaves_nothing_behind(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(_from: object, _to: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    cached_best_chart("classic")
    assert files(caches) == []


@pytest.mark.usefixtures("search")
def test_no_half_of_a_file_is_ever_in_its_place(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The complete file is moved there, not written there."""
    moved: list[tuple[bytes, bool]] = []
    move = os.replace

    def noting(draft: Path, file: Path) -> None:
        moved.append((draft.read_bytes(), file.exists()))
        move(draft, file)

    monkeypatch.setattr(os, "replace", noting)
    cached_best_chart("classic")
    (file,) = files(caches)
    assert moved == [(file.read_bytes(), False)]
    assert [path.name for path in file.parent.iterdir()] == [file.name]


# An edited program


def test_an_edited_program_finds_nothing(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    cached_best_chart("classic")
    monkeypatch.setattr(chart_cache, "_PROGRAM", "edited")
    monkeypatch.setattr(chart_cache, "hash_of_sources", lambda _: "edited")
    cached_best_chart("classic")
    assert len(search.asked) == 2
    cached_best_chart("classic")
    assert len(search.asked) == 2


def test_a_program_edited_while_it_runs_keeps_nothing(
    search: Search, caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its chart comes from the sources it was loaded from, and these can no longer be identified."""
    monkeypatch.setattr(chart_cache, "hash_of_sources", lambda _: "edited")
    cached_best_chart("classic")
    assert files(caches) == []
    assert len(search.asked) == 1


def test_charts_belong_to_the_sources_the_program_was_loaded_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "hash_of_sources", lambda package: f"hash of {package}")
    assert runpy.run_path(chart_cache.__file__)["_PROGRAM"] == f"hash of {Path(holecard.__file__).parent}"


def test_every_source_of_the_program_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(holecard.__file__).parent
    read: set[Path] = set()
    read_bytes = Path.read_bytes

    def noting(path: Path) -> bytes:
        read.add(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", noting)
    hash_of_sources(package)
    assert read == set(package.rglob("*.py"))


def test_an_edit_anywhere_is_another_program(tmp_path: Path) -> None:
    """A letter, a name, or a file more or less; but only in source files."""
    package = tmp_path / "package"
    (package / "rules").mkdir(parents=True)
    (package / "deal.py").write_text("CARDS = 52\n")
    (package / "rules" / "dealer.py").write_text("STANDS = 17\n")
    hashes = [hash_of_sources(package)]

    def edited() -> str:
        hashes.append(hash_of_sources(package))
        return hashes[-1]

    (package / "rules" / "dealer.py").write_text("STANDS = 18\n")
    assert edited() not in hashes[:-1]
    (package / "rules" / "dealer.py").rename(package / "dealer.py")
    assert edited() not in hashes[:-1]
    (package / "rules" / "__init__.py").touch()
    assert edited() not in hashes[:-1]
    (package / "deal.py").unlink()
    assert edited() not in hashes[:-1]
    (package / "notes.txt").write_text("no source")
    (package / ".#dealer.py").symlink_to(tmp_path / "nowhere")
    assert edited() == hashes[-2]
    package.rename(tmp_path / "elsewhere")
    assert hash_of_sources(tmp_path / "elsewhere") == hashes[-1]
