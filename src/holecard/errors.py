"""Refusals: the exceptions that Holecard raises for invalid input and illegal moves.

    Refusal                     the root: something was asked that cannot be done
    ├── Unreadable              a text that is not a card, hand, odds, amount or spot
    ├── SheetError              a rule sheet that cannot be accepted; carries its problems
    ├── WagerRefused            money: outside the limits, not offered, not affordable
    ├── IllegalMove             an action that the rules do not allow now
    ├── OutOfTurn               a move by a seat that is not asked, or in the wrong phase
    ├── RecordError             a record that does not replay
    ├── ChartError              a strategy chart that cannot be played; carries its problems
    └── CountError              a count, ramp or index play that cannot be used; carries its problems

A refusal never changes anything: the state and the money are as they were before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real

#: What a sheet cannot say, and the nearest thing that it can.
LIMITS_PAGE = "docs/limits-of-sheets.md"


class Refusal(ValueError):
    """The root of every refusal; its text says what is wrong and what would be right."""


class Unreadable(Refusal):
    """A text that is not a card, a hand, odds, or an amount."""


class WagerRefused(Refusal):
    """A wager the table does not take."""


class IllegalMove(Refusal):
    """An action that the rules do not allow now."""


class OutOfTurn(Refusal):
    """A move by a seat that is not asked, or that belongs to another phase of the round."""


class RecordError(Refusal):
    """A record of a round that does not replay."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a sheet: where (a dotted key, and the line if the file is known) and what."""

    where: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        at = [f"line {self.line}"] if self.line else []
        place = ", ".join([*at, self.where] if self.where else at)
        return f"{place}: {self.what}" if place else self.what


class SheetError(Refusal):
    """A rule sheet that cannot be accepted; `problems` lists every reason found."""

    def __init__(self, sheet: str, problems: Iterable[Problem]) -> None:
        self.sheet = sheet
        self.problems = tuple(problems)
        super().__init__("\n".join([f"{sheet}:", *(f"  {problem}" for problem in self.problems)]))


class ChartError(Refusal):
    """A strategy chart that cannot be played; `problems` lists every reason found, and the text the first of them."""

    SHOWN = 12

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        unsaid = len(self.problems) - self.SHOWN
        more = [f"and {unsaid} more like these"] if unsaid > 0 else []
        super().__init__("\n".join([*self.problems[: self.SHOWN], *more]))


class CountError(Refusal):
    """A file about counting that cannot be used; `problems` lists every reason found, with its line."""

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line or 0))
        super().__init__("\n".join([f"{file}:", *(f"  {problem}" for problem in self.problems)]))


def shortly(given: object) -> str:
    """Return what was given, short enough for a refusal."""
    try:
        text = repr(given)
    except ValueError:  # a number of more than 4,300 digits
        text = "an endless number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def part_of(whole: str, part: str) -> str:
    """Return the part of a text that a refusal is about, after the text; a part that is all of it only once.

    >>> part_of("suited 14+", "14+"), part_of("14+", "14+")
    ("'suited 14+': '14+'", "'14+'")
    """
    return repr(whole) if whole == part else f"{whole!r}: {part!r}"


def plural(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "card"), plural(1200, "card")
    ('1 card', '1,200 cards')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def install_extra(name: str) -> str:
    """Return how to install the packages of an extra: from the sources, because no package index has Holecard.

    >>> install_extra("gym")
    "in Holecard's folder, run: pip install '.[gym]'"
    """
    return f"in Holecard's folder, run: pip install '.[{name}]'"


def check_whole(what: str, given: object, example: str) -> None:
    """Raise a `Refusal` for an argument that is not a whole number.

    >>> check_whole("seats", 2.0, "3")
    Traceback (most recent call last):
        ...
    holecard.errors.Refusal: seats must be a whole number such as 3, not 2.0
    """
    if isinstance(given, bool) or not isinstance(given, int):
        raise Refusal(f"{what} must be a whole number such as {example}, not {shortly(given)}")


def check_number(what: str, given: object, example: str) -> None:
    """Raise a `Refusal` for an argument that is not a number.

    >>> check_number("hours", "four", "4")
    Traceback (most recent call last):
        ...
    holecard.errors.Refusal: hours must be a number such as 4, not 'four'
    """
    if isinstance(given, bool) or not isinstance(given, Real):
        raise Refusal(f"{what} must be a number such as {example}, not {shortly(given)}")


def check_threads(threads: object) -> None:
    """Raise a `Refusal` for a number of threads that cannot be started."""
    check_whole("threads", threads, "2")
    if isinstance(threads, int) and threads < 1:
        raise Refusal(f"threads must be 1 or more, not {threads}")


#: One mistake is allowed for this many letters.
_LETTERS_A_MISTAKE = 4


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a refusal: the known word that was misspelled or cut short, or all of them if there is none.

    A word that merely contains a known one, or has many letters in common, asks for something else.

    >>> did_you_mean("surender", ["surrender", "double"]), did_you_mean("free_double", ["double"])
    ("did you mean 'surrender'?", "it can be 'double'")
    """
    choices = list(known)
    typed = _plain(word)
    near = [(mistakes, choice) for choice in choices if (mistakes := _mistakes(typed, _plain(choice))) is not None]
    if near:
        return f"did you mean {min(near, key=lambda found: found[0])[1]!r}?"
    return "it can be " + ", ".join(repr(c) for c in choices) if choices else ""


def _plain(word: str) -> str:
    """Return a word in lower case, with one sign between its parts."""
    return re.sub(r"[-_\s]+", " ", word.strip().lower())


def _mistakes(typed: str, choice: str) -> int | None:
    """Return how many letters are wrong; the letters after a beginning count as one. None if the words differ."""
    if len(typed) > 2 and choice.startswith(typed):
        return min(1, len(choice) - len(typed))
    most = max(1, min(len(typed), len(choice)) // _LETTERS_A_MISTAKE)
    # Any two short words are near each other, so theirs must begin alike.
    if abs(len(typed) - len(choice)) > most or (len(choice) <= _LETTERS_A_MISTAKE and typed[:1] != choice[:1]):
        return None
    mistakes = _distance(typed, choice)
    return mistakes if mistakes <= most else None


def _distance(one: str, other: str) -> int:
    """Return the letters to add, leave out, replace, or exchange with their neighbor, to get from one to the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, above, row = row, before, [i]
        for j, wanted in enumerate(other, start=1):
            costs = [before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted)]
            if above and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                costs.append(above[j - 2] + 1)
            row.append(min(costs))
    return row[-1]
