"""Limits, and when and by which line a side wager is decided."""

from __future__ import annotations

import pytest

from holecard.deck import cards
from holecard.money import Money
from holecard.sheets.read import read_sheet, rules
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.pay_table import Limits, SideWager, format_upcards


@pytest.mark.parametrize(
    ("stake", "allowed"),
    [(199, False), (200, True), (300, False), (400, True), (1000, True), (1200, False), (0, False)],
)
def test_limits_hold_at_both_ends_and_in_steps(stake: int, allowed: bool) -> None:
    """From $2 to $10 in steps of $2."""
    assert Limits(Money(2), Money(10), Money(2)).allows(stake) is allowed


def test_steps_count_from_the_smallest() -> None:
    """From $5 in steps of $10: 5, 15, 25."""
    limits = Limits(Money(5), Money(25), Money(10))
    assert [stake for stake in range(0, 3000, 500) if limits.allows(stake)] == [500, 1500, 2500]


def test_limits_in_words() -> None:
    """As in a refusal."""
    assert str(Limits(Money(2), Money(10), Money(2))) == "$2 to $10 in steps of $2"
    assert str(Limits(Money(1), Money(1), Money(1))) == "exactly $1"
    assert str(Limits(Money.cents(1), Money(1), Money.cents(1))) == "$0.01 to $1"


def _wager(words: str) -> SideWager:
    return read_sheet(f'name = "T"\n[[wager]]\nname = "W"\n{words}').tables.wagers[0]


def test_a_wager_on_seen_cards_does_not_wait() -> None:
    """Two cards and the upcard are on the table after the deal."""
    wager = _wager('on = "two cards and upcard"\nlines = [{ hand = "trips", pays = "9 to 1" }]')
    assert not wager.is_pending(cards("7s 7h 7d"))
    assert wager.decided_line(cards("7s 7h 7d")).name == "trips"
    assert wager.decided_line(cards("7s 7h 8d")) is None


def test_a_wager_on_four_cards_waits_for_the_hole_card() -> None:
    """The hole card counts only if it is face up."""
    wager = _wager('on = "all four cards"\nlines = [{ hand = "pair", pays = "9 to 1" }]')
    assert wager.is_pending(cards("7s 7h 8d"))
    assert not wager.is_pending(cards("7s 7h 8d 9d"))


def test_a_line_on_the_dealers_hand_waits_only_where_it_can_still_pay() -> None:
    """A natural may still win by a dealer's bust; another hand has already lost."""
    wager = _wager('lines = [{ hand = "natural", dealer = "busts", pays = "9 to 1" }]')
    assert wager.is_pending(cards("As Kh 6d"))
    assert not wager.is_pending(cards("Ts Kh 6d"))
    assert wager.on_dealers_hand
    assert wager.final_line(cards("As Kh 6d Th"), Finished(26, 3, natural=False)).name == "natural and dealer busts"
    assert wager.final_line(cards("As Kh 6d Th"), Finished(20, 3, natural=False)) is None


def test_an_upcard_outside_the_sheets_loses_at_once() -> None:
    """It can no longer win."""
    wager = _wager('upcard = "2-7"\nlines = [{ hand = "any", pays = "1 to 1" }]')
    assert wager.decided_line(cards("As Kh 8d")) is None
    assert wager.decided_line(cards("As Kh 7d")) is not None
    assert wager.decided_line(cards("As Kh Ad")) is None


def test_odds_by_upcard() -> None:
    """Each upcard has its own line; an upcard that is not listed loses."""
    wager = _wager('lines = [{ dealer = "18", pays = { "2-4" = "6 to 1", A = "7 to 2" } }]')
    done = Finished(18, 3, natural=False)
    assert str(wager.final_line(cards("Ts 9h 3d 5d"), done).pays) == "6 to 1"
    assert str(wager.final_line(cards("Ts 9h Ad 7d"), done).pays) == "7 to 2"
    assert wager.final_line(cards("Ts 9h 8d Td"), done) is None


def test_the_first_line_that_fits_pays() -> None:
    """Lines are in the order of the sheet."""
    lines = rules("upcard-luck-21").tables.wagers[0]
    for held, pays in {"As Js": "100 to 1", "As Ks": "5 to 1", "3s 8s": "30 to 1", "5s 6s": "15 to 1"}.items():
        assert str(lines.decided_line((*cards(held), *cards("7d"))).pays) == pays
    for held, pays in {"5s 6h": "4 to 1", "As 7h": "3 to 1", "Ts Th": "3 to 1"}.items():
        assert str(lines.decided_line((*cards(held), *cards("2d"))).pays) == pays
    for held in ("As Ah", "As 6h", "As 2h", "Ts 7h", "4s 4h"):
        assert lines.decided_line((*cards(held), *cards("2d"))) is None


@pytest.mark.parametrize(
    ("values", "said"), [({2, 3, 4, 5, 6, 7}, "2 to 7"), ({1}, "A"), ({1, 10}, "A, T"), ({2, 3}, "2, 3")]
)
def test_upcards_in_words(values: set[int], said: str) -> None:
    """Three or more consecutive ranks as a range."""
    assert format_upcards(frozenset(values)) == said
