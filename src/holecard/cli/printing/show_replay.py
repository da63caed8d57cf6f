"""What `holecard replay` prints: a recorded round event by event, and what it paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from holecard.cli.play.card_art import Signs, face, signs_for
from holecard.cli.printing.house_tables import FOOTNOTE, any_marked, is_printed, mark
from holecard.cli.printing.show import console
from holecard.money import dollars, signed
from holecard.sheets.tables import Tables
from holecard.table.events import CardDealt, Checked, Event, HoleCardShown, Result
from holecard.table.records.record import Record
from holecard.table.state import State


def replay_data(record: Record, final: State) -> dict[str, Any]:
    """`holecard replay FILE --json`: each wager with stake, result and paid line; amounts in cents.

    `checked` tells whether the record said what was paid, and so was compared with the rules.
    """
    return {
        "game": record.game,
        "name": record.rules.name,
        "settings": dict(record.settings),
        "about": record.about,
        "cards": [str(card) for card in record.cards],
        "dealer": {"cards": [str(card) for card in final.dealer], "total": final.dealer_total},
        "wagers": [{**result._asdict(), "printed": is_printed(result.wager, final.tables)} for result in final.results],
        "net": {str(seat.number): _net(final, seat.number) for seat in final.seats},
        "checked": bool(record.paid),
    }


def _net(state: State, seat: int) -> int:
    return sum(result.net for result in state.results if result.seat == seat)


def show_replay(record: Record, states: Sequence[State]) -> None:
    """The round event by event; whatever the record says is printed as it stands, never read as markup."""
    out = console()
    signs = signs_for(out.encoding)
    out.print(Text(record.rules.name, style="bold"))
    if record.about:
        out.print(Text(record.about))
    if record.seed is not None:
        out.print(Text(f"Practice table, seed {record.seed}.", style="dim"))
    for state in states:
        for event in state.events:
            out.print(Text(f"  {_say(event, signs, state.tables)}"))
    if any_marked((result.wager for result in states[-1].results), states[-1].tables):
        out.print(Text(FOOTNOTE, style="dim"))
    for seat in states[-1].seats:
        out.print(Text(f"seat {seat.number}: {signed(_net(states[-1], seat.number))}", style="bold"))
    out.print(Text(_verdict(record), style="dim"))


def _verdict(record: Record) -> str:
    if record.paid:
        return "The record replays to the cent."
    return "The record does not say what was paid; the rules pay this."


def _say(event: Event, signs: Signs, tables: Tables) -> str:
    if isinstance(event, CardDealt):
        who = "dealer" if event.seat == 0 else f"seat {event.seat} hand {event.hand}"
        card = face(event.card, signs) if event.card is not None else "a card"
        return f"{who}: {card}" + (" face down" if event.hidden else "")
    if isinstance(event, HoleCardShown):
        return f"dealer turns {face(event.card, signs)}"
    if isinstance(event, Checked):
        return "dealer looks: a natural" if event.natural else "dealer looks: no natural"
    assert isinstance(event, Result)
    place = f"seat {event.seat}" + (f" hand {event.hand}" if event.hand else "")
    name = f"{event.wager}{mark(event.wager, tables)}"
    return f"{place}: {name} {dollars(event.stake)} {signed(event.net)} ({event.line})"
