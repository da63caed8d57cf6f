"""Spots that cannot be: refused by the card or rule that stands against them."""

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


def refuse_spot(where: Spot, dealer: tuple[int, ...], tables: Tables, shoe: Composition) -> None:
    """Refuse a spot where nothing is decided, or that the rules or the shoe cannot bring about."""
    total, _ = where.total
    if total > 21 and not tables.late_wagers:
        raise Refusal(f"{where}: the hand is bust with {total}, so there is nothing to decide")
    if total > 21 and _points(where) - max(map(value_of, where.player)) > MOST_DRAWN_TO:
        raise Refusal(f"{where}: no hand gets so far: whichever card came last, it was bust before")
    if is_natural_total(total, len(where.player)) and not where.after_split:
        raise Refusal(f"{where}: a natural is paid or pushes, there is nothing to decide")
    both_up = tables.hole_card == "face up"
    if len(dealer) != (2 if both_up else 1):
        wanted = "both dealer's cards, as in 'T,6 v T,4'" if both_up else "the upcard alone, as in 'T,6 v T'"
        raise Refusal(f"{where}: in this game the player sees {wanted}")
    if dealer == (1, 10):
        raise Refusal(f"{where}: a dealer's natural in sight ends the round, there is nothing to decide")
    if len(where.player) >= tables.charlie:
        raise Refusal(f"{where}: a hand of {len(where.player)} cards is a charlie, which is over")
    if where.after_split:
        _refuse_split(where, tables)
    _refuse_missing(where, shoe)


def _points(where: Spot) -> int:
    """Every ace counted as 1."""
    return sum(map(value_of, where.player))


def _refuse_split(where: Spot, tables: Tables) -> None:
    """The first card is the one the split began with."""
    if tables.split_hands < 2:
        raise Refusal(f"{where}: this game has no splitting")
    if value_of(where.player[0]) != 1:
        return
    if tables.split_aces == "never":
        raise Refusal(f"{where}: aces are not split in this game")
    if not tables.split_aces_play_on and len(where.player) > 2:
        raise Refusal(f"{where}: a split ace gets one card only; the card the split began with is written first")


def _refuse_missing(where: Spot, shoe: Composition) -> None:
    """The shoe must have had every card of the spot, and the pair's other card after a split."""
    seen = (*where.player, *where.dealer, *([where.player[0][0]] if where.after_split else []))
    for rank, count in Counter(name[0] for name in seen).items():
        if shoe.ranks[RANKS.index(rank)] < count:
            other = ", the split pair's other card among them" if where.after_split else ""
            raise Refusal(f"{where}: the shoe has not {count} of rank {rank}{other} ({shoe})")
    if shoe.suited is None:
        return
    for name, count in Counter(name for name in seen if len(name) == 2).items():
        if shoe.suited[card(name)] < count:
            raise Refusal(f"{where}: the shoe has not {count} of {name}")
