"""Totals, settlement classes and pay lines, implemented a second time for the `referee`.

Nothing here calls the code that the table, the exact mathematics and the kernels use for the same questions: that code
is what the referee judges. `plain_words` reads the phrases of pay lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from holecard.deck import Card
from holecard.money import Rounding
from holecard.sheets.tables import BUST, CHARLIE, DEALER_22, DEALER_BUST, DEALER_NATURAL, NATURAL
from holecard.simulation.witness.plain_words import dealer_ending, hand_holds
from holecard.wagers.dealer_hands import DealerHand
from holecard.wagers.named_hands import NamedHand
from holecard.wagers.pay_table import Line, SideWager


def value(card: Card) -> int:
    """Return 1 for an ace, 10 for a ten or a face card."""
    return min(int(card) // 4 + 1, 10)


def counts(cards: Sequence[Card]) -> tuple[int, bool]:
    """Return the total, and whether an ace counts as 11."""
    total = sum(value(card) for card in cards)
    soft = total <= 11 and any(value(card) == 1 for card in cards)
    return (total + 10, True) if soft else (total, False)


def is_natural(cards: Sequence[Card]) -> bool:
    """Return whether the cards are an ace and a ten-value card (blackjack)."""
    return sorted(value(card) for card in cards) == [1, 10]


def player_class(cards: Sequence[Card], from_split: bool, charlie: int) -> int:
    """Return the row of the settlement table."""
    total, _ = counts(cards)
    if total > 21:
        return BUST
    if is_natural(cards) and not from_split:
        return NATURAL
    return CHARLIE if len(cards) >= charlie else total


def dealer_class(cards: Sequence[Card]) -> int:
    """Return the column of the settlement table."""
    total, _ = counts(cards)
    if is_natural(cards):
        return DEALER_NATURAL
    if total > 22:
        return DEALER_BUST
    return DEALER_22 if total == 22 else total


def dealer_draws(words: Mapping[str, Any], cards: Sequence[Card]) -> bool:
    """Return whether the dealer draws to these cards, in the order dealt, by the words of the section `dealer`."""
    total, soft = counts(cards)
    if len(cards) == 1:
        return True
    if total > 21 or is_natural(cards) or total in words["ends_on"]:
        return False
    if total <= 16:
        return True
    was = [counts(cards[:number]) for number in range(2, len(cards) + 1)]
    hits_soft = {
        "stand on 18": total == 17 and words["soft_17"] == "hit",
        "hit all": True,
        "draw 16 to hard 17": was[0][0] <= 16,
        "draw soft 17 to hard 17": (17, True) in was,
    }
    return soft and hits_soft[words["soft"]]


def rounded(amount: Fraction, rounding: Rounding) -> int:
    """Round to whole cents; to the nearest, half a cent goes up."""
    if rounding == "down":
        return floor(amount)
    return ceil(amount) if rounding == "up" else floor(amount + Fraction(1, 2))


# Side wagers


def first_line(wager: SideWager, first_two: Sequence[Card], dealer: Sequence[Card]) -> Line | None:
    """Return the line that pays: the first that matches, or None."""
    upcard = value(dealer[0])
    looked_at = (*first_two, *dealer)[: wager.looks_at]
    for line in wager.lines if upcard in wager.upcards else ():
        fits_hand = line.hand is None or fits(line.hand, looked_at)
        fits_dealer = line.dealer is None or dealer_fits(line.dealer, dealer)
        if upcard in line.upcards and fits_hand and fits_dealer:
            return line
    return None


def is_taken(wager: SideWager, every: Sequence[SideWager], upcard: Card) -> bool:
    """Return whether a wager placed after the check is taken: one that can only lose with this upcard is not.

    Neither is one that needs a wager which is not taken.
    """
    seen = value(upcard)
    chain = [wager]
    while (needed := next((one for one in every if one.name == chain[-1].needs), None)) and needed not in chain:
        chain.append(needed)
    return all(
        seen in one.upcards
        and any(seen in line.upcards and (line.dealer is None or line.dealer.natural is not True) for line in one.lines)
        for one in chain
    )


def tax_line(wager: SideWager, first_two: Sequence[Card], dealer: Sequence[Card]) -> Line | None:
    """Return the tax line that matches the first two cards, or None."""
    if value(dealer[0]) not in wager.tax_upcards:
        return None
    return next((line for line in wager.tax if line.hand is None or fits(line.hand, first_two)), None)


def dealer_fits(wanted: DealerHand, dealer: Sequence[Card]) -> bool:
    """Return whether the dealer's final hand is what the words of the sheet ask for."""
    return dealer_ending(wanted.text).holds(counts(dealer)[0], len(dealer))


def fits(hand: NamedHand, cards: Sequence[Card]) -> bool:
    """Return whether the cards are what the words of the sheet ask for."""
    return hand_holds(hand.text, [(int(card) // 4, int(card) % 4) for card in cards])
