"""A part of a result that is computed when it is first read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

Value = TypeVar("Value")


class Deferred(Generic[Value]):
    """A value, or the function that computes it; equal, hashed, copied and pickled as the value.

    >>> parts = Deferred(lambda: 6 * 7)
    >>> parts.value, parts == Deferred.of(42)
    (42, True)
    """

    __slots__ = ("_compute", "_value")

    def __init__(self, compute: Callable[[], Value]) -> None:
        self._compute: Callable[[], Value] | None = compute
        self._value: Value | None = None

    @classmethod
    def of(cls, value: Value) -> Deferred[Value]:
        """Return a value that needs no computing."""
        known = cls(lambda: value)
        known._value, known._compute = value, None
        return known

    @property
    def value(self) -> Value:
        """The value; threads that ask for it at the same time may both compute it, with the same result."""
        if (compute := self._compute) is not None:
            self._value = compute()
            self._compute = None
        return cast(Value, self._value)

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, Deferred) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return repr(self.value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Deferred.of, (self.value,)
