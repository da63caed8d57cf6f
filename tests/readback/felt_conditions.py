"""The conditions of wagers as a felt's data holds them, and in the few words of cloth and circles."""

from __future__ import annotations

import re
from collections.abc import Iterable

from holecard.sheets.descriptions.felt import Felt, FeltWager
from holecard.sheets.tables import BET, COMPANION, DEALER_22, DEALER_BUST, DEALER_NATURAL, NATURAL, Tables
from holecard.wagers.pay_table import SideWager
from tests.readback import words
from tests.readback.compiled_facts import Facts, finals
from tests.readback.said_wagers import EVERY_UPCARD, PaidLine, compiled_wager_facts, paid, plain
from tests.readback.words import MONEY

_CARDS = {"two cards": 2, "two cards and upcard": 3, "all four cards": 4}
_SETTLED = {"after the deal": "deal", "when decided": "when decided", "end of round": "end"}
_PLACED = {
    "placed after the check": "after the check",
    "placed until the hole card is turned": "until the hole card is turned",
}
_WITHOUT_VALUES: dict[str, Facts] = {
    "House table, not printed on the sheet": {"house table": True},
    "you keep the token": {"token": True},
    "settled at the end": {"settled at the end": True},
}
_IN_CIRCLES = ("limits", "house table", "upcards", "needs", "at most main", "placed", "token", "tax upcards")


def circle_conditions(wager: SideWager, *, hole_card_shown: bool) -> Facts:
    """Return the conditions that a circle names."""
    every = compiled_wager_facts(wager, hole_card_shown=hole_card_shown)
    found = {name: every[name] for name in _IN_CIRCLES if name in every}
    return found | {"settled at the end": every["settled"] == "end" and not wager.after_check}


def circle_facts(marks: Iterable[str], main: str) -> Facts:
    """Return what a tap of a circle next to a main wager says."""
    facts: Facts = {
        "settled at the end": False,
        "house table": False,
        "upcards": EVERY_UPCARD,
        "needs": None,
        "at most main": False,
        "token": False,
        "placed": "before the deal",
    }
    for mark in marks:
        if match := re.fullmatch(rf"(?:({MONEY}) to ({MONEY})(?: in steps of ({MONEY}))?|exactly ({MONEY}))", mark):
            facts["limits"] = words.limits(*match.group(1, 2, 3, 4))
        elif match := re.fullmatch(r"(?:dealer must show|offered when dealer shows) (.+)", mark):
            facts["upcards"] = words.upcards(match[1])
        elif match := re.fullmatch(r"tax when dealer shows (.+)", mark):
            facts["tax upcards"] = words.upcards(match[1])
        elif match := re.fullmatch(r"only with (.+)", mark):
            facts["needs"] = match[1]
        elif mark in _PLACED:
            facts["placed"] = _PLACED[mark]
        elif mark == f"at most {main}":
            facts["at most main"] = True
        else:
            facts |= _WITHOUT_VALUES[mark]
    return facts


def described_facts(felt: Felt) -> Facts:
    """Return what the data of a felt hold, by wager."""
    facts: Facts = {
        "seats": felt.seats,
        "decks": felt.decks,
        "face down": felt.face_down,
        "companion": felt.main.companion,
        "main": (felt.main.name, felt.main.min, felt.main.max, felt.main.step),
        "insurance": felt.insurance
        and (words.odds(felt.insurance.pays), felt.insurance.min, felt.insurance.step, felt.insurance.most),
        "even money": bool(felt.insurance and felt.insurance.even_money),
        "cut card": felt.cut_card,
        "dealer's cards": felt.dealer_cards,
        "actions": {*felt.actions},
    }
    for wager in felt.wagers:
        facts |= {f"{wager.name}: {name}": fact for name, fact in _described_wager(wager).items()}
    return facts


def _described_wager(wager: FeltWager) -> Facts:
    facts: Facts = {
        "limits": (wager.min, wager.max, wager.step if wager.min != wager.max else None),
        "at most main": wager.at_most_main,
        "needs": wager.needs,
        "placed": wager.placed,
        "upcards": frozenset(value for upcard in wager.upcards for value in words.upcards(upcard)),
        "token": wager.token,
        "house table": not wager.printed,
        "looks at": _CARDS[wager.on] if any(line.hand for line in wager.lines) else None,
        "settled": _SETTLED[wager.settled],
    }
    due = frozenset(value for upcard in wager.tax_upcards for value in words.upcards(upcard))
    return facts | ({"tax upcards": due} if wager.tax else {})


def described_conditions(tables: Tables) -> Facts:
    """Return the same from the tables."""
    share, shoe = {True: "half", False: "all"}[tables.insurance_share < 1], tables.sheet.shoe
    facts: Facts = {
        "seats": tables.seats,
        "decks": tables.decks,
        "face down": tables.players_cards_down,
        "companion": tables.stakes[COMPANION] if tables.has_companion else None,
        "main": (tables.stakes[0], tables.main.low, tables.main.high, tables.main.step),
        "insurance": None
        if tables.insurance is None
        else (tables.insurance, tables.insurance_low, tables.insurance_step, share),
        "even money": _even_money(tables),
        "cut card": tables.decks * 52 * shoe.cut_card // 100 if shoe.procedure == "cut card" else 0,
        "dealer's cards": {"face up": "both up", "none": "one card"}.get(tables.hole_card, "one up"),
        "actions": _every_action(tables),
    }
    for wager in tables.wagers:
        every = compiled_wager_facts(wager, hole_card_shown=tables.hole_card == "face up")
        facts |= {f"{wager.name}: {name}": fact for name, fact in every.items()}
    return facts


def _even_money(tables: Tables) -> bool:
    """Return whether a natural with the largest insurance wins exactly the main wager against every hand."""
    if tables.insurance is None:
        return False
    kinds = (BET, COMPANION) if tables.has_companion else (BET,)
    share, insured = tables.insurance_share, tables.insurance_share * tables.insurance
    ends = {**dict.fromkeys((*finals(tables), DEALER_22, DEALER_BUST), -share), DEALER_NATURAL: insured}
    return all(sum(tables.settlement[kind][NATURAL][end].net for kind in kinds) + won == 1 for end, won in ends.items())


def _every_action(tables: Tables) -> set[str]:
    offered = {
        "double": any(map(any, tables.may_double)),
        "split": tables.split_hands > 1,
        "double up": any(map(any, tables.may_double_up)),
        "quick pay": any(tables.quick_pay),
        "surrender": tables.surrenders != "none",
        "no surrender": tables.surrenders == "early",
        "insurance": tables.insurance is not None,
        "no insurance": tables.insurance is not None,
    }
    return {"hit", "stand", *(action for action, is_offered in offered.items() if is_offered)}


def described_lines(wager: FeltWager) -> dict[int, list[PaidLine]]:
    """Return the lines of a wager in the data, for each upcard."""
    found: dict[int, list[PaidLine]] = {value: [] for value in EVERY_UPCARD}
    for line in wager.lines:
        dealer = f"dealer {line.dealer}" if line.dealer else None
        asked = " ".join(plain(part) for part in (line.hand, dealer) if part)
        by_upcard = {"any upcard": line.pays} if isinstance(line.pays, str) else line.pays
        for upcard, text in by_upcard.items():
            for value in words.upcards(upcard):
                found[value].append((asked, paid(text)))
    return found


def described_taxes(wager: FeltWager) -> dict[int, list[PaidLine]]:
    """Return the tax lines in the data, for every upcard alike."""
    return {value: [(plain(line.line), paid(line.tax)) for line in wager.tax] for value in EVERY_UPCARD}
