"""Starting hands gathered by what the dealer shows, with their share of the game's value.

A round without a decision (somebody has a natural) belongs to no group; what is left of the value is theirs.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from holecard.charts.chart import Chart
from holecard.deck import value_name
from holecard.exact.results import BEFORE_CHECK, ActionEV, Analysis, StartingHand
from holecard.hands import say_total, total_of

NO_DECISION = "no decision"


@dataclass(frozen=True, slots=True)
class DealerGroup:
    """All rounds in which the dealer shows this and a hand is to be decided."""

    dealer: str
    """An upcard by its name, or what both cards come to: "12", "soft 17"."""
    chance: float
    """Of all rounds."""
    contribution: float
    """To the value of the game, per unit of initial stake."""

    @property
    def value(self) -> float:
        """Per unit of initial stake, given this group."""
        return self.contribution / self.chance if self.chance else 0.0


def followed(hand: StartingHand, chart: Chart | None) -> ActionEV:
    """What the player does with a starting hand: the best there is, or what the chart says."""
    if chart is None:
        return hand.choices[0]
    total, soft = total_of(hand.player)
    cell = total, soft, hand.player[0] if hand.is_pair else None, hand.dealer
    two = hand.player[0], hand.player[1]
    legal = {choice.action: choice for choice in hand.choices}
    if hand.given == BEFORE_CHECK:
        if chart.choose(*cell, ("surrender", "no surrender"), two) == "surrender":
            return legal["surrender"]
        del legal["surrender"]
    return legal[chart.choose(*cell, tuple(legal), two)]


def by_dealer(found: Analysis, chart: Chart | None = None) -> list[DealerGroup]:
    """Low cards first, aces last; then the rounds nobody decides. The contributions add up to the game's value."""
    gathered: dict[tuple[bool, int, str], list[StartingHand]] = defaultdict(list)
    for hand in found.hands:
        gathered[place(hand.dealer)].append(hand)
    groups = [_group(name, gathered[soft, order, name], chart) for soft, order, name in sorted(gathered)]
    chance = max(0.0, 1.0 - sum(group.chance for group in groups))
    contribution = found.main.ev - sum(group.contribution for group in groups)
    return [*groups, DealerGroup(NO_DECISION, chance, contribution)]


def place(dealer: tuple[int, ...]) -> tuple[bool, int, str]:
    """What sorts a group, and its name."""
    if len(dealer) == 1:
        return dealer[0] == 1, dealer[0], value_name(dealer[0])
    total, soft = total_of(dealer)
    return soft, total, say_total(total, soft)


def _group(name: str, hands: list[StartingHand], chart: Chart | None) -> DealerGroup:
    value = sum(hand.probability * followed(hand, chart).ev for hand in hands)
    return DealerGroup(name, sum(hand.probability for hand in hands), value)
