"""The sums of a session: what was won, how much of it was house edge, skill and luck, and how well it was played."""

from __future__ import annotations

from dataclasses import dataclass

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

    def __add__(self, other: SessionTally) -> SessionTally:
        return SessionTally(
            rounds=self.rounds + other.rounds,
            hands=self.hands + other.hands,
            decisions=self.decisions + other.decisions,
            right=self.right + other.right,
            wagered=self.wagered + other.wagered,
            net=self.net + other.net,
            house=self.house + other.house,
            skill=self.skill + other.skill,
            luck=self.luck + other.luck,
        )

    @property
    def accuracy(self) -> float | None:
        """The share of decisions that were right; None without any."""
        return self.right / self.decisions if self.decisions else None


def hands_per_hour(hands: int, seconds: float) -> float | None:
    """Return the speed; None where there are too few hands to tell."""
    return hands * _HOUR / seconds if seconds > 0 and hands >= _FEWEST_TIMED else None
