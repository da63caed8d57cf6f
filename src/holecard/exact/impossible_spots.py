"""Refusals of hands that cannot occur, with the card or rule that rules them out."""

from __future__ import annotations

from collections import Counter

from holecard.composition import Composition
from holecard.deck import RANKS, card, value_of
from holecard.errors import Refusal
from holecard.hands import is_natural_total
from holecard.sheets.tables import Tables
from holecard.table.notation.spot import Spot

#: A hand of 21 takes no more cards.
MOST_DRAWN_TO = 20


def refuse_impossible_spot(where: Spot, dealer: tuple[int, ...], tables: Tables, shoe: Composition) -> None:
    """Refuse a spot where nothing is decided, or that cannot occur under the rules or with the shoe."""
    total, _ = where.total
    late = (tables.wagers[index] for index in tables.late_wagers)
    if total > 21 and not any(dealer[0] in wager.offered_upcards for wager in late):
        raise Refusal(f"{where}: the hand has busted with {total}, so there is nothing to decide")
    if total > 21 and _points(where) - max(map(value_of, where.player)) > MOST_DRAWN_TO:
        raise Refusal(f"{where}: this hand would have busted before its last card")
    insurable = dealer == (1,) and tables.insurance is not None and tables.hole_card != "face up"
    if is_natural_total(total, len(where.player)) and not where.after_split and not insurable:
        raise Refusal(f"{where}: a blackjack is settled at once, so there is nothing to decide")
    both_up = tables.hole_card == "face up"
    if len(dealer) != (2 if both_up else 1):
        wanted = "both dealer cards, as in 'T,6 v T,4'" if both_up else "the upcard alone, as in 'T,6 v T'"
        raise Refusal(f"{where}: in this game the player sees {wanted}")
    if dealer == (1, 10):
        raise Refusal(f"{where}: a visible dealer blackjack ends the round, so there is nothing to decide")
    if len(where.player) >= tables.charlie:
        raise Refusal(f"{where}: a hand of {len(where.player)} cards is a charlie, so it is over")
    if where.after_split:
        _refuse_split(where, tables)
    _refuse_missing(where, shoe)


def _points(where: Spot) -> int:
    """Return the total with every ace counted as 1."""
    return sum(map(value_of, where.player))


def _refuse_split(where: Spot, tables: Tables) -> None:
    """Refuse a hand that splitting cannot make; its first card is the one that the split began with."""
    if tables.split_hands < 2:
        raise Refusal(f"{where}: this game does not allow splitting")
    if value_of(where.player[0]) != 1:
        return
    if tables.split_aces == "never":
        raise Refusal(f"{where}: this game does not allow splitting aces")
    if not tables.split_aces_play_on and len(where.player) > 2:
        raise Refusal(f"{where}: a split ace gets only one card; write the card that the split began with first")


def _refuse_missing(where: Spot, shoe: Composition) -> None:
    """Refuse cards that the shoe did not hold; after a split, the pair's other card counts too."""
    seen = (*where.player, *where.dealer, *([where.player[0][0]] if where.after_split else []))
    for rank, count in Counter(name[0] for name in seen).items():
        if shoe.ranks[RANKS.index(rank)] < count:
            other = ", counting the other card of the split pair" if where.after_split else ""
            raise Refusal(f"{where}: the shoe does not hold {count} of rank {rank}{other} ({shoe})")
    if shoe.suited is None:
        return
    for name, count in Counter(name for name in seen if len(name) == 2).items():
        if shoe.suited[card(name)] < count:
            raise Refusal(f"{where}: the shoe does not hold {count} of {name}")
