"""The rules of a game in a few words each, for the caption of a chart: "dealer hits soft 17", "late surrender"."""

from __future__ import annotations

from collections.abc import Iterator

from holecard.odds import odds
from holecard.sheets.descriptions.phrases import UNCHECKED, does, listed, verb
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import PlayerRules, WhenDealerHas

#: A setting's path, and the rule in words.
ShortRule = tuple[str, str]

_SOFT_TOTALS = {
    "hit all": "dealer hits every soft total",
    "draw 16 to hard 17": "dealer draws 16 or less to hard 17",
    "draw soft 17 to hard 17": "dealer draws soft 17 to hard 17",
}
_HOLE_CARD = {
    "peek under aces": "peek under aces only",
    "no peek": "no peek",
    "face up": "both dealer cards up",
    "none": "no hole card",
}


def short_rules(sheet: RuleSheet) -> tuple[ShortRule, ...]:
    """Return how the dealer plays soft 17, and every rule of the main game that differs from the default."""
    return (*_dealer(sheet), *_player(sheet.player), *_settle(sheet))


def _dealer(sheet: RuleSheet) -> Iterator[ShortRule]:
    dealer = sheet.dealer
    if dealer.soft in _SOFT_TOTALS:
        yield "dealer.soft", _SOFT_TOTALS[dealer.soft]
    else:
        yield "dealer.soft_17", f"dealer {'hits' if dealer.soft_17 == 'hit' else 'stands on'} soft 17"
    if dealer.ends_on:
        ends = listed([str(total) for total in sorted(set(dealer.ends_on))], "or")
        yield "dealer.ends_on", f"dealer's hand ends on {ends}"
    if dealer.hole_card in _HOLE_CARD:
        yield "dealer.hole_card", _HOLE_CARD[dealer.hole_card]
    if dealer.natural_takes == "original" and dealer.hole_card in UNCHECKED:
        yield "dealer.natural_takes", "a late natural takes the original wager only"
    if sheet.main.companion:
        yield "main.companion", f"a second wager, {sheet.main.companion.name}"


def _player(player: PlayerRules) -> Iterator[ShortRule]:
    if player.double != "none":
        yield from _doubling(player)
    else:
        yield "player.double", "no doubling"
    if player.split_hands == 1:
        yield "player.split_hands", "no splitting"
    else:
        yield from _splitting(player)
    if player.double_up != "none":
        where = "any two cards" if player.double_up == "any" else player.double_up
        yield "player.double_up", f"Double-Up on {where}"
        if not player.double_up_after_split and player.split_hands > 1:
            yield "player.double_up_after_split", "no Double-Up after split"
    if player.quick_pay:
        yield "player.quick_pay", f"Quick Pay on {listed(sorted(player.quick_pay), 'and')}"
    if player.surrender != "none":
        yield "player.surrender", f"{player.surrender} surrender"
    if player.charlie:
        yield "player.charlie", f"{player.charlie}-card charlie"


def _doubling(player: PlayerRules) -> Iterator[ShortRule]:
    if player.double != "any":
        yield "player.double", f"double on {player.double}"
    if player.double_cards == "any number":
        yield "player.double_cards", "double on any number of cards"
    if not player.double_after_split and player.split_hands > 1:
        yield "player.double_after_split", "no double after split"
    if player.double_stake == "up to equal":
        yield "player.double_stake", "double for less"


def _splitting(player: PlayerRules) -> Iterator[ShortRule]:
    if player.split_hands != PlayerRules().split_hands:
        yield "player.split_hands", f"split to {player.split_hands} hands"
    if player.split_by == "rank":
        yield "player.split_by", "pairs by rank"
    if player.split_aces == "never":
        yield "player.split_aces", "no splitting of aces"
    elif player.split_aces == "again" and player.split_hands > 2:
        yield "player.split_aces", "resplit aces"
    if player.split_aces_get == "play on" and player.split_aces != "never":
        yield "player.split_aces_get", "split aces play on"


def _settle(sheet: RuleSheet) -> Iterator[ShortRule]:
    settle, player = sheet.settle, sheet.player
    if odds(settle.natural) != odds("3 to 2"):
        yield "settle.natural", f"natural pays {settle.natural}"
    if settle.two_naturals != "push":
        yield "settle.two_naturals", f"two naturals {settle.two_naturals}"
    if settle.natural_v_21 == "tie":
        yield "settle.natural_v_21", "a dealer's 21 ties a natural"
    if settle.ties != "push":
        yield "settle.ties", f"ties {settle.ties}"
    if player.double_up != "none" and settle.double_up_ties != "lose":
        yield "settle.double_up_ties", f"Double-Up ties {settle.double_up_ties}"
    if settle.twenty_one == "wins":
        yield "settle.twenty_one", "a player's 21 wins"
    if player.charlie and odds(settle.charlie) != 1:
        yield "settle.charlie", f"charlie pays {settle.charlie}"
    if player.surrender != "none" and settle.surrender != "lose half":
        yield "settle.surrender", f"surrender {does(settle.surrender)}"
    for total, ruled in sorted(settle.when_dealer_has.items()):
        yield "settle.when_dealer_has", _when_dealer_has(total, ruled)


def _when_dealer_has(total: str, ruled: str | WhenDealerHas) -> str:
    if isinstance(ruled, str):
        return f"{ruled} against a dealer's {total}"
    exception = f", but 21 {verb(ruled.twenty_one)}" if ruled.twenty_one else ""
    return f"{ruled.other} against a dealer's {total}{exception}"
