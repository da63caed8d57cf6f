"""Money is whole cents, reads and prints as dollars, and stays money."""

from __future__ import annotations

import copy
import json
import pickle
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import Unreadable
from holecard.money import Money, dollars, money, net_win, signed_dollars, sum_of
from holecard.table.table import Table
from tests.stacked_shoe import stacked


@pytest.mark.parametrize(
    ("text", "amount"),
    [("$5", 500), ("5", 500), (5, 500), (0, 0), ("$2.50", 250), ("$2.5", 250), ("0.05", 5), ("$20,000", 2_000_000)],
)
def test_amounts_read_as_cents(text: str | int, amount: int) -> None:
    """With or without a dollar sign, cents and commas."""
    assert money(text) == amount


@given(st.integers(0, 10**10))
def test_amounts_written_read_back(amount: int) -> None:
    """To the cent."""
    assert money(dollars(amount)) == amount


@pytest.mark.parametrize("text", ["", "$", "-5", "-$5", "five", "$1.234", "1,00", "$5 dollars", True, 2.5, -1, None])
def test_an_invalid_amount_is_refused(text: object) -> None:
    """Also negative amounts, fractions of a cent and floats."""
    with pytest.raises(Unreadable, match="is not an amount of money"):
        money(text)


@pytest.mark.parametrize("amount", ["1000000000000", "$1,000,000,000,000", "$1,000,000,000,000.50", 10**12])
def test_an_amount_with_too_many_digits_is_too_large(amount: str | int) -> None:
    """It is an amount of money, and the message does not deny it. One dollar less can be read."""
    with pytest.raises(Unreadable, match=r"is too large; amounts are below \$1,000,000,000,000"):
        money(amount)
    assert money(10**12 - 1) == money("999,999,999,999")


def test_results_carry_their_sign() -> None:
    """A win has a plus, a loss a minus, zero neither."""
    assert [signed_dollars(amount) for amount in (1500, -1050, 0, 5)] == ["+$15", "-$10.50", "$0", "+$0.05"]
    assert dollars(-123_456_789) == "-$1,234,567.89"


@given(st.integers(0, 10**7), st.fractions(min_value=-1, max_value=1000, max_denominator=100))
def test_a_net_win_is_exact_but_for_its_rounding(stake: int, result: Fraction) -> None:
    """Down never pays more than the odds, up never less, and nearest is off by at most half a cent."""
    exact = stake * result
    assert net_win(stake, result, "down") == floor(exact)
    assert net_win(stake, result, "up") == ceil(exact)
    assert abs(net_win(stake, result, "nearest") - exact) <= Fraction(1, 2)
    assert net_win(stake, result) == floor(exact)


def test_half_a_cent_goes_up_when_rounding_to_the_nearest() -> None:
    """A win of 4.5 cents is 5, a loss of 2.5 is 2: both favor the player."""
    assert net_win(3, Fraction(3, 2), "nearest") == 5
    assert net_win(5, Fraction(-1, 2), "nearest") == -2


amounts = st.integers(-(10**12), 10**12).map(Money.cents)


@given(amounts)
def test_money_survives_its_texts_and_copies(amount: Money) -> None:
    """Its text, its repr, a pickle and a deep copy give the same amount."""
    copies = [
        Money(str(amount)),
        Money(f"{amount:+}"),
        eval(repr(amount)),
        pickle.loads(pickle.dumps(amount)),
        copy.deepcopy(amount),
    ]
    assert all(again == amount and type(again) is Money for again in copies)
    assert json.loads(json.dumps({"net": amount})) == {"net": int(amount)}


@given(amounts, amounts, st.integers(-1000, 1000))
def test_arithmetic_stays_money(one: Money, other: Money, times: int) -> None:
    """To the cent, whichever operand is the plain number."""
    found = {
        one + other: int(one) + int(other),
        one - other: int(one) - int(other),
        one * times: int(one) * times,
        times * one: int(one) * times,
        times - one: times - int(one),
        -one: -int(one),
        abs(one): abs(int(one)),
        sum([one, other]): int(one) + int(other),
        sum_of([one, other]): int(one) + int(other),
        one % 7: int(one) % 7,
        one // 7: int(one) // 7,
    }
    assert all(amount == cents and type(amount) is Money for amount, cents in found.items())
    assert type(Money(10) // Money(3)) is int
    assert Money(10) // Money(3) == 3


@pytest.mark.parametrize("factor", [1.5, Fraction(3, 2), Decimal("1.5"), Money(2), np.float64(1.5)])
def test_money_is_multiplied_by_whole_numbers_only(factor: Any) -> None:
    """Half a cent does not exist, and neither does a square dollar."""
    with pytest.raises(TypeError, match=r"cannot multiply \$10 by .*: money is multiplied by whole numbers"):
        Money(10) * factor


@pytest.mark.parametrize("number", [2, 2.5, Fraction(5, 2), np.int64(2)])
def test_a_true_division_of_money_by_a_number_is_refused(number: Any) -> None:
    """Its result was a plain number of cents."""
    with pytest.raises(TypeError, match=r"cannot divide \$10 by .*: write // for whole cents"):
        Money(10) / number


def test_money_divided_by_money_is_a_ratio() -> None:
    """A float, with `/`."""
    assert Money(15) / Money("$7.50") == 2.0


@given(amounts, st.integers(1, 1000))
def test_divmod_agrees_with_floor_division_and_remainder(amount: Money, parts: int) -> None:
    """Also in its types: by a number, both are money; by money, the first is a count."""
    share, rest = divmod(amount, parts)
    assert (share, rest) == (amount // parts, amount % parts)
    assert type(share) is type(rest) is Money
    count, left = divmod(amount, Money(parts))
    assert count * Money(parts) + left == amount
    assert (type(count), type(left)) == (int, Money)


def test_a_whole_number_of_another_library_multiplies_money() -> None:
    """Such as numpy's, from either side where Python asks `Money` first."""
    assert type(Money(10) * np.int64(3)) is Money
    assert Money(10) * np.int64(3) == Money(30)


@pytest.mark.parametrize("amount", ["2.5", 2.5, None, True, Fraction(5, 2)])
@pytest.mark.parametrize("unit", ["dollars", "cents"])
def test_a_number_of_dollars_or_cents_is_whole(amount: Any, unit: str) -> None:
    """A text is read by `Money` itself."""
    with pytest.raises(Unreadable, match=f"is not a whole number of {unit}; write Money"):
        getattr(Money, unit)(amount)


def test_money_is_dollars_in_columns() -> None:
    """A width pads the text."""
    assert f"{Money(5):>8}|{Money(-5):<8}|{Money(1500):+}" == "      $5|-$5     |+$1,500"


def test_an_amount_that_comes_out_goes_in_again() -> None:
    """Staking `choice.low` stakes exactly that, not a hundred times as much."""
    table = stacked("classic", "Ts Ad 9s 5c", bankroll="$100", settings={"insurance.min": "$2"})
    table.bet("$10")
    table.deal()
    choice = next(choice for choice in table.legal() if choice.action == "insurance")
    assert (str(choice.low), str(choice.high)) == ("$2", "$5")
    table.act("insurance", amount=choice.low)
    assert table.state.results[0].stake == Money("$2")


def test_plain_numbers_are_dollars_at_every_door() -> None:
    """In a bet, a side wager, a bankroll and a buy-in."""
    table = Table("match-up", bankroll=100)
    table.buy_in(50)
    table.bet(10, {"Match Up": 5})
    assert (table.bankroll(), table.at_risk()) == (Money("$150"), Money("$15"))
    assert type(table.bankroll()) is type(table.at_risk()) is type(table.net()) is Money
