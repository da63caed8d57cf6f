"""The account of one session: every seat's bankroll, every wager's results, the hands, and the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from holecard.money import NO_MONEY, Money, sum_of
from holecard.table.events import Action, Result
from holecard.table.views import View


@dataclass
class Entry:
    """What happened to one wager."""

    settled: int = 0
    staked: Money = NO_MONEY
    net: Money = NO_MONEY
    by_upcard: Counter[int] = field(default_factory=Counter)
    """[value of the upcard] cents staked, for wagers whose EV depends on it."""


class Decision(NamedTuple):
    """What a person did with a hand, and what the seat saw; the view's choices are those the seat could pay for."""

    hand: str
    view: View
    action: Action


@dataclass
class Account:
    """Counts finished rounds only."""

    seats: int
    bankroll: Money
    """What each seat has bought in for so far."""
    rounds: int = 0
    wagers: dict[str, Entry] = field(default_factory=dict)
    net: Money = NO_MONEY
    """Won or lost by all seats together."""
    won: int = 0
    """Hands won, by the sum of all stakes on the hand; each hand of a split counts."""
    lost: int = 0
    pushed: int = 0
    decisions: list[Decision] = field(default_factory=list)
    _won: dict[int, Money] = field(default_factory=dict)

    def enter(self, results: Iterable[Result], upcard: int) -> None:
        """Enter a finished round; `upcard` is the value of the dealer's upcard."""
        self.rounds += 1
        hands: dict[tuple[int, int], Money] = {}
        for result in sorted(results, key=lambda result: result.hand == 0):  # wagers on hands come first
            entry = self.wagers.setdefault(result.wager, Entry())
            entry.settled += 1
            entry.staked += result.stake
            entry.net += result.net
            entry.by_upcard[upcard] += int(result.stake)
            self.net += result.net
            self._won[result.seat] = self._won.get(result.seat, NO_MONEY) + result.net
            if result.hand:
                place = result.seat, result.hand
                hands[place] = hands.get(place, NO_MONEY) + result.net
        self.won += sum(net > 0 for net in hands.values())
        self.lost += sum(net < 0 for net in hands.values())
        self.pushed += sum(net == 0 for net in hands.values())

    @property
    def hands(self) -> int:
        """Hands played, each hand of a split counted."""
        return self.won + self.lost + self.pushed

    @property
    def staked(self) -> Money:
        """All money that was wagered."""
        return sum_of(entry.staked for entry in self.wagers.values())

    def owns(self, seat: int) -> Money:
        """Return a seat's bankroll."""
        return self.bankroll + self._won.get(seat, NO_MONEY)

    def buy_in(self, amount: Money) -> None:
        """Add to every seat's bankroll."""
        self.bankroll += amount
