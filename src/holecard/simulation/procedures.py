"""Shuffle procedures: what happens to the cards between two rounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from holecard.errors import Refusal
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, DealingRule
from holecard.sheets.schema import RuleSheet

FRESH = "fresh"
SHEET = "sheet"
#: A continuous shuffler is reloaded after this many rounds; cards in its chute when a round's cards are returned.
_MACHINE_ROUNDS, _CHUTE = 1000, 12
_FOREVER = 2**31 - 1
_WORDS = re.compile(r"(?P<kind>cut|rounds|shuffler)(?::(?P<number>[0-9]+)(?P<percent>%)?)?")

ProcedureLike: TypeAlias = "str | Procedure"


@dataclass(frozen=True)
class Procedure:
    """A procedure as text and as a `DealingRule` for the kernels; None if every round has a fresh shoe."""

    description: str
    rule: DealingRule | None = None

    @property
    def has_cut_card(self) -> bool:
        """Whether shoes are dealt down to a cut card, so that their numbers of rounds differ."""
        return self.rule is not None and self.rule.cut < _FOREVER

    @property
    def is_shuffler(self) -> bool:
        """Whether a machine takes back the cards of each round."""
        return self.rule is not None and self.rule.chute != NO_CHUTE


def procedure_of(sheet: RuleSheet, given: ProcedureLike) -> Procedure:
    """Return the procedure for "fresh", "sheet", "cut:75", "rounds:10" or "shuffler:12"."""
    if isinstance(given, Procedure):
        return given
    if given == FRESH:
        return Procedure(f"a fresh shoe of {_decks(sheet)} for every round")
    if given == SHEET:
        return _of_sheet(sheet)
    match = _WORDS.fullmatch(given.strip()) if isinstance(given, str) else None
    if not match or (match["percent"] and match["kind"] != "cut"):
        raise Refusal(
            f"unknown procedure {given!r}; write 'fresh' for a new shoe every round, 'cut:75' for a cut card at 75%, "
            "'rounds:10' for ten rounds per shoe, 'shuffler' for a continuous shuffler, or 'sheet' for the sheet's own"
        )
    number = None if match["number"] is None else int(match["number"][:9])
    if match["kind"] == "cut":
        return _cut_card(sheet, sheet.shoe.cut_card if number is None else number)
    if match["kind"] == "rounds":
        return _fixed_rounds(sheet, number)
    return _shuffler(sheet, _CHUTE if number is None else number)


def _of_sheet(sheet: RuleSheet) -> Procedure:
    if sheet.shoe.procedure == "fresh each round":
        return procedure_of(sheet, FRESH)
    if sheet.shoe.procedure == "continuous shuffler":
        return _shuffler(sheet, _CHUTE)
    return _cut_card(sheet, sheet.shoe.cut_card)


def refuse_without_cut_card(sheet: RuleSheet) -> None:
    """Refuse a sheet whose shoes are not dealt down: nothing can be counted there."""
    if sheet.shoe.procedure != "cut card":
        dealt = procedure_of(sheet, SHEET).description
        raise Refusal(f"nothing can be counted here: {dealt}; give a cut card at 75% to see what a count could take")


def _cut_card(sheet: RuleSheet, percent: int) -> Procedure:
    if not 1 <= percent <= 100:
        raise Refusal(f"the cut card must be at 1% to 100% of the shoe, not {percent}%; write 'cut:75'")
    cut = sheet.shoe.decks * 52 * percent // 100
    if cut <= sheet.shoe.burn:
        raise Refusal(f"a cut card at {percent}% of {_decks(sheet)} leaves no card for a round; place it deeper")
    burned = {0: "", 1: ", one card burned"}.get(sheet.shoe.burn, f", {sheet.shoe.burn} cards burned")
    description = f"{_decks(sheet)}, shuffled after the cut card at {percent}% ({cut} cards){burned}"
    return Procedure(description, DealingRule(sheet.shoe.burn, cut, _FOREVER, NO_CHUTE))


def _fixed_rounds(sheet: RuleSheet, rounds: int | None) -> Procedure:
    if rounds is None or not 1 <= rounds <= _MACHINE_ROUNDS:
        raise Refusal(f"write the number of rounds per shoe, 1 to {_MACHINE_ROUNDS}, as in 'rounds:10'")
    often = f"{rounds} rounds; if the shoe runs out earlier, the discards are shuffled" if rounds > 1 else "round"
    return Procedure(f"{_decks(sheet)}, shuffled after every {often}", DealingRule(0, _FOREVER, rounds, NO_CHUTE))


def _shuffler(sheet: RuleSheet, chute: int) -> Procedure:
    if chute > sheet.shoe.decks * 52 // 4:
        raise Refusal(f"{chute} cards in a shuffler's chute are too many for {_decks(sheet)}")
    description = (
        f"{_decks(sheet)} in a continuous shuffler: the cards of each round go back at once, behind the {chute} "
        f"already in the chute; reloaded every {_MACHINE_ROUNDS} rounds"
    )
    return Procedure(description, DealingRule(0, _FOREVER, _MACHINE_ROUNDS, chute))


def _decks(sheet: RuleSheet) -> str:
    return "one deck" if sheet.shoe.decks == 1 else f"{sheet.shoe.decks} decks"
