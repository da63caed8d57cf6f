"""Small pieces of sentences: lists, numbers as words, outcomes and odds as verbs."""

from __future__ import annotations

from collections.abc import Sequence

from holecard.odds import odds, spell
from holecard.sheets.files.toml_writer import toml_value

#: Values of `dealer.hole_card` with which a dealer's natural can be found after the players have acted.
UNCHECKED = ("no peek", "none", "peek under aces")
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def listed(parts: Sequence[str], word: str) -> str:
    """Return the words as a list in English: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def number(count: int) -> str:
    """Return a number, a small one as a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def limits(low: str, high: str, step: str) -> str:
    """Return what may be staked: "$5 to $500 in steps of $1", "exactly $1"."""
    return f"exactly {low}" if low == high else f"{low} to {high} in steps of {step}"


def verb(outcome: str) -> str:
    """Return the verb of a result: "wins", "pushes", "loses"."""
    return {"win": "wins", "push": "pushes", "lose": "loses"}[outcome]


def on_soft_17(rule: str) -> str:
    """Return what a dealer does with soft 17."""
    return "hits soft 17" if rule == "hit" else "stands on soft 17"


def plain_value(value: object) -> str:
    """Return a value as sheets write it, a text without quotation marks: true, 6 to 5, { 12 = "lose half" }."""
    try:
        return value if isinstance(value, str) else toml_value(value)
    except TypeError:  # such as None, which TOML does not have
        return str(value)


def does(terms: str) -> str:
    """Return odds as a verb: "pushes", "loses half", "is paid 3 to 2"."""
    net = odds(terms)
    if net > 0:
        return f"is paid {spell(net)}"
    return "pushes" if net == 0 else spell(net).replace("lose", "loses")
