"""A finished shoe as a document that anybody can check: `redeal` deals it again from the revealed seed.

The document says what was promised before the first card, the revealed seeds, and every card in the order it was drawn.
Each round is a record, which replays to the cent by the rules of the sheet.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from holecard.deck import DECK, Card, cards
from holecard.errors import Refusal
from holecard.server.fairness.construction import NAME, commitment, draw_number, shoe_key
from holecard.table.records.record import read_record, replay


class Restock(BaseModel):
    """Discards that were shuffled back into the stock in mid-round, after this many cards of the round."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    after: int
    """How many cards of the round were dealt before."""
    cards: str
    """The discards."""


class DealtCards(BaseModel):
    """The cards of one round, in the order they were drawn."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    number: int
    """The number of the round at its table."""
    cards: str
    """The cards, separated by spaces."""
    restocked: tuple[Restock, ...] = ()
    """Discards that were shuffled back."""
    record: str | None = None
    """The round in full; none for a round that was voided."""


class ShoeDocument(BaseModel):
    """Everything that is needed to deal a shoe again."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    construction: str
    """How cards follow from seeds: `holecard-shoe-1`."""
    shoe: str
    """The shoe's id."""
    sheet: str
    """The SHA-256 of the sheet's content."""
    decks: int
    """How many decks the shoe has."""
    commitment: str
    """The hash that was published before the first card."""
    seed: str
    """The secret seed, in hexadecimal."""
    player_seeds: tuple[str, ...]
    """The players' seeds, in the order in which they were added."""
    burned: str
    """The burned cards."""
    cut_short: bool
    """Whether it ended before it was dealt out."""
    rounds: tuple[DealtCards, ...]
    """The rounds that were dealt from it."""


class Redealt(NamedTuple):
    """What was dealt again, and what differs."""

    rounds: int
    cards: int
    problems: tuple[str, ...]


def redeal(document: ShoeDocument) -> Redealt:
    """Deal a shoe again from its seeds and compare every card, and every wager of every round."""
    problems = list(_promises(document))
    problems += [] if problems else _cards(document)
    for dealt in document.rounds:
        problems += _record(document, dealt)
    total = len(cards(document.burned)) + sum(len(cards(dealt.cards)) for dealt in document.rounds)
    return Redealt(len(document.rounds), total, tuple(problems))


def _promises(document: ShoeDocument) -> Iterator[str]:
    """Compare the seed with the commitment."""
    if document.construction != NAME:
        yield f"the construction {document.construction!r} is not known; this version checks {NAME!r}"
        return
    try:
        seed = bytes.fromhex(document.seed)
    except ValueError:
        yield "the seed is not written in hexadecimal"
        return
    if commitment(seed, document.shoe, document.sheet) != document.commitment:
        yield "the seed is not the one that was promised: its hash with shoe and sheet is not the commitment"


def _cards(document: ShoeDocument) -> list[str]:
    """Draw every card again; stop at the first that differs, because the stock is unknown afterwards."""
    key = shoe_key(bytes.fromhex(document.seed), document.shoe, document.sheet, document.player_seeds)
    stock = sorted(DECK * document.decks)
    for draw, (place, card, put_back) in enumerate(_drawn(document)):
        stock = sorted([*stock, *put_back])
        if not stock:
            return [f"{place}: the shoe is empty, and {card} was dealt"]
        expected = stock.pop(draw_number(key, draw, len(stock)))
        if expected != card:
            return [f"{place}: draw {draw + 1} of the shoe deals {expected}, and the table dealt {card}"]
    return []


def _drawn(document: ShoeDocument) -> Iterator[tuple[str, Card, tuple[Card, ...]]]:
    """Yield every card with its place, and the discards that were put back before it."""
    for card in cards(document.burned):
        yield "burned cards", card, ()
    for dealt in document.rounds:
        restocked = {one.after: cards(one.cards) for one in dealt.restocked}
        for index, card in enumerate(cards(dealt.cards)):
            yield f"round {dealt.number}", card, restocked.get(index, ())


def _record(document: ShoeDocument, dealt: DealtCards) -> Iterator[str]:
    """Replay a round, and compare its sheet and cards with the shoe's."""
    if dealt.record is None:
        return
    place = f"round {dealt.number}"
    try:
        record = read_record(dealt.record)
        replay(record)
    except Refusal as refused:
        yield f"{place}: {refused}"
        return
    if hashlib.sha256(record.rules.content.encode()).hexdigest() != document.sheet:
        yield f"{place}: it was played by another sheet"
    if record.cards != cards(dealt.cards):
        yield f"{place}: the record's cards are not those of the shoe"
    if Counter(record.cards) - Counter(DECK * document.decks):
        yield f"{place}: more cards of a kind than {document.decks} decks hold"
