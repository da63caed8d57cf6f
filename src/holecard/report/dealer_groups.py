"""Starting hands grouped by what the dealer shows, with each group's share of the game's EV.

Rounds without a decision, in which the player or the dealer has a natural (blackjack), form a last group with the rest
of the EV.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holecard.deck import value_name
from holecard.exact.results import BEFORE_CHECK, ActionEV, Analysis, StartingHand
from holecard.hands import add, format_total

if TYPE_CHECKING:
    from holecard.charts.chart import Chart

NO_DECISION = "no decision"


@dataclass(frozen=True, slots=True)
class DealerGroup:
    """All rounds in which the dealer shows this and the player has a decision."""

    dealer: str
    """An upcard by its name, or the total of both cards: "12", "soft 17"."""
    probability: float
    """Of all rounds."""
    contribution: float
    """To the EV of the game, per unit of initial stake."""

    @property
    def ev(self) -> float:
        """Per unit of initial stake, given this group."""
        return self.contribution / self.probability if self.probability else 0.0


def followed(hand: StartingHand, chart: Chart | None) -> ActionEV:
    """Return the player's choice with a starting hand: the best one, or the chart's."""
    if chart is None:
        return hand.choices[0]
    total, soft = 0, False
    for value in hand.player:
        total, soft = add(total, soft, value)
    cell = total, soft, hand.player[0] if hand.is_pair else None, hand.dealer
    two = hand.player[0], hand.player[1]
    legal = {choice.action: choice for choice in hand.choices}
    if hand.given == BEFORE_CHECK:
        if chart.choose(*cell, ("surrender", "no surrender"), two) == "surrender":
            return legal["surrender"]
        del legal["surrender"]
    return legal[chart.choose(*cell, tuple(legal), two)]


def by_dealer(found: Analysis) -> list[DealerGroup]:
    """Return the groups: low cards first, aces last, then rounds without a decision. Contributions add up to the EV."""
    gathered: dict[tuple[bool, int, str], list[StartingHand]] = defaultdict(list)
    for hand in found.hands:
        gathered[place(hand.dealer)].append(hand)
    groups = [_group(name, gathered[soft, order, name], found.chart) for soft, order, name in sorted(gathered)]
    probability = max(0.0, 1.0 - sum(group.probability for group in groups))
    contribution = found.main.ev - sum(group.contribution for group in groups)
    return [*groups, DealerGroup(NO_DECISION, probability, contribution)]


def place(dealer: tuple[int, ...]) -> tuple[bool, int, str]:
    """Return the sort key of a group, which ends with its name."""
    if len(dealer) == 1:
        return dealer[0] == 1, dealer[0], value_name(dealer[0])
    total, soft = 0, False
    for value in dealer:
        total, soft = add(total, soft, value)
    return soft, total, format_total(total, soft)


def _group(name: str, hands: list[StartingHand], chart: Chart | None) -> DealerGroup:
    value = sum(hand.probability * followed(hand, chart).ev for hand in hands)
    return DealerGroup(name, sum(hand.probability for hand in hands), value)
