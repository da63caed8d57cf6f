"""The dealer's hand: shown, drawn while any wager depends on it; then everything is settled."""

from __future__ import annotations

from holecard.deck import VALUES, Card
from holecard.hands import Mask, add, is_natural_total
from holecard.sheets.tables import finished_hand
from holecard.table.events import CardDealt, HoleCardShown
from holecard.table.round import Round
from holecard.table.settling import cards_seen, settle_all
from holecard.table.state import DEALER, Seat
from holecard.wagers.pay_table import SideWager


def play_out(round_: Round) -> None:
    """Show the hole card, then ask for a card or settle."""
    round_.phase, round_.turn, round_.hand = "dealer", 0, 0
    if len(round_.dealer) > 1:
        show_hole_card(round_)
    _draw_or_settle(round_, round_.tables.dealer_draws.usual)


def _draw_or_settle(round_: Round, mask: Mask) -> None:
    if _draws(round_, mask) and _is_needed(round_):
        round_.queue = (DEALER,)
    else:
        settle_all(round_)


def dealers_card(round_: Round, card: Card) -> None:
    """Add a card to the dealer's hand; in games without a hole card this includes the second one."""
    mask = round_.tables.dealer_draws.after(round_.dealer_total, round_.dealer_soft, len(round_.dealer))
    round_.dealer = (*round_.dealer, card)
    round_.dealer_total, round_.dealer_soft = add(round_.dealer_total, round_.dealer_soft, VALUES[card])
    round_.hole_seen = True
    if round_.tells:
        round_.events.append(CardDealt(0, 0, card))
    _draw_or_settle(round_, mask)


def show_hole_card(round_: Round) -> None:
    """Turn the hole card if nobody has seen it."""
    if not round_.hole_seen:
        round_.hole_seen = True
        if round_.tells:
            round_.events.append(HoleCardShown(round_.dealer[1]))


def _draws(round_: Round, mask: Mask) -> bool:
    """Return whether the dealer takes a card; a natural is finished, even where a drawn soft 21 takes another one."""
    total = round_.dealer_total
    if len(round_.dealer) == 1:
        return True
    return total < 22 and mask[total][round_.dealer_soft] and not is_natural_total(total, len(round_.dealer))


def _is_needed(round_: Round) -> bool:
    """Return whether some hand waits for the dealer, or another card can still decide some wager."""
    second_card_awaited = len(round_.dealer) == 1
    for seat in round_.seats:
        for hand in seat.hands:
            if hand.status != "settled":
                return True
        if seat.insurance and second_card_awaited:
            return True
        if seat.sides and _has_live_wager(round_, seat):
            return True
    return False


def _has_live_wager(round_: Round, seat: Seat) -> bool:
    seen = cards_seen(round_, seat)
    return any(side.open and _can_be_drawn_to(round_, round_.tables.wagers[side.wager], seen) for side in seat.sides)


def _can_be_drawn_to(round_: Round, wager: SideWager, seen: tuple[Card, ...]) -> bool:
    """Return whether one more card may decide it: lines after the first one without a dealer's hand do not count."""
    unfinished = finished_hand(round_.dealer, round_.dealer_total)
    for line in wager.live_lines(seen):
        if line.dealer is None:
            return False
        if line.dealer.can_still_hit(unfinished):
            return True
    return False
