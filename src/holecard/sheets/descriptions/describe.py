"""Describe a sheet in sentences, as a dealer would explain the game, from the sheet's settings alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from holecard.errors import SheetError
from holecard.money import dollars
from holecard.odds import LOSE, odds
from holecard.presentation import Presented
from holecard.sheets.compile import compile_wager, insurance_step
from holecard.sheets.descriptions.describe_play import decisions, settlement
from holecard.sheets.descriptions.describe_wagers import WagerText, describe_wager
from holecard.sheets.descriptions.phrases import UNCHECKED, limits, listed, number, plain_value
from holecard.sheets.inherit import SWITCHED_TOGETHER
from holecard.sheets.override import parse_setting, setting_value
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Ruling


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
        Section("Your decisions", tuple(decisions(sheet))),
        Section("Who wins", tuple(settlement(sheet))),
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
    switches = tuple(switch for switch in ruling.switches if _can_be_dealt(sheet, switch))
    return RulingText(ruling.on, ruling.reading, ruling.why, switches, changed)


@lru_cache(maxsize=512)
def _can_be_dealt(sheet: RuleSheet, switch: str) -> bool:
    """Return whether a sheet can be read this way; an inherited switch can contradict what the sheet adds."""
    try:
        rules(sheet, dict(map(parse_setting, settings_of_switch(switch))))
    except SheetError:
        return False
    return True


def _changes(sheet: RuleSheet, path: str) -> bool:
    """Return whether a setting differs from the sheet without settings."""
    try:
        without = rules(sheet.origin[0])
    except SheetError:  # a file that is no longer there, or that cannot be dealt without its settings
        return True
    return setting_value(without, path) != setting_value(sheet, path)


def settings_of_switch(switch: str) -> list[str]:
    """Return the settings of one other reading, each as written after --set."""
    return switch.split(SWITCHED_TOGETHER)


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
    seats = "seat" if sheet.table.seats == 1 else "seats"
    yield f"{decks} of 52 cards, for up to {number(sheet.table.seats)} {seats}."
    if shoe.decks_offered:
        offered = listed([str(count) for count in sorted({*shoe.decks_offered})], "or")
        decks = "deck" if {*shoe.decks_offered} == {1} else "decks"
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
    yield f"{main.name}: {limits(main.min, main.max, main.step)}."
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
        "nearest": "Payouts are rounded to the nearest cent, half a cent in the player's favor.",
        "up": "Payouts are rounded up to whole cents, in the player's favor.",
    }[sheet.settle.rounding]


def _dealer(sheet: RuleSheet) -> Iterator[str]:
    dealer = sheet.dealer
    first = (
        "after surrender and before any other action" if sheet.player.surrender == "early" else "before anybody acts"
    )
    yield {
        "peek": f"One card up, one down; with an ace or a ten up, the dealer checks for a natural {first}.",
        "peek under aces": "One card up, one down; with an ace up, but not with a ten, the dealer checks for a natural "
        f"{first}.",
        "no peek": "One card up, one down; the dealer does not check for a natural before the players have acted.",
        "face up": "Both cards are dealt face up; a dealer's natural ends the round at once.",
        "none": "One card up; the second card is dealt after the players have acted.",
    }[dealer.hole_card]
    yield {
        "stand on 18": f"Draws to 17 and {'hits' if dealer.soft_17 == 'hit' else 'stands on'} soft 17.",
        "hit all": "Draws to a hard 17 and hits every soft total, including soft 21; a natural is never hit.",
        "draw 16 to hard 17": "Stands on two cards that total 17 or more, hard or soft. Draws two cards that total 16 "
        "or less to a hard 17 or more, and on the way hits every soft total, including soft 21.",
        "draw soft 17 to hard 17": "Draws to 17 and hits soft 17; from a soft 17, draws to a hard 17 or more and on "
        "the way hits every soft total, including soft 21. Stands on any other soft 18 or more.",
    }[dealer.soft]
    for total in sorted(set(dealer.ends_on)):
        yield f"The hand ends as soon as it totals {total}, hard or soft, even with two cards."
    if dealer.hole_card in UNCHECKED:
        yield f"A natural found after the players have acted takes {_taken(sheet)}; a busted hand has already lost."
    wagers = [compile_wager(wager, sheet) for wager in sheet.wager]
    draws_out = [wager.name for wager in wagers if wager.on_dealers_hand]
    if draws_out:
        yield f"Completes the hand for {listed(draws_out, 'and')} even when every other wager is settled."
    if sheet.table.bonuses_from == "right":
        yield "Wagers decided by the deal are settled first, from the dealer's right to left; play starts at the left."


def _taken(sheet: RuleSheet) -> str:
    """Return what a dealer's natural takes from a hand that has been played."""
    if sheet.dealer.natural_takes == "original":
        return "the original wager only"
    companion = sheet.main.companion
    spared = companion is not None and odds(companion.dealer_natural) != LOSE
    return f"every wager on the hand{f' except {companion.name}' if companion and spared else ''}"
