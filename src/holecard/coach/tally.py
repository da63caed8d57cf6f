"""The sums of a session: what was won, how much of it was house edge, skill and luck, and how well it was played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from holecard.coach.review import Review

_HOUR = 3600.0
#: With fewer hands, the speed says nothing.
_FEWEST_TIMED = 3


@dataclass(frozen=True, slots=True)
class SessionTally:
    """Finished rounds of one player; amounts are in cents."""

    rounds: int = 0
    hands: int = 0
    """Hands played, each hand of a split counted."""
    decisions: int = 0
    right: int = 0
    """Decisions that cost nothing."""
    wagered: int = 0
    net: int = 0
    """Won or lost: the sum of house, skill and luck."""
    house: float = 0.0
    """What the wagers are expected to win or lose with the best play."""
    skill: float = 0.0
    """Minus what the decisions cost."""
    luck: float = 0.0
    """The rest."""

    def plus(self, one: Review) -> SessionTally:
        """Return the sums with one more round."""
        return SessionTally(
            rounds=self.rounds + 1,
            hands=self.hands + one.hands,
            decisions=self.decisions + len(one.decisions),
            right=self.right + one.right,
            wagered=self.wagered + one.wagered,
            net=self.net + one.net,
            house=self.house + one.house,
            skill=self.skill + one.skill,
            luck=self.luck + one.luck,
        )

    @property
    def accuracy(self) -> float | None:
        """The share of decisions that were right; None without any."""
        return self.right / self.decisions if self.decisions else None

    def hands_per_hour(self, seconds: float) -> float | None:
        """Return the speed; None where the session is too short to tell."""
        return self.hands * _HOUR / seconds if seconds > 0 and self.hands >= _FEWEST_TIMED else None


def tally(reviews: Iterable[Review]) -> SessionTally:
    """Return the sums of rounds."""
    total = SessionTally()
    for one in reviews:
        total = total.plus(one)
    return total
