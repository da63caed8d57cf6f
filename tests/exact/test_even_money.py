"""A natural against an ace: the EVs with insurance (even money) and without, from the remaining cards."""

from __future__ import annotations

from fractions import Fraction

import pytest

import holecard
from holecard.errors import Refusal


def test_even_money_against_not_insuring() -> None:
    """Six decks: 95 of the 309 unseen cards give the dealer a natural, which makes the player's natural a push."""
    found = holecard.evaluate("classic", "A,K v A")
    alone = float(Fraction(309 - 95, 309) * Fraction(3, 2))
    assert [(choice.action, choice.ev) for choice in found.choices] == [
        ("no insurance", pytest.approx(alone, abs=1e-12)),
        ("even money", 1.0),
    ]
    assert found.best.action == "no insurance"
    assert found.insurance == 3 * Fraction(95, 309) - 1
    assert found.given == "before the dealer checks for blackjack"


def test_even_money_is_right_when_tens_are_left() -> None:
    """With 12 tens among 18 unseen cards, the EV without insurance is half a unit: (6/18) * 3/2."""
    found = holecard.evaluate("classic", "A,T v A", "A:3 2:4 3:1 T:13")
    assert found.best == holecard.evaluate("classic", "T,A v A", "A:3 2:4 3:1 T:13").best
    assert (found.best.action, found.best.ev) == ("even money", 1.0)
    assert found.choices[1].ev == pytest.approx(6 / 18 * 1.5, abs=1e-12)


def test_insurance_of_a_natural_that_pays_6_to_5() -> None:
    """Insured, it wins 0.7 without a dealer's natural and 1 with one, which is not even money."""
    found = holecard.evaluate(holecard.rules("classic", natural="6 to 5"), "A,K v A")
    evs = {choice.action: choice.ev for choice in found.choices}
    dealer = Fraction(95, 309)
    assert evs["no insurance"] == pytest.approx(float((1 - dealer) * Fraction(6, 5)), abs=1e-12)
    assert evs["insurance"] == pytest.approx(float((1 - dealer) * Fraction(7, 10) + dealer), abs=1e-12)


@pytest.mark.parametrize(("spot", "settings"), [("A,K v 6", {}), ("A,K v T", {}), ("A,K v A", {"insurance": "none"})])
def test_other_naturals_leave_nothing_to_decide(spot: str, settings: dict[str, str]) -> None:
    """Insurance needs an ace up and a sheet that offers it."""
    sheet = holecard.rules("classic", {"insurance.pays": settings["insurance"]} if settings else {})
    with pytest.raises(Refusal, match="nothing to decide"):
        holecard.evaluate(sheet, spot)


def test_the_best_action() -> None:
    """It is the first of the choices."""
    found = holecard.evaluate("classic", "5,6 v 6")
    assert found.best == found.choices[0]
    assert found.best.action == "double"
