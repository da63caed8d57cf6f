"""How numbers are written for people, and the grids they stand in: 80 columns, and readable without colour."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from rich.box import SIMPLE
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holecard.cli.printing.columns import columns
from holecard.deck import value_name

INDENT = 2
#: Integers longer than this are rounded for people; programs get every digit.
_LONGEST = 12
_LONGEST_FRACTION = 60


def exact_decimal(number: Fraction) -> str:
    """A net result as a name: "1.5", "-2", "0.6"; a fraction where no decimal is exact.

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
    """0.0061538 is "0.6154%"; never "-0.0000%"."""
    return f"{_no_minus_zero(100 * float(number), places):.{places}f}%"


def signed(number: float | Fraction, places: int = 6) -> str:
    """With its sign, in decimals: "+0.034385", "-1.000000"; nothing has no sign."""
    rounded = _no_minus_zero(float(number), places)
    return f"{rounded:+.{places}f}" if rounded else f"{rounded:.{places}f}"


def dollars_and(number: float | Fraction, places: int = 6) -> str:
    """An amount with parts of a cent: "-$0.143580"."""
    rounded = _no_minus_zero(float(number), places)
    return f"{'-' if rounded < 0 else ''}${abs(rounded):.{places}f}"


def chance(number: float | Fraction, places: int = 9) -> str:
    """A probability; one too small for the places is written with a power of ten, never as nothing."""
    value = float(number)
    if 0 < value < 10**-places:
        return f"{value:.3e}"
    return f"{value:.{places}f}"


def whole(number: int) -> str:
    """With commas; a number beyond twelve digits is rounded, and looks it."""
    return f"{number:,}" if len(str(number)) <= _LONGEST else f"{Decimal(number):.5e}"


def fraction(number: Fraction) -> str:
    """As it is, or where it would fill lines, that it is long."""
    text = str(number)
    if len(text) <= _LONGEST_FRACTION:
        return text
    return f"a fraction of {len(text)} characters, which --json prints"


def say_cards(values: Iterable[int]) -> str:
    """Cards by value as people name a hand: the ace first, then the higher ones.

    >>> say_cards((6, 10)), say_cards((7, 1))
    ('T,6', 'A,7')
    """
    return ",".join(map(value_name, sorted(values, key=lambda value: (value != 1, -value))))


def _no_minus_zero(number: float, places: int) -> float:
    return round(number, places) or 0.0


def bound(number: float) -> str:
    """An error bound with one digit, rounded up: 1.2e-13 is "2e-13"."""
    if number <= 0:
        return "0"
    power = math.floor(math.log10(number))
    digit = math.ceil(number / 10.0**power - 1e-9)
    return f"{digit}e{power}" if digit < 10 else f"1e{power + 1}"


def title(out: Console, words: str, remark: str = "") -> None:
    """A heading, with what has to be known before reading on."""
    out.print(Text(words, style="bold"))
    if remark:
        say(out, remark)


def say(out: Console, words: str, style: str = "dim") -> None:
    """Wrapped words under a heading, without blanks at the ends of the lines."""
    for line in Text(words, style=style).wrap(out, out.width - INDENT):
        line.rstrip()
        out.print(Text(" " * INDENT).append_text(line), soft_wrap=True)


def facts(out: Console, rows: Iterable[Sequence[str]]) -> None:
    """A name, its figure where there is one, and what there is to say of it, line by line."""
    cells = [[Text(row[0], style="dim"), *map(Text, row[1:])] for row in rows]
    figures = range(1, max(len(row) for row in cells) - 1)
    for line in columns(cells, out.width - INDENT, figures):
        out.print(Text(" " * INDENT).append_text(line), no_wrap=True, overflow="ignore", crop=False)
    out.print()


def grid(
    out: Console,
    headers: Sequence[str],
    rows: Iterable[Sequence[str | Text]],
    total: Sequence[str] | None = None,
    *,
    gap: int = 3,
) -> None:
    """Rows under headers, the first column left and the others right; a total is set off by a line."""
    # The box itself puts one blank between columns.
    padding = (0, (gap - 1) // 2, 0, gap // 2)
    table = Table(box=SIMPLE, show_edge=False, pad_edge=False, padding=padding, show_footer=total is not None)
    for index, header in enumerate(headers):
        footer = "" if total is None else total[index]
        table.add_column(header, footer, justify="left" if index == 0 else "right", no_wrap=index > 0)
    for row in rows:
        table.add_row(*row)
    out.print(Padding(table, (0, 0, 0, INDENT), expand=False))
    out.print()
