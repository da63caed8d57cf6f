"""No accepted sheet contradicts itself about who wins, and a better hand with a lower payoff causes a warning.

Every combination of the [settle] settings that decide who wins is tried and compared with an interpretation of the
cells that is independent of the checks: `tests.oracle` says what each hand wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from holecard.sheets.catalog import games
from holecard.sheets.checks.consistency import contradictions
from holecard.sheets.checks.payout_order import odd_orderings
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.read import rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.settlement import settlement_cell
from holecard.sheets.tables import BUST, CLASSES, KINDS
from tests.oracle import DOUBLE_UP, MAIN, Finished, wins
from tests.selection import rounds

OUTCOMES = ("win", "push", "lose")
NATURAL = Finished(21, natural=True)
#: The dealer's finished hands except a natural; a bust with 22 may settle by itself.
FINALS = [Finished(total) for total in (16, *range(17, 24))]
RULED: list[dict[str, Any]] = [
    {},
    *({str(total): word} for total in (16, 20, 21, 22) for word in OUTCOMES),
    *({total: {"21": first, "other": other}} for total in ("17", "21") for first in OUTCOMES for other in OUTCOMES),
    {"22": {"other": "push"}},
]
NATURALS = ("3 to 2", "1 to 2")


def combinations() -> Iterator[dict[str, Any]]:
    for natural, v_21, ties, double_up, twenty_one, ruled in product(
        NATURALS, ("win", "tie"), OUTCOMES, ("win", "lose"), ("compare", "wins"), RULED
    ):
        yield {
            "settle.natural": natural,
            "settle.natural_v_21": v_21,
            "settle.ties": ties,
            "settle.double_up_ties": double_up,
            "settle.twenty_one": twenty_one,
            "settle.when_dealer_has": ruled,
        }


BASE = rules("double-up")


def unchecked(settings: dict[str, Any]) -> RuleSheet:
    """The sheet without checks for contradictions."""
    words = {path.removeprefix("settle."): value for path, value in settings.items()}
    settle = type(BASE.settle).model_validate(BASE.settle.model_dump(by_alias=True) | words)
    return BASE.model_copy(update={"settle": settle})


def column(sheet: RuleSheet, dealer: Finished, kind: str = MAIN) -> list[Fraction]:
    """The payoffs of totals from 4 to 21 against a dealer's hand."""
    return [wins(sheet, kind, Finished(total), dealer) for total in range(4, 22)]


def is_contradictory(sheet: RuleSheet) -> bool:
    """Whether a 21 that should win does not, or a natural that should tie does worse than the 21."""
    loses_a_21 = any(column(sheet, dealer)[-1] != 1 for dealer in FINALS)
    worse = wins(sheet, MAIN, NATURAL, Finished(21)) < column(sheet, Finished(21))[-1]
    return (sheet.settle.twenty_one == "wins" and loses_a_21) or (sheet.settle.natural_v_21 == "tie" and worse)


def is_odd(sheet: RuleSheet) -> bool:
    """Whether some hand gets less than a worse one against the same dealer's hand, or a tie favors the second wager."""
    columns = [column(sheet, dealer) for dealer in FINALS]
    falling = any(sorted(found) != found for found in columns)
    cheap = any(wins(sheet, MAIN, NATURAL, dealer) < column(sheet, dealer)[-1] for dealer in FINALS)
    second = wins(sheet, DOUBLE_UP, Finished(19), Finished(19)) > wins(sheet, MAIN, Finished(19), Finished(19))
    return falling or cheap or second


def test_exactly_the_sheets_that_contradict_themselves_are_refused() -> None:
    """Of the accepted ones, exactly those in which a better hand gets less cause a warning."""
    counted = {"refused": 0, "odd": 0, "plain": 0}
    every = list(combinations())
    for settings in every[:: len(every) // rounds(len(every))]:
        read = unchecked(settings)
        assert bool(contradictions(read)) is is_contradictory(read), settings
        if is_contradictory(read):
            counted["refused"] += 1
            continue
        assert bool(odd_orderings(read)) is is_odd(read), settings
        counted["odd" if is_odd(read) else "plain"] += 1
    assert min(counted.values()) > 20, counted


def test_a_bust_is_never_paid() -> None:
    """Whatever the dealer has, including a natural, and whatever the sheet says."""
    for ruled in RULED:
        sheet = unchecked({"settle.when_dealer_has": ruled, "settle.ties": "win", "settle.twenty_one": "wins"})
        assert {
            settlement_cell(sheet, kind, BUST, dealer).net for kind in range(KINDS) for dealer in range(CLASSES)
        } == {-1}


@pytest.mark.parametrize("game", games(examples=True))
def test_no_sheet_that_ships_is_warned_of(game: str | Path) -> None:
    assert odd_orderings(rules(game)) == []


@pytest.mark.parametrize(
    ("game", "settings", "where", "what"),
    [
        (
            "quick-pay",
            {"player.quick_pay": {"18": "1 to 1", "20": "push"}},
            "player.quick_pay.20",
            "cashing 20 pays less (push) than cashing 18 (1 to 1)",
        ),
        (
            "classic",
            {"settle.natural": "1 to 2"},
            "settle.natural",
            "a natural pays 1 to 2, less than any other 21, which pays 1 to 1",
        ),
        (
            "classic",
            {"player.charlie": 5, "settle.charlie": "1 to 2"},
            "settle.charlie",
            "a charlie pays 1 to 2, less than a winning hand of fewer cards (1 to 1)",
        ),
        (
            "quick-pay",
            {"settle.two_naturals": "lose", "main.companion.two_naturals": "lose"},
            "main.companion.two_naturals",
            "a natural loses more than any other hand",
        ),
        (
            "double-up",
            {"settle.double_up_ties": "win"},
            "settle.double_up_ties",
            "a tie is better for the Double-Up wager (win) than for the first (push)",
        ),
        (
            "classic",
            {"settle.when_dealer_has": {"18": {"21": "push", "other": "win"}}},
            "settle.when_dealer_has.18",
            "against a dealer's 18 a 21 does worse (push) than lower totals (win)",
        ),
    ],
)
def test_a_better_hand_that_gets_less_is_warned_of(game: str, settings: dict[str, Any], where: str, what: str) -> None:
    """With its key and both payoffs."""
    (problem,) = odd_orderings(rules(game, settings))
    assert problem.where == where
    assert what in problem.what


@pytest.mark.parametrize("twenty_one", ["compare", "wins"])
def test_the_words_about_a_21_are_what_is_paid(twenty_one: str) -> None:
    """A 21 that wins is described as winning, and it wins against every hand except a natural."""
    sheet = rules("double-up", {"settle.twenty_one": twenty_one})
    sentences = [sentence for section in describe(sheet).sections for sentence in section.sentences]
    said = "A player's 21 wins against every hand except a natural." in sentences
    assert said is all(cell.net == 1 for cell in sheet.tables.settlement[0][21][16:24])
    assert "A dealer's 16: naturals are paid, a player's 21 wins, every other live wager pushes." in sentences
