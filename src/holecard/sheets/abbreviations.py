"""Abbreviations of rules that players use, such as H17 and DAS, and the settings they stand for.

An abbreviation is a setting that is true or false: `--set H17`, `--set DAS=false`, `rules("classic", H17=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from holecard.errors import Problem, SheetError, shortly


class Abbreviation(NamedTuple):
    """The meaning of an abbreviation, and its settings if it is true and if it is false."""

    means: str
    true: Mapping[str, object]
    false: Mapping[str, object]


_HITS, _STANDS = {"dealer.soft_17": "hit"}, {"dealer.soft_17": "stand"}
_AFTER_SPLIT, _NOT_AFTER_SPLIT = {"player.double_after_split": True}, {"player.double_after_split": False}
_ACES_AGAIN, _ACES_ONCE = {"player.split_aces": "again"}, {"player.split_aces": "once"}
_NO_SURRENDER = {"player.surrender": "none"}

ABBREVIATIONS: Mapping[str, Abbreviation] = MappingProxyType(
    {
        "H17": Abbreviation("the dealer hits soft 17", _HITS, _STANDS),
        "S17": Abbreviation("the dealer stands on soft 17", _STANDS, _HITS),
        "DAS": Abbreviation("double after split", _AFTER_SPLIT, _NOT_AFTER_SPLIT),
        "NDAS": Abbreviation("no double after split", _NOT_AFTER_SPLIT, _AFTER_SPLIT),
        "RSA": Abbreviation("resplit aces", _ACES_AGAIN, _ACES_ONCE),
        "NRSA": Abbreviation("no resplitting of aces", _ACES_ONCE, _ACES_AGAIN),
        "LS": Abbreviation("late surrender", {"player.surrender": "late"}, _NO_SURRENDER),
        "ES": Abbreviation("early surrender", {"player.surrender": "early"}, _NO_SURRENDER),
        "ENHC": Abbreviation(
            "European no hole card: the dealer takes the second card after the players, and a natural takes all wagers",
            {"dealer.hole_card": "none", "dealer.natural_takes": "all"},
            {"dealer.hole_card": "peek"},
        ),
        "OBO": Abbreviation(
            "original bets only: a dealer's natural found late takes no wager added by doubling or splitting",
            {"dealer.natural_takes": "original"},
            {"dealer.natural_takes": "all"},
        ),
    }
)


def abbreviation(word: str) -> Abbreviation | None:
    """Return the abbreviation with this name, in any capitals; None if there is none."""
    return ABBREVIATIONS.get(word.strip().upper())


def expand(word: str, value: object) -> Mapping[str, object]:
    """Return the settings of an abbreviation, or the setting itself if the key is not an abbreviation.

    >>> dict(expand("H17", True)), dict(expand("das", False)), dict(expand("decks", 8))
    ({'dealer.soft_17': 'hit'}, {'player.double_after_split': False}, {'decks': 8})
    """
    found = abbreviation(word)
    if found is None:
        return {word: value}
    if not isinstance(value, bool):
        raise SheetError("", [Problem(word, f"{shortly(value)} is not valid; use {word}=true or {word}=false")])
    return found.true if value else found.false
