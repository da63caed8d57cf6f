"""Whole cents, written as dollars."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import Unreadable
from holecard.money import cents, dollars, net_win, signed


@pytest.mark.parametrize(
    ("text", "amount"),
    [("$5", 500), ("5", 500), (5, 500), (0, 0), ("$2.50", 250), ("$2.5", 250), ("0.05", 5), ("$20,000", 2_000_000)],
)
def test_amounts_read_as_cents(text: str | int, amount: int) -> None:
    """With or without a dollar sign, cents and commas."""
    assert cents(text) == amount


@given(st.integers(0, 10**10))
def test_amounts_written_read_back(amount: int) -> None:
    """To the cent."""
    assert cents(dollars(amount)) == amount


@pytest.mark.parametrize("text", ["", "$", "-5", "-$5", "five", "$1.234", "1,00", "$5 dollars", True, 2.5, -1, None])
def test_what_is_no_amount_is_refused(text: object) -> None:
    """Negative amounts, fractions of a cent and floats too."""
    with pytest.raises(Unreadable, match="is no amount of money"):
        cents(text)


def test_results_carry_their_sign() -> None:
    """A win with a plus, a loss with a minus, nothing without."""
    assert [signed(amount) for amount in (1500, -1050, 0, 5)] == ["+$15", "-$10.50", "$0", "+$0.05"]
    assert dollars(-123_456_789) == "-$1,234,567.89"


@given(st.integers(0, 10**7), st.fractions(min_value=-1, max_value=1000, max_denominator=100))
def test_a_net_win_is_exact_but_for_its_rounding(stake: int, result: Fraction) -> None:
    """Down never pays more than the odds, up never less, and nearest is off by half a cent at most."""
    exact = stake * result
    assert net_win(stake, result, "down") == floor(exact)
    assert net_win(stake, result, "up") == ceil(exact)
    assert abs(net_win(stake, result, "nearest") - exact) <= Fraction(1, 2)
    assert net_win(stake, result) == floor(exact)


def test_half_a_cent_goes_up_when_rounding_to_the_nearest() -> None:
    """A win of 4.5 cents is 5, a loss of 2.5 is 2: both in the player's favour."""
    assert net_win(3, Fraction(3, 2), "nearest") == 5
    assert net_win(5, Fraction(-1, 2), "nearest") == -2
