"""A side wager on paper: its pay table with the ways each line is made, and what the whole of it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import Console

from holecard.cli.printing.format import (
    chance,
    dollars_and,
    fraction,
    grid,
    percent,
    say,
    signed,
    title,
    whole,
)
from holecard.cli.printing.house_tables import SENTENCE
from holecard.deck import value_name
from holecard.exact.results import LineResult, WagerResult

_IN_DOLLARS = "dollars"


def show_wager(out: Console, wager: WagerResult) -> None:
    """Everything about one side wager."""
    title(out, wager.name, " ".join(_remarks(wager)))
    say(out, _verdict(wager), style="")
    say(out, f"Exactly {fraction(wager.exact)}.", style="")
    if wager.return_of_tax is not None:
        back = percent(wager.return_of_tax, 4)
        say(out, f"The tax takes {dollars_and(wager.tax)} a round, and {back} of it comes back.", style="")
    out.print()
    grid(out, _headers("line", "pays"), map(_row, wager.lines), _sum("all", wager.lines))
    if wager.taxes:
        grid(out, _headers("tax", "takes"), map(_row, wager.taxes), _sum("all taxes", wager.taxes))
    if wager.by_upcard:
        rows = [
            (value_name(up), signed(value, 9), fraction(value)) for up, value in sorted(wager.by_upcard, key=_ace_last)
        ]
        grid(out, ("upcard", "value", "exactly"), rows)


def _ace_last(entry: tuple[int, Fraction]) -> tuple[bool, int]:
    return entry[0] == 1, entry[0]


def in_dollars(wager: WagerResult) -> bool:
    """Its stake or payouts are fixed amounts, so that its value is dollars a round."""
    return _IN_DOLLARS in wager.unit


def _remarks(wager: WagerResult) -> Iterator[str]:
    if not wager.printed:
        yield SENTENCE
    yield f"Per {wager.unit}{f', {wager.given}' if wager.given else ''}."
    number = whole(wager.combinations)
    rounded = ", rounded here, whole with --json" if "e+" in number else ""
    yield f"One combination is {wager.counted}; there are {number}{rounded}."


def _verdict(wager: WagerResult) -> str:
    if in_dollars(wager):
        worth = f"Worth {dollars_and(wager.exact)} a round to the player"
    else:
        worth = f"House edge {percent(-wager.exact, 6)}"
    deviation = f"${wager.standard_deviation:.4f}" if in_dollars(wager) else f"{wager.standard_deviation:.6f}"
    return f"{worth}; hit frequency {percent(wager.hit_frequency, 6)}; standard deviation {deviation}."


def _headers(first: str, amount: str) -> tuple[str, ...]:
    return (first, amount, "combinations", "probability", "return")


def _row(line: LineResult) -> tuple[str, ...]:
    return (
        line.line,
        line.pays,
        whole(line.combinations),
        chance(line.probability),
        signed(line.contribution, 9),
    )


def _sum(name: str, lines: Sequence[LineResult]) -> tuple[str, ...]:
    count = whole(sum(line.combinations for line in lines))
    probability = sum(line.probability for line in lines)
    return (name, "", count, chance(probability), signed(sum(line.contribution for line in lines), 9))
