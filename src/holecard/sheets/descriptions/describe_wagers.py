"""Describe a side wager: a few sentences and the pay table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holecard.deck import value_name
from holecard.errors import plural
from holecard.sheets.compile import pay_lines, table_in_force
from holecard.sheets.descriptions.phrases import limits, listed, on_soft_17
from holecard.sheets.fields import upcards
from holecard.sheets.schema import RuleSheet
from holecard.sheets.wager_schema import BY_DECKS, BY_DECKS_AND_SOFT_17, SOFT_17, PayLine, Wager
from holecard.wagers.pay_table import EVERY_UPCARD, HOUSE_TABLE, SideWager, format_upcards

_PLACED = {
    "before the deal": "before the deal",
    "after the check": "after the check, if neither you nor the dealer has a natural, before anybody acts",
    "until the hole card is turned": "after the check, if neither you nor the dealer has a natural, at any time until "
    "the hole card is turned",
}
#: How many cards a wager looks at that needs the hole card.
_WITH_HOLE_CARD = 4
_LOOKS = {
    "two cards": "your first two cards",
    "two cards and upcard": "your first two cards and the upcard",
    "all four cards": "your first two cards and both of the dealer's",
}


@dataclass(frozen=True, slots=True)
class WagerText:
    """A side wager: sentences, the columns of its pay table, and one row per line."""

    name: str
    sentences: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tax: tuple[tuple[str, str], ...]
    house_table: bool


def describe_wager(wager: Wager, sheet: RuleSheet) -> WagerText:
    """Return the description of a wager with the pay table in force."""
    lines = pay_lines(wager, sheet)
    by_upcard = any(isinstance(line.pays, dict) for line in lines)
    columns = tuple(value_name(v) for v in (*range(2, 11), 1)) if by_upcard else ("pays",)
    return WagerText(
        name=wager.name,
        sentences=tuple(_sentences(wager, sheet)),
        columns=columns,
        rows=tuple((_line(line), *_pays(line, columns)) for line in lines),
        tax=tuple((line.hand, line.tax) for line in wager.tax),
        house_table=wager.table_from == "house",
    )


def _line(line: PayLine) -> str:
    """Return the name of a line with what it asks for, unless the name says that in the same words."""
    said, asked = ({*text.lower().replace(",", " ").split()} - {"and"} for text in (line.title, line.asks_for))
    return line.title if said == asked else f"{line.title} ({line.asks_for})"


def _pays(line: PayLine, columns: Sequence[str]) -> Iterator[str]:
    if isinstance(line.pays, str):
        yield from [line.pays] * len(columns)
        return
    by_value = {value_name(v): pays for key, pays in line.pays.items() for v in upcards(key)}
    for column in columns:
        yield by_value.get(column, "-")


def _sentences(wager: Wager, sheet: RuleSheet) -> Iterator[str]:
    yield f"{_stakes(wager)}, placed {_PLACED[wager.placed]}."
    if wager.placed == "until the hole card is turned":
        yield (
            "You can place it when it is not your turn, and after your hand has drawn, stood, busted, surrendered or "
            "been cashed. Further stakes are added, within the limits."
        )
    if wager.needs:
        yield f"Only together with {wager.needs}."
    compiled = sheet.tables.wagers[sheet.wager.index(wager)]
    if any(line.hand for line in compiled.lines):
        yield f"Looks at {_LOOKS[wager.on]}."
    if compiled.offered_upcards != EVERY_UPCARD:
        yield f"Offered only with {format_upcards(compiled.offered_upcards) or 'no upcard'} up."
    elif compiled.winning_upcards != EVERY_UPCARD:
        at_once = " at once" if _is_settled_early(compiled, sheet) else ""
        otherwise = "nothing can be won" if wager.stake == "token" else f"it loses{at_once}"
        winning = format_upcards(compiled.winning_upcards) or "no upcard"
        yield f"Wins only with {winning} up; with any other upcard {otherwise}."
    yield _when(compiled, sheet)
    if wager.stake == "token":
        fixed = all(line.pays.fixed is not None for line in compiled.lines)
        yield f"The stake is a token that you keep{'; payouts are fixed amounts' if fixed else ''}."
    if wager.tax:
        due = upcards(wager.tax_upcard)
        with_upcard = "" if due == EVERY_UPCARD else f" with {format_upcards(due)} up"
        yield f"Tax is due right after the deal{with_upcard}, by your first two cards."
    if wager.tables:
        yield _table(wager, sheet)
    if wager.table_from == "house":
        yield f"{HOUSE_TABLE[0].upper()}{HOUSE_TABLE[1:]}."
    yield "Only the first line that matches pays."


def _table(wager: Wager, sheet: RuleSheet) -> str:
    """Return which of several pay tables is used, and what chose it."""
    name, decks = table_in_force(wager, sheet), plural(sheet.shoe.decks, "deck")
    by_soft_17 = any(f"{sheet.shoe.decks} {words}" in wager.tables for words in SOFT_17.values())
    if wager.table == BY_DECKS_AND_SOFT_17 and by_soft_17:
        return f"The pay table is the one for {decks} and a dealer who {on_soft_17(sheet.dealer.soft_17)}."
    if wager.table in (BY_DECKS, BY_DECKS_AND_SOFT_17):
        return f"The pay table is the one for {decks}."
    others = [other for other in wager.tables if other != name]
    instead = f"; {listed(others, 'or')} can be chosen instead" if others else ""
    return f"Pay table {name} is used{instead}."


def _stakes(wager: Wager) -> str:
    text = limits(wager.min, wager.max, wager.step)
    text = text[0].upper() + text[1:]
    return f"{text}, at most the main wager" if wager.at_most == "the main wager" else text


def _is_settled_early(wager: SideWager, sheet: RuleSheet) -> bool:
    """Return whether the wager is settled right after the deal if the cards seen by then decide it."""
    hidden = wager.looks_at == _WITH_HOLE_CARD and sheet.dealer.hole_card != "face up"
    return not (wager.settled_at_end or wager.after_check or hidden)


def _when(wager: SideWager, sheet: RuleSheet) -> str:
    if not _is_settled_early(wager, sheet):
        return "Settled at the end of the round, after the main wagers."
    if any(line.dealer for line in wager.lines):
        return "Settled at the end of the round, or right after the deal if the first cards decide it."
    return "Settled right after the deal, before anything else."
