"""What a player may decide, and who wins, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from holecard.odds import odds
from holecard.sheets.descriptions.phrases import UNCHECKED, does, listed, number, verb
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Companion, PlayerRules, SettleRules, WhenDealerHas

# Your decisions


def decisions(sheet: RuleSheet) -> Iterator[str]:
    """Yield a sentence for each action, also for those that the game does not have."""
    player = sheet.player
    yield "Hit or stand; a hand of 21 takes no card."
    yield _doubling(sheet)
    yield from _splitting(player)
    if player.double_up != "none":
        yield _double_up(player)
    if player.quick_pay:
        yield _quick_pay(sheet)
    yield _surrender(sheet)
    if player.charlie:
        natural = ", unless the dealer has a natural" if sheet.dealer.hole_card in UNCHECKED else ""
        yield f"A hand of {number(player.charlie)} cards without a bust pays {sheet.settle.charlie}{natural}."


def _doubling(sheet: RuleSheet) -> str:
    player = sheet.player
    if player.double == "none":
        return "There is no doubling down."
    cards = "any two cards" if player.double == "any" else f"a two-card {player.double}"
    if player.double_cards == "any number":
        cards = "any hand" if player.double == "any" else f"a total of {player.double} with any number of cards"
    less = f"any amount up to the wager, in steps of {sheet.main.step}"
    stake = "an equal wager" if player.double_stake == "equal" else less
    split = _after_split(player, "also" if player.double_after_split else "but not")
    full = "" if player.double_stake == "equal" else " Exact values and simulations assume the full amount."
    return f"Double down on {cards}{split}, for {stake}: one more card.{full}"


def _after_split(player: PlayerRules, word: str) -> str:
    """Return whether an action is open to hands made by splitting, if there are any."""
    return "" if player.split_hands == 1 else f", {word} after a split"


def _splitting(player: PlayerRules) -> Iterator[str]:
    if player.split_hands == 1:
        yield "There is no splitting."
        return
    tens = "a king and a ten are a pair" if player.split_by == "value" else "a king and a ten are not a pair"
    yield f"Split a pair, two cards of equal {player.split_by} ({tens}), to at most {number(player.split_hands)} hands."
    card = "each gets only one card" if player.split_aces_get == "one card" else "they are played like any hand"
    if player.split_aces == "never":
        yield "Aces may not be split."
    elif player.split_aces == "again" and player.split_hands > 2:
        yield f"Aces may be split again; {card}."
    else:
        yield f"Aces are split once; {card}."


def _double_up(player: PlayerRules) -> str:
    where = "any two cards" if player.double_up == "any" else f"a two-card {player.double_up}"
    split = _after_split(player, "also" if player.double_up_after_split else "but not")
    aces = ", including split aces" if split and player.double_up_after_split and player.split_aces != "never" else ""
    return f"Double-Up on {where} except a natural{split}{aces}: a second, equal wager, and the hand stands."


def _quick_pay(sheet: RuleSheet) -> str:
    offers = listed([f"{total} {_paid(terms)}" for total, terms in sorted(sheet.player.quick_pay.items())], "and")
    companion = sheet.main.companion
    other = f"; {companion.name} {does(companion.quick_pay)}" if companion else ""
    return f"Quick Pay, on the first two cards: {offers} on {sheet.main.name}{other}."


def _paid(terms: str) -> str:
    net = odds(terms)
    return f"pays {terms}" if net > 0 else "is a push" if net == 0 else does(terms)


def _surrender(sheet: RuleSheet) -> str:
    if sheet.player.surrender == "none":
        return "There is no surrender."
    if sheet.player.surrender == "late":
        face_up = sheet.dealer.hole_card == "face up"
        when = "unless the dealer has a natural" if face_up else "after the dealer has checked for a natural"
    else:
        checks = sheet.dealer.hole_card not in UNCHECKED
        when = "before the dealer checks for a natural" if checks else "even if the dealer then has a natural"
    companion = sheet.main.companion
    other = f", {companion.name} {does(companion.surrender)}" if companion else ""
    return f"Surrender the first two cards, {when}: {sheet.main.name} {does(sheet.settle.surrender)}{other}."


# Who wins


def settlement(sheet: RuleSheet) -> Iterator[str]:
    """Yield what each result pays. A later sentence is about a special case of the earlier ones."""
    settle = sheet.settle
    yield "Aces count 1 or 11; tens, jacks, queens and kings count 10."
    yield "The higher total wins 1 to 1; a busted hand loses, whatever the dealer does."
    yield "If the dealer busts, every hand that has not busted wins 1 to 1."
    yield "A natural (blackjack) is an ace and a ten-value card as the first two cards, never after a split."
    tie = "ties" if settle.natural_v_21 == "tie" else "beats"
    yield f"A natural pays {_natural(settle)} and {tie} a drawn 21."
    yield _dealers_natural(sheet)
    yield _ties(settle)
    if sheet.player.double_up != "none":
        yield f"A Double-Up wager {verb(settle.double_up_ties)} a tie{_but_21(settle, settle.double_up_ties)}."
    if settle.twenty_one == "wins":
        yield "A player's 21 wins against every hand except a natural."
    for total, ruled in sorted(settle.when_dealer_has.items()):
        yield f"A dealer's {total}: {_ruled(sheet, total, ruled)}."
    if sheet.main.companion:
        yield _companion(sheet.main.companion)


def _natural(settle: SettleRules) -> str:
    return "even money" if odds(settle.natural) == 1 else settle.natural


def _dealers_natural(sheet: RuleSheet) -> str:
    ends = "" if sheet.dealer.hole_card in UNCHECKED else "ends the round and "
    spared = [] if sheet.settle.two_naturals == "lose" else ["a natural"]
    if sheet.player.surrender == "early":
        spared.append("a surrendered hand")
    but = f" except {listed(spared, 'and')}" if spared else ""
    return f"A dealer's natural {ends}takes the {sheet.main.name} of every hand{but}."


def _ties(settle: SettleRules) -> str:
    """Return who wins ties, as a sentence."""
    but = _but_21(settle, settle.ties)
    if settle.two_naturals == settle.ties == "push":
        return f"Two naturals push, and so do other ties{but}."
    paid = f"is paid {_natural(settle)}" if settle.two_naturals == "win" else verb(settle.two_naturals)
    return f"The player {paid} if both have a natural, and {verb(settle.ties)} all other ties{but}."


def _but_21(settle: SettleRules, ties: str) -> str:
    """Return the exception that a 21 which always wins makes of ties that do not."""
    return " except at 21" if settle.twenty_one == "wins" and ties != "win" else ""


def _ruled(sheet: RuleSheet, total: str, ruled: str | WhenDealerHas) -> str:
    """Return which hands are settled as usual against this dealer's total, and the result of all others."""
    ties = total == "21" and sheet.settle.natural_v_21 == "tie"
    first = "naturals tie it" if ties else f"naturals{' and charlies' if sheet.player.charlie else ''} are paid"
    if ties and sheet.player.charlie:
        first += ", charlies are paid"
    if isinstance(ruled, str):
        return f"{first}, every other live wager {verb(ruled)}"
    if ruled.twenty_one:
        first += f", a player's 21 {verb(ruled.twenty_one)}"
    return f"{first}, every other live wager {verb(ruled.other)}"


def _companion(companion: Companion) -> str:
    return (
        f"{companion.name} {does(companion.natural)} with a player's natural, {does(companion.dealer_natural)} "
        f"against a dealer's natural and {does(companion.two_naturals)} when both have one."
    )
