"""Numbers that must be equal, without chance: how many were compared, and which differ."""

from __future__ import annotations

from typing import NamedTuple


class NumberCheck(NamedTuple):
    """The result of comparing numbers that must be equal."""

    what: str
    """the numbers in words: "shown numbers, worked out again from others," """
    compared: int
    differences: tuple[str, ...] = ()
    """each difference as text"""

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """The verdict as text; differences follow line by line."""
        if self.agrees:
            return f"{self.compared:,} {self.what} agree."
        first = f"{len(self.differences):,} of {self.compared:,} {self.what} differ:"
        return "\n".join([first, *(f"  {line}" for line in self.differences)])
