"""A side wager of an analysis: its pay table with the combinations of each line, and its house edge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from holecard.deck import value_name
from holecard.exact.results import IN_LOWEST_TERMS, LineResult, WagerResult
from holecard.report.document import Block, Heading, Paragraph, table
from holecard.report.house_tables import SENTENCE
from holecard.report.numbers import fraction, percent, precise_dollars, probability, signed, whole

_IN_DOLLARS = "dollars"


def in_dollars(wager: WagerResult) -> bool:
    """Return whether its stake or payouts are fixed amounts, so that its EV is in dollars per round."""
    return _IN_DOLLARS in wager.unit


def side_wager(wager: WagerResult) -> Iterator[Block]:
    """Yield everything about one side wager."""
    yield Heading(wager.name, " ".join(_notes(wager)))
    yield Paragraph(_result(wager))
    yield Paragraph(f"Exactly {fraction(wager.exact)}.")
    if wager.return_of_tax is not None:
        back = percent(wager.return_of_tax, 4)
        yield Paragraph(f"The tax takes {precise_dollars(wager.tax)} per round; the wager returns {back} of it.")
    yield table(_headings("line", "pays"), [_row(line) for line in wager.lines], _sum("all", wager.lines))
    if wager.taxes:
        rows = [_row(line) for line in wager.taxes]
        yield table(_headings("tax", "takes"), rows, _sum("all taxes", wager.taxes))
    if wager.by_upcard:
        cells = sorted(wager.by_upcard, key=_ace_last)
        rows = [(value_name(up), signed(value, 9), fraction(value)) for up, value in cells]
        yield table(("upcard", "EV", "exactly"), rows)


def _ace_last(entry: tuple[int, Fraction]) -> tuple[bool, int]:
    return entry[0] == 1, entry[0]


def _notes(wager: WagerResult) -> Iterator[str]:
    if not wager.printed:
        yield SENTENCE
    yield f"Per {wager.unit}{f', {wager.given}' if wager.given else ''}."
    number = whole(wager.combinations)
    rounded = "; --json prints every digit" if "e+" in number else ""
    if wager.counted == IN_LOWEST_TERMS:
        yield f"Combinations are {wager.counted} ({number} in all{rounded})."
    else:
        yield f"One combination is {wager.counted}; there are {number}{rounded}."


def _result(wager: WagerResult) -> str:
    if in_dollars(wager):
        result = f"EV {precise_dollars(wager.exact)} per round for the player"
    else:
        result = f"House edge {percent(-wager.exact, 6)}"
    deviation = f"${wager.standard_deviation:.4f}" if in_dollars(wager) else f"{wager.standard_deviation:.6f}"
    return f"{result}; hit frequency {percent(wager.hit_frequency, 6)}; standard deviation {deviation}."


def _headings(first: str, amount: str) -> tuple[str, ...]:
    return (first, amount, "combinations", "probability", "return")


def _row(line: LineResult) -> tuple[str, ...]:
    return (
        line.line,
        line.pays,
        whole(line.combinations),
        probability(line.probability),
        signed(line.contribution, 9),
    )


def _sum(name: str, lines: Sequence[LineResult]) -> tuple[str, ...]:
    count = whole(sum(line.combinations for line in lines))
    share = sum(line.probability for line in lines)
    return (name, "", count, probability(share), signed(sum(line.contribution for line in lines), 9))
