"""Read the sentences and the pay table of a side wager back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from holecard.sheets.schema import RuleSheet
from holecard.sheets.wager_schema import Wager
from holecard.wagers.pay_table import Line, Payout, SideWager
from tests.readback import words
from tests.readback.compiled_facts import Facts, limits
from tests.readback.words import MONEY

EVERY_UPCARD = frozenset(range(1, 11))
#: What a line asks for and what it pays: odds, or an amount in cents.
PaidLine: TypeAlias = tuple[str, Fraction | int]
_BEFORE, _AFTER, _UNTIL = "before the deal", "after the check", "until the hole card is turned"
_CARDS = {
    "your first two cards": 2,
    "your first two cards and the upcard": 3,
    "your first two cards and both of the dealer's": 4,
}
_STAKES = re.compile(
    rf"(?:Exactly ({MONEY})|({MONEY}) to ({MONEY}) in steps of ({MONEY}))(, at most the main wager)?, placed "
    r"(before the deal|after the check)(, if neither you nor the dealer has a natural, (?:before anybody acts|"
    r"at any time until the hole card is turned))?\."
)
_UPCARDS = re.compile(r"Wins only with (.+) up; with any other upcard (it loses|it loses at once|nothing can be won)\.")
_OFFERED = re.compile(r"Offered only with (.+) up\.")
_TAX = re.compile(r"Tax is due right after the deal(?: with (.+) up)?, by your first two cards\.")
_ANY_TIME = (
    "You can place it when it is not your turn, and after your hand has drawn, stood, busted, surrendered or been "
    "cashed. Further stakes are added, within the limits."
)
_NAMED_TABLE = re.compile(r"Pay table (.+) is used(?:; (.+) can be chosen instead)?\.")
_TABLE_BY_RULES = re.compile(
    r"The pay table is the one for (\d+) decks?(?: and a dealer who (hits|stands on) soft 17)?\."
)
_TOKEN = "The stake is a token that you keep"
_SETTLED = {
    "Settled right after the deal, before anything else.": "deal",
    "Settled at the end of the round, or right after the deal if the first cards decide it.": "when decided",
    "Settled at the end of the round, after the main wagers.": "end",
}


def wager_facts_said(sentences: Iterable[str]) -> Facts:
    """Return what the sentences state, under the names of `compiled_facts.wager_facts`."""
    facts: Facts = {"needs": None, "upcards": EVERY_UPCARD, "token": False, "house table": False, "looks at": None}
    facts |= {"fixed amounts": False, "at any time": False, "otherwise": None, "table": None, "first line": False}
    for sentence in sentences:
        if match := _STAKES.fullmatch(sentence):
            facts |= _stakes(match)
        elif match := re.fullmatch(r"Only together with (.+)\.", sentence):
            facts["needs"] = match[1]
        elif match := re.fullmatch(r"Looks at (.+)\.", sentence):
            facts["looks at"] = _CARDS[match[1]]
        elif match := _UPCARDS.fullmatch(sentence):
            facts |= {"upcards": words.upcards(match[1]), "otherwise": match[2]}
        elif match := _OFFERED.fullmatch(sentence):
            facts["upcards"] = words.upcards(match[1])
        elif match := _NAMED_TABLE.fullmatch(sentence):
            facts["table"] = (match[1], words.listed(match[2]) if match[2] else ())
        elif match := _TABLE_BY_RULES.fullmatch(sentence):
            facts["table"] = (int(match[1]), match[2])
        elif sentence == "Only the first line that matches pays.":
            facts["first line"] = True
        elif sentence in _SETTLED:
            facts["settled"] = _SETTLED[sentence]
        elif sentence.removesuffix(".").removesuffix("; payouts are fixed amounts") == _TOKEN:
            facts |= {"token": True, "fixed amounts": "fixed amounts" in sentence}
        elif sentence == _ANY_TIME:
            facts["at any time"] = True
        elif match := _TAX.fullmatch(sentence):
            facts["tax upcards"] = words.upcards(match[1]) if match[1] else EVERY_UPCARD
        elif sentence == "House table, not printed on the sheet.":
            facts["house table"] = True
        else:
            raise AssertionError(f"nobody can read: {sentence}")
    return facts


def _stakes(match: re.Match[str]) -> Facts:
    placed = _BEFORE if match[6] == _BEFORE else _UNTIL if "at any time" in match[7] else _AFTER
    return {
        "limits": words.limits(match[2], match[3], match[4], match[1]),
        "at most main": bool(match[5]),
        "placed": placed,
    }


def compiled_wager_facts(wager: SideWager, *, hole_card_shown: bool) -> Facts:
    """Return every rule of a compiled side wager except its lines."""
    placed = _UNTIL if wager.until_turned else _AFTER
    facts: Facts = {
        "limits": limits(wager.limits),
        "at most main": wager.at_most_main,
        "needs": wager.needs,
        "placed": placed if wager.after_check else _BEFORE,
        "upcards": wager.winning_upcards,
        "token": wager.token,
        "house table": not wager.printed,
        "looks at": wager.looks_at if any(line.hand for line in wager.lines) else None,
        "settled": _settled(wager, hole_card_shown=hole_card_shown),
    }
    return facts | ({"tax upcards": wager.tax_upcards} if wager.tax else {})


def compiled_sentence_facts(wager: SideWager, sheet: RuleSheet) -> Facts:
    """Return what only the sentences state."""
    fixed = wager.token and all(line.pays.fixed is not None for line in wager.lines)
    at_end = _settled(wager, hole_card_shown=sheet.tables.hole_card == "face up") == "end"
    loses = "nothing can be won" if wager.token else "it loses" if at_end else "it loses at once"
    return {
        "fixed amounts": fixed,
        "at any time": wager.until_turned,
        "otherwise": None if wager.after_check or wager.winning_upcards == EVERY_UPCARD else loses,
        "table": _table(next(written for written in sheet.wager if written.name == wager.name), sheet),
        "first line": True,
    }


def _table(wager: Wager, sheet: RuleSheet) -> object:
    """Return which pay table is in force, and what chose it or what could be chosen; None where there is only one."""
    if not wager.tables or not wager.table.startswith("by decks"):
        return (wager.table, tuple(name for name in wager.tables if name != wager.table)) if wager.tables else None
    for_soft_17 = any(f"{sheet.tables.decks} {rule}" in wager.tables for rule in ("H17", "S17"))
    rule = {"hit": "hits", "stand": "stands on"}[sheet.dealer.soft_17]
    return sheet.tables.decks, rule if for_soft_17 and wager.table.endswith("soft 17") else None


def _settled(wager: SideWager, *, hole_card_shown: bool) -> str:
    needs_hole_card = wager.looks_at == 4 and not hole_card_shown
    if wager.settled_at_end or wager.after_check or needs_hole_card:
        return "end"
    return "when decided" if any(line.dealer for line in wager.lines) else "deal"


# Pay tables


def asks(title: str) -> str:
    """Return what a row's title asks for: "pair", "dealer 18", "pair and dealer 17-21"; a name comes first, if any."""
    named = re.fullmatch(r".+ \((.+)\)", title)
    return plain(named[1] if named else title)


def plain(phrase: str) -> str:
    """Return a phrase without what only joins its words: "1 suited match, 1 unsuited match" has none."""
    return phrase.replace(" and ", " ").replace(", ", " ")


def paid(text: str) -> Fraction | int:
    """Return odds, "push", "lose half" or an amount."""
    return words.cents(text) if text.startswith("$") else words.net(text)


def lines_said(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> dict[int, list[PaidLine]]:
    """Return the lines for each upcard, first line first; a dash pays nothing."""
    found: dict[int, list[PaidLine]] = {value: [] for value in EVERY_UPCARD}
    for title, *pays in rows:
        for column, text in zip(columns, pays, strict=True):
            for value in EVERY_UPCARD if column == "pays" else words.upcards(column):
                if text != "-":
                    found[value].append((asks(title), paid(text)))
    return found


def compiled_lines(lines: Iterable[Line]) -> dict[int, list[PaidLine]]:
    """Return the same from a compiled wager."""
    found: dict[int, list[PaidLine]] = {value: [] for value in EVERY_UPCARD}
    for line in lines:
        dealer = f"dealer {line.dealer.text}" if line.dealer else None
        asked = " ".join(plain(part) for part in (line.hand.text if line.hand else None, dealer) if part)
        for value in line.upcards:
            found[value].append((asked, _compiled_payout(line.pays)))
    return found


def _compiled_payout(pays: Payout) -> Fraction | int:
    return pays.odds if pays.fixed is None else int(pays.fixed)
