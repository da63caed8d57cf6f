"""EV of insurance, by arithmetic."""

from __future__ import annotations

from fractions import Fraction

from holecard.composition import composition, full
from holecard.exact.wagers.wager_values import insurance
from holecard.sheets.read import rules


def test_insurance_off_the_top() -> None:
    """Six decks: 96 of the other 311 cards are tens, and 2 to 1 on them loses 23/311, or 7.40%."""
    found = insurance(rules("classic").tables, full(6))
    assert found is not None
    assert found.overall == 2 * Fraction(96, 311) - Fraction(215, 311) == Fraction(-23, 311)


def test_insurance_by_hand() -> None:
    """One deck: 16 tens of 49 with no ten in hand, 14 with two, so a twenty has the worst insurance."""
    found = insurance(rules("classic").tables, full(1))
    assert found is not None
    hands = dict(found.by_hand)
    assert len(hands) == 55
    assert hands[2, 3] == Fraction(-1, 49)
    assert hands[1, 10] == Fraction(3 * 15, 49) - 1
    assert hands[10, 10] == Fraction(-1, 7)


def test_insurance_when_tens_are_left() -> None:
    """A shoe of 10 tens and 10 other cards, two of them aces: with an ace up, more than half of the rest are tens."""
    found = insurance(rules("classic").tables, composition("A:2 5:8 K:4 Q:6"))
    assert found is not None
    assert found.overall == Fraction(10, 19) * 3 - 1
    assert dict(found.by_hand) == {
        (1, 5): Fraction(10, 17) * 3 - 1,
        (1, 10): Fraction(9, 17) * 3 - 1,
        (5, 5): Fraction(10, 17) * 3 - 1,
        (5, 10): Fraction(9, 17) * 3 - 1,
        (10, 10): Fraction(8, 17) * 3 - 1,
    }


def test_insurance_at_other_odds() -> None:
    """The sheet sets the odds."""
    found = insurance(rules("classic", {"insurance.pays": "5 to 2"}).tables, full(6))
    assert found is not None
    assert found.overall == Fraction(96, 311) * Fraction(7, 2) - 1


def test_no_insurance() -> None:
    """Where the sheet does not offer it, and where no ace can be the upcard."""
    assert insurance(rules("face-up").tables, full(6)) is None
    assert insurance(rules("classic").tables, composition("5:8 K:8")) is None
