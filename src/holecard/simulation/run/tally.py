"""The counts of a run, and which units of work they cover.

Everything a simulation learns is a sum of integers, so parts played anywhere, in any order, add up to the same result
bit for bit. Adding never overflows silently, never drops a name, and never counts a unit twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holecard.errors import Refusal, shortly

Counts: TypeAlias = NDArray[np.int64]
#: The first unit, and one past the last.
Range: TypeAlias = tuple[int, int]

_MOST = 2**63 - 1


class Tally(Mapping[str, Counts]):
    """Named integer counts that can be added. The arrays are read-only.

    >>> day = Tally({"rounds": 2, "nets": [0, 1, 1]})
    >>> (day + day)["nets"].tolist()
    [0, 2, 2]
    """

    __slots__ = ("_counts",)

    def __init__(self, counts: Mapping[str, ArrayLike]) -> None:
        self._counts = {name: _frozen(name, given) for name, given in counts.items()}

    @classmethod
    def nothing_like(cls, other: Tally) -> Tally:
        """Return zero counts with the same names and shapes."""
        return cls({name: np.zeros_like(counts) for name, counts in other.items()})

    @classmethod
    def from_data(cls, data: object) -> Tally:
        """Return the tally that `to_data` wrote."""
        if not isinstance(data, dict):
            raise Refusal(f"a tally must map names to counts, not {shortly(data)}")
        return cls(data)

    def to_data(self) -> dict[str, Any]:
        """Return the counts as nested lists of integers."""
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
        # Rebuild on unpickling, because a pickled array forgets that it is read-only.
        return Tally, (self._counts,)


@dataclass(frozen=True, slots=True)
class Units:
    """A set of units as sorted ranges that do not touch.

    >>> Units.of([(5, 9), (0, 2), (2, 4)])
    Units(ranges=((0, 4), (5, 9)))
    """

    ranges: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        before = -1
        for first, end in self.ranges:
            if not before < first < end:
                raise Refusal(f"the range {first} to {end} is empty or not after the range before it")
            before = end

    @classmethod
    def of(cls, ranges: Iterable[Range]) -> Units:
        """Return the union of ranges given in any order; refuse overlaps."""
        joined: list[Range] = []
        for first, end in sorted(ranges):
            if joined and first < joined[-1][1]:
                raise Refusal(f"unit {first} is in two ranges")
            if joined and first == joined[-1][1]:
                first, _ = joined.pop()
            joined.append((first, end))
        return cls(tuple(joined))

    @property
    def count(self) -> int:
        return sum(end - first for first, end in self.ranges)

    @property
    def end(self) -> int:
        """One past the last unit; 0 for an empty set."""
        return self.ranges[-1][1] if self.ranges else 0

    def missing(self, end: int) -> Iterator[Range]:
        """Yield the ranges below `end` that are not in the set, in order."""
        first = 0
        for start, stop in self.ranges:
            if first < min(start, end):
                yield first, min(start, end)
            first = stop
        if first < end:
            yield first, end


@dataclass(frozen=True, slots=True)
class Played:
    """The units played so far and their tally, which is None before the first unit."""

    units: Units = Units()
    tally: Tally | None = None

    def __post_init__(self) -> None:
        if bool(self.units.ranges) != (self.tally is not None):
            raise Refusal("units and tally must be given together")

    def plus(self, first: int, units: int, tally: Tally) -> Played:
        """Return this with the units from `first` on added."""
        together = Units.of([*self.units.ranges, (first, first + units)])
        return Played(together, tally if self.tally is None else self.tally + tally)


def _frozen(name: str, given: ArrayLike) -> Counts:
    """Return the counts as a read-only copy."""
    array = _array(name, given)
    if array.size and (array.dtype.kind not in "iu" or array.max() > _MOST):
        raise Refusal(f"{name}: counts must be integers below 2**63, not {shortly(given)}")
    if not array.size and array.ndim > 1:
        raise Refusal(f"{name}: an empty array of shape {array.shape} cannot be written as a list")
    counts = np.array(array, dtype=np.int64)
    counts.setflags(write=False)
    return counts


def _array(name: str, given: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(given)
    except ValueError:
        raise Refusal(f"{name}: the counts do not form an array: {shortly(given)}") from None


def _shapes(tally: Tally) -> dict[str, tuple[int, ...]]:
    return {name: counts.shape for name, counts in tally.items()}


def _check_alike(one: Tally, other: Tally) -> None:
    here, there = _shapes(one), _shapes(other)
    differing = sorted(name for name in here.keys() | there.keys() if here.get(name) != there.get(name))
    if differing:
        name = differing[0]
        shapes = f"{here.get(name, 'missing')} and {there.get(name, 'missing')}"
        raise Refusal(f"cannot add tallies of different runs: {name} has shapes {shapes}")


def _sum(name: str, one: Counts, other: Counts) -> Counts:
    total: Counts = np.asarray(np.add(one, other))
    # An overflowed sum has the sign of neither part.
    if np.any(((one ^ total) & (other ^ total)) < 0):
        raise Refusal(f"{name} exceeds 2**63 - 1, the largest count; play fewer rounds")
    return total
