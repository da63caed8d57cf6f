"""Kinds of drill questions; which of them a game has follows from what its sheet offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from holecard.errors import Refusal, did_you_mean

#: The kinds in the order in which they are listed, with their titles.
TITLES: Final[dict[str, str]] = {
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pairs": "Pairs",
    "more cards": "Three and more cards",
    "after split": "After a split",
    "doubling": "Doubling",
    "double up": "Double-Up",
    "quick pay": "Quick Pay",
    "surrender": "Surrender",
    "insurance": "Insurance and even money",
    "wagers": "Wagers after the check",
    "close": "Close decisions",
}
#: The kind of questions about an action that only some hands may take.
OF_ACTION: Final[dict[str, str]] = {
    "double": "doubling",
    "double up": "double up",
    "quick pay": "quick pay",
    "surrender": "surrender",
}


def listed_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return each kind once, in the order in which they are listed."""
    given = set(kinds)
    return tuple(kind for kind in TITLES if kind in given)


def read_kind(text: str, offered: Iterable[str]) -> str:
    """Return the kind that a person wrote, with hyphens or spaces; refuse one that this game does not have.

    >>> read_kind("more-cards", ["hard", "more cards"])
    'more cards'
    """
    kinds = list(offered)
    wanted = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if wanted in kinds:
        return wanted
    if wanted in TITLES:
        raise Refusal(f"this game has no questions of the kind {wanted!r}; its kinds are {', '.join(kinds)}")
    raise Refusal(f"{text!r} is not a kind of question; {did_you_mean(wanted, kinds)}")
