"""`compare_counting`: every table is what `counting` finds alone, and bad numbers are refused before any work."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import holecard
from holecard.advantage import compare_counting as module
from holecard.advantage.compare_counting import CountingComparison, compare_counting
from holecard.advantage.counting_result import Counting
from holecard.advantage.verdict import gaining_count
from holecard.errors import Refusal

SIDE: dict[str, Any] = {"wagers": ("Bonus 16",), "cut": 70, "bet": "$10", "pace": 60, "shoes": 6, "seed": 3}


@pytest.fixture(autouse=True)
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick estimates from few shoes: what is compared is the same."""
    monkeypatch.setattr("holecard.advantage.counting.SAMPLED_SHOES", 200)


@cache
def grid() -> CountingComparison:
    return compare_counting("double-up", decks=(2, 6), seats=(1, 4), **SIDE)


@pytest.mark.parametrize("decks", [2, 6])
@pytest.mark.parametrize("seats", [1, 4])
def test_a_table_is_what_counting_finds_with_the_same_arguments(decks: int, seats: int) -> None:
    assert grid().table(decks, seats) == holecard.counting("double-up", decks=decks, seats=seats, **SIDE)


@pytest.mark.slow
def test_the_main_wager_is_the_same_but_for_index_plays() -> None:
    """With the sheet's own number of decks, and one seat, unless others are given."""
    (table,) = compare_counting("classic", wagers=("main",), shoes=2).tables
    assert table == holecard.counting("classic", wagers=("main",), shoes=2, plays=False)
    assert (table.rules.shoe.decks, table.plan.seats, table.index_plays) == (6, 1, None)


def test_a_table_that_was_not_computed_is_refused_with_those_that_were() -> None:
    words = r"no table with \(decks, seats\) \(5, 1\); there are \(2, 1\), \(2, 4\), \(6, 1\), \(6, 4\)"
    with pytest.raises(Refusal, match=words):
        grid().table(5, 1)


def test_tables_are_listed_by_decks_then_seats() -> None:
    """Numbers given twice count once."""
    found = [(one.rules.shoe.decks, one.plan.seats) for one in grid().tables]
    assert found == [(2, 1), (2, 4), (6, 1), (6, 4)]
    assert grid().complete
    again = compare_counting("double-up", decks=(6, 2, 6), seats=(4, 4), **SIDE)
    assert (again.decks, again.seats) == ((6, 2), (4,))
    assert again.tables == (grid().table(6, 4), grid().table(2, 4))


def test_rows_have_the_numbers_of_each_table() -> None:
    """A bet of $10 at 60 rounds an hour: 6 dollars for each unit per 100 rounds."""
    for row, one in zip(grid().to_rows(), grid().tables, strict=True):
        wager = one.wager("Bonus 16")
        assert (row["decks"], row["seats"], row["cut"]) == (one.rules.shoe.decks, one.plan.seats, 70)
        assert row["full_shoe_ev"] == wager.full_shoe.ev
        for cut, name in ((70, ""), (50, "_at_50"), (90, "_at_90")):
            at = wager.at_cut(cut)
            assert at is not None
            best = max(at.counts, key=lambda count: count.gain.mean)
            assert (row[f"perfect_gain{name}"], row[f"perfect_gain{name}_standard_error"]) == (
                at.gain.mean,
                at.gain.standard_error,
            )
            assert (row[f"count_gain{name}"], row[f"count_gain{name}_standard_error"]) == (
                best.gain.mean,
                best.gain.standard_error,
            )
        assert row["perfect_dollars_per_hour"] == pytest.approx(6 * row["perfect_gain"])
        assert row["count_dollars_per_hour_standard_error"] == pytest.approx(6 * row["count_gain_standard_error"])


def test_hours_at_the_main_wager_are_with_the_largest_bet() -> None:
    """Match-Up takes $2 to $10, so $25 and 1 to 8 become $2 and 1 to 5: 8 dollars for each unit per 100 rounds."""
    found = compare_counting("match-up", wagers=("main",), shoes=2)
    (wager,), (row,) = found.wager("main"), found.to_rows()
    at = wager.at_cut(found.plan.cut)
    assert at is not None
    assert (int(wager.stake), found.plan.spread) == (1000, 5)
    assert row["perfect_dollars_per_hour"] == pytest.approx(8 * at.gain.mean)
    best = gaining_count(at)
    assert row["count_dollars_per_hour"] == (None if best is None else pytest.approx(8 * best.gain.mean))


@pytest.mark.slow
def test_approximate_rounds_are_counted() -> None:
    """The last rounds of a single deck have too few cards for the longest round of the main wager."""
    found = compare_counting("classic", wagers=("main",), decks=(1, 6), shoes=2)
    gains = [one.wager("main").gains[-1] for one in found.tables]
    assert gains[0].rounds_approximated > 0
    assert gains[1].rounds_approximated == 0
    assert [one.rounds_left_out for one in gains] == [0, 0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"decks": (6, 0)}, "decks"),
        ({"decks": (6, 400)}, "decks"),
        ({"decks": ()}, "decks: \\(\\) is not a list of numbers"),
        ({"decks": 6}, "decks: 6 is not a list of numbers"),
        ({"decks": (6, "8")}, "is not a list of numbers"),
        ({"seats": (1, 8)}, "cannot deal to 8 seats; this table has 1 to 7"),
        ({"seats": (1, 0)}, "this table has 1 to 7"),
        ({"seats": ()}, "seats: \\(\\) is not a list of numbers"),
        ({"cut": 101}, "1% to 100%"),
        ({"cut": 6, "decks": (8, 1)}, "at 6% of 1 deck comes out in the first round"),
        ({"shoes": 1}, "2 to 10,000,000"),
        ({"wagers": ("Bonus",)}, "did you mean 'Bonus 16'"),
    ],
)
def test_bad_input_is_refused_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], words: str
) -> None:
    """Also where the first tables could be computed."""
    monkeypatch.setattr("holecard.advantage.counting._Work", None)
    with pytest.raises(Refusal, match=words):
        compare_counting("double-up", **options)


def stopping(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let Ctrl-C be pressed once this many tables are done."""
    calls: list[int] = []

    def counted(*given: Any, **options: Any) -> Counting:
        calls.append(1)
        if len(calls) > after:
            raise KeyboardInterrupt
        return holecard.counting(*given, **options)

    monkeypatch.setattr(module, "counting", counted)


def test_ctrl_c_returns_the_tables_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping(monkeypatch, after=3)
    found = compare_counting("double-up", decks=(2, 6), seats=(1, 4), **SIDE)
    assert found.tables == grid().tables[:3]
    assert not found.complete
    assert "Stopped early: 3 of 4 tables are done." in str(found)


def test_ctrl_c_before_a_table_is_done_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping(monkeypatch, after=0)
    with pytest.raises(KeyboardInterrupt):
        compare_counting("double-up", decks=(2, 6), **SIDE)


def test_progress_is_reported_over_the_whole_grid() -> None:
    reported: list[tuple[int, int, int]] = []
    compare_counting("double-up", decks=(2, 6), **SIDE, on_progress=lambda *numbers: reported.append(numbers))
    assert [done for done, _, _ in reported] == sorted(done for done, _, _ in reported)
    assert {done for done, known, whole in reported if known == whole} == {0, 1}
