"""Find pay lines that no round can ever pay, each with the reason.

Each line is tried on every deal that matters (see `wagers.sample_deals`) and every final dealer's hand, with the cards
of the decks. If it never pays, the deal that passed the most checks gives the reason; `Check` lists them in the order
in which a dealer would make them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from itertools import permutations

from holecard.deck import VALUES, card
from holecard.errors import Problem
from holecard.sheets.compile import compile_wager, table_in_force
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.sheets.wager_schema import BY_DECKS, BY_DECKS_AND_SOFT_17, SOFT_17, PayLine, Wager
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.named_hands import Cards
from holecard.wagers.pay_table import Line, SideWager, format_upcards
from holecard.wagers.sample_deals import DealtValues, card_sets, endings, recolored, seatings, values_left


class Check(IntEnum):
    """The check at which a deal fails to pay a line; PAYS: it fails none."""

    NO_HAND = 0
    TOO_FEW_CARDS = 1
    UPCARD = 2
    PLAYER_NATURAL = 3
    DEALER_HAND = 4
    EARLIER_LINE = 5
    PAYS = 6


_NAMED_CARD = re.compile(r"\b(?:10|[2-9tjqka])[shdc]\b", re.IGNORECASE)
_NUMBERS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True, slots=True)
class PayTable:
    """One pay table of a wager: its path, its lines in words, and which of them each compiled line comes from."""

    where: str
    words: tuple[str, ...]
    wager: SideWager
    written: tuple[int, ...]
    decks: int
    tables: Tables
    """the rules under which the table is in force"""
    verb: str = "pay"


def unreachable_lines(sheet: RuleSheet) -> list[Problem]:
    """Return the lines that can never pay, in every pay table that a house can choose, and taxes that are never due.

    A table chosen by decks, or by decks and soft 17, is tried with these rules, any other with the sheet's. Lines are
    counted from 0.
    """
    return [
        problem
        for wager in sheet.wager
        for table in pay_tables(sheet, wager)
        for number in range(len(table.words))
        for problem in _problems(table, number)
    ]


# Pay tables


def pay_tables(sheet: RuleSheet, wager: Wager) -> Iterator[PayTable]:
    """Yield every pay table of a wager, including those not in force, and its tax schedule."""
    where = f"wager.{wager.name}"
    needs_upcards = sheet.tables.wagers[sheet.wager.index(wager)].needs_upcards
    if wager.lines:
        yield _pay_table(f"{where}.lines", wager, wager.lines, sheet, needs_upcards)
    for name, lines in wager.tables.items():
        if lines:
            rules = _rules_of_table(sheet, wager, name)
            yield _pay_table(f"{where}.tables.{name}", wager, lines, rules, needs_upcards)
    if wager.tax:
        compiled = compile_wager(wager, sheet)
        taxed = replace(compiled, looks_at=2, lines=compiled.tax, upcards=compiled.tax_upcards)
        words = tuple(due.hand for due in wager.tax)
        yield PayTable(f"{where}.tax", words, taxed, tuple(range(len(words))), sheet.shoe.decks, sheet.tables, "be due")


def _rules_of_table(sheet: RuleSheet, wager: Wager, name: str) -> RuleSheet:
    """Return the sheet with a number of decks and a soft 17 rule for which a table is in force; its own, if it can."""
    number = name.partition(" ")[0]
    if wager.table not in (BY_DECKS, BY_DECKS_AND_SOFT_17) or not number.isdecimal():
        return sheet
    for soft_17 in sorted(SOFT_17, key=lambda rule: rule != sheet.dealer.soft_17):
        changed = _main_game(sheet, int(number), soft_17)
        if table_in_force(wager, changed) == name:
            return changed
    return sheet


@lru_cache(maxsize=64)
def _main_game(sheet: RuleSheet, decks: int, soft_17: str) -> RuleSheet:
    """Return the sheet without side wagers, with other decks and another soft 17 rule; wagers share its tables."""
    shoe = sheet.shoe.model_copy(update={"decks": decks})
    dealer = sheet.dealer.model_copy(update={"soft_17": soft_17})
    return sheet.model_copy(update={"shoe": shoe, "dealer": dealer, "wager": ()})


def _pay_table(
    where: str, wager: Wager, lines: tuple[PayLine, ...], sheet: RuleSheet, needs_upcards: frozenset[int]
) -> PayTable:
    """Compile line by line, because a written line can become one for each upcard."""
    alone = [compile_wager(wager.model_copy(update={"lines": (line,), "tables": {}}), sheet) for line in lines]
    compiled = tuple(line for one in alone for line in one.lines)
    written = tuple(number for number, one in enumerate(alone) for _ in one.lines)
    titles = tuple(line.title for line in lines)
    together = replace(alone[0], lines=compiled, needs_upcards=needs_upcards)
    return PayTable(where, titles, together, written, sheet.shoe.decks, sheet.tables)


def _problems(table: PayTable, number: int) -> Iterator[Problem]:
    """Yield one problem for a written line that never pays, with all upcards or with some."""
    cells = {i: _reason(table, i) for i, written in enumerate(table.written) if written == number}
    where, never = f"{table.where}.{number}", f"this line, {table.words[number]!r}, can never {table.verb}"
    reasons = set(cells.values())
    if len(reasons) == 1:
        if reason := reasons.pop():
            yield Problem(where, f"{never}: {reason}")
        return
    by_reason: dict[str, set[int]] = {}
    for index, reason in cells.items():
        if reason:
            by_reason.setdefault(reason, set()).update(table.wager.lines[index].upcards)
    each = [f"with {format_upcards(frozenset(upcards))} up: {reason}" for reason, upcards in by_reason.items()]
    yield Problem(where, f"{never} {'; '.join(each)}")


def upcards_without_lines(sheet: RuleSheet) -> list[Problem]:
    """Return the pay tables by upcard that leave out some of the wager's upcards."""
    found = []
    for table in (table for wager in sheet.wager for table in pay_tables(sheet, wager) if table.verb == "pay"):
        paid = frozenset[int]().union(*(line.upcards for line in table.wager.lines))
        if left_out := table.wager.upcards - paid:
            kept = "wins nothing" if table.wager.token else "always loses"
            then = "is not offered" if table.wager.after_check else kept
            what = f"no line pays with {format_upcards(left_out)} up, so that the wager {then} with these upcards"
            found.append(Problem(table.where, what))
    return found


# Trying a line


def _reason(table: PayTable, index: int) -> str | None:
    """Return why a compiled line never pays, or None if some deal pays it."""
    wager = table.wager
    asked = [line.hand.text.lower() for line in wager.lines[: index + 1] if line.hand]
    in_order = any("match" in words for words in asked)
    trial = Trial(table, index)
    for cards in fitting_cards(wager, index, looks_at=wager.looks_at if asked else 0, in_order=in_order):
        if max(Counter(cards).values(), default=0) > table.decks:
            trial.reaches(Check.TOO_FEW_CARDS)
            continue
        rivals = tuple(i for i in range(index) if _makes(wager.lines[i], cards))
        for seating in seatings(tuple(VALUES[c] for c in cards), in_order=in_order):
            if trial.reaches(trial.step(seating, rivals)) == Check.PAYS:
                return None
    return _sentence(table, index, trial.furthest, trial.paid_first)


def fitting_cards(wager: SideWager, index: int, *, looks_at: int, in_order: bool) -> Iterator[Cards]:
    """Yield cards that make the line's hand; in every suit for the ranks of cards that earlier lines name."""
    line = wager.lines[index]
    if line.hand and (named := _named_cards(line)):
        orders = sorted(set(permutations(named))) if in_order else [named]
        yield from (cards for cards in orders if _makes(line, cards))
        return
    special = {tuple(sorted(c.rank for c in _named_cards(above))) for above in wager.lines[:index]}
    for cards in card_sets(looks_at, in_order=in_order):
        if _makes(line, cards):
            by_suit = tuple(sorted(c.rank for c in cards)) in special
            yield from recolored(cards) if by_suit else (cards,)


def _makes(line: Line, cards: Cards) -> bool:
    return line.hand is None or line.hand.fits(cards)


def _named_cards(line: Line) -> Cards:
    return tuple(card(word) for word in _NAMED_CARD.findall(line.hand.text)) if line.hand else ()


class Trial:
    """The deals tried on a line: `furthest` is the last check reached, `paid_first` are the lines paid instead."""

    def __init__(self, table: PayTable, index: int) -> None:
        self.tables, self.wager, self.decks = table.tables, table.wager, table.decks
        self.line = table.wager.lines[index]
        placed = self.wager.offered_upcards if self.wager.after_check else self.wager.upcards
        self.upcards = placed & self.line.upcards
        self.furthest = Check.NO_HAND
        self.paid_first: set[int] = set()
        self._steps: dict[tuple[DealtValues, tuple[int, ...]], Check] = {}

    def reaches(self, step: Check) -> Check:
        self.furthest = max(self.furthest, step)
        return step

    def step(self, seating: DealtValues, rivals: tuple[int, ...]) -> Check:
        """Return the check at which a deal fails; `rivals` are the earlier lines whose hand the cards make, too."""
        key = (seating, rivals)
        if key not in self._steps:
            self._steps[key] = self._step(seating, rivals)
        return self._steps[key]

    def _step(self, seating: DealtValues, rivals: tuple[int, ...]) -> Check:
        own, dealt = seating[:2], seating[2:]
        if dealt[0] not in self.upcards:
            return Check.UPCARD
        if self.wager.after_check and own == (1, 10):
            return Check.PLAYER_NATURAL
        rivals = tuple(i for i in rivals if dealt[0] in self.wager.lines[i].upcards)
        # First with the player's cards still in the shoe: more hands are possible, and many deals share the result.
        step = self._against(self._endings(dealt, removed=dealt), rivals)
        return step if step != Check.PAYS else self._against(self._endings(dealt, removed=seating), rivals)

    def _endings(self, dealt: DealtValues, removed: DealtValues) -> frozenset[Finished]:
        """Return the possible final dealer's hands, without a natural if the dealer has already checked for one."""
        hands = endings(self.tables.dealer_draws, dealt, values_left(self.decks, removed))
        looked = self.tables.hole_card == "face up" or dealt[0] in self.tables.peeks_under
        if self.wager.after_check and looked:
            return frozenset(hand for hand in hands if not hand.natural)
        return hands

    def _against(self, hands: frozenset[Finished], rivals: tuple[int, ...]) -> Check:
        fitting = [hand for hand in hands if _ends_so(self.line, hand)]
        if not fitting:
            return Check.DEALER_HAND
        paid = {next((i for i in rivals if _ends_so(self.wager.lines[i], hand)), -1) for hand in fitting}
        if -1 in paid:
            return Check.PAYS
        self.paid_first |= paid
        return Check.EARLIER_LINE


def _ends_so(line: Line, hand: Finished) -> bool:
    return line.dealer is None or line.dealer.fits(hand)


# Reasons


def _sentence(table: PayTable, index: int, furthest: Check, first: set[int]) -> str:
    wager, line = table.wager, table.wager.lines[index]
    decks = "1 deck has" if table.decks == 1 else f"{table.decks} decks have"
    above = sorted({table.written[i] for i in first})
    return {
        Check.NO_HAND: f"no {_NUMBERS[wager.looks_at]} cards make it",
        Check.TOO_FEW_CARDS: f"it needs more copies of one card than {decks}",
        Check.UPCARD: _upcard_sentence(wager, line),
        Check.PLAYER_NATURAL: "a player with a natural cannot place this wager",
        Check.DEALER_HAND: _dealer_sentence(wager, line),
        Check.EARLIER_LINE: f"an earlier line always applies first: {', '.join(repr(table.words[i]) for i in above)}",
    }[furthest]


def _upcard_sentence(wager: SideWager, line: Line) -> str:
    if both := wager.upcards & line.upcards:
        if wager.after_check and not wager.needs_upcards & both:
            offered = format_upcards(wager.needs_upcards) or "no upcard"
            return f"{wager.needs}, which the wager needs, can be placed only with {offered} up"
        if len(line.upcards) == 1:
            return "it never matches"
        return f"it never matches with {format_upcards(both)} up"
    return f"the wager wins only with {format_upcards(wager.upcards)} up"


def _dealer_sentence(wager: SideWager, line: Line) -> str:
    if wager.after_check and (line.dealer is None or line.dealer.natural):
        return "the dealer has checked for a natural by then and does not have one"
    return "the dealer's hand never ends like this"
