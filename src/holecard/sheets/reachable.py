"""Lines of a pay table that no round can ever pay, each with its reason.

A line is tried on every deal (see `wagers.deals`) and every way the dealer's hand can end from there, with the cards
the decks have. Where it never pays, the deal that came furthest tells why not: the steps below stand in the order in
which a dealer would check them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from holecard.cards import VALUES, Card, card, value_name
from holecard.errors import Problem
from holecard.hands import is_natural
from holecard.sheets.compile import compile_wager
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.sheets.wager_schema import PayLine, Wager
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.deals import Deal, cards_left, deals, deals_of, endings, recoloured, values
from holecard.wagers.pay_table import Line, SideWager, say_upcards

NO_HAND, TOO_FEW_CARDS, UPCARD, PLAYER_NATURAL, DEALER, EARLIER, PAYS = range(7)

_NAMED_CARD = re.compile(r"\b(?:10|[2-9tjqka])[shdc]\b", re.IGNORECASE)
_NUMBERS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True, slots=True)
class PayTable:
    """One pay table of a wager: where it stands, its lines in words, and which of them each compiled line is."""

    where: str
    words: tuple[str, ...]
    wager: SideWager
    written: tuple[int, ...]
    decks: int
    verb: str = "pay"


def unreachable_lines(sheet: RuleSheet) -> list[Problem]:
    """What can never pay, in every pay table a house may choose, and what tax can never be due.

    A table chosen by decks is tried with its own number of decks, any other with the sheet's. Lines count from 0.
    """
    return [
        problem
        for wager in sheet.wager
        for table in _pay_tables(sheet, wager)
        for number in range(len(table.words))
        for problem in _problems(sheet.tables, table, number)
    ]


# Pay tables


def _pay_tables(sheet: RuleSheet, wager: Wager) -> Iterator[PayTable]:
    where = f"wager.{wager.name}"
    if wager.lines:
        yield _pay_table(f"{where}.lines", wager, wager.lines, sheet.shoe.decks)
    for name, lines in wager.tables.items():
        decks = int(name) if wager.table == "by decks" and name.isdecimal() else sheet.shoe.decks
        if lines:
            yield _pay_table(f"{where}.tables.{name}", wager, lines, decks)
    if wager.tax:
        compiled = compile_wager(wager, sheet.shoe.decks)
        taxed = replace(compiled, looks_at=2, lines=compiled.tax, upcards=compiled.tax_upcards)
        words = tuple(due.hand for due in wager.tax)
        yield PayTable(f"{where}.tax", words, taxed, tuple(range(len(words))), sheet.shoe.decks, verb="be due")


def _pay_table(where: str, wager: Wager, lines: tuple[PayLine, ...], decks: int) -> PayTable:
    """Compiled line by line, because a written line may become one for each upcard."""
    alone = [compile_wager(wager.model_copy(update={"lines": (line,), "tables": {}}), decks) for line in lines]
    compiled = tuple(line for one in alone for line in one.lines)
    written = tuple(number for number, one in enumerate(alone) for _ in one.lines)
    return PayTable(where, tuple(map(_words, lines)), replace(alone[0], lines=compiled), written, decks)


def _words(line: PayLine) -> str:
    dealer = f"dealer {line.dealer}" if line.dealer else None
    return line.name or " and ".join(part for part in (line.hand, dealer) if part)


def _problems(tables: Tables, table: PayTable, number: int) -> Iterator[Problem]:
    """The findings about one written line: one for all of it, or one for each upcard with which it never pays."""
    cells = {i: _reason(tables, table, i) for i, written in enumerate(table.written) if written == number}
    where, never = f"{table.where}.{number}", f"this line, {table.words[number]!r}, can never {table.verb}"
    reasons = set(cells.values())
    if len(reasons) == 1:
        if reason := reasons.pop():
            yield Problem(where, f"{never}: {reason}")
        return
    for index, reason in cells.items():
        if reason:
            (upcard,) = table.wager.lines[index].upcards
            yield Problem(where, f"{never} with {value_name(upcard)} up: {reason}")


# Trying a line


def _reason(tables: Tables, table: PayTable, index: int) -> str | None:
    """Why a compiled line never pays, or None when some deal pays it."""
    furthest = NO_HAND
    first: set[int] = set()
    for deal in _fitting_deals(table.wager, index):
        step = _step(tables, table, index, deal, first)
        if step == PAYS:
            return None
        furthest = max(furthest, step)
    return _sentence(table, index, furthest, first)


def _fitting_deals(wager: SideWager, index: int) -> Iterator[Deal]:
    """The deals whose cards make the line's hand."""
    hand = wager.lines[index].hand
    if hand is not None and (named := _named_cards(hand.text)):
        yield from (deal for deal in deals_of(named) if hand.fits(deal[: wager.looks_at]))
        return
    looks_at = wager.looks_at if any(line.hand for line in wager.lines[: index + 1]) else 0
    some_named = any(line.hand and _named_cards(line.hand.text) for line in wager.lines[:index])
    for deal in deals(looks_at):
        if hand is None or hand.fits(deal[:looks_at]):
            yield from recoloured(deal) if some_named else (deal,)


def _named_cards(text: str) -> tuple[Card, ...]:
    return tuple(card(word) for word in _NAMED_CARD.findall(text))


def _step(tables: Tables, table: PayTable, index: int, deal: Deal, first: set[int]) -> int:
    """How far a deal whose cards fit brings the line; the lines paid instead of it are added to `first`."""
    wager, line = table.wager, table.wager.lines[index]
    if max(Counter(deal).values()) > table.decks:
        return TOO_FEW_CARDS
    if VALUES[deal[2]] not in wager.upcards & line.upcards:
        return UPCARD
    if wager.after_check and is_natural(deal[:2]):
        return PLAYER_NATURAL
    earlier = [i for i in range(index) if _may_fit(wager, i, deal)]
    dealt = values(deal)
    # Before the player's cards are taken out the dealer can end in more ways, and one list of them serves many deals.
    for gone in (dealt[2:], dealt):
        step = _against(wager, line, _endings(tables, table, dealt[2:], gone), earlier, first)
        if step != PAYS:
            return step
    return PAYS


def _may_fit(wager: SideWager, index: int, deal: Deal) -> bool:
    line = wager.lines[index]
    return VALUES[deal[2]] in line.upcards and (line.hand is None or line.hand.fits(deal[: wager.looks_at]))


def _endings(tables: Tables, table: PayTable, dealt: tuple[int, ...], gone: tuple[int, ...]) -> frozenset[Finished]:
    """How the dealer's hand can end; a wager placed after the check comes after a look for the natural, if any."""
    hands = endings(tables.dealer_draws, dealt, cards_left(table.decks, gone))
    looked = tables.hole_card == "face up" or dealt[0] in tables.peeks_under
    if table.wager.after_check and looked:
        return frozenset(hand for hand in hands if not hand.natural)
    return hands


def _against(wager: SideWager, line: Line, hands: frozenset[Finished], earlier: list[int], first: set[int]) -> int:
    fitting = [hand for hand in hands if _ends_so(line, hand)]
    if not fitting:
        return DEALER
    paid = {next((i for i in earlier if _ends_so(wager.lines[i], hand)), -1) for hand in fitting}
    if -1 in paid:
        return PAYS
    first |= paid
    return EARLIER


def _ends_so(line: Line, hand: Finished) -> bool:
    return line.dealer is None or line.dealer.fits(hand)


# Reasons


def _sentence(table: PayTable, index: int, furthest: int, first: set[int]) -> str:
    wager, line = table.wager, table.wager.lines[index]
    decks = "1 deck has" if table.decks == 1 else f"{table.decks} decks have"
    above = sorted({table.written[i] for i in first})
    return {
        NO_HAND: f"no {_NUMBERS[wager.looks_at]} cards make it",
        TOO_FEW_CARDS: f"it needs one card more often than {decks} it",
        UPCARD: _upcard_sentence(wager, line),
        PLAYER_NATURAL: "a player with a natural is not asked after the check",
        DEALER: _dealer_sentence(wager, line),
        EARLIER: f"what stands above it always comes first: {', '.join(repr(table.words[i]) for i in above)}",
    }[furthest]


def _upcard_sentence(wager: SideWager, line: Line) -> str:
    if both := wager.upcards & line.upcards:
        return f"it never fits with {say_upcards(both)} up"
    return f"the wager wins only with {say_upcards(wager.upcards)} up"


def _dealer_sentence(wager: SideWager, line: Line) -> str:
    if wager.after_check and (line.dealer is None or line.dealer.natural):
        return "the dealer has looked by then and has no natural"
    return "the dealer's hand never ends so"
