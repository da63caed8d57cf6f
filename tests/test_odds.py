"""Odds as exact fractions of the stake."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holecard.errors import Unreadable
from holecard.odds import odds, payable, spell


@pytest.mark.parametrize(
    ("words", "net"),
    [
        ("3 to 2", Fraction(3, 2)),
        ("6:5", Fraction(6, 5)),
        ("6 : 5", Fraction(6, 5)),
        ("1.5 to 1", Fraction(3, 2)),
        ("0 to 1", Fraction(0)),
        ("  2   TO 1 ", Fraction(2)),
        ("500 to 1", Fraction(500)),
        ("push", Fraction(0)),
        ("Even Money", Fraction(1)),
        ("win", Fraction(1)),
        ("lose", Fraction(-1)),
        ("lose half", Fraction(-1, 2)),
    ],
)
def test_odds_read_as_the_net_win(words: str, net: Fraction) -> None:
    """Odds are "to" the stake, not "for" it."""
    assert odds(words) == net


@given(st.fractions(min_value=0, max_value=10_000, max_denominator=1000))
def test_odds_spelled_read_back(net: Fraction) -> None:
    """Every payoff, exactly."""
    assert odds(spell(net)) == net


def digits(most: int) -> st.SearchStrategy[str]:
    """Up to this number of digits, zeros in front included; quicker than a regular expression, which loads Unicode."""
    return st.lists(st.sampled_from("0123456789"), min_size=1, max_size=most).map("".join)


DECIMALS = st.just("") | digits(9).map(".{}".format)
BETWEEN = st.sampled_from(["to", ":", " to ", " : ", "to ", " :"])


@given(st.tuples(digits(18), DECIMALS, BETWEEN, digits(18)).map("".join))
@example("1.333333333 to 1")
@example("999999999.999999999 to 999999999")
@example("0.000000001 to 999999999")
def test_odds_that_are_read_can_be_read_again_as_spelled(words: str) -> None:
    """A sheet stores its odds as text, so the text must mean the same; other odds are refused."""
    first, second = re.split(" ?(?:to|:) ?", words)
    net = Fraction(first) / int(second) if int(second) else None
    if net is None or max(net.numerator, net.denominator) >= 10**18:
        with pytest.raises(Unreadable):
            odds(words)
        return
    assert odds(words) == net
    assert odds(spell(net)) == net


@pytest.mark.parametrize("words", ["1.333333333 to 1", "1.5 to 1", "999999999.999999999 to 1", "1 to 999999999"])
def test_decimals_up_to_nine_places_are_kept_exactly(words: str) -> None:
    """Written as integers and read back."""
    assert spell(odds(words)) == spell(odds(spell(odds(words))))


def test_odds_of_too_many_digits_are_refused() -> None:
    """Odds that could not be written again are not read."""
    with pytest.raises(Unreadable, match="more than 18 digits"):
        odds("999999999999999999.1 to 1")


@pytest.mark.parametrize("net", [Fraction(-1), Fraction(-1, 2), Fraction(0)])
def test_losses_spelled_read_back(net: Fraction) -> None:
    """The losses that a sheet can state."""
    assert odds(spell(net)) == net


@pytest.mark.parametrize(
    "words", ["", "3 to", "3 to 0", "-1 to 1", "three of two", "3/2", "lose a third", "4 for 0", "5 for 2"]
)
def test_invalid_odds_are_refused(words: str) -> None:
    """The message shows how to write them."""
    with pytest.raises(Unreadable, match="write '3 to 2'"):
        odds(words)


@pytest.mark.parametrize(
    "words",
    ["1 to 3", "5 to 13", "1.3333 to 1", "13 to 10", "6.5 to 5", "1000000 to 1", "999999999 to 999999998", "push"],
)
def test_odds_that_a_casino_could_print_are_payable(words: str) -> None:
    assert payable(words) == odds(words)


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("999999999 to 1", "at most 1,000,000 to 1"),
        ("1000000.5 to 1", "at most 1,000,000 to 1"),
        ("0.000000001 to 7", "in lowest terms it must be at most 1,000,000,000"),
    ],
)
def test_odds_beyond_the_limits_are_refused(words: str, right: str) -> None:
    """The message states the limit."""
    with pytest.raises(Unreadable, match=right):
        payable(words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("200 for 1", "'200 for 1' includes the stake, which odds leave out; write '199 to 1'"),
        ("3 for 2", "write '1 to 2'"),
        ("1 for 1", "write 'push'"),
        ("1 for 2", "write 'lose half'"),
        ("1 for 3", "'1 for 3' is not odds"),
        ("5", "'5' is a number, not odds; write '5 to 1'"),
        ("5x", "write '5 to 1'"),
        ("7-2", "write '7 to 2'"),
        ("$10", "'$10' is an amount of money, but odds are needed here"),
        ("200 for one", "write '199 to 1'"),
        ("200-for-1", "write '199 to 1'"),
        ("1,000 for 1", "write '999 to 1'"),
        ("1,000 to 1", "'1,000 to 1' is not written like this; write '1000 to 1'"),
        ("five to one", "write '5 to 1'"),
        (".5 to 1", "write '0.5 to 1'"),
        ("evens", "write 'even money'"),
        ("pushes", "write 'push'"),
        ("loses half", "write 'lose half'"),
        ("plenty", "'plenty' is not odds; write '3 to 2'"),
    ],
)
def test_what_is_not_odds_is_refused_with_the_odds_that_it_means(words: str, says: str) -> None:
    """A placard's "for" counts the returned stake; odds "to" do not."""
    with pytest.raises(Unreadable) as refused:
        odds(words)
    assert says in str(refused.value)
    for offered in re.findall(r"write '([^']+)'", str(refused.value)):
        odds(offered)
