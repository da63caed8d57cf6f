"""Rarer lines that pay less than more frequent ones, and wagers that keep more than a quarter of the stakes."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from holecard.exact.favorable_wagers import checked_wagers
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet


def sheet(words: str, head: str = "") -> RuleSheet:
    return read_sheet(f'name = "T"\nextends = "classic"\n{head}\n[[wager]]\nname = "W"\n{words}')


def odd(game: RuleSheet) -> tuple[str, ...]:
    return checked_wagers(game)[1]


def test_two_unsuited_matches_are_rarer_than_one_suited_match_and_pay_half() -> None:
    """Of 311 cards besides the upcard, 5 have its rank and suit and 18 its rank in another suit."""
    two, one = Fraction(comb(18, 2), comb(311, 2)), Fraction(5 * 288, comb(311, 2))
    shares = f"{float(100 * one):.3g}% against {float(100 * two):.3g}%"
    first, second = odd(rules("match-up"))
    assert first == (
        "Match Up: '2 unsuited matches' pays 5 to 1, less than '1 suited match' (10 to 1), which is "
        f"{float(one / two):.3g} times as frequent ({shares}, from 6 decks)"
    )
    assert second == "3 Card Bonus: the house keeps 37.48% of the stakes, more than 25% (from 6 decks)"


def test_a_table_in_order_has_no_warning() -> None:
    """The rarer, the more it pays; equal odds are in order, too."""
    lines = (
        '{ hand = "suited pair", pays = "25 to 1" }, { hand = "pair", pays = "8 to 1" }, { hand = "20", pays = "%s" }'
    )
    assert odd(sheet(f"lines = [{lines % '1 to 1'}]")) == ()
    assert odd(sheet(f"lines = [{lines % '8 to 1'}]")) == ()


@pytest.mark.parametrize(("pays", "kept"), [("11 to 1", ""), ("10 to 1", "27.1"), ("push", "92.6")])
def test_a_wager_that_keeps_more_than_a_quarter(pays: str, kept: str) -> None:
    """With one deck a pair comes 3 times in 51, and x to 1 on it keeps 48/51 - 3x/51; here six decks, 23 in 311."""
    net = {"11 to 1": 11, "10 to 1": 10, "push": 0}[pays]
    edge = Fraction(288 - 23 * net, 311)
    assert (edge > Fraction(1, 4)) is False or kept
    found = odd(sheet(f'lines = [{{ hand = "pair", pays = "{pays}" }}]'))
    text = f"W: the house keeps {float(edge):.2%} of the stakes, more than 25% (from 6 decks)"
    assert found == ((text,) if edge > Fraction(1, 4) else ())


def test_lines_of_different_upcards_are_not_compared() -> None:
    """Players see the upcard when they place the wager; only lines for the same upcard are compared."""
    late = 'placed = "after the check"\nlines = [{}]'
    by_upcard = '{ dealer = "18", pays = { 8 = "1.5 to 1", T = "7 to 1" } }'
    assert odd(sheet(late.format(by_upcard))) == ()
    (found, *_) = odd(sheet(late.format(by_upcard + ', { dealer = "19", pays = { 8 = "1 to 1", T = "7 to 1" } }')))
    assert found.startswith("W: 'dealer 19' with 8 up pays 1 to 1, less than 'dealer 18' with 8 up (3 to 2), which is ")
    assert found.endswith(
        "from 6 decks, after the check: neither the player nor the dealer has a natural, with 8, T up)"
    )


def test_fixed_amounts_and_taxes_are_shares_of_what_is_paid_for_them() -> None:
    """$1 on a pair that pays $5 keeps 288/311 - 115/311; a token keeps a share of the tax."""
    (found,) = odd(sheet('lines = [{ hand = "pair", pays = "$5" }]'))
    assert found.startswith(
        f"W: the house keeps {float(Fraction(288 - 115, 311)):.2%} of the stakes at $1, more than 25%"
    )
    token = 'stake = "token"\ntax = [{ hand = "any", tax = "$1" }]\nlines = [{ hand = "pair", pays = "$5" }]'
    (found,) = odd(sheet(token))
    assert found.startswith(f"W: the house keeps {float(1 - Fraction(115, 311)):.2%} of the taxes, more than 25%")
