"""A replayed round, event by event, and what every wager won or lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from holecard.deck import RANKS, Card
from holecard.money import dollars, signed_dollars
from holecard.presentation import Presented
from holecard.report.document import QUIET, STRONG, Block, Document, Heading, Paragraph
from holecard.report.house_tables import FOOTNOTE, any_marked, is_printed, mark
from holecard.report.sheet import identity
from holecard.sheets.tables import Tables
from holecard.table.events import CardDealt, Checked, Event, HoleCardShown, Result
from holecard.table.records.record import Record
from holecard.table.state import State


@dataclass(frozen=True, repr=False)
class ReplayedRound(Presented):
    """A record and the states of its round."""

    _report = "sheets.replay"

    record: Record
    states: tuple[State, ...]

    @property
    def final(self) -> State:
        return self.states[-1]

    def net(self, seat: int) -> int:
        """Return the cents won or lost by a seat."""
        return sum(result.net for result in self.final.results if result.seat == seat)


def summary(found: ReplayedRound) -> str:
    """Return a line such as `ReplayedRound(NAME: seat 1 +$15)`."""
    nets = ", ".join(f"seat {seat.number} {signed_dollars(found.net(seat.number))}" for seat in found.final.seats)
    return f"ReplayedRound({found.record.rules.name}: {nets})"


def data(found: ReplayedRound) -> dict[str, Any]:
    """Return the data of `holecard replay --json`: each wager with stake, result and paid line; amounts in cents.

    `checked` is true if the record states what was paid, which was then compared with the rules.
    """
    record, final = found.record, found.final
    return {
        **identity(record.rules),
        "game": record.game,
        "name": record.rules.name,
        "settings": dict(record.settings),
        "about": record.about,
        "origin": None if record.origin is None else asdict(record.origin),
        "cards": [str(card) for card in record.cards],
        "dealer": {"cards": [str(card) for card in final.dealer], "total": final.dealer_total},
        "wagers": [{**result._asdict(), "printed": is_printed(result.wager, final.tables)} for result in final.results],
        "net": {str(seat.number): found.net(seat.number) for seat in final.seats},
        "checked": bool(record.paid),
    }


def rows(found: ReplayedRound) -> list[dict[str, Any]]:
    """Return one row for each settled wager."""
    final = found.final
    return [
        {
            "seat": result.seat,
            "hand": result.hand,
            "wager": result.wager,
            "stake in dollars": int(result.stake) / 100,
            "net in dollars": int(result.net) / 100,
            "line": result.line,
            "printed": is_printed(result.wager, final.tables),
        }
        for result in final.results
    ]


def document(found: ReplayedRound, *, suits: str = "♠♥♦♣") -> Document:
    """Return the events in order; `suits` are the signs of spades, hearts, diamonds and clubs."""
    return Document(f"{found.record.rules.name}: replay", tuple(_blocks(found, suits)))


def _blocks(found: ReplayedRound, suits: str) -> Iterator[Block]:
    record, final = found.record, found.final
    yield Heading(record.rules.name, level=1)
    if record.about:
        yield Paragraph(record.about, indent=0)
    if record.origin is not None:
        yield Paragraph(f"T{str(record.origin)[1:]}, dealt by Holecard {record.origin.version}.", QUIET, indent=0)
    if record.seed is not None:
        yield Paragraph(f"Practice table, seed {record.seed}.", QUIET, indent=0)
    for state in found.states:
        for event in state.events:
            yield Paragraph(_event(event, suits, state.tables))
    if any_marked((result.wager for result in final.results), final.tables):
        yield Paragraph(FOOTNOTE, QUIET, indent=0)
    for seat in final.seats:
        yield Paragraph(f"seat {seat.number}: {signed_dollars(found.net(seat.number))}", STRONG, indent=0)
    yield Paragraph(_verdict(record), QUIET, indent=0)


def _verdict(record: Record) -> str:
    if record.paid:
        return "The record replays to the cent."
    return "The record does not state what was paid; the rules pay this."


def _event(event: Event, suits: str, tables: Tables) -> str:
    if isinstance(event, CardDealt):
        who = "dealer" if event.seat == 0 else f"seat {event.seat} hand {event.hand}"
        card = _face(event.card, suits) if event.card is not None else "a card"
        return f"{who}: {card}" + (" face down" if event.hidden else "")
    if isinstance(event, HoleCardShown):
        return f"dealer turns {_face(event.card, suits)}"
    if isinstance(event, Checked):
        return f"dealer checks: {'a' if event.natural else 'no'} natural (blackjack)"
    assert isinstance(event, Result)
    place = f"seat {event.seat}" + (f" hand {event.hand}" if event.hand else "")
    name = f"{event.wager}{mark(event.wager, tables)}"
    return f"{place}: {name} {dollars(event.stake)} {signed_dollars(event.net)} ({event.line})"


def _face(card: Card, suits: str) -> str:
    return RANKS[card.rank].replace("T", "10") + suits[card.suit]
