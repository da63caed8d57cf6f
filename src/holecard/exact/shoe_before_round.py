"""The shoe a round is dealt from, as people describe it: whole decks or counts, and the cards already seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from holecard.composition import Composition, ShoeLike, composition, full
from holecard.errors import Unreadable, shortly
from holecard.sheets.schema import RuleSheet

#: Cards that are out: "2,2,5", or several such texts.
SeenLike: TypeAlias = str | Sequence[str]


def shoe_before_round(rules: RuleSheet, shoe: ShoeLike | None = None, seen: SeenLike | None = None) -> Composition:
    """Return the given shoe, or the sheet's full decks, without the cards seen."""
    _refuse_empty("shoe", shoe)
    cards = full(rules.shoe.decks) if shoe is None else composition(shoe)
    if seen is None:
        return cards
    _refuse_empty("seen", seen)
    if not isinstance(seen, Iterable):
        raise Unreadable(f"seen: {shortly(seen)} is not a list of cards; write them as in '2,2,5'")
    for one in (seen,) if isinstance(seen, str) else tuple(seen):
        _refuse_empty("seen", one)
    # All at once: cards named twice are two cards.
    return cards.without(seen if isinstance(seen, str) else " ".join(map(str, seen)))


def _refuse_empty(name: str, given: object) -> None:
    if isinstance(given, str) and not given.strip():
        raise Unreadable(f"{name}: no card is named; write cards, or leave it out")
