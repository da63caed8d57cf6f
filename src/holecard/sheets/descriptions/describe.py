"""Describe a sheet in sentences, as a dealer would explain the game, from the sheet's settings alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from holecard.errors import SheetError
from holecard.money import dollars, money
from holecard.odds import odds
from holecard.presentation import Presented
from holecard.sheets.compile import compile_wager, insurance_step
from holecard.sheets.descriptions.describe_wagers import WagerText, describe_wager
from holecard.sheets.descriptions.phrases import does, listed, number, plain_value, verb
from holecard.sheets.override import setting_value
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Companion, PlayerRules, Ruling, SettleRules, WhenDealerHas


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its sentences."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Description(Presented):
    """A whole game in sentences."""

    _report = "sheets.rules"

    name: str
    about: str
    source: str
    sections: tuple[Section, ...]
    wagers: tuple[WagerText, ...]
    rulings: tuple[RulingText, ...]
    rules: RuleSheet

    @property
    def rulings_heading(self) -> str:
        """The heading of the rulings, which are about the printed sheet without settings."""
        settings = " without the settings above" if self.rules.origin[1] else ""
        return f"How the sheet is read{settings}"


@dataclass(frozen=True, slots=True)
class RulingText:
    """A ruling; `changed` lists the settings that chose another reading."""

    on: str
    reading: str
    why: str
    switches: tuple[str, ...]
    changed: str


def describe(game: RulesLike, overrides: Mapping[str, object] | None = None, /, **settings: object) -> Description:
    """Return the game in sentences, its side wagers with pay tables, and the rulings.

    Settings are written as for `rules`.
    """
    sheet = rules(game, overrides, **settings)
    sections = (
        Section("Cards", tuple(_cards(sheet))),
        Section("Wagers", tuple(_wagers(sheet))),
        Section("The dealer", tuple(_dealer(sheet))),
        Section("Your decisions", tuple(_decisions(sheet))),
        Section("Who wins", tuple(_settlement(sheet))),
    )
    wagers = tuple(describe_wager(wager, sheet) for wager in sheet.wager)
    rulings = tuple(_ruling(ruling, sheet) for ruling in sheet.ruling)
    return Description(sheet.name, _about(sheet), sheet.source, sections, wagers, rulings, sheet)


def _about(sheet: RuleSheet) -> str:
    """Return the sheet's sentence about itself; if settings changed the game, a list of them instead."""
    settings = sheet.origin[1]
    if not settings or "about" in settings:
        return sheet.about
    return f"Changed settings: {', '.join(f'{path} = {plain_value(value)}' for path, value in settings.items())}."


def _ruling(ruling: Ruling, sheet: RuleSheet) -> RulingText:
    keys = {setting.partition("=")[0].lower() for switch in ruling.switches for setting in settings_of_switch(switch)}
    chosen = [path for path in sheet.origin[1] if path.lower() in keys and _changes(sheet, path)]
    changed = ", ".join(f"{path} = {plain_value(sheet.origin[1][path])}" for path in chosen)
    return RulingText(ruling.on, ruling.reading, ruling.why, ruling.switches, changed)


def _changes(sheet: RuleSheet, path: str) -> bool:
    """Return whether a setting differs from the sheet without settings."""
    try:
        without = rules(sheet.origin[0])
    except SheetError:  # a file that is no longer there, or that cannot be dealt without its settings
        return True
    return setting_value(without, path) != setting_value(sheet, path)


def settings_of_switch(switch: str) -> list[str]:
    """Return the settings of one other reading, each as written after --set."""
    return switch.split(" --set ")


def as_typed(switch: str) -> str:
    """Return a switch as it is typed in a shell.

    >>> print(as_typed("settle.natural='6 to 5' --set decks=8"), as_typed("wager.Upcard Luck.table=B"))
    --set settle.natural='6 to 5' --set decks=8 --set "wager.Upcard Luck.table=B"
    """
    return " ".join(f"--set {_quoted(setting)}" for setting in settings_of_switch(switch))


def _quoted(setting: str) -> str:
    path = setting.partition("=")[0]
    return f'"{setting}"' if " " in path or "'" in path else setting


def _cards(sheet: RuleSheet) -> Iterator[str]:
    shoe = sheet.shoe
    decks = "One deck" if shoe.decks == 1 else f"{number(shoe.decks).capitalize()} decks"
    yield f"{decks} of 52 cards, for up to {number(sheet.table.seats)} seats."
    if shoe.decks_offered:
        offered = listed([str(count) for count in shoe.decks_offered], "or")
        decks = "deck" if shoe.decks_offered == (1,) else "decks"
        if shoe.decks in shoe.decks_offered:
            yield f"The printed sheet is dealt with {offered} {decks}."
        else:
            yield f"Not a number of decks of the printed sheet, which is dealt with {offered} {decks}."
    yield {
        "cut card": f"The cut card is behind {shoe.cut_card}% of the cards; when it comes out, the round is played "
        "to its end and the cards are shuffled.",
        "fresh each round": "All cards are shuffled before every round.",
        "continuous shuffler": "A continuous shuffler takes back the cards of each round.",
    }[shoe.procedure]
    if shoe.burn and shoe.procedure == "cut card":
        cards = "card is" if shoe.burn == 1 else "cards are"
        yield f"After each shuffle {number(shoe.burn)} {cards} burned."
    if shoe.decks in shoe.face_down_with:
        yield "Players' cards are dealt face down; others see a hand when it is settled, and a pair when it is split."
    elif shoe.face_down_with:
        yield "Players' cards are dealt face up."


def _wagers(sheet: RuleSheet) -> Iterator[str]:
    main = sheet.main
    steps = f" in steps of {main.step}" if money(main.step) != 100 else ""
    yield f"{main.name}: {main.min} to {main.max}{steps}."
    if main.companion:
        yield (
            f"{main.companion.name}: a second wager, always equal to {main.name}. Once the hand is played, "
            "both are one wager."
        )
    if sheet.insurance.pays == "none":
        yield "There is no insurance."
    else:
        yield (
            f"Insurance, when an ace is up: at least {sheet.insurance.min} and at most {sheet.insurance.most} "
            f"of {main.name}, in steps of {dollars(insurance_step(sheet))}; pays {sheet.insurance.pays} if the dealer "
            "has a natural."
        )
    if sheet.wager:
        yield f"Side wagers can be placed only together with {main.name}."
    yield {
        "down": "Payouts are rounded down to whole cents, in the house's favor.",
        "nearest": "Payouts are rounded to the nearest cent.",
        "up": "Payouts are rounded up to whole cents, in the player's favor.",
    }[sheet.settle.rounding]


def _dealer(sheet: RuleSheet) -> Iterator[str]:
    dealer = sheet.dealer
    yield {
        "peek": "One card up, one down; with an ace or a ten up, the dealer checks for a natural before anybody acts.",
        "peek under aces": "One card up, one down; with an ace up, but not with a ten, the dealer checks for a natural "
        "before anybody acts.",
        "no peek": "One card up, one down; the dealer does not check for a natural before the players have acted.",
        "face up": "Both cards are dealt face up; a dealer's natural ends the round at once.",
        "none": "One card up; the second card is dealt after the players have acted.",
    }[dealer.hole_card]
    if dealer.soft == "hit all":
        yield "Draws to a hard 17 and hits every soft total, including soft 21; a natural is never hit."
    else:
        yield f"Draws to 17 and {'hits' if dealer.soft_17 == 'hit' else 'stands on'} soft 17."
    for total in dealer.ends_on:
        yield f"The hand ends as soon as it totals {total}, hard or soft, even with two cards."
    if dealer.hole_card in ("no peek", "none", "peek under aces"):
        takes = "every wager on the hand" if dealer.natural_takes == "all" else "the original wager only"
        yield f"A natural found after the players have acted takes {takes}; a busted hand has already lost."
    wagers = [compile_wager(wager, sheet) for wager in sheet.wager]
    draws_out = [wager.name for wager in wagers if wager.on_dealers_hand]
    if draws_out:
        yield f"Completes the hand for {listed(draws_out, 'and')} even when every other wager is settled."
    if sheet.table.bonuses_from == "right":
        yield "Wagers decided by the deal are settled first, from the dealer's right to left; play starts at the left."


def _decisions(sheet: RuleSheet) -> Iterator[str]:
    player = sheet.player
    yield "Hit or stand; a hand of 21 stands."
    yield _doubling(sheet)
    yield from _splitting(player)
    if player.double_up != "none":
        where = "any two cards" if player.double_up == "any" else f"a two-card {player.double_up}"
        split = ", also after a split, including split aces" if player.double_up_after_split else ", not after a split"
        yield f"Double-Up on {where} except a natural{split}: a second, equal wager, and the hand stands."
    if player.quick_pay:
        offers = listed([f"{t} {_paid(terms)}" for t, terms in sorted(player.quick_pay.items())], "and")
        companion = (
            f"; {sheet.main.companion.name} {does(sheet.main.companion.quick_pay)}" if sheet.main.companion else ""
        )
        yield f"Quick Pay, on the first two cards: {offers} on {sheet.main.name}{companion}."
    yield _surrender(sheet)
    if player.charlie:
        known = sheet.dealer.hole_card in ("peek", "face up")
        natural = "" if known else ", unless the dealer has a natural"
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
    split = "also" if player.double_after_split else "but not"
    full = "" if player.double_stake == "equal" else " Exact values and simulations assume the full amount."
    return f"Double down on {cards}, {split} after a split, for {stake}: one more card.{full}"


def _splitting(player: PlayerRules) -> Iterator[str]:
    if player.split_hands == 1:
        yield "There is no splitting."
        return
    tens = "a king and a ten are a pair" if player.split_by == "value" else "a king and a ten are not a pair"
    yield f"Split a pair, two cards of equal {player.split_by} ({tens}), to at most {number(player.split_hands)} hands."
    card = "each gets only one card" if player.split_aces_get == "one card" else "they are played like any hand"
    yield {
        "once": f"Aces are split once; {card}.",
        "again": f"Aces may be split again; {card}.",
        "never": "Aces may not be split.",
    }[player.split_aces]


def _surrender(sheet: RuleSheet) -> str:
    companion = sheet.main.companion
    when = {"late": "after the dealer has checked for a natural", "early": "before the dealer checks for a natural"}
    if sheet.player.surrender == "none":
        return "There is no surrender."
    other = f", {companion.name} {does(companion.surrender)}" if companion else ""
    return (
        f"Surrender the first two cards {when[sheet.player.surrender]}: "
        f"{sheet.main.name} {does(sheet.settle.surrender)}{other}."
    )


def _ties(two_naturals: str, others: str) -> str:
    """Return who wins ties, as a sentence."""
    if two_naturals == others == "push":
        return "Two naturals push, and so do other ties."
    return f"The player {verb(two_naturals)} if both have a natural, and {verb(others)} all other ties."


def _settlement(sheet: RuleSheet) -> Iterator[str]:
    settle = sheet.settle
    yield "Aces count 1 or 11; tens, jacks, queens and kings count 10."
    yield "The higher total wins 1 to 1; a busted hand loses, whatever the dealer does."
    yield "A natural (blackjack) is an ace and a ten-value card as the first two cards, never after a split."
    tie = "ties" if settle.natural_v_21 == "tie" else "beats"
    yield f"A natural pays {_odds(settle)} and {tie} a drawn 21."
    ends = "ends the round and " if sheet.dealer.hole_card in ("peek", "face up") else ""
    spared = "" if settle.two_naturals == "lose" else " except a natural"
    yield f"A dealer's natural {ends}takes the {sheet.main.name} of every hand{spared}."
    yield _ties(settle.two_naturals, settle.ties)
    if sheet.player.double_up != "none":
        yield f"A Double-Up wager {verb(settle.double_up_ties)} a tie."
    if settle.twenty_one == "wins":
        yield "A player's 21 wins against every hand except a natural."
    for total, ruled in settle.when_dealer_has.items():
        yield f"A dealer's {total}: {_ruled(sheet, total, ruled)}."
    if sheet.main.companion:
        yield _companion(sheet.main.companion)


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


def _odds(settle: SettleRules) -> str:
    return "even money" if odds(settle.natural) == 1 else settle.natural


def _paid(terms: str) -> str:
    return "is a push" if odds(terms) == 0 else f"pays {terms}"
