"""Totals, settlement classes and pay lines, implemented a second time for the `referee`.

Nothing here calls the code that the table, the exact mathematics and the kernels use for the same questions: that code
is what the referee judges. A phrase that is not known here is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from holecard.deck import Card
from holecard.errors import Refusal
from holecard.money import Rounding
from holecard.sheets.sections import DealerRules
from holecard.sheets.tables import BUST, CHARLIE, DEALER_22, DEALER_BUST, DEALER_NATURAL, NATURAL
from holecard.wagers.dealer_hands import DealerHand
from holecard.wagers.named_hands import NamedHand, Word
from holecard.wagers.pay_table import Line, SideWager

_RANKS = ["a", "2", "3", "4", "5", "6", "7", "8", "9", "t", "j", "q", "k"]
_PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"]
_PLURALS += ["tens", "jacks", "queens", "kings"]


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


def dealer_draws(rules: DealerRules, cards: Sequence[Card]) -> bool:
    """Return whether the dealer draws to these cards, in the order dealt, by the words of the sheet."""
    total, soft = counts(cards)
    if len(cards) == 1:
        return True
    if total > 21 or is_natural(cards) or total in rules.ends_on:
        return False
    if total <= 16:
        return True
    was = [counts(cards[:number]) for number in range(2, len(cards) + 1)]
    hits_soft = {
        "stand on 18": total == 17 and rules.soft_17 == "hit",
        "hit all": True,
        "draw 16 to hard 17": was[0][0] <= 16,
        "draw soft 17 to hard 17": (17, True) in was,
    }
    return soft and hits_soft[rules.soft]


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
    """Return whether the dealer's final hand has the wanted total, number of cards, and natural or not."""
    total, _ = counts(dealer)
    if wanted.natural is not None and wanted.natural != is_natural(dealer):
        return False
    return wanted.low <= total <= wanted.high and wanted.fewest <= len(dealer) <= wanted.most


def fits(hand: NamedHand, cards: Sequence[Card]) -> bool:
    """Return whether every condition of the phrase holds."""
    return not any(not _holds(word, tuple(cards)) for word in hand.words)


def _holds(word: Word, cards: tuple[Card, ...]) -> bool:
    """Return whether one condition holds, such as "suited" or "hard 9-11"."""
    text = word.text.replace("10", "t")
    ranks = sorted(int(card) // 4 for card in cards)
    suits = [int(card) % 4 for card in cards]
    often = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    plain = {
        "any": True,
        "suited": len(set(suits)) == 1,
        "flush": len(set(suits)) == 1,
        "unsuited": len(set(suits)) > 1,
        "one color": len({suit in (1, 2) for suit in suits}) == 1,
        "one colour": len({suit in (1, 2) for suit in suits}) == 1,
        "natural": is_natural(cards),
        "blackjack": is_natural(cards),
        "pair": often[0] >= 2,
        "two pair": often[:2] == [2, 2],
        "trips": often[0] >= 3,
        "three of a kind": often[0] >= 3,
        "four of a kind": often[0] >= 4,
        "straight": _is_run(ranks) or _is_run(sorted(13 if rank == 0 else rank for rank in ranks)),
    }
    if text in plain:
        return plain[text]
    if match := re.fullmatch(r"pair of (\w+)", text):
        return ranks.count(_PLURALS.index(match[1])) >= 2
    if re.fullmatch(r"[2-9tjqka][shdc](\s+[2-9tjqka][shdc])+", text):
        wanted = [(_RANKS.index(one[0]), "shdc".index(one[1])) for one in text.split()]
        return sorted(wanted) == sorted((int(card) // 4, int(card) % 4) for card in cards)
    if re.fullmatch(r"[2-9tjqka](\s+and\s+[2-9tjqka])+", text):
        return ranks == sorted(_RANKS.index(one) for one in text.split() if one != "and")
    if match := re.fullmatch(r"([0-2])\s+(suited|unsuited)\s+match(es)?", text):
        up = cards[2]
        same_rank = [card for card in cards[:2] if int(card) // 4 == int(up) // 4]
        return int(match[1]) == sum((int(card) == int(up)) == (match[2] == "suited") for card in same_rank)
    if match := re.fullmatch(r"(?:(hard|soft|total)\s+)?(\d\d?)(?:\s*-\s*(\d\d?))?", word.text):
        total, soft = counts(cards)
        right_kind = match[1] in (None, "total") or (match[1] == "soft") == soft
        return right_kind and int(match[2]) <= total <= int(match[3] or match[2])
    raise Refusal(f"the referee of verify cannot read {word.text!r}")


def _is_run(ranks: list[int]) -> bool:
    return all(after == before + 1 for before, after in pairwise(ranks))
