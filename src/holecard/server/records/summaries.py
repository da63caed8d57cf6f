"""A finished round in a line of a history: its cards, what one person staked, and what that person won."""

from __future__ import annotations

from collections.abc import Collection

from pydantic import BaseModel, ConfigDict

from holecard.errors import Refusal
from holecard.server.game.checkpoint import end_of
from holecard.sheets.schema import RuleSheet
from holecard.table.records.record import Record
from holecard.table.views import view


class SummaryHand(BaseModel):
    """A hand of yours at the end of a round."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    seat: int
    """The seat."""
    hand: int
    """The hand, from 1; a split makes more than one."""
    cards: list[str]
    """In the order they were dealt."""


class RoundSummary(BaseModel):
    """What a finished round was for you."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    staked: int
    """All that you staked, in cents: doubles, splits and side wagers too."""
    net: int
    """What you won, in cents; negative if you lost."""
    hands: list[SummaryHand]
    """Your hands; none if you did not play, or if this version of Holecard cannot deal the round again."""
    dealer: list[str | None]
    """The dealer's cards; null for a hole card that was never shown."""


def summary(record: Record, sheet: RuleSheet, seats: Collection[int]) -> RoundSummary:
    """Return what a round was for the person on these seats."""
    mine = [result for result in record.paid if result.seat in seats]
    hands, dealer = _cards(record, sheet, seats)
    return RoundSummary(
        staked=sum(int(result.stake) for result in mine),
        net=sum(int(result.net) for result in mine),
        hands=hands,
        dealer=dealer,
    )


def _cards(record: Record, sheet: RuleSheet, seats: Collection[int]) -> tuple[list[SummaryHand], list[str | None]]:
    try:
        state = end_of(record, sheet)
    except (Refusal, StopIteration):  # a round of an older version that this one does not deal
        return [], []
    hands = [
        SummaryHand(seat=seat.number, hand=number, cards=[str(card) for card in hand.cards])
        for seat in state.seats
        if seat.number in seats
        for number, hand in enumerate(seat.hands, start=1)
    ]
    return hands, [None if card is None else str(card) for card in view(state, 0).dealer]
