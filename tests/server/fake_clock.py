"""A clock that goes forward when a test says so."""

from __future__ import annotations


class FakeClock:
    """Milliseconds since 1970, as the server counts them."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += round(1000 * seconds)


class SteppedClock:
    """A wall clock that somebody sets, and a clock that nobody can set, of one machine."""

    def __init__(self) -> None:
        self._steady = 5_000_000
        self._ahead = 1_700_000_000_000

    def wall(self) -> int:
        return self._steady + self._ahead

    def steady(self) -> int:
        return self._steady

    def forward(self, seconds: float) -> None:
        self._steady += round(1000 * seconds)

    def set(self, seconds: float) -> None:
        """Set the wall clock forward, or back."""
        self._ahead += round(1000 * seconds)
