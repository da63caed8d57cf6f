"""What a record claims beyond its round: the sheet that it was dealt by, and the seed that dealt its cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holecard.deck import DECK
from holecard.errors import RecordError
from holecard.table.dealing.shoe import Shoe

if TYPE_CHECKING:
    from holecard.table.records.record import Record


def check_sheet(record: Record) -> None:
    """Check that the sheet is the one that the round was dealt by, where the record says which one that was."""
    origin, found = record.origin, record.rules.sha256
    if origin is None or origin.sheet == found:
        return
    said = "its [sheet]" if record.game is None else f"the sheet of {record.game!r} in this version of Holecard"
    raise RecordError(
        f"{record.path}: the sheet has changed: {said} has the SHA-256 {found[:16]}..., and Holecard {origin.version} "
        f"dealt the round by {origin.sheet[:16]}...; replay it with that version, or export it again from the server"
    )


def check_seed(record: Record) -> None:
    """Check that the cards are those that the seed deals, up to a shuffle in mid-round."""
    if record.position and record.seed is None:
        raise RecordError(f"{record.path}: shoe: the record has no seed; write one, or leave the shoe out")
    if record.seed is None:
        return
    words = record.rules.shoe
    size = words.decks * len(DECK)
    shoe = Shoe(words, record.seed)
    if record.position:
        if record.position.drawn >= size:
            raise RecordError(
                f"{record.path}: shoe: {record.position.drawn} cards of {size} cannot be drawn before a round"
            )
        shoe = Shoe.at(words, record.seed, record.position)
    said = record.cards[: min(record.reshuffled, default=len(record.cards))]
    for number, (one, dealt) in enumerate(zip(said, shoe.draw(len(said)), strict=False), start=1):
        if one != dealt:
            raise RecordError(
                f"{record.path}: card {number}: seed {record.seed} deals {dealt}, not {one}; "
                "correct the cards, or take the seed out"
            )
