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
