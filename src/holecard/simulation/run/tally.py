"""What was played: the counts, and which units they are of.

Everything a simulation learns is a sum of integers, so parts played anywhere, in any order, add up to the same result
to the bit. What is added here never wraps around, never drops a name, and never counts a unit twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holecard.errors import Refusal, shortly

Counts: TypeAlias = NDArray[np.int64]
#: First unit, and the one after the last.
Range: TypeAlias = tuple[int, int]

_MOST = 2**63 - 1


class Tally(Mapping[str, Counts]):
    """Named integer counts that add up. The arrays cannot be written to.

    >>> day = Tally({"rounds": 2, "nets": [0, 1, 1]})
    >>> (day + day)["nets"].tolist()
    [0, 2, 2]
    """

    __slots__ = ("_counts",)

    def __init__(self, counts: Mapping[str, ArrayLike]) -> None:
        self._counts = {name: _frozen(name, given) for name, given in counts.items()}

    @classmethod
    def nothing_like(cls, other: Tally) -> Tally:
        """The same names and shapes, nothing counted."""
        return cls({name: np.zeros_like(counts) for name, counts in other.items()})

    @classmethod
    def from_data(cls, data: object) -> Tally:
        """The tally that `to_data` wrote down."""
        if not isinstance(data, dict):
            raise Refusal(f"a tally is names with their counts, not {shortly(data)}")
        return cls(data)

    def to_data(self) -> dict[str, Any]:
        """Names to counts as plain integers in nested lists."""
        return {name: counts.tolist() for name, counts in self._counts.items()}

    def __add__(self, other: Tally) -> Tally:
        _check_alike(self, other)
        return Tally({name: _sum(name, counts, other[name]) for name, counts in self._counts.items()})

    def __getitem__(self, name: str) -> Counts:
        return self._counts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.keys() == other.keys() and all(np.array_equal(self[name], other[name]) for name in self)

    __hash__ = None  # type: ignore[assignment]  # as an array has none

    def __repr__(self) -> str:
        return f"Tally({self.to_data()!r})"

    def __reduce__(self) -> tuple[type[Tally], tuple[dict[str, Counts]]]:
        # Made anew where it arrives, for a pickled array forgets that it cannot be written to.
        return Tally, (self._counts,)


@dataclass(frozen=True, slots=True)
class Units:
    """A set of units as ranges, sorted and with a gap between each and the next.

    >>> Units.of([(5, 9), (0, 2), (2, 4)])
    Units(ranges=((0, 4), (5, 9)))
    """

    ranges: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        before = -1
        for first, end in self.ranges:
            if not before < first < end:
                raise Refusal(f"units {first} to {end} do not follow the range before them")
            before = end

    @classmethod
    def of(cls, ranges: Iterable[Range]) -> Units:
        """Ranges in any order, joined where they touch; a unit in two of them is refused."""
        joined: list[Range] = []
        for first, end in sorted(ranges):
            if joined and first < joined[-1][1]:
                raise Refusal(f"unit {first} is there twice")
            if joined and first == joined[-1][1]:
                first, _ = joined.pop()
            joined.append((first, end))
        return cls(tuple(joined))

    @property
    def count(self) -> int:
        return sum(end - first for first, end in self.ranges)

    @property
    def end(self) -> int:
        """One past the last of them; 0 where there are none."""
        return self.ranges[-1][1] if self.ranges else 0

    def missing(self, end: int) -> Iterator[Range]:
        """What is left of the units below `end`, in order."""
        first = 0
        for start, stop in self.ranges:
            if first < min(start, end):
                yield first, min(start, end)
            first = stop
        if first < end:
            yield first, end


@dataclass(frozen=True, slots=True)
class Played:
    """Which units were played, and the tally of exactly these: None as long as there are none."""

    units: Units = Units()
    tally: Tally | None = None

    def __post_init__(self) -> None:
        if bool(self.units.ranges) != (self.tally is not None):
            raise Refusal("a tally goes with the units it counts, and units with their tally")

    def plus(self, first: int, units: int, tally: Tally) -> Played:
        """With the units from `first` on played too."""
        together = Units.of([*self.units.ranges, (first, first + units)])
        return Played(together, tally if self.tally is None else self.tally + tally)


def _frozen(name: str, given: ArrayLike) -> Counts:
    """The counts as an array of our own that cannot be written to."""
    array = _array(name, given)
    if array.size and (array.dtype.kind not in "iu" or array.max() > _MOST):
        raise Refusal(f"{name}: a tally counts in whole numbers below 2**63, not {shortly(given)}")
    if not array.size and array.ndim > 1:
        raise Refusal(f"{name}: counts of shape {array.shape} are none, and no list of them keeps the shape")
    counts = np.array(array, dtype=np.int64)
    counts.setflags(write=False)
    return counts


def _array(name: str, given: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(given)
    except ValueError:
        raise Refusal(f"{name}: the counts do not fill an array: {shortly(given)}") from None


def _shapes(tally: Tally) -> dict[str, tuple[int, ...]]:
    return {name: counts.shape for name, counts in tally.items()}


def _check_alike(one: Tally, other: Tally) -> None:
    here, there = _shapes(one), _shapes(other)
    unlike = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
    if unlike:
        name = unlike[0]
        shapes = f"{here.get(name, 'not there')} and {there.get(name, 'not there')}"
        raise Refusal(f"tallies of different plays do not add up: {name} is {shapes}")


def _sum(name: str, one: Counts, other: Counts) -> Counts:
    total: Counts = np.asarray(np.add(one, other))
    # A sum that wrapped around has the sign of neither part.
    if np.any(((one ^ total) & (other ^ total)) < 0):
        raise Refusal(f"{name} counts past 2**63 - 1, more than a counter holds; play fewer rounds")
    return total
