"""A slow second implementation of the plain rules: hand totals, payoffs, and legal actions.

It is written from the text of the rule sheets and shares no code with the compiler, so that the two can disagree.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from holecard.sheets.schema import RuleSheet

Drawn = TypeVar("Drawn", int, str)

ODDS = {"win": Fraction(1), "push": Fraction(0), "lose": Fraction(-1), "lose half": Fraction(-1, 2)}
MAIN, SECOND, SPLIT, DOUBLE, DOUBLE_UP = "main", "second", "split", "double", "double up"
KINDS = (MAIN, SECOND, SPLIT, DOUBLE, DOUBLE_UP)


def pays(words: str) -> Fraction:
    """ "3 to 2" as a fraction."""
    if words in ODDS:
        return ODDS[words]
    won, staked = words.split(" to ")
    return Fraction(won) / Fraction(staked)


def points(card: str) -> int:
    """The value of a card, with an ace as one: "As" is 1, "Kd" is 10."""
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def total(cards: list[str]) -> int:
    """The best total, found by trying every way to count the aces."""
    low = sum(points(card) for card in cards)
    aces = sum(card[0] == "A" for card in cards)
    ways = [low + 10 * elevens for elevens in range(aces + 1)]
    return max((way for way in ways if way <= 21), default=low)


def is_soft(cards: list[str]) -> bool:
    """Whether an ace counts eleven."""
    return total(cards) != sum(points(card) for card in cards)


def is_natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


class Finished(NamedTuple):
    """A finished hand: its total (22 and more is a bust) and its properties."""

    total: int
    natural: bool = False
    charlie: bool = False


def wins(sheet: RuleSheet, kind: str, player: Finished, dealer: Finished) -> Fraction:
    """Net win per unit of a stake, by the text of the sheet."""
    settle, companion = sheet.settle, sheet.main.companion if kind == SECOND else None
    added = kind in (SPLIT, DOUBLE, DOUBLE_UP)
    match player, dealer:
        case _ if player.total > 21:
            return Fraction(-1)
        case Finished(natural=True), Finished(natural=True):
            if companion:
                return pays(companion.two_naturals)
            return pays(settle.natural) if settle.two_naturals == "win" else ODDS[settle.two_naturals]
        case _, Finished(natural=True):
            if companion:
                return pays(companion.dealer_natural)
            return Fraction(0) if added and sheet.dealer.natural_takes == "original" else Fraction(-1)
        case Finished(natural=True), _:
            if companion:
                return pays(companion.natural)
            tied = dealer.total == 21 and settle.natural_v_21 == "tie"
            return ODDS[settle.ties] if tied else pays(settle.natural)
        case Finished(charlie=True), _:
            return pays(settle.charlie)
    rule = settle.when_dealer_has.get(str(dealer.total))
    if rule is not None:
        word = rule if isinstance(rule, str) else (player.total == 21 and rule.twenty_one) or rule.other
        return ODDS[word]
    if dealer.total > 21 or player.total > dealer.total or (player.total == 21 and settle.twenty_one == "wins"):
        return Fraction(1)
    if player.total < dealer.total:
        return Fraction(-1)
    return ODDS[settle.double_up_ties if kind == DOUBLE_UP else settle.ties]


def draws(sheet: RuleSheet, cards: list[str]) -> bool:
    """Whether the dealer draws another card to these, in the order in which they came."""
    count = total(cards)
    if count in sheet.dealer.ends_on or count > 21 or is_natural(cards):
        return False
    if count < 17:
        return True
    if not is_soft(cards):
        return False
    match sheet.dealer.soft:
        case "hit all":
            return True
        case "draw 16 to hard 17":
            return total(cards[:2]) <= 16
        case "draw soft 17 to hard 17":
            so_far = [cards[:number] for number in range(2, len(cards) + 1)]
            return any(total(hand) == 17 and is_soft(hand) for hand in so_far)
        case _:
            return count == 17 and sheet.dealer.soft_17 == "hit"


def as_drawn(sheet: RuleSheet, cards: Iterable[Drawn]) -> tuple[Drawn, ...]:
    """A dealer's cards in the order in which they came, where the dealer's rule asks for it; sorted elsewhere."""
    by_the_way = sheet.dealer.soft in ("draw 16 to hard 17", "draw soft 17 to hard 17")
    return tuple(cards) if by_the_way else tuple(sorted(cards))


def among(words: str, count: int, soft: bool) -> bool:
    """Whether a total is in "any", "none", "9-11" or "hard 9-11, soft 13-18"."""
    if words in ("any", "none"):
        return words == "any"
    for part in words.split(","):
        kind, _, numbers = part.strip().rpartition(" ")
        low, _, high = numbers.partition("-")
        if kind in ("", "soft" if soft else "hard") and int(low) <= count <= int(high or low):
            return True
    return False


def options(sheet: RuleSheet, cards: list[str], *, hands: int, from_split: bool, upcard: str) -> set[str]:
    """Every legal action of a hand, by the text of the sheet."""
    player = sheet.player
    count, soft, two = total(cards), is_soft(cards), len(cards) == 2
    lone_ace = from_split and cards[0][0] == "A" and player.split_aces_get == "one card"
    found = {"stand"}
    if count < 21 and not lone_ace:
        found.add("hit")
        late_enough = two or player.double_cards == "any number"
        if among(player.double, count, soft) and late_enough and (player.double_after_split or not from_split):
            found.add("double")
    if not two:
        return found
    alike = cards[0][0] == cards[1][0] if player.split_by == "rank" else points(cards[0]) == points(cards[1])
    aces_left = {"never": False, "once": not from_split, "again": True}[player.split_aces]
    if alike and hands < player.split_hands and (cards[0][0] != "A" or aces_left):
        found.add("split")
    if among(player.double_up, count, soft) and (player.double_up_after_split or not from_split):
        found.add("double up")
    if hands == 1:
        if str(count) in player.quick_pay:
            found.add("quick pay")
        if player.surrender == "late" or (player.surrender == "early" and points(upcard) not in (1, 10)):
            found.add("surrender")
    return found
