"""Fractions of a cent in words: "+4.9¢", "-12.3¢", and dollars where cents would be hard to read."""

from __future__ import annotations

from collections.abc import Sequence

_DOLLAR = 100
#: Amounts from here on are written in dollars.
_TEN_DOLLARS = 1000


def cents_text(cents: float, *, signed: bool = True) -> str:
    """Return an amount in cents with one decimal, or from ten dollars on in dollars.

    >>> cents_text(4.94), cents_text(-12.3), cents_text(-0.04), cents_text(-1284), cents_text(7.2, signed=False)
    ('+4.9¢', '-12.3¢', '0.0¢', '-$12.84', '7.2¢')
    """
    size = abs(cents)
    text = f"{size:.1f}¢" if size < _TEN_DOLLARS else f"${size / _DOLLAR:,.2f}"
    if not signed or not round(size, 1):
        return text
    return ("+" if cents > 0 else "-") + text


def alike(amounts: Sequence[float]) -> list[str]:
    """Return amounts in cents with one unit for all, so that they compare at a glance.

    >>> alike([984.3, -20]), alike([984.3, -1000])
    (['+984.3¢', '-20.0¢'], ['+$9.84', '-$10.00'])
    """
    in_dollars = any(abs(cents) >= _TEN_DOLLARS for cents in amounts)
    return [dollars_text(cents) if in_dollars else cents_text(cents) for cents in amounts]


def dollars_text(cents: float) -> str:
    """Return a sum in dollars and cents with its sign: "-$9.85".

    >>> dollars_text(-985.2), dollars_text(0.3), dollars_text(123456)
    ('-$9.85', '$0.00', '+$1,234.56')
    """
    rounded = round(cents)
    text = f"${abs(rounded) / _DOLLAR:,.2f}"
    return text if not rounded else ("+" if rounded > 0 else "-") + text
