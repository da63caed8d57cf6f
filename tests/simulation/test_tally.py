"""Counts that add up, and their units."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import Refusal
from holecard.simulation.run.tally import Played, Tally, Units

MOST = 2**63 - 1
counts = st.integers(-(2**62), 2**62 - 1)
tallies = st.builds(
    lambda one, row, table: Tally({"one": one, "row": row, "table": table}),
    counts,
    st.lists(counts, min_size=3, max_size=3),
    st.lists(st.lists(counts, min_size=2, max_size=2), min_size=2, max_size=2),
)


def test_counts_add_up_name_by_name() -> None:
    """Each number is added to the one at its index."""
    total = Tally({"rounds": 5, "nets": [[1, -2], [3, 4]]}) + Tally({"nets": [[10, 20], [-30, 40]], "rounds": 7})
    assert total == Tally({"rounds": 12, "nets": [[11, 18], [-27, 44]]})


@given(tallies, tallies)
def test_the_order_of_adding_does_not_matter(one: Tally, other: Tally) -> None:
    """Every sum equals that of Python's integers."""
    assert one + other == other + one
    assert (one + other)["row"].tolist() == [
        a + b for a, b in zip(one["row"].tolist(), other["row"].tolist(), strict=True)
    ]


@pytest.mark.parametrize("counted", [MOST, [5, MOST], [[5], [MOST]]])
def test_a_sum_past_the_counter_is_refused(counted: Any) -> None:
    """The last number that fits is accepted; one more does not wrap around."""
    almost = Tally({"nets": (np.asarray(counted) - 1)})
    one = Tally({"nets": np.ones_like(counted)})
    assert almost + one == Tally({"nets": counted})
    with pytest.raises(Refusal, match=r"nets exceeds 2\*\*63 - 1.*fewer rounds"):
        almost + one + one


def test_a_sum_below_the_counter_is_refused() -> None:
    """Losses are counted too."""
    low = Tally({"nets": [-MOST]})
    assert (low + Tally({"nets": [-1]}))["nets"].tolist() == [-(2**63)]
    with pytest.raises(Refusal, match="nets"):
        low + Tally({"nets": [-2]})


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"nets": [1, 2]}, "rounds has shapes () and missing"),
        ({"nets": [1, 2], "rounds": 1, "wagers": 3}, "wagers has shapes missing and ()"),
        ({"nets": [1, 2, 3], "rounds": 1}, "nets has shapes (2,) and (3,)"),
        ({"nets": [1], "rounds": 1}, "nets has shapes (2,) and (1,)"),
        ({"nets": [1, 2], "rounds": [1]}, "rounds has shapes () and (1,)"),
    ],
)
def test_tallies_of_different_plays_do_not_add_up(other: dict[str, Any], said: str) -> None:
    """Nothing is resized or left out to make them fit."""
    with pytest.raises(Refusal) as refused:
        Tally({"nets": [1, 2], "rounds": 1}) + Tally(other)
    assert said in str(refused.value)


def test_equal_means_every_name_shape_and_count() -> None:
    """Shapes count too, and a tally is not equal to anything else."""
    tally = Tally({"nets": [1, 2], "rounds": 3})
    assert tally == Tally({"rounds": np.int64(3), "nets": np.array([1, 2], dtype=np.uint8)})
    assert tally != Tally({"nets": [1, 3], "rounds": 3})
    assert tally != Tally({"nets": [1, 2]})
    assert tally != Tally({"nets": [[1, 2]], "rounds": 3})
    assert tally != {"nets": [1, 2], "rounds": 3}


def test_an_empty_tally_changes_no_sum() -> None:
    """It has the names and shapes of another tally, and only zeros."""
    tally = Tally({"nets": [[1, 2]], "rounds": 3})
    nothing = Tally.nothing_like(tally)
    assert nothing.to_data() == {"nets": [[0, 0]], "rounds": 0}
    assert nothing + tally == tally


def test_the_counts_cannot_be_changed_afterwards() -> None:
    """Not through the tally, not through the original array, not after pickling."""
    given = np.array([1, 2])
    tally = Tally({"nets": given})
    given[0] = 9
    assert tally == Tally({"nets": [1, 2]})
    for one in (tally, pickle.loads(pickle.dumps(tally)), tally + tally):
        with pytest.raises(ValueError, match="read-only"):
            one["nets"][0] = 9


@given(tallies)
def test_a_tally_comes_back_from_a_file_and_from_a_worker(tally: Tally) -> None:
    """JSON and pickle keep every bit."""
    assert Tally.from_data(json.loads(json.dumps(tally.to_data()))) == tally
    assert pickle.loads(pickle.dumps(tally)) == tally


def test_an_empty_row_comes_back_too() -> None:
    """A game without side wagers counts none."""
    tally = Tally({"wagers": []})
    assert Tally.from_data(tally.to_data()) == tally
    assert tally["wagers"].dtype == np.int64


@pytest.mark.parametrize(
    "data",
    [
        None,
        [1, 2],
        {"nets": 1.0},
        {"nets": [1, 2.5]},
        {"nets": True},
        {"nets": "12"},
        {"nets": None},
        {"nets": [[1], [2, 3]]},
        {"nets": 2**63},
        {"nets": [2**63, -1]},
        {"nets": [2**64]},
        {"nets": -(2**63) - 1},
        {"nets": [[], []]},
        {"nets": {"a": 1}},
    ],
)
def test_an_invalid_count_is_refused(data: Any) -> None:
    """Nothing is rounded, cut or guessed."""
    with pytest.raises(Refusal):
        Tally.from_data(data)


# Units

ranges = st.lists(st.integers(0, 60), unique=True, max_size=24).map(sorted)


def cut(places: list[int]) -> list[tuple[int, int]]:
    """Every other interval between the given positions."""
    return list(zip(places[::2], places[1::2], strict=False))


@given(ranges, st.randoms(use_true_random=False))
def test_ranges_are_kept_sorted_and_joined(places: list[int], luck: Any) -> None:
    """The same units in as few ranges as possible, in any order of arrival."""
    wanted = {unit for first, end in cut(places) for unit in range(first, end)}
    shuffled = [(unit, unit + 1) for unit in wanted]
    luck.shuffle(shuffled)
    units = Units.of(shuffled)
    assert units == Units.of(cut(places))
    assert {unit for first, end in units.ranges for unit in range(first, end)} == wanted
    assert units.count == len(wanted)
    assert units.end == max(wanted, default=-1) + 1
    assert len(units.ranges) == sum(unit + 1 not in wanted for unit in wanted)


@given(ranges, st.integers(0, 70))
def test_what_is_missing_is_what_was_not_played(places: list[int], end: int) -> None:
    """In order, and never an empty range."""
    units = Units.of(cut(places))
    played = {unit for first, last in units.ranges for unit in range(first, last)}
    missing = list(units.missing(end))
    assert [unit for first, last in missing for unit in range(first, last)] == sorted(set(range(end)) - played)
    assert all(first < last for first, last in missing)


@pytest.mark.parametrize("twice", [[(0, 5), (4, 6)], [(0, 5), (0, 5)], [(0, 5), (1, 2)], [(3, 4), (0, 9)]])
def test_a_unit_is_never_there_twice(twice: list[tuple[int, int]]) -> None:
    """Otherwise it would be counted twice."""
    with pytest.raises(Refusal, match="two ranges"):
        Units.of(twice)


@pytest.mark.parametrize("wrong", [(5, 5), (5, 4), (-1, 3)])
def test_a_range_goes_forward_from_zero_or_later(wrong: tuple[int, int]) -> None:
    """An empty one, a reversed one, one before the first unit."""
    with pytest.raises(Refusal, match="is empty or not after"):
        Units.of([wrong])


def test_units_and_tally_go_together() -> None:
    """One without the other is refused."""
    tally = Tally({"rounds": 3})
    played = Played().plus(4, 3, tally).plus(1, 3, tally)
    assert played == Played(Units(((1, 7),)), Tally({"rounds": 6}))
    for units, counted in ((Units(((0, 3),)), None), (Units(), tally)):
        with pytest.raises(Refusal, match="given together"):
            Played(units, counted)
    with pytest.raises(Refusal, match="two ranges"):
        played.plus(6, 1, tally)
