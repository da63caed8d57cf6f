"""Money: whole cents, written as dollars."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal, TypeAlias

from holecard.errors import Unreadable

#: "$2.50", "2.50", or a whole number of dollars.
MoneyLike: TypeAlias = str | int
Rounding: TypeAlias = Literal["down", "nearest", "up"]

_TOO_MUCH = 10**12
_MONEY = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d{1,2}))?$", re.ASCII)


def cents(amount: MoneyLike) -> int:
    """Whole cents of an amount in dollars.

    >>> cents("$2.50"), cents(10), cents("20,000")
    (250, 1000, 2000000)
    """
    if isinstance(amount, int) and not isinstance(amount, bool) and 0 <= amount < _TOO_MUCH:
        return amount * 100
    match = _MONEY.match(amount.strip()) if isinstance(amount, str) else None
    if not match:
        raise Unreadable(f"{amount!r} is no amount of money; write dollars such as '$5' or '$2.50'")
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))


def dollars(amount: int) -> str:
    """An amount of cents as people write it: "$5", "$2.50", "-$10"."""
    whole, part = divmod(abs(amount), 100)
    text = f"${whole:,}" + (f".{part:02d}" if part else "")
    return "-" + text if amount < 0 else text


def signed(amount: int) -> str:
    """A result: "+$15", "-$10", "$0"."""
    return "+" + dollars(amount) if amount > 0 else dollars(amount)


def net_win(stake: int, result: Fraction, rounding: Rounding = "down") -> int:
    """Net cents of a stake: down is the house's favour, for wins and for half losses alike.

    >>> net_win(500, Fraction(3, 2)), net_win(101, Fraction(-1, 2))
    (750, -51)
    """
    product, unit = stake * result.numerator, result.denominator
    if rounding == "down":
        return product // unit
    if rounding == "up":
        return -(-product // unit)
    return (2 * product + unit) // (2 * unit)
