"""The account of one sitting: what every seat owns, and what every wager won or lost in finished rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from holecard.table.events import Result


@dataclass
class Entry:
    """All that happened to one wager, in cents."""

    settled: int = 0
    staked: int = 0
    net: int = 0


@dataclass
class Account:
    """Counts finished rounds only; amounts are cents."""

    seats: int
    bankroll: int
    """What each seat has put on its account so far."""
    rounds: int = 0
    wagers: dict[str, Entry] = field(default_factory=dict)
    net: int = 0
    """Won or lost by all seats together, over every bankroll."""
    _won: dict[int, int] = field(default_factory=dict)

    def enter(self, results: Iterable[Result]) -> None:
        """A round is over."""
        self.rounds += 1
        for result in sorted(results, key=lambda result: result.hand == 0):  # the hands' wagers first
            entry = self.wagers.setdefault(result.wager, Entry())
            entry.settled += 1
            entry.staked += result.stake
            entry.net += result.net
            self.net += result.net
            self._won[result.seat] = self._won.get(result.seat, 0) + result.net

    def owns(self, seat: int) -> int:
        """What a seat has."""
        return self.bankroll + self._won.get(seat, 0)

    def buy_in(self, amount: int) -> None:
        """Every seat puts more money on its account."""
        self.bankroll += amount
