"""How numbers are written for people."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from holecard.deck import value_name

#: Printed for an unknown number.
UNKNOWN = "-"
#: Integers longer than this are rounded for people; programs get every digit.
_LONGEST = 12
_LONGEST_FRACTION = 60


def exact_decimal(number: Fraction) -> str:
    """Return a net result as a name: "1.5", "-2", "0.6"; a fraction where no decimal is exact.

    >>> exact_decimal(Fraction(3, 2)), exact_decimal(Fraction(-2)), exact_decimal(Fraction(1, 3))
    ('1.5', '-2', '1/3')
    """
    places = next((places for places in range(30) if 10**places % number.denominator == 0), None)
    if places is None:
        return str(number)
    if places == 0:
        return str(number.numerator)
    digits = f"{abs(number.numerator) * 10**places // number.denominator:0{places + 1}d}"
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def percent(number: float | Fraction, places: int = 4) -> str:
    """Return a number in percent: 0.0061538 is "0.6154%"; never "-0.0000%"."""
    return f"{_no_minus_zero(100 * float(number), places):.{places}f}%"


def signed_whole(number: int) -> str:
    """Return a whole number with its sign, such as a reading or a tag; zero has no sign."""
    return f"{number:+d}" if number else "0"


def signed(number: float | Fraction, places: int = 6) -> str:
    """Return the number with its sign, in decimals: "+0.034385", "-1.000000"; zero has no sign."""
    rounded = _no_minus_zero(float(number), places)
    return f"{rounded:+.{places}f}" if rounded else f"{rounded:.{places}f}"


def precise_dollars(number: float | Fraction, places: int = 6) -> str:
    """Return an amount in dollars with fractions of a cent: "-$0.143580"."""
    rounded = _no_minus_zero(float(number), places)
    return f"{'-' if rounded < 0 else ''}${abs(rounded):.{places}f}"


def probability(number: float | Fraction, places: int = 9) -> str:
    """Return a probability; one too small for the places is written with a power of ten, never as zero."""
    value = float(number)
    if 0 < value < 10**-places:
        return f"{value:.3e}"
    return f"{value:.{places}f}"


def whole(number: int) -> str:
    """Return a count with commas; beyond twelve digits, rounded and with a power of ten."""
    return f"{number:,}" if len(str(number)) <= _LONGEST else f"{Decimal(number):.5e}"


def fraction(number: Fraction) -> str:
    """Return a fraction in full, or its length where it would fill several lines."""
    text = str(number)
    if len(text) <= _LONGEST_FRACTION:
        return text
    return f"a fraction of {len(text)} characters, which --json prints"


def cards_text(values: Iterable[int]) -> str:
    """Return the cards by value as people name a hand: an ace first, then from high to low.

    >>> cards_text((6, 10)), cards_text((7, 1))
    ('T,6', 'A,7')
    """
    return ",".join(map(value_name, sorted(values, key=lambda value: (value != 1, -value))))


def _no_minus_zero(number: float, places: int) -> float:
    return round(number, places) or 0.0


def bound(number: float) -> str:
    """Return an error bound with one digit, rounded up: 1.2e-13 is "2e-13"."""
    if number <= 0:
        return "0"
    power = math.floor(math.log10(number))
    digit = math.ceil(number / 10.0**power - 1e-9)
    return f"{digit}e{power}" if digit < 10 else f"1e{power + 1}"


def decimals(standard_error: float) -> int:
    """Return how many decimals show two digits of a standard error; six if it is zero or unknown.

    >>> decimals(0.0116), decimals(0.00026)
    (3, 5)
    """
    return min(max(1 - math.floor(math.log10(standard_error)), 2), 15) if 0 < standard_error < math.inf else 6


def known(number: float, places: int) -> str:
    """Return the number with this many decimals, or a dash if it is unknown."""
    return f"{number:.{places}f}" if math.isfinite(number) else UNKNOWN


def millions(number: float) -> str:
    """Return a number in millions: 12,300,000 is "12.3", and a billion "1,000"."""
    return f"{number / 1e6:,.{0 if number >= 1e8 else 1}f}"


def confidence(level: float) -> str:
    """Return a confidence level in percent: 0.95 is "95%"."""
    return f"{100 * level:.6g}%"
