"""The cloth of a table, as a page draws it: color, printed promises, places for wagers, pay tables."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from holecard.deck import DECK, value_name
from holecard.money import money
from holecard.odds import odds, spell
from holecard.sheets.compile import CARDS_LOOKED_AT, insurance_step, pay_lines
from holecard.sheets.descriptions.felt_print import PrintedLine, exact_odds, printed_lines
from holecard.sheets.fields import upcards
from holecard.sheets.schema import RuleSheet
from holecard.sheets.sections import Cloth, Companion
from holecard.sheets.wager_schema import PayLine, Wager
from holecard.wagers.pay_table import SideWager

#: The values of upcards in the order in which tables list them, aces last.
_UPCARDS = (*range(2, 11), 1)


class FeltPart(BaseModel):
    """What every part of the cloth has in common. Amounts are in cents."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class FeltCompanion(FeltPart):
    """What becomes of the second main wager where it is not settled like the first: `push`, `lose`, or odds."""

    natural: str
    """If only the player has a blackjack."""
    dealer_natural: str
    """If only the dealer has a blackjack."""
    two_naturals: str
    """If both have a blackjack."""
    surrender: str | None
    """If the hand is surrendered; null where there is no surrender."""
    quick_pay: str | None
    """If the hand takes Quick Pay; null where there is none."""


class FeltMain(FeltPart):
    """The place of the main wager."""

    name: str
    """What is printed in it."""
    min: int
    """The smallest wager."""
    max: int
    """The largest wager."""
    step: int
    """Wagers increase from the smallest in steps of this amount."""
    companion: str | None
    """The name of a second wager, always equal to the first; null where there is none."""
    companion_rules: FeltCompanion | None
    """How the second wager is settled; null where there is none."""


class FeltInsurance(FeltPart):
    """The line for insurance."""

    pays: str
    """What it pays, such as `2 to 1`."""
    min: int
    """The smallest insurance."""
    step: int
    """Insurance increases in steps of this amount."""
    most: Literal["half", "all"]
    """The largest insurance: half or all of the main wager."""
    even_money: bool
    """Whether a blackjack with the largest insurance wins exactly the main wager, whatever the dealer has."""


class FeltLine(FeltPart):
    """A line of a pay table."""

    line: str
    """The name of the line, or the hand that is paid."""
    hand: str | None
    """The cards that are paid, in the words of the sheet; null where only the dealer's hand counts."""
    dealer: str | None
    """The dealer's finished hand that is paid, in the words of the sheet; null where only the first cards count."""
    pays: str | dict[str, str]
    """Odds such as `30 to 1`, a fixed amount such as `$40`, or odds by upcard (`2` to `9`, `T`, `A`); with an upcard
    that is not named, the line does not pay."""


class FeltTax(FeltPart):
    """A line of a tax schedule."""

    line: str
    """The player's first two cards."""
    tax: str
    """The tax that is due, such as `$5`."""


class FeltWager(FeltPart):
    """The place of a side wager."""

    name: str
    """What is printed in it."""
    min: int
    """The smallest stake."""
    max: int
    """The largest stake."""
    step: int
    """Stakes increase from the smallest in steps of this amount."""
    placed: Literal["before the deal", "after the check", "until the hole card is turned"]
    """When it is placed; after the check only if neither the player nor the dealer has a blackjack."""
    settled: Literal["after the deal", "when decided", "end of round"]
    """When it is settled: right after the deal; right after the deal if it is decided by then, else with the dealer's
    finished hand; or always with the dealer's finished hand."""
    on: Literal["two cards", "two cards and upcard", "all four cards"]
    """The cards that hands in its lines look at: the player's first two, alone or with the dealer's."""
    upcards: list[str]
    """Upcards with which it can win (`2` to `9`, `T`, `A`). With any other it loses, or a token wins nothing; after the
    check it is not offered then."""
    needs: str | None
    """Another side wager that must be placed, too."""
    at_most_main: bool
    """Whether the stake must not exceed the main wager."""
    token: bool
    """Whether the stake is a token that the player keeps."""
    printed: bool
    """Whether the printed rules contain its pay table; otherwise it is a house table of our own."""
    lines: list[FeltLine]
    """The pay table in force, highest line first."""
    tax: list[FeltTax]
    """What a player with a token pays; empty where there is no tax. Only the first line that matches is due."""
    tax_upcards: list[str]
    """Upcards with which the tax is due; empty where there is no tax."""


class Felt(FeltPart):
    """All that is printed on a table's cloth, and where cards and chips lie."""

    cloth: Cloth
    """The color of the cloth."""
    seats: int
    """How many seats the table has."""
    decks: int
    """How many decks are in the shoe."""
    cut_card: int
    """How many cards are in front of the cut card; 0 where there is no cut card."""
    dealer_cards: Literal["one up", "both up", "one card"]
    """The dealer's first cards: one up and one down, both up, or only one."""
    print: list[PrintedLine]
    """What is printed on the cloth, most important first: every rule of the main game that decides money and is not the
    usual one. A cloth without room for all lines shows the others next to it."""
    main: FeltMain
    """The main wager."""
    insurance: FeltInsurance | None
    """Insurance; null where there is none."""
    face_down: bool
    """Whether other seats' cards lie face down."""
    wagers: list[FeltWager]
    """The side wagers."""
    actions: list[str]
    """Every action that the game can offer."""


def felt(sheet: RuleSheet) -> Felt:
    """Return what a page draws for a game."""
    shoe, main = sheet.shoe, sheet.main
    has_cut_card = shoe.procedure == "cut card"
    both_up, one = sheet.dealer.hole_card == "face up", sheet.dealer.hole_card == "none"
    return Felt(
        cloth=sheet.table.cloth,
        seats=sheet.table.seats,
        decks=shoe.decks,
        cut_card=len(DECK) * shoe.decks * shoe.cut_card // 100 if has_cut_card else 0,
        dealer_cards="both up" if both_up else "one card" if one else "one up",
        print=printed_lines(sheet),
        main=FeltMain(
            name=main.name,
            min=money(main.min),
            max=money(main.max),
            step=money(main.step),
            companion=main.companion.name if main.companion else None,
            companion_rules=_companion(sheet, main.companion) if main.companion else None,
        ),
        insurance=_insurance(sheet),
        face_down=shoe.decks in shoe.face_down_with,
        wagers=[_wager(sheet, *both) for both in zip(sheet.wager, sheet.tables.wagers, strict=True)],
        actions=_actions(sheet),
    )


def _companion(sheet: RuleSheet, companion: Companion) -> FeltCompanion:
    def result(terms: str) -> str:
        return spell(odds(terms))

    return FeltCompanion(
        natural=result(companion.natural),
        dealer_natural=result(companion.dealer_natural),
        two_naturals=result(companion.two_naturals),
        surrender=None if sheet.player.surrender == "none" else result(companion.surrender),
        quick_pay=result(companion.quick_pay) if sheet.player.quick_pay else None,
    )


def _insurance(sheet: RuleSheet) -> FeltInsurance | None:
    offered = sheet.insurance
    if offered.pays == "none":
        return None
    return FeltInsurance(
        pays=offered.pays,
        min=money(offered.min),
        step=insurance_step(sheet),
        most=offered.most,
        even_money=sheet.tables.insured_natural_is_even_money,
    )


def _actions(sheet: RuleSheet) -> list[str]:
    refusing = ["no surrender"] if sheet.player.surrender == "early" else []
    insuring = [] if sheet.insurance.pays == "none" else ["insurance", "no insurance"]
    return [*sheet.tables.actions, *refusing, *insuring]


def _wager(sheet: RuleSheet, wager: Wager, compiled: SideWager) -> FeltWager:
    lines = pay_lines(wager, sheet)
    return FeltWager(
        name=wager.name,
        min=money(wager.min),
        max=money(wager.max),
        step=money(wager.step),
        placed=wager.placed,
        settled=_settled(compiled, hole_card_up=sheet.dealer.hole_card == "face up"),
        on=wager.on,
        upcards=_names(compiled.winning_upcards),
        needs=compiled.needs,
        at_most_main=compiled.at_most_main,
        token=compiled.token,
        printed=compiled.printed,
        lines=[FeltLine(line=line.title, hand=line.hand, dealer=line.dealer, pays=_pays(line)) for line in lines],
        tax=[FeltTax(line=line.hand, tax=line.tax) for line in wager.tax],
        tax_upcards=_names(compiled.tax_upcards) if compiled.tax else [],
    )


def _settled(wager: SideWager, *, hole_card_up: bool) -> Literal["after the deal", "when decided", "end of round"]:
    waits_for_hole_card = wager.looks_at == CARDS_LOOKED_AT["all four cards"] and not hole_card_up
    if wager.settled_at_end or wager.after_check or waits_for_hole_card:
        return "end of round"
    return "when decided" if any(line.dealer for line in wager.lines) else "after the deal"


def _names(values: frozenset[int]) -> list[str]:
    return [value_name(value) for value in _UPCARDS if value in values]


def _pays(line: PayLine) -> str | dict[str, str]:
    """Return what a line pays; odds that depend on the upcard in the order of upcards."""
    if isinstance(line.pays, str):
        return _shortest(line.pays)
    by_value = {value: _shortest(pays) for key, pays in line.pays.items() for value in upcards(key)}
    return {value_name(value): by_value[value] for value in _UPCARDS if value in by_value}


def _shortest(pays: str) -> str:
    """Return odds in their shortest exact form; a push and an amount as they are."""
    return exact_odds(odds(pays)) if " to " in pays else pays
