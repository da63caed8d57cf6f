"""Money: one type that counts whole cents and reads and prints as dollars.

Wherever an amount is given, a number or a text means dollars (`10`, `"10"`, `"$10"`) and a `Money` is taken as it is:

    >>> Money("$10") == Money(10) == Money.dollars(10) == Money.cents(1000)
    True
    >>> stake = Money("$10")
    >>> print(stake, 3 * stake, -stake // 4, sum([stake, stake]))
    $10 $30 -$2.50 $20

In arithmetic and comparisons a `Money` is the whole number of its cents, like any `int`: `Money("$1") == 100`, and
`Money("$1") + 1` is $1.01. What has no answer in whole cents is refused:

    >>> stake * 1.5
    Traceback (most recent call last):
    TypeError: cannot multiply $10 by 1.5: money is multiplied by whole numbers; multiply int(amount), its cents
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from numbers import Number
from operator import index
from typing import Any, Literal, TypeAlias

from holecard.errors import Unreadable, shortly

#: "$2.50", "2.50", a whole number of dollars, or a `Money`.
MoneyLike: TypeAlias = "str | int | Money"
Rounding: TypeAlias = Literal["down", "nearest", "up"]

_TOO_MANY_DOLLARS = 10**12
_MONEY = re.compile(r"([+-]?)\$?\s*(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d{1,2}))?$", re.ASCII)
_MANY_DIGITS = re.compile(r"\+?\$?\s*(?:\d{13,}|\d{1,3}(?:,\d{3}){4,})(?:\.\d{1,2})?$", re.ASCII)


class Money(int):
    """An amount of money in whole cents, positive or negative.

    Sums, differences, negatives and multiples by a whole number stay `Money`, and so does `sum`. Dividing by a plain
    whole number (`//`) gives `Money`, rounded down to the cent. Dividing by a `Money` counts how often it fits (`//`)
    or gives the ratio (`/`).
    """

    __slots__ = ()

    def __new__(cls, amount: MoneyLike) -> Money:
        if type(amount) is Money:
            return amount
        return _new(cls, _read(amount))

    @classmethod
    def dollars(cls, amount: int) -> Money:
        """Return a whole number of dollars as money."""
        return _new(cls, _whole(amount, "dollars") * 100)

    @classmethod
    def cents(cls, amount: int) -> Money:
        """Return a whole number of cents as money."""
        return _new(cls, _whole(amount, "cents"))

    def __str__(self) -> str:
        return dollars(self)

    def __repr__(self) -> str:
        return f'Money("{dollars(self)}")'

    def __format__(self, spec: str) -> str:
        """Format the text; "+" writes the sign of a win: f"{net:+}" is "+$15"."""
        return format(signed_dollars(self), spec[1:]) if spec.startswith("+") else format(dollars(self), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Money.cents, (int(self),)

    def __add__(self, other: int) -> Money:
        found = _add(self, other)
        return found if found is NotImplemented else _new(Money, found)

    __radd__ = __add__

    def __sub__(self, other: int) -> Money:
        found = _sub(self, other)
        return found if found is NotImplemented else _new(Money, found)

    def __rsub__(self, other: int) -> Money:
        found = _rsub(self, other)
        return found if found is NotImplemented else _new(Money, found)

    def __mul__(self, other: int) -> Money:
        if type(other) is int:
            return _new(Money, _mul(self, other))
        return _times(self, other)  # type: ignore[no-any-return]

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> int:
        found = _floordiv(self, other)
        return found if found is NotImplemented or isinstance(other, Money) else _new(Money, found)

    def __mod__(self, other: int) -> Money:
        found = _mod(self, other)
        return found if found is NotImplemented else _new(Money, found)

    def __divmod__(self, other: int) -> tuple[int, Money]:
        return self // other, self % other

    def __truediv__(self, other: int) -> float:
        if isinstance(other, Money):
            return int(self) / int(other)
        if isinstance(other, Number):
            raise TypeError(f"cannot divide {self} by {other!r}: write // for whole cents, rounded down")
        return NotImplemented

    def __neg__(self) -> Money:
        return _new(Money, _neg(self))

    def __pos__(self) -> Money:
        return self

    def __abs__(self) -> Money:
        return _new(Money, _abs(self))


# Bound once: these run for every wager that a table settles.
_new = int.__new__
_add, _sub, _rsub, _mul, _neg, _abs = int.__add__, int.__sub__, int.__rsub__, int.__mul__, int.__neg__, int.__abs__
_floordiv: Any = int.__floordiv__
_mod = int.__mod__

NO_MONEY = _new(Money, 0)


def _times(amount: Money, factor: Any) -> Any:
    """Return a multiple by a whole number of another type, such as numpy's; refuse all other numbers."""
    if not isinstance(factor, Number):
        return NotImplemented
    if isinstance(factor, Money) or not hasattr(factor, "__index__"):
        raise TypeError(
            f"cannot multiply {amount} by {factor!r}: money is multiplied by whole numbers; "
            "multiply int(amount), its cents"
        )
    return _new(Money, int(amount) * index(factor))


def _whole(amount: Any, unit: str) -> int:
    if isinstance(amount, bool) or not hasattr(amount, "__index__"):
        raise Unreadable(
            f"{shortly(amount)} is not a whole number of {unit}; write Money('$2.50') for dollars and cents"
        )
    return index(amount)


def _read(amount: object) -> int:
    """Return the cents of an amount in dollars."""
    if isinstance(amount, int) and not isinstance(amount, bool):
        if isinstance(amount, Money):
            return int(amount)
        if -_TOO_MANY_DOLLARS < amount < _TOO_MANY_DOLLARS:
            return amount * 100
    match = _MONEY.match(amount.strip()) if isinstance(amount, str) else None
    if not match:
        raise _unreadable(amount)
    found = int(match[2].replace(",", "")) * 100 + int((match[3] or "").ljust(2, "0"))
    return -found if match[1] == "-" else found


def money(amount: MoneyLike) -> Money:
    """Return an amount that can be staked: dollars, zero or more, without a sign.

    >>> money("$2.50"), money(10), money("20,000")
    (Money("$2.50"), Money("$10"), Money("$20,000"))
    """
    if type(amount) is int and 0 <= amount < _TOO_MANY_DOLLARS:
        return _new(Money, amount * 100)
    found = amount if type(amount) is Money else Money(amount)
    if found < 0 or (isinstance(amount, str) and amount.lstrip()[:1] in "+-"):
        raise _unreadable(amount)
    return found


def sum_of(amounts: Iterable[Money]) -> Money:
    """Return the sum of amounts; faster than `sum`, which makes a `Money` of every step."""
    return _new(Money, reduce(_add, amounts, 0))


def _unreadable(amount: object) -> Unreadable:
    too_large = _MANY_DIGITS.match(str(amount).strip()) if isinstance(amount, str) else _is_too_large(amount)
    if too_large:
        return Unreadable(f"{shortly(amount)} is too large; amounts are below {dollars(_TOO_MANY_DOLLARS * 100)}")
    return Unreadable(f"{shortly(amount)} is not an amount of money; write dollars such as 5, '$5' or '$2.50'")


def _is_too_large(amount: object) -> bool:
    return isinstance(amount, int) and not isinstance(amount, bool) and amount >= _TOO_MANY_DOLLARS


def dollars(amount: int) -> str:
    """Return an amount of cents as people write it: "$5", "$2.50", "-$10"."""
    whole, part = divmod(abs(int(amount)), 100)
    text = f"${whole:,}" + (f".{part:02d}" if part else "")
    return "-" + text if amount < 0 else text


def signed_dollars(amount: int) -> str:
    """Return a result with its sign: "+$15", "-$10", "$0"."""
    return "+" + dollars(amount) if amount > 0 else dollars(amount)


def net_win(stake: int, result: Fraction, rounding: Rounding = "down") -> Money:
    """Return the net win of a stake; rounding down favors the house, for wins and for half losses.

    >>> net_win(Money("$5"), Fraction(3, 2)), net_win(Money("$1.01"), Fraction(-1, 2))
    (Money("$7.50"), Money("-$0.51"))
    """
    odds, unit = result.as_integer_ratio()
    product = int(stake) * odds
    if rounding == "down":
        return _new(Money, product // unit)
    if rounding == "up":
        return _new(Money, -(-product // unit))
    return _new(Money, (2 * product + unit) // (2 * unit))
