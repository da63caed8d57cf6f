"""How the shoe is kept: what happens to the cards between two rounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from holecard.errors import Refusal
from holecard.kernels.play.shoes import NO_CHUTE, Rule
from holecard.sheets.schema import RuleSheet

FRESH = "fresh"
SHEET = "sheet"
#: Rounds of one stream from a machine, and cards it has let out before it takes a round's cards back.
_MACHINE_ROUNDS, _CHUTE = 1000, 12
_FOREVER = 2**31 - 1
_WORDS = re.compile(r"(?P<kind>cut|rounds|shuffler)(?::(?P<number>[0-9]+)(?P<percent>%)?)?")

ProcedureLike: TypeAlias = "str | Procedure"


@dataclass(frozen=True)
class Procedure:
    """A procedure, in words and for the kernels; None where every round has its own shoe."""

    words: str
    rule: Rule | None = None


def procedure_of(sheet: RuleSheet, given: ProcedureLike) -> Procedure:
    """A procedure by its words: "fresh", "sheet", "cut:75", "rounds:10", "shuffler:12"."""
    if isinstance(given, Procedure):
        return given
    if given == FRESH:
        return Procedure(f"a fresh shoe of {_decks(sheet)} for every round")
    if given == SHEET:
        return _of_sheet(sheet)
    match = _WORDS.fullmatch(given.strip())
    if not match or (match["percent"] and match["kind"] != "cut"):
        raise Refusal(
            f"{given!r} is no procedure; write 'fresh' for a new shoe every round, 'cut:75' for a cut card at 75%, "
            "'rounds:10' for ten rounds from each shoe, 'shuffler' for a machine, or 'sheet' for what the sheet says"
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


def _cut_card(sheet: RuleSheet, percent: int) -> Procedure:
    if not 1 <= percent <= 100:
        raise Refusal(f"a cut card at {percent}% is not in the shoe; write 'cut:75', from 1 to 100")
    cut = sheet.shoe.decks * 52 * percent // 100
    if cut <= sheet.shoe.burn:
        raise Refusal(f"a cut card at {percent}% of {_decks(sheet)} lies in front of every round; put it deeper")
    burned = {0: "", 1: ", one card burned"}.get(sheet.shoe.burn, f", {sheet.shoe.burn} cards burned")
    words = f"{_decks(sheet)}, shuffled when the cut card at {percent}% ({cut} cards) is out{burned}"
    return Procedure(words, Rule(sheet.shoe.burn, cut, _FOREVER, NO_CHUTE))


def _fixed_rounds(sheet: RuleSheet, rounds: int | None) -> Procedure:
    if rounds is None or not 1 <= rounds <= _MACHINE_ROUNDS:
        raise Refusal(f"how many rounds from each shoe? write 'rounds:10', from 1 to {_MACHINE_ROUNDS}")
    often = f"{rounds} rounds; the discards before that, if the last card falls" if rounds > 1 else "round"
    return Procedure(f"{_decks(sheet)}, shuffled after every {often}", Rule(0, _FOREVER, rounds, NO_CHUTE))


def _shuffler(sheet: RuleSheet, chute: int) -> Procedure:
    if chute > sheet.shoe.decks * 52 // 4:
        raise Refusal(f"{chute} cards in the chute of a shuffler are too many for {_decks(sheet)}")
    words = (
        f"{_decks(sheet)} in a continuous shuffler: the cards of each round go back at once, behind the {chute} that "
        f"are out of it already; loaded anew every {_MACHINE_ROUNDS} rounds"
    )
    return Procedure(words, Rule(0, _FOREVER, _MACHINE_ROUNDS, chute))


def _decks(sheet: RuleSheet) -> str:
    return "one deck" if sheet.shoe.decks == 1 else f"{sheet.shoe.decks} decks"
