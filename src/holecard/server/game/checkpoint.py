"""A place in a table's log from which it can be folded without what came before: the commitment to a shoe.

A checkpoint says what the entries before it left on the table. It follows from the log, so it can always be made again.
The last round of the shoe before is still shown then; it is read from its record. A table has one checkpoint, to
continue from. The start of a shoe says less and is kept for every shoe: enough to fold the shoe's own rounds again.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from holecard.server.game.entries import ShoeCommitted, TableEntry, TableOpened
from holecard.server.game.folded_table import FoldedTable, Sitter
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import NoMoreBets
from holecard.table.notation.moves import read_bet, read_play
from holecard.table.records.record import Record, read_record
from holecard.table.records.recorded_cards import RecordedCards
from holecard.table.state import State


class Checkpoint(BaseModel):
    """What is on a table after it has committed itself to a shoe."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sequence: int
    rounds: int
    shows_round: bool
    """Whether the last round is still on the table."""
    seats: dict[int, tuple[str, str]]
    """User and name by seat."""
    players: dict[int, str]
    house: int
    """What the house has won at this table, in cents."""
    first_bet_at: int
    asked_at: int
    active_at: int
    chips: Mapping[str, int] = {}
    """What users have of the table's own chips, in cents."""


def checkpoint_of(table: FoldedTable, entry: TableEntry, house: int, chips: Mapping[str, int]) -> Checkpoint | None:
    """Return the checkpoint after an entry; None where the fold has to begin further back."""
    if not isinstance(entry, ShoeCommitted) or table.was_voided or table.next_state.seats:
        return None
    return Checkpoint(
        sequence=table.sequence,
        rounds=table.rounds,
        shows_round=table.state.phase == "done",
        seats={seat: (sitter.user, sitter.name) for seat, sitter in table.seats.items()},
        players=table.players,
        house=house,
        first_bet_at=table.first_bet_at,
        asked_at=table.asked_at,
        active_at=table.active_at,
        chips=chips,
    )


def resume(
    opened: TableOpened, sheet: RuleSheet, checkpoint: Checkpoint, entry: ShoeCommitted, record: str | None
) -> FoldedTable:
    """Return the table at a checkpoint, whose entry commits to a shoe; `record` is that of the round it shows."""
    table = FoldedTable(opened, sheet, checkpoint.active_at)
    table.seats = {seat: Sitter(user, name) for seat, (user, name) in checkpoint.seats.items()}
    table.rounds = checkpoint.rounds
    if checkpoint.shows_round:
        read = read_record(record or "")
        table.show(end_of(read, sheet), read)
    table.apply(entry, checkpoint.active_at)
    table.restore(checkpoint.players, checkpoint.sequence)
    table.first_bet_at, table.asked_at = checkpoint.first_bet_at, checkpoint.asked_at
    table.active_at = checkpoint.active_at
    return table


class ShoeStart(BaseModel):
    """What the rounds of a shoe need of the entries before it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int
    """How many rounds the table had dealt."""
    seats: dict[int, tuple[str, str]]
    """User and name by seat, in order."""
    players: dict[int, str]
    """Who took each seat last, in order."""


def start_of(table: FoldedTable) -> ShoeStart | None:
    """Return the start of the shoe that a table has just committed itself to; None where bets lie on the table."""
    if table.next_state.seats:
        return None
    return ShoeStart(
        rounds=table.rounds,
        seats={seat: (sitter.user, sitter.name) for seat, sitter in sorted(table.seats.items())},
        players=dict(sorted(table.players.items())),
    )


def table_at_start(
    opened: TableOpened, sheet: RuleSheet, opened_at: int, start: ShoeStart, sequence: int
) -> FoldedTable:
    """Return the table before the entry `sequence`, which commits it to a shoe: empty, whatever round was shown."""
    table = FoldedTable(opened, sheet, opened_at)
    table.seats = {seat: Sitter(user, name) for seat, (user, name) in start.seats.items()}
    table.rounds = start.rounds
    table.restore(dict(start.players), sequence - 1)
    return table


def end_of(record: Record, sheet: RuleSheet) -> State:
    """Return the last state of a recorded round, by the table's sheet, whatever the sheet's file says by now."""
    cards = RecordedCards(record, sheet.tables.decks)
    state = start(sheet.tables)
    for words in record.bets:
        state = advance(state, read_bet(words))
    state = advance(state, NoMoreBets())
    play = iter(record.play)
    while state.phase != "done":
        state = advance(state, cards.draw(state) if state.wants_card else read_play(next(play)))
    return state
